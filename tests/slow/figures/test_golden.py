"""A handful of figures as pictures, small, against those in tests/slow/figures/golden; `make golden` writes them anew.

Pictures are compared in blocks of 4 × 4 pixels: none may differ by more than TOLERANCE of the way from black to white
in any of red, green and blue. That forgives smoothed edges, and notices one bar that moved or changed its colour.
"""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread, imsave

from debox.analysis.old_runs import Panel
from debox.analysis.summary import Summary
from debox.figures.data import reading_key, sketch, strategies, threshold
from debox.figures.data.contours import Contours, Map
from debox.figures.data.edpois import EdpoisPanel, cell
from debox.figures.data.overview import Overview
from debox.figures.data.ribbons import Plot, Ribbon, Ribbons
from debox.figures.draw.by_type import draw_in, draw_page
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


def all_configurations(first=0.0):
    """One mini-grid from never to always outside; one cell has a spread, one has camps, one no run."""
    medians = (first, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 1.0)
    cells = [Summary(9, median, median, median) for median in medians]
    cells[3:5] = [Summary(9, 0.05, 0.1, 0.9), Summary(9, 0.1, 0.5, 0.9, (0.15, 0.85))]
    return Overview(
        (("rand/1", 5),), (("bin", "mirror"),), (0.5, 1.0, 2.0), (0.1, 0.5, 0.9), (((*cells, Summary()),),), 9
    )


def bands(upper=0.3):
    """A rising ribbon, and a flat one with a gap; half of the runs lie up to `upper` above the lower quartile."""
    F, curve = (0.5, 1.0, 1.5, 2.0), ((0.5, 2.0), (0.4, 0.9))
    rising = tuple(tuple(q + F_ / 4 for F_ in F) for q in (0.0, 0.1, 0.2, 0.1 + upper, 0.5))
    flat = tuple((q, q, np.nan, q) for q in (0.02, 0.05, 0.1, 0.15, 0.2))
    both = Ribbon(5, F, (9,) * 4, rising, *curve), Ribbon(20, F, (9, 9, 0, 9), flat, *curve)
    return Ribbons("DE/rand/1/exp", "F", "Cr", 9, ((Plot("mirror", 0.5, both),),))


def heights(last=1.0):
    """A map that rises through all levels, with one cell missing."""
    median = ((0.0, 0.1, 0.3), (0.2, 0.6, 0.95), (np.nan, 0.95, last))
    return Contours("rand/1", ((Map(Panel("rand/1", "exp", "mirror", 5), (0.5, 1.0, 2.0), (0.1, 0.5, 0.9), median),),))


def draw_without_legend(figure, record):
    draw_in(figure.add_subplot(), record)


FIGURES = {  # size, draw, what makes the record
    "panel": ((2.4, 2.4), draw_page, lambda: panel(CELLS)),
    "overview": ((2.4, 2.4), draw_without_legend, all_configurations),
    "ribbons": ((2.4, 2.4), draw_without_legend, bands),
    "contours": ((2.4, 2.4), draw_without_legend, heights),
    "reading-key": ((5.0, 4.3), draw_page, reading_key.reading_key),
    "sketch-3d": ((5.0, 2.3), draw_page, sketch.sketch),
    "strategies": ((7.2, 6.4), draw_page, strategies.strategies),
    "threshold": ((3.5, 2.6), draw_page, threshold.thresholds),
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
    size, draw, make = FIGURES[name]
    assert difference(picture(size, draw, make()), golden(name)) <= TOLERANCE


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


@pytest.mark.parametrize(
    ("name", "other"),
    [("overview", all_configurations(first=0.05)), ("ribbons", bands(upper=0.2)), ("contours", heights(last=0.98))],
)
def test_a_figure_of_slightly_other_data_looks_different(name, other):
    size, draw, _ = FIGURES[name]
    assert difference(picture(size, draw, other), golden(name)) > 1.5 * TOLERANCE


def test_every_golden_picture_is_of_a_figure_and_small():
    paths = list(FOLDER.glob("*.png"))
    assert {path.stem for path in paths} == FIGURES.keys()
    assert sum(path.stat().st_size for path in paths) < 100_000


if __name__ == "__main__":
    for name, (size, draw, make) in FIGURES.items():
        imsave(FOLDER / f"{name}.png", picture(size, draw, make()))
