"""A handful of figures as pictures, small, against those in tests/slow/figures/golden; `make golden` writes them anew.

Pictures are compared in blocks of 4 × 4 pixels: none may differ by more than TOLERANCE of the way from black to white
in any of red, green and blue. That forgives smoothed edges, and notices one bar that moved or changed its colour.
"""

from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from matplotlib.image import imread, imsave

from debox.analysis.names import Panel
from debox.analysis.runs import Runs
from debox.figures import contours, edpois, overview, reading_key, ribbons, sketch, strategies, threshold
from debox.figures.style import empty_figure, in_style

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


def runs_of(cells, crossover="exp", strategy="mirror"):
    """The runs of {(N, F, Cr): POIS of each}, all of DE/rand/1."""
    rows = [(*key, pois) for key, several in cells.items() for pois in several]
    table = {
        name: np.array(column) for name, column in zip(("N", "F", "Cr", "pois"), zip(*rows, strict=True), strict=True)
    }
    operators = {"mutation": "rand/1", "crossover": crossover, "strategy": strategy}
    shared = {name: np.full(len(rows), value, object) for name, value in operators.items()}
    return Runs.of({**shared, **table, "dimension": np.full(len(rows), 30), "budget": np.full(len(rows), 1000)})


def spread(low, lower, median, upper, high):
    """21 runs with these 5, 25, 50, 75 and 95 % quantiles."""
    return [*[low] * 2, *[lower] * 4, *[median] * 5, *[upper] * 5, *[high] * 5]


def panel(cells):
    runs = runs_of({(5, *key): pois for key, pois in cells.items()}, strategy="saturation")
    return edpois.page(runs, Panel.of("DE/rand/1/exp sat", 5)).draw_page


def all_configurations(first=0.0):
    """One mini-grid from never to always outside; two cells have a spread, one has no run."""
    medians = (first, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 1.0)
    cells = [[median] * 21 for median in medians]
    cells[3:5] = [spread(0.05, 0.1, 0.1, 0.1, 0.9), spread(0.1, 0.5, 0.5, 0.5, 0.9)]
    places = [(5, F, Cr) for F in (0.5, 1.0, 2.0) for Cr in (0.1, 0.5, 0.9)]
    return partial(overview.draw, runs=runs_of(dict(zip(places, [*cells, []], strict=True)), "bin"))


def bands(upper=0.3):
    """A rising ribbon, and a flat one with a gap; half of the runs lie up to `upper` above the lower quartile."""
    cells = {(5, F, 0.5): spread(*(q + F / 4 for q in (0.0, 0.1, 0.2, 0.1 + upper, 0.5))) for F in (0.5, 1.0, 1.5, 2.0)}
    cells |= {(20, F, 0.5): spread(0.02, 0.05, 0.1, 0.15, 0.2) for F in (0.5, 1.0, 2.0)}
    straight = lambda runs, against, points: np.interp(points, (0.5, 2), (0.4, 0.9)) * np.ones((1, 2, 1))  # noqa: E731

    def draw(ax):
        with patch.object(ribbons, "curves", straight):
            ribbons.draw(ax, runs_of(cells))

    return draw


def heights(last=1.0):
    """A map that rises through all levels, with one cell missing."""
    medians = (0.0, 0.1, 0.3, 0.2, 0.6, 0.95, np.nan, 0.95, last)
    places = [(5, F, Cr) for F in (0.5, 1.0, 2.0) for Cr in (0.1, 0.5, 0.9)]
    cells = {place: [median] for place, median in zip(places, medians, strict=True) if median == median}
    return partial(contours.draw, runs=runs_of(cells), mutation="rand/1")


def all_strategies(figure):
    strategies.draw_page(figure, *(operator.name for operator in strategies.component_strategies()))


FIGURES = {  # size, what draws
    "panel": ((2.4, 2.4), panel(CELLS)),
    "overview": ((2.4, 2.4), all_configurations()),
    "ribbons": ((2.4, 2.4), bands()),
    "contours": ((2.4, 2.4), heights()),
    "reading-key": ((5.0, 4.3), reading_key.draw),
    "sketch-3d": ((5.0, 2.3), sketch.draw),
    "strategies": ((7.2, 6.4), all_strategies),
    "threshold": ((3.5, 2.6), threshold.draw),
}


def picture(name, draw=None):
    """Red, green and blue in [0, 1] of every pixel."""
    size, usual = FIGURES[name]
    with in_style("paper"):
        figure = empty_figure(size)
        figure.set_dpi(DPI)
        (draw or usual)(figure if name in ("panel", "strategies") else figure.add_subplot())
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
    assert difference(picture(name), golden(name)) <= TOLERANCE


CHANGED = {  # the control: one cell of nine, or one quantile, has changed
    "another colour at the bottom": ("panel", panel({**CELLS, (0.5, 0.1): [0.005] * 10})),
    "another colour at the top": ("panel", panel({**CELLS, (2.0, 0.9): [0.95] * 10})),
    "one of ten runs in another bin": ("panel", panel({**CELLS, (1.0, 0.1): [*CELLS[1.0, 0.1][:-1], 0.75]})),
    "a run where none was": ("panel", panel({**CELLS, (1.0, 0.5): [0.5]})),
    "none where some were": ("panel", panel({**CELLS, (1.0, 0.9): []})),
    "a median": ("overview", all_configurations(first=0.05)),
    "a quartile": ("ribbons", bands(upper=0.2)),
    "a level": ("contours", heights(last=0.98)),
}


@pytest.mark.parametrize("change", CHANGED)
def test_a_figure_of_slightly_other_data_looks_different(change):
    name, draw = CHANGED[change]
    assert difference(picture(name, draw), golden(name)) > 1.5 * TOLERANCE


def test_every_golden_picture_is_of_a_figure_and_small():
    paths = list(FOLDER.glob("*.png"))
    assert {path.stem for path in paths} == FIGURES.keys()
    assert sum(path.stat().st_size for path in paths) < 100_000


if __name__ == "__main__":
    for name in FIGURES:
        imsave(FOLDER / f"{name}.png", picture(name))
