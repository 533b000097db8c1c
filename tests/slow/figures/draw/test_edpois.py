"""Where the ink lies, in units of a rectangle."""

import pytest
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_rgb

from debox.figures.data.edpois import Cell, EdpoisPanel
from debox.figures.draw.edpois import GAP, bars_of, draw_in
from debox.figures.draw.style import COLOURS, empty_figure


def counts(**bins):
    return tuple(bins.get(f"b{k}", 0) for k in range(10))


def share(place, points):
    """Points as shares of the rectangle at this grid place."""
    return [((x - place[0] - GAP) / (1 - 2 * GAP), (y - place[1] - GAP) / (1 - 2 * GAP)) for x, y in points]


def span(place, bar):
    """left, right, low, high"""
    x, y = zip(*share(place, bar), strict=True)
    return min(x), max(x), min(y), max(y)


def drawn(*cells, planned=50, F=(0.5,), Cr=(0.2, 0.9)):
    return draw_in(empty_figure((3, 3)).add_subplot(), EdpoisPanel("title", planned, F, Cr, cells))


def collections(ax, kind):
    return [collection for collection in ax.collections if type(collection) is kind]


def test_a_bar_is_as_long_as_its_share_of_the_planned_runs_and_stands_at_its_tenth():
    bars = list(bars_of((3, 4), Cell(1, 1, counts(b2=10, b9=40), "violet"), 50))
    assert [span((3, 4), bar) for bar in bars] == [
        pytest.approx((0, 0.2, 0.2, 0.3)),
        pytest.approx((0, 0.8, 0.9, 1.0)),
    ]


def test_fewer_runs_than_planned_leave_room():
    (bar,) = bars_of((0, 0), Cell(1, 1, counts(b0=30), "teal"), 50)
    assert span((0, 0), bar) == pytest.approx((0, 0.6, 0, 0.1))


def test_an_orange_bar_has_a_notch_and_the_length_of_any_other():
    left, right = bars_of((0, 0), Cell(1, 1, counts(b9=50), "orange"), 50)
    assert span((0, 0), left)[0] == pytest.approx(0)
    assert span((0, 0), right)[1] == pytest.approx(1)
    assert 0.02 < span((0, 0), right)[0] - span((0, 0), left)[1] < 0.1


@pytest.mark.parametrize("runs", [1, 2, 3, 9])
def test_a_short_orange_bar_has_a_notch_of_a_third_at_most(runs):
    """Of 9 of 50 runs, 0.18 of the width, a third is the whole notch, 0.06."""
    left, right = bars_of((0, 0), Cell(1, 1, counts(b9=runs), "orange"), 50)
    third = runs / 50 / 3
    assert span((0, 0), left) == pytest.approx((0, third, 0.9, 1))
    assert span((0, 0), right) == pytest.approx((2 * third, 3 * third, 0.9, 1))


def test_a_cell_without_runs_is_a_frame_with_a_cross_and_nothing_else():
    ax = drawn(Cell(0.5, 0.2), Cell(0.5, 0.9, counts(b5=50), "violet"))
    frames, bars = collections(ax, PolyCollection)
    (crosses,) = collections(ax, LineCollection)
    (circles,) = collections(ax, PathCollection)
    assert (len(frames.get_paths()), len(bars.get_paths())) == (2, 1)
    ends = [share((0, 0), line.vertices) for line in crosses.get_paths()]
    assert [end for line in ends for end in line] == [pytest.approx(end) for end in [(0, 0), (1, 1), (0, 1), (1, 0)]]
    assert len(circles.get_offsets()) == 1


def test_the_circle_marks_Cr_and_half_of_F():
    ax = drawn(Cell(0.5, 0.2, counts(b0=50), "teal"), Cell(0.5, 0.9, counts(b0=50), "teal"))
    (circles,) = collections(ax, PathCollection)
    first, second = circles.get_offsets()
    assert share((0, 0), [first]) == [pytest.approx((0.2, 0.25))]
    assert share((1, 0), [second]) == [pytest.approx((0.9, 0.25))]
    assert to_rgb(circles.get_edgecolor()[0]) == (0, 0, 1)


def test_the_circle_is_drawn_over_the_bars_and_bars_over_the_frame(layered):
    ax = drawn(Cell(0.5, 0.2), Cell(0.5, 0.9, counts(b0=50), "teal"))
    (frames, bars), (circles,) = collections(ax, PolyCollection), collections(ax, PathCollection)
    assert layered(ax, frames, bars, circles)
    assert not layered(ax, circles, bars)


def test_bars_have_the_colour_of_their_cell():
    cells = [Cell(0.5, Cr, counts(b9=50), colour) for Cr, colour in ((0.2, "teal"), (0.9, "violet"))]
    bars = collections(drawn(*cells), PolyCollection)[1]
    assert [to_rgb(colour) for colour in bars.get_facecolor()] == [to_rgb(COLOURS["teal"]), to_rgb(COLOURS["violet"])]


def test_rows_are_F_upward_and_columns_Cr_to_the_right():
    cells = [Cell(F, Cr, counts(b0=50), "teal") for F in (0.5, 1.5) for Cr in (0.2, 0.9)]
    ax = drawn(*cells, F=(0.5, 1.5))
    assert [(tick.get_position()[0], tick.get_text()) for tick in ax.get_xticklabels()] == [(0.5, "0.2"), (1.5, "0.9")]
    assert [(tick.get_position()[1], tick.get_text()) for tick in ax.get_yticklabels()] == [(0.5, "0.5"), (1.5, "1.5")]
    (circles,) = collections(ax, PathCollection)
    assert [tuple(place // 1) for place in circles.get_offsets()] == [(0, 0), (1, 0), (0, 1), (1, 1)]


def test_the_title_says_what_is_missing():
    ax = drawn(Cell(0.5, 0.2, counts(b0=30), "teal"), Cell(0.5, 0.9, counts(b0=30), "teal"))
    assert ax.get_title() == "title\n30 of 50 runs"
