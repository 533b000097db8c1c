"""Pictures of docs/figures: small files, sharp enough for a screen."""

from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image

from reproduction.numbers import DOCS

DPI, COLOURS = 150, 256


def save(figure: Figure, name: str) -> Path:
    """Write a figure as docs/figures/NAME.png, with few colours."""
    path = DOCS / "figures" / f"{name}.png"
    figure.savefig(path, dpi=DPI)
    with Image.open(path) as image:
        few = image.convert("RGB").quantize(COLOURS)
    few.save(path, optimize=True)
    return path
