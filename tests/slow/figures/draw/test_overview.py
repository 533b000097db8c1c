import matplotlib
import numpy as np
import pytest
from matplotlib.collections import QuadMesh

from debox.analysis.scale import TICKS, logit_like
from debox.analysis.summary import Summary
from debox.figures.data.overview import Overview
from debox.figures.draw.overview import colour, draw_in, draw_page, marks
from debox.figures.draw.style import empty_figure, in_style, readable_colour_on

WIDE, NARROW = Summary(9, 0.2, 0.5, 0.8), Summary(9, 0.48, 0.5, 0.52)
CAMPS = Summary(9, 0.1, 0.5, 0.9, (0.1, 0.9))
RECORD = Overview(
    (("rand/1", 5),), (("bin", "mirror"),), (0.5, 1.5), (0.2, 0.9), (((WIDE, NARROW, CAMPS, Summary()),),), 9
)


def drawn(record):
    with in_style("paper"):
        figure = empty_figure((7, 7))
        ax = draw_in(figure.add_subplot(), record)
        figure.draw_without_rendering()
    return ax


def test_a_bar_spans_the_spread_where_it_can_be_seen():
    bars = [path.vertices.tolist() for path in drawn(RECORD).collections[2].get_paths()]
    assert bars == [
        [pytest.approx([0.5, -2 + 0.2]), pytest.approx([0.5, -2 + 0.8])],
        [pytest.approx([0.5, -1 + 0.1]), pytest.approx([0.5, -1 + 0.9])],
    ]


def test_two_dots_stand_at_the_medians_of_the_camps():
    dots = drawn(RECORD).collections[3].get_offsets().tolist()
    assert dots == [pytest.approx([0.5, -1 + 0.1]), pytest.approx([0.5, -1 + 0.9])]


def test_the_spread_is_drawn_over_the_cells_and_camps_over_the_spread(layered):
    ax = drawn(RECORD)
    squares, _, bars, dots = ax.collections
    assert layered(ax, squares, bars, dots)


def test_without_runs_there_is_no_colour():
    assert colour(Summary()) is None
    (path,) = drawn(RECORD).collections[0].get_paths()  # one colour, as the medians are the same
    assert len(path.to_polygons()) == 3


def lightness(rgba):
    return np.dot(rgba[:3], [0.3, 0.59, 0.11])


def test_the_ticks_of_the_scale_have_colours_that_are_told_apart_in_grey_too():
    greys = [lightness(colour(Summary(1, tick, tick, tick))) for tick in TICKS]
    assert (np.diff(greys) > 0.03).all()
    linear = [lightness(matplotlib.colormaps["viridis"](tick)) for tick in TICKS]
    assert not (np.diff(linear) > 0.03).all()


@pytest.mark.parametrize("median", TICKS)
def test_marks_are_seen_on_their_cell(median):
    cell = Summary(1, median, median, median)
    assert abs(lightness(colour(cell)) - (readable_colour_on(colour(cell)) == "white")) >= 0.5


def test_the_colours_are_explained_by_ticks():
    ax = drawn(RECORD)
    scale = ax.figure.axes[1]
    assert [label.get_text() for label in scale.get_xticklabels()] == [f"{tick:g}" for tick in TICKS]
    assert scale.get_xlabel() == "median POIS of the runs"


def test_a_tick_stands_where_the_scale_has_the_colour_of_its_number():
    scale = drawn(RECORD).figure.axes[1]
    values = [float(label.get_text()) for label in scale.get_xticklabels()]
    places = scale.get_xticks()
    assert places == pytest.approx(logit_like(values))
    assert (places[0], places[4], places[-1]) == pytest.approx((-3, 0, 3))  # 0, 0.5 and 1
    (solids,) = (artist for artist in scale.collections if isinstance(artist, QuadMesh))
    expected = [colour(Summary(1, value, value, value)) for value in values]
    assert [tuple(rgba) for rgba in solids.to_rgba(places)] == [pytest.approx(rgba) for rgba in expected]


@pytest.mark.parametrize("record", [RECORD, Overview((), (), (), (), (), 0)], ids=["some", "none"])
def test_the_page_explains_its_marks(record):
    with in_style("screen"):
        figure = empty_figure((7, 7), "screen")
        draw_page(figure, record)
        figure.draw_without_rendering()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [mark.get_label() for mark in marks()]
