"""Styles, tiles, and where key, footer and panels lie on a page."""

import matplotlib
import numpy as np
import pytest
from drawings import whole
from grid_tables import grid_table
from matplotlib.colors import to_rgb

from debox.analysis.runs import Runs
from debox.edpois import COLOURS
from debox.figures import edpois
from debox.figures.style import STYLES, empty_figure, free_area, in_style, legend_below
from debox.figures.tiles import Tiles, range_around, round_ticks


def test_the_colours_are_those_of_spec_4_and_differ_in_grey():
    rgb = {name: tuple(round(255 * part) for part in to_rgb(colour)) for name, colour in COLOURS.items()}
    assert rgb == {"teal": (99, 172, 190), "orange": (238, 68, 47), "violet": (96, 26, 47)}
    violet, orange, teal = sorted(np.dot(colour, (0.299, 0.587, 0.114)) / 255 for colour in rgb.values())
    assert orange - violet > 0.2
    assert teal - orange > 0.1


def test_a_style_holds_within_and_leaves_no_trace():
    before = dict(matplotlib.rcParams)
    with matplotlib.rc_context({"font.size": 33, "lines.linewidth": 9}):
        with in_style("paper"):
            assert matplotlib.rcParams["font.size"] == 7
            assert matplotlib.rcParams["lines.linewidth"] == 1
        assert matplotlib.rcParams["font.size"] == 33
    assert dict(matplotlib.rcParams) == before


def test_screen_figures_are_larger_by_as_much_as_their_letters():
    settings, enlargement = STYLES["screen"]
    assert settings["font.size"] / STYLES["paper"][0]["font.size"] == pytest.approx(enlargement, rel=0.05)
    assert tuple(empty_figure((2, 3), "screen").get_size_inches()) == pytest.approx((2 * enlargement, 3 * enlargement))


@pytest.mark.parametrize("style", STYLES)
def test_axes_key_and_footer_lie_above_each_other(style):
    with in_style(style):
        figure = empty_figure((3, 3), style, "a footer")
        ax = figure.add_subplot()
        ax.set(xlabel="a label\nof two lines")
        legend_below(figure, ax.plot([0, 1], [0, 1], label="a line"), 1)
        figure.draw_without_rendering()
    footer, key = figure.texts[0].get_window_extent(), figure.legends[0].get_window_extent()
    assert 0 <= footer.y0 < footer.y1 <= key.y0 < key.y1 <= ax.get_tightbbox().y0
    assert free_area(figure)[1] == pytest.approx(key.y1 / figure.bbox.height)


@pytest.mark.parametrize("style", STYLES)
def test_an_atlas_page_has_a_key_and_a_footer_that_cover_nothing(style):
    runs = Runs.of(grid_table(mutation=["best/1", "rand/1"], strategy=["mirror", "saturation"]))
    (page,) = edpois.atlas(runs)
    figure = whole(page, style)
    legend, (footer, _) = figure.legends[0].get_window_extent(), [text.get_window_extent() for text in figure.texts]
    lowest = min(ax.get_tightbbox().y0 for ax in figure.axes)
    assert len(figure.legends[0].get_texts()) == 5
    assert 0 <= footer.y0 < footer.y1 <= legend.y0 < legend.y1 <= lowest
    assert 0 <= legend.x0 < legend.x1 <= figure.bbox.width
    assert [(bool(ax.get_xlabel()), bool(ax.get_ylabel())) for ax in figure.axes] == [
        (False, True), (False, False), (True, True), (True, False)
    ]  # fmt: skip


def test_a_footer_that_is_too_long_for_a_line_is_divided_between_facts():
    facts = "adaptive: n = 10, budget 100 000, 10 runs, donors = distinct, adaptation = L-SHADE, F and Cr at the start"
    with in_style("paper"):
        narrow, wide = (empty_figure((width, 4), footer=facts) for width in (3.5, 7.2))
    assert wide.texts[0].get_text() == facts
    assert narrow.texts[0].get_text().replace("\n", " ") == facts
    for figure in (narrow, wide):
        shown = figure.texts[0].get_window_extent()
        assert shown.x0 > 0
        assert 0 < shown.y0 < shown.y1 < free_area(figure)[1] * figure.bbox.height


def test_panels_fill_the_figure_between_its_edges_which_grow_with_the_letters():
    with in_style("paper"):
        axes = edpois.panel_grid(empty_figure((10, 8)), 2, 3, (1.0, 0.5, 0.6, 0.4), (0.25, 1.0))
    boxes = [[ax.get_position() for ax in row] for row in axes]
    edges = boxes[0][0].x0 * 10, boxes[0][2].x1 * 10, boxes[0][0].y1 * 8, boxes[1][0].y0 * 8
    assert edges == pytest.approx((1, 9.5, 7.6, 0.6))
    assert [box.width * 10 for row in boxes for box in row] == pytest.approx([8 / 3] * 6)  # (10 − 1.5 − 2·0.25)/3
    assert (boxes[0][0].y0 - boxes[1][0].y1) * 8 == pytest.approx(1)
    with in_style("screen"):
        ((ax,),) = edpois.panel_grid(empty_figure((5, 5), "screen"), 1, 1, (1.0, 0, 0, 0), (0, 0))
    assert ax.get_position().x0 * ax.figure.get_figwidth() == pytest.approx(10 / 7)


def test_names_of_many_rows_lie_so_that_none_runs_into_the_next():
    for rows, rotation in ((8, 270), (9, 0)):
        ax = empty_figure((2, 2)).add_subplot()
        Tiles(2, rows, (0, 1), (0, 1)).titles(ax, [], ["project-midpoint"] * rows)
        assert {text.get_rotation() for text in ax.texts} == {rotation}


@pytest.mark.parametrize(
    ("values", "around", "ticks"),
    [
        ([0, 1], (-0.05, 1.05), [0, 0.25, 0.5, 0.75, 1]),
        ([1, 3], (0.9, 3.1), [1, 1.5, 2, 2.5, 3]),
        ([0.05, 0.99], (0.003, 1.037), [0.25, 0.5, 0.75]),
        ([2], (1.5, 2.5), [2]),
        ([], (-0.05, 1.05), [0, 0.25, 0.5, 0.75, 1]),
    ],
)
def test_ranges_leave_room_and_ticks_are_few_and_round(values, around, ticks):
    assert range_around(values) == pytest.approx(around)
    assert round_ticks(values) == ticks
