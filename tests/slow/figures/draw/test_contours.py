import numpy as np
import pytest
from drawings import draw_alone
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from debox.analysis.old_runs import Panel
from debox.analysis.scale import logit_like
from debox.figures.data.contours import LEVELS, Contours, Map
from debox.figures.draw.contours import BANDS, bands_and_lines, draw_page
from debox.figures.draw.style import empty_figure, in_style
from debox.figures.draw.tiles import Tiles, range_around

PANEL = Panel("rand/1", "exp", "mirror", 5)
F, CR = (0.5, 1.0, 1.5), (0.2, 0.9)


def record(median, F=F, Cr=CR):
    return Contours("rand/1", ((Map(PANEL, F, Cr, median),),))


@pytest.mark.parametrize(
    "made",
    [
        record(((0.4,),), F=(0.7,), Cr=(0.5,)),
        record(((0.4, 0.6),), F=(0.7,)),
        record(((0.4, np.nan), (np.nan, np.nan)), F=(0.7, 0.8)),
        Contours("rand/1", ()),
    ],
    ids=["one cell", "one F", "one of four cells", "nothing"],
)
def test_little_or_nothing_is_drawn_without_a_warning(made):
    with in_style("screen"):
        figure = empty_figure((7, 7), "screen")
        draw_page(figure, made)
        figure.draw_without_rendering()
    assert len(figure.legends[0].get_texts()) == len(LEVELS) + len(BANDS)


def dots(ax):
    return next(collection for collection in ax.collections if len(collection.get_offsets()) > 1)


def test_a_line_passes_where_the_median_is_its_level():
    """Between 0.2 and 0.8 the level 0.5 lies halfway, for every Cr."""
    ax = draw_alone(record(((0.2, 0.2), (0.8, 0.8), (0.8, 0.8))))
    lines = ax.collections[1].get_paths()
    assert len(lines) == len(LEVELS)
    y = Tiles(1, 1, range_around(CR), range_around(F)).at(0, 0, 0.2, 0.75)[1]
    assert lines[0].vertices[:, 1] == pytest.approx(float(y))
    assert all(path.vertices.size == 0 for path in lines[1:])


def test_lines_are_drawn_over_the_bands_and_dots_over_the_lines(layered):
    ax = draw_alone(record(((0.2, 0.2), (0.8, 0.8), (0.8, 0.8))))
    bands, lines, _, frames = ax.collections
    assert layered(ax, bands, lines, dots(ax), frames)


def look(line):
    """Its dashes in points."""
    return LineCollection([], linestyles=[line.get_linestyle()], linewidths=line.get_linewidth()).get_linestyles()[0]


def test_the_key_names_the_level_of_each_kind_of_line():
    with in_style("paper"):
        handles = [handle for handle in bands_and_lines() if isinstance(handle, Line2D)]
        said = {float(handle.get_label().split("=")[1]): look(handle) for handle in handles}
    lines = draw_alone(record(((0.0, 0.1), (0.8, 0.8), (1.0, 1.0)))).collections[1]
    assert list(said) == [0.5, 0.9, 0.99]
    assert lines.levels == pytest.approx(logit_like(list(said)))
    assert lines.get_linestyles() == list(said.values())
    assert len({str(dashes) for dashes in said.values()}) == 3


def test_the_key_s_bands_are_the_lowest_and_the_highest():
    with in_style("paper"):
        patches = [to_hex(handle.get_facecolor()) for handle in bands_and_lines() if isinstance(handle, Patch)]
    bands = draw_alone(record(((0.0, 0.1), (0.8, 0.8), (1.0, 1.0)))).collections[0]
    colours = [to_hex(colour) for colour in bands.get_facecolors()]
    assert colours == list(BANDS)
    assert (patches[0], patches[-1]) == (colours[0], colours[-1])
    assert bands.levels[1:-1] == pytest.approx(logit_like([0.5, 0.9, 0.99]))


def test_dots_have_the_colour_of_their_band():
    median = ((0.0, 0.49), (0.5, 0.9), (0.98, 0.99))
    colours = [to_hex(colour) for colour in dots(draw_alone(record(median))).get_facecolors()]
    assert colours == [BANDS[0], BANDS[0], BANDS[1], BANDS[2], BANDS[2], BANDS[3]]


def test_bands_darken_so_that_they_are_told_apart_in_grey():
    grey = [np.dot([int(band[k : k + 2], 16) for k in (1, 3, 5)], [0.3, 0.59, 0.11]) for band in BANDS]
    assert (np.diff(grey) < -25).all()


def test_a_missing_cell_is_a_cross_and_no_dot():
    ax = draw_alone(record(((0.2, np.nan), (0.8, 0.8), (0.8, 0.8))))
    assert len(dots(ax).get_offsets()) == 5
    expected = np.column_stack(Tiles(1, 1, range_around(CR), range_around(F)).at(0, 0, [0.9], [0.5]))
    assert ax.lines[0].get_xydata() == pytest.approx(expected)


def test_a_map_without_runs_is_crossed_out():
    ax = draw_alone(record(((np.nan, np.nan),) * 3))
    assert [len(collection.get_paths()) for collection in ax.collections][-2] == 2
    assert len(ax.lines[0].get_xydata()) == 6


def test_crossover_and_size_name_the_columns_and_strategies_the_rows():
    ax = draw_alone(record(((0.2, 0.2), (0.8, 0.8), (0.8, 0.8))))
    assert [text.get_text() for text in ax.texts] == ["exp, N=5", "mirr"]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("Cr", "F", "DE/rand/1")


def test_the_key_shows_every_band_and_every_line():
    shown = bands_and_lines()
    assert [to_hex(mark.get_facecolor()) for mark in shown if isinstance(mark, Patch)] == list(BANDS)
    assert [mark.get_label() for mark in shown] == [
        *("below 0.5", "median POIS = 0.5", "0.5 to 0.9", "median POIS = 0.9"),
        *("0.9 to 0.99", "median POIS = 0.99", "0.99 and more"),
    ]
