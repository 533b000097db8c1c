"""Draw the pictures of docs/figures.md from a stored study, small: python docs/draw_figures.py data/paper.parquet"""

import re
import sys
from collections.abc import Collection
from pathlib import Path

from matplotlib import rcParams
from PIL import Image

import debox
from debox.analysis.old_runs import Runs
from debox.figures import old_catalogue as catalogue
from debox.figures.draw.by_type import figure_of
from debox.figures.draw.save import save
from debox.figures.draw.style import in_style

DOCS = Path(__file__).parent
DPI, COLOURS = 150, 256  # enough for a screen; all pictures together stay below 1 MB


def pictures() -> list[str]:
    """The names of the figures that the page shows, as `debox figures --only` takes them."""
    return re.findall(r"\(figures/(.+?)\.png\)", (DOCS / "figures.md").read_text())


def draw(runs: Runs, names: Collection[str], folder: Path) -> None:
    """The pictures of these names, with few colours."""
    with in_style("paper"):
        rcParams["savefig.dpi"] = DPI
        for entry in catalogue.choose(runs, names):
            path = save(figure_of(entry, runs), folder / f"{entry.name}.png", entry.name, entry.alt_text(runs))
            with Image.open(path) as image:
                few = image.convert("RGB").quantize(COLOURS)
            few.save(path, optimize=True)


def note(runs: Runs) -> None:
    """Say on the page which data the pictures show."""
    n, budget = (runs.table[name][0] for name in ("dimension", "budget"))
    data = (
        f"Drawn from {len(runs.table['pois']):,} runs: n = {n}, budget {budget:,}, {runs.planned} per configuration.\n"
    )
    page = DOCS / "figures.md"
    begin, end = r"(<!-- data -->\n)", r"(<!-- end of data -->)"
    page.write_text(re.sub(f"{begin}.*?{end}", lambda m: m[1] + data + m[2], page.read_text(), flags=re.DOTALL))


if __name__ == "__main__":
    store = debox.open_store(sys.argv[1])
    stored = Runs.of(store.table(), store.study)
    draw(stored, pictures(), DOCS / "figures")
    note(stored)
