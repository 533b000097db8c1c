"""Contours of little, colours of the scale, and names along mosaics; test_golden.py has the pictures."""

import matplotlib
import numpy as np
import pytest
from drawings import ink
from matplotlib.colors import to_hex
from plans import planned

from debox import operators
from debox.analysis.leaving import TICKS, logit_like
from debox.analysis.runs import Runs
from debox.figures import contours, overview
from debox.figures.contours import BANDS
from debox.figures.mosaic import Mosaic
from debox.figures.style import readable_colour_on

F, CR = (0.5, 1.0, 1.5), (0.2, 0.9)


@pytest.fixture
def map_of(made):
    """map_of(medians, F, Cr): the Axes of contours with these medians, NaN where no run is."""

    def draw(medians, F=F, Cr=CR):
        cells = {(f, c): [m] for f, row in zip(F, medians, strict=True) for c, m in zip(Cr, row, strict=True) if m == m}
        table = made(cells)
        return ink(contours.draw, Runs.of(table, planned(table | {"N": np.array([5])}, F=F, Cr=Cr, runs=1)), "rand/1")

    return draw


def dots(ax):
    return next(collection for collection in ax.collections if len(collection.get_offsets()) > 1)


@pytest.mark.parametrize(
    ("medians", "F", "Cr"),
    [(((0.4,),), (0.7,), (0.5,)), (((0.4, 0.6),), (0.7,), CR), (((0.4, np.nan), (np.nan, np.nan)), (0.7, 0.8), CR)],
    ids=["one cell", "one F", "one of four cells"],
)
def test_little_is_drawn_without_a_warning(map_of, medians, F, Cr):
    assert map_of(medians, F, Cr).get_title().startswith("DE/rand/1")


def test_dots_have_the_colour_of_their_band_and_bands_darken_in_grey_too(map_of):
    colours = [to_hex(colour) for colour in dots(map_of(((0.0, 0.49), (0.5, 0.9), (0.98, 0.99)))).get_facecolors()]
    bands = list(BANDS.values())
    assert colours == [bands[k] for k in (0, 0, 1, 2, 2, 3)]
    grey = [np.dot([int(band[k : k + 2], 16) for k in (1, 3, 5)], [0.3, 0.59, 0.11]) for band in bands]
    assert (np.diff(grey) < -25).all()


def colour(median):
    return matplotlib.colormaps[overview.COLOURS]((logit_like(median) / 3 + 1) / 2)


def test_colours_of_the_scale_differ_in_grey_and_marks_are_seen_on_them():
    greys = np.dot(colour(TICKS)[:, :3], [0.3, 0.59, 0.11])
    assert (np.diff(greys) > 0.03).all()
    for grey, rgba in zip(greys, colour(TICKS), strict=True):
        assert abs(grey - (readable_colour_on(rgba) == "white")) >= 0.5


def mosaic(runs):
    """The Axes of a mosaic in which all cells with runs have one colour."""
    one = Mosaic(runs)
    shades = np.where(one.arrange(runs.counts) > 0, 0.5, np.nan)
    return ink(lambda ax: one.draw(ax, shades, matplotlib.colormaps["viridis"]) or ax)


def overlapping(ax):
    """Pairs of names that cover each other."""
    boxes = [(text.get_text(), text.get_window_extent()) for text in ax.texts]
    return [(one, other) for k, (one, a) in enumerate(boxes) for other, b in boxes[k + 1 :] if a.overlaps(b)]


def test_names_do_not_cover_each_other_with_fifteen_strategies_or_ten_mutations(made):
    strategies = [operator.name for operator in operators.in_slot("strategy")][:15]
    mutations = [*(operator.name for operator in operators.in_slot("mutation")), "mine/1"][-10:]
    cells = {("rand/1", c, s, 5, 0.5, cr): [0.1] for c in ("bin", "exp") for s in strategies for cr in CR}
    assert overlapping(mosaic(Runs.of(made(cells)))) == []
    cells = {
        (m, c, "mirror", N, 0.5, cr): [0.1] for m in mutations for c in ("bin", "exp") for N in (5, 9) for cr in CR
    }
    assert overlapping(mosaic(Runs.of(made(cells)))) == []
