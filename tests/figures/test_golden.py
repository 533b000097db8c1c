"""A handful of figures as pictures, small, against those in tests/figures/golden; `make golden` writes them anew.

Pictures are compared in blocks of 4 × 4 pixels: none may differ by more than TOLERANCE of the way from black to white
in any of red, green and blue. That forgives smoothed edges, and notices one bar that moved or changed its colour.
"""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread, imsave

from debox.figures.data import key, strategies, threshold
from debox.figures.data.edpois import EdpoisPanel, cell
from debox.figures.draw import key as draw_key
from debox.figures.draw import pages, sketch
from debox.figures.draw import strategies as draw_strategies
from debox.figures.draw import threshold as draw_threshold
from debox.figures.draw.style import empty_figure, in_style

FOLDER = Path(__file__).parent / "golden"
DPI, BLOCK, TOLERANCE = 60, 4, 0.1

CELLS = {  # POIS of ten runs for each (F, Cr)
    (0.5, 0.1): [0.0] * 10,  # teal at the bottom
    (0.5, 0.5): [0.005] * 10,  # orange at the bottom
    (0.5, 0.9): [0.05] * 10,  # violet, all in one bin
    (1.0, 0.1): [0.15, 0.25, 0.25, 0.35, 0.35, 0.35, 0.45, 0.45, 0.55, 0.65],
    (1.0, 0.5): [],  # a cross
    (1.0, 0.9): [0.05] * 4 + [0.95] * 5,  # nine of ten runs, at both ends
    (2.0, 0.1): [0.95] * 10,
    (2.0, 0.5): [0.995] * 10,
    (2.0, 0.9): [1.0] * 10,
}


def panel(cells):
    made = tuple(cell(F, Cr, np.array(pois)) for (F, Cr), pois in cells.items())
    return EdpoisPanel("DE/rand/1/exp sat, N=5", 10, (0.5, 1.0, 2.0), (0.1, 0.5, 0.9), made)


FIGURES = {  # size, draw, record
    "panel": ((2.4, 2.4), pages.panel, panel(CELLS)),
    "reading-key": ((5.0, 4.3), draw_key.key, key.key()),
    "sketch-3d": ((5.0, 2.3), sketch.sketch, key.sketch()),
    "strategies": ((3.5, 3.2), draw_strategies.strategies, strategies.strategies()),
    "threshold": ((3.5, 2.6), draw_threshold.threshold, threshold.thresholds()),
}


def picture(size, draw, record):
    """Red, green and blue in [0, 1] of every pixel."""
    with in_style("paper"):
        figure = empty_figure(size)
        figure.set_dpi(DPI)
        draw(figure, record)
        figure.canvas.draw()
        return np.asarray(figure.canvas.buffer_rgba())[..., :3] / 255


def blocks(image):
    height, width = (length // BLOCK * BLOCK for length in image.shape[:2])
    cut = image[:height, :width].reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK, 3)
    return cut.mean(axis=(1, 3))


def difference(one, other):
    """The largest of any block and colour."""
    assert one.shape == other.shape
    return np.abs(blocks(one) - blocks(other)).max()


def golden(name):
    return imread(FOLDER / f"{name}.png")[..., :3]


@pytest.mark.parametrize("name", FIGURES)
def test_the_figure_looks_as_it_did(name):
    assert difference(picture(*FIGURES[name]), golden(name)) <= TOLERANCE


@pytest.mark.parametrize(
    ("place", "pois"),
    [
        ((0.5, 0.1), [0.005] * 10),  # another colour
        ((2.0, 0.9), [0.95] * 10),
        ((1.0, 0.1), [0.15, 0.25, 0.25, 0.35, 0.35, 0.35, 0.45, 0.45, 0.55, 0.75]),  # one of ten runs in another bin
        ((1.0, 0.5), [0.5]),  # a run where none was
        ((1.0, 0.9), []),  # none where some were
    ],
)
def test_a_panel_of_other_data_looks_different(place, pois):
    """The control: one cell of nine has changed."""
    size, draw, _ = FIGURES["panel"]
    assert difference(picture(size, draw, panel({**CELLS, place: pois})), golden("panel")) > 1.5 * TOLERANCE


def test_every_golden_picture_is_of_a_figure_and_small():
    paths = list(FOLDER.glob("*.png"))
    assert {path.stem for path in paths} == FIGURES.keys()
    assert sum(path.stat().st_size for path in paths) < 100_000


if __name__ == "__main__":
    for name, figure in FIGURES.items():
        imsave(FOLDER / f"{name}.png", picture(*figure))
