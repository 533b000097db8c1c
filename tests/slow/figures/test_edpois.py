"""Where the ink of EDPOIS panels lies, in units of a rectangle."""

import pytest
from drawings import ink
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_rgb
from plans import planned

from debox.analysis.names import Panel
from debox.analysis.runs import Runs
from debox.edpois import COLOURS
from debox.figures import edpois
from debox.figures.edpois import GAP, bars_of

TEAL, VIOLET = [0.0] * 50, [0.55] * 50


def counts(**bins):
    return [bins.get(f"b{k}", 0) for k in range(10)]


def share(place, points):
    """Points as shares of the rectangle at this grid place."""
    return [((x - place[0] - GAP) / (1 - 2 * GAP), (y - place[1] - GAP) / (1 - 2 * GAP)) for x, y in points]


def span(place, bar):
    """left, right, low, high"""
    x, y = zip(*share(place, bar), strict=True)
    return min(x), max(x), min(y), max(y)


@pytest.fixture
def drawn(made):
    """drawn({(F, Cr): POIS of each run}): the Axes and its collections by kind; 50 runs are planned."""

    def draw(cells, F, Cr):
        table = made(cells)
        ax = ink(edpois.draw, Runs.of(table, planned(table, F=F, Cr=Cr)), Panel.of("DE/rand/1/exp sat", 5))
        return ax, {kind: [one for one in ax.collections if type(one) is kind] for kind in map(type, ax.collections)}

    return draw


def test_a_bar_is_as_long_as_its_share_of_the_planned_runs_and_stands_at_its_tenth():
    bars = [span((3, 4), bar) for bar in bars_of((3, 4), counts(b2=10, b9=30), 50, "violet")]
    assert bars == [pytest.approx((0, 0.2, 0.2, 0.3)), pytest.approx((0, 0.6, 0.9, 1.0))]


@pytest.mark.parametrize(("runs", "notch"), [(1, 1 / 150), (9, 0.06), (50, 0.06)])
def test_an_orange_bar_has_a_notch_of_a_third_at_most_and_the_length_of_any_other(runs, notch):
    left, right = (span((0, 0), bar) for bar in bars_of((0, 0), counts(b9=runs), 50, "orange"))
    assert left == pytest.approx((0, (runs / 50 - notch) / 2, 0.9, 1))
    assert right == pytest.approx(((runs / 50 + notch) / 2, runs / 50, 0.9, 1))


def test_rows_are_F_upward_and_columns_Cr_to_the_right_with_a_circle_at_Cr_and_half_of_F(drawn, layered):
    cells = {(0.5, 0.2): TEAL, (0.5, 0.9): VIOLET, (1.5, 0.2): VIOLET, (1.5, 0.9): TEAL}
    ax, kinds = drawn(cells, [0.5, 1.5], [0.2, 0.9])
    assert [(tick.get_position()[0], tick.get_text()) for tick in ax.get_xticklabels()] == [(0.5, "0.2"), (1.5, "0.9")]
    assert [(tick.get_position()[1], tick.get_text()) for tick in ax.get_yticklabels()] == [(0.5, "0.5"), (1.5, "1.5")]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("Cr", "F", "DE/rand/1/exp sat, N=5")
    (frames, bars), (circles,) = kinds[PolyCollection], kinds[PathCollection]
    places = [(0, 0), (1, 0), (0, 1), (1, 1)]
    found = [share(place, [at])[0] for place, at in zip(places, circles.get_offsets(), strict=True)]
    assert found == [pytest.approx(at) for at in ((0.2, 0.25), (0.9, 0.25), (0.2, 0.75), (0.9, 0.75))]
    assert to_rgb(circles.get_edgecolor()[0]) == (0, 0, 1)
    colours = [to_rgb(COLOURS[name]) for name in ("teal", "violet", "violet", "teal")]
    assert [to_rgb(colour) for colour in bars.get_facecolor()] == colours
    assert span((1, 0), bars.get_paths()[1].vertices) == pytest.approx((0, 1, 0.5, 0.6))
    assert layered(ax, frames, bars, circles)


def test_a_cell_without_runs_is_a_frame_with_a_cross_and_the_title_says_what_is_missing(drawn):
    ax, kinds = drawn({(0.5, 0.9): VIOLET}, [0.5], [0.2, 0.9])
    frames, bars = kinds[PolyCollection]
    assert (len(frames.get_paths()), len(bars.get_paths())) == (2, 1)
    (crosses,), (circles,) = kinds[LineCollection], kinds[PathCollection]
    ends = [end for line in crosses.get_paths() for end in share((0, 0), line.vertices)]
    assert ends == [pytest.approx(end) for end in [(0, 0), (1, 1), (0, 1), (1, 0)]]
    assert len(circles.get_offsets()) == 1
    assert ax.get_title() == "DE/rand/1/exp sat, N=5\n0 to 50 of 50 runs"
