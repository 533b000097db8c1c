"""Figures as pictures, small, against those in tests/slow/figures/golden; `make golden` writes them anew.

Pictures are compared in blocks of 4 × 4 pixels: none may differ by more than TOLERANCE of the way from black to white
in any of red, green and blue. That forgives smoothed edges, and notices one bar that moved or changed its colour.
"""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
from matplotlib.image import imread, imsave
from results import HISTORY, RESULT, WALLS

from debox.analysis.names import Panel
from debox.analysis.runs import Runs
from debox.figures import (
    compare,
    contours,
    convergence,
    drift,
    edpois,
    factor_interaction,
    factor_shares,
    last_step,
    life,
    measurement,
    overview,
    reading_key,
    ribbons,
    sketch,
    strategies,
    threshold,
    walls,
)
from debox.figures.page import PAGE
from debox.figures.style import in_style
from debox.optimize.compare import Comparison
from debox.optimize.optimizer import Result
from debox.study.fields import AXES

FOLDER = Path(__file__).parent / "golden"
DPI, BLOCK, TOLERANCE = 60, 4, 0.1
FLAT = (7.2, 4.2)  # inches, in place of whole pages

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


def runs_of(cells, crossover="exp", strategy="mirror", **columns):
    """The runs of {(N, F, Cr): POIS of each}, of DE/rand/1, or of {(mutation, crossover, strategy, N, F, Cr): …}."""
    whole = {key if len(key) == 6 else ("rand/1", crossover, strategy, *key): pois for key, pois in cells.items()}
    rows = [(*key, pois) for key, several in whole.items() for pois in several]
    table = {name: np.array(column) for name, column in zip((*AXES, "pois"), zip(*rows, strict=True), strict=True)}
    return Runs.of({**table, "dimension": np.full(len(rows), 30), "budget": np.full(len(rows), 1000), **columns})


def spread(low, lower, median, upper, high):
    """21 runs with these 5, 25, 50, 75 and 95 % quantiles."""
    return [*[low] * 2, *[lower] * 4, *[median] * 5, *[upper] * 5, *[high] * 5]


def panel(cells):
    runs = runs_of({(5, *key): pois for key, pois in cells.items()}, strategy="saturation")
    return edpois.page(runs, Panel.of("DE/rand/1/exp sat", 5))


def all_configurations(first=0.0):
    """Mini-grids of two variants. One goes from never to always outside; two of its cells have a spread, one no run."""
    medians = (first, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 1.0)
    cells = [[median] * 21 for median in medians]
    cells[3:5] = [spread(0.05, 0.1, 0.1, 0.1, 0.9), spread(0.1, 0.5, 0.5, 0.5, 0.9)]
    places = [(5, F, Cr) for F in (0.5, 1.0, 2.0) for Cr in (0.1, 0.5, 0.9)]
    one = {("best/1", "bin", "mirror", *place): pois for place, pois in zip(places, [*cells, []], strict=True)}
    other = {("rand/1", "exp", "mirror", 9, F, 0.5): [0.3] for F in (0.5, 2.0)}
    (page,) = overview.pages(runs_of(one | other))
    return page


def bands(upper=0.3):
    """A rising ribbon, and a flat one with a gap; half of the runs lie up to `upper` above the lower quartile."""
    cells = {(5, F, 0.5): spread(*(q + F / 4 for q in (0.0, 0.1, 0.2, 0.1 + upper, 0.5))) for F in (0.5, 1.0, 1.5, 2.0)}
    cells |= {(20, F, 0.5): spread(0.02, 0.05, 0.1, 0.15, 0.2) for F in (0.5, 1.0, 2.0)}
    straight = lambda runs, against, points: np.interp(points, (0.5, 2), (0.4, 0.9)) * np.ones((1, 2, 1))  # noqa: E731
    page = ribbons.page(runs_of(cells))
    return replace(page, draw=patch.object(ribbons, "curves", straight)(page.draw))


def heights(last=1.0):
    """A map that rises through all levels, with one cell missing."""
    medians = (0.0, 0.1, 0.3, 0.2, 0.6, 0.95, np.nan, 0.95, last)
    places = [(5, F, Cr) for F in (0.5, 1.0, 2.0) for Cr in (0.1, 0.5, 0.9)]
    cells = {place: [median] for place, median in zip(places, medians, strict=True) if median == median}
    return contours.page(runs_of(cells), "rand/1")


def lives(figure, last=0.4):
    """POIS after a third, two thirds and all of runs: it falls, it rises, and it stays until the last third."""
    down, up = [(0.5, 0.45, 0.4), (0.6, 0.6, 0.55), (0.7, 0.65, 0.6)], [(0.1, 0.12, 0.15), (0.2, 0.22, 0.25)]
    third, two_thirds, pois = np.transpose([*down, *up, (0.3, 0.35, 0.4), *[(0.4, 0.4, last)] * 3])
    cells = {(5, 0.5, 0.2): pois[:3], (5, 0.5, 0.9): pois[3:6], (5, 1.5, 0.2): pois[6:]}
    (page,) = figure.pages(runs_of(cells, strategy="saturation", pois_at_third=third, pois_at_two_thirds=two_thirds))
    return page


def falls(after=0.2):
    """Means before and after the last step of Cr, and the spread of the runs; the last fall is not shown to be one."""
    keys = [("rand/1", "exp", strategy, N, 0.5) for strategy in ("saturation", "toroidal") for N in (5, 20)]
    steps = [(0.6, after, 0.001), (0.6, 0.7, 0.001), (0.3, 0.5, 0.001), (0.9, 0.6, 0.3)]
    cells = {(*key, 0.7): [before] * 2 for key, (before, *_) in zip(keys, steps, strict=True)}
    cells |= {(*key, 0.9): [mean - d, mean + d] for key, (_, mean, d) in zip(keys, steps, strict=True)}
    (page,) = last_step.pages(runs_of(cells))
    return page


def interaction(most=0.24):
    """POIS rises with F twice as fast for one strategy as for the other."""
    means = {("mirror", k): most * k / 6 for k in range(1, 7)} | {("saturation", k): k / 50 for k in range(1, 7)}
    cells = {("rand/1", "exp", strategy, 5, k / 5, 0.5): [mean] * 3 for (strategy, k), mean in means.items()}
    (page,) = factor_interaction.pages(runs_of(cells))
    return page


def shares(total=0.8):
    """Two factors, and one whose shares are not known."""
    numbers = {
        "factor": ["F", "N", "Cr"], "levels": [10, 3, 2],
        "first": [0.6, -0.01, np.nan], "first_low": [0.5, -0.02, -np.inf], "first_high": [0.7, 0.01, np.inf],
        "total": [total, 0.2, 0.5], "total_low": [0.75, 0.1, -np.inf], "total_high": [0.85, 0.3, np.inf],
        "shapley": [0.7, 0.3, 0.4], "shapley_low": [0.6, 0.2, np.nan], "shapley_high": [0.8, 0.4, 0.5],
    }  # fmt: skip
    (page,) = factor_shares.pages(runs_of({(5, 0.5, 0.5): [0.1]}))
    known = {name: np.array(column) for name, column in numbers.items()}
    return replace(page, draw=patch.object(factor_shares, "numbers", lambda _: known)(page.draw))


class Compared(Comparison):
    worse = ("toroidal",)  # as many runs would show


def compared(best=2.0):
    """Three strategies; two runs of one have no finite value."""
    values = np.array([[1, best, 3], [5, np.inf, np.inf], [10, 30, 20]])
    pois, evaluations, x = np.full((3, 3), 0.25), np.full((3, 3), 1000), values[:, :, None].copy()
    names = ("saturation", "none", "toroidal")
    return compare.page(Compared(names, values, pois, evaluations, x, (0, 1, 2), "jDE"))


def measured(highest=10, colour="orange"):
    """Runs in the middle of each tenth of POIS."""
    counts = np.array([3, 0, 0, 0, 0, 7, 0, 0, 0, highest])
    pois = np.repeat((np.arange(10) + 0.5) / 10, counts)
    facts = {"config": "DE/rand/1/exp sat, N=5", "n": 3, "budget": 1200, "seed": 4, "pois": pois, "mean": pois.mean}
    return measurement.page(SimpleNamespace(**facts, histogram=lambda: counts, colour=lambda: colour))


FIGURES = {  # with key and footer
    "panel": lambda: panel(CELLS),
    "overview": all_configurations,
    "ribbons": bands,
    "contours": heights,
    "reading-key": reading_key.page,
    "sketch-3d": lambda: next(sketch.pages()),
    "strategies": lambda: next(strategies.pages()),
    "threshold": threshold.page,
    "life": lambda: lives(life),
    "drift": lambda: lives(drift),
    "last-step": falls,
    "factors-interaction": interaction,
    "factors-shares": shares,
    "compare": compared,
    "measurement": measured,
    "convergence": lambda: convergence.page(RESULT),
    "walls": lambda: walls.page(RESULT),
}


def picture(page):
    """Red, green and blue in [0, 1] of every pixel."""
    with in_style("paper"):
        figure = replace(page, size=FLAT if page.size == PAGE else page.size).figure()
        figure.set_dpi(DPI)
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
    assert difference(picture(FIGURES[name]()), golden(name)) <= TOLERANCE


OTHER = Result(HISTORY | {"pois": HISTORY.pois / 2})
CHANGED = {  # the control: one cell of nine, or one quantile, has changed
    "another colour at the bottom": ("panel", lambda: panel({**CELLS, (0.5, 0.1): [0.005] * 10})),
    "another colour at the top": ("panel", lambda: panel({**CELLS, (2.0, 0.9): [0.95] * 10})),
    "one of ten runs in another bin": ("panel", lambda: panel({**CELLS, (1.0, 0.1): [*CELLS[1.0, 0.1][:-1], 0.75]})),
    "a run where none was": ("panel", lambda: panel({**CELLS, (1.0, 0.5): [0.5]})),
    "none where some were": ("panel", lambda: panel({**CELLS, (1.0, 0.9): []})),
    "a median": ("overview", lambda: all_configurations(first=0.05)),
    "a quartile": ("ribbons", lambda: bands(upper=0.2)),
    "a level": ("contours", lambda: heights(last=0.98)),
    "a third": ("life", lambda: lives(life, last=0.5)),
    "a drift": ("drift", lambda: lives(drift, last=0.5)),
    "a fall": ("last-step", lambda: falls(after=0.3)),
    "an interaction": ("factors-interaction", lambda: interaction(most=0.3)),
    "a share": ("factors-shares", lambda: shares(total=0.85)),
    "a value": ("compare", lambda: compared(best=2.5)),
    "a run": ("measurement", lambda: measured(highest=11)),
    "a colour": ("measurement", lambda: measured(colour="violet")),
    "a curve": (
        "convergence",
        lambda: convergence.page(RESULT | {"history": Result(HISTORY | {"pois": HISTORY.pois / 2})}),
    ),
    "violations": ("walls", lambda: walls.page(RESULT | {"walls": Result(WALLS | {"upper_early": [500, 0, 10, 0]})})),
}


@pytest.mark.parametrize("change", CHANGED)
def test_a_figure_of_slightly_other_data_looks_different(change):
    name, draw = CHANGED[change]
    assert difference(picture(draw()), golden(name)) > 1.5 * TOLERANCE


def test_every_golden_picture_is_of_a_figure_and_small():
    paths = list(FOLDER.glob("*.png"))
    assert {path.stem for path in paths} == FIGURES.keys()
    assert sum(path.stat().st_size for path in paths) < 250_000


if __name__ == "__main__":
    for name, page in FIGURES.items():
        imsave(FOLDER / f"{name}.png", picture(page()))
