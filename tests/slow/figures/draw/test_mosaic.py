from dataclasses import replace

import pytest
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize

from debox import operators
from debox.figures.data.mosaic import Mosaic
from debox.figures.draw.mosaic import BETWEEN, BETWEEN_GROUPS, cells, draw_mosaic, draw_scale, starts
from debox.figures.draw.save import render
from debox.figures.draw.style import empty_figure, in_style

GREEN = (0.0, 1.0, 0.0, 1.0)
RECORD = Mosaic(
    columns=(("best/1", 5), ("best/1", 9), ("rand/1", 5)),
    rows=(("bin", "mirror"), ("exp", "mirror")),
    F=(0.5, 1.5),
    Cr=(0.2, 0.9),
    grids=(((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 0)), ((0,) * 4, (0,) * 4, (0,) * 4)),
    planned=3,
)


def drawn(record):
    with in_style("paper"):
        ax = empty_figure((7, 7)).add_subplot()
        draw_mosaic(ax, record, lambda value: GREEN if value else None)
    return ax


def test_grids_stand_side_by_side_with_more_room_between_groups():
    second, third = 2 + BETWEEN, 4 + BETWEEN + BETWEEN_GROUPS
    assert starts(["a", "a", "b"], 2) == pytest.approx([0, second, third])
    assert starts([], 2) == []


def test_a_cell_stands_at_its_Cr_to_the_right_and_its_F_upward():
    place = {value: place for place, value in cells(RECORD) if value}
    assert (place[1], place[2], place[3], place[4]) == ((0, -2), (1, -2), (0, -1), (1, -1))
    assert place[5] == pytest.approx((2 + BETWEEN, -2))


def test_a_missing_cell_is_an_empty_square_with_a_cross():
    squares, crosses = drawn(RECORD).collections
    (path,) = squares.get_paths()  # one colour
    assert len(path.to_polygons()) == 11
    lines = crosses.get_paths()
    assert len(lines) == 3 * 13  # a frame and two diagonals each
    left = 4 + BETWEEN + BETWEEN_GROUPS + 1  # the last of the upper right grid
    frame, one, other = (line.vertices.tolist() for line in lines[:3])
    assert frame[0] == pytest.approx([left, -1])
    assert one == [pytest.approx([left, -1]), pytest.approx([left + 1, 0])]
    assert other == [pytest.approx([left, 0]), pytest.approx([left + 1, -1])]


def test_rows_and_columns_are_named_once_per_group():
    texts = [text.get_text() for text in drawn(RECORD).texts]
    assert [texts.count(name) for name in ("DE/best/1", "DE/rand/1", "N=5", "N=9")] == [1, 1, 2, 1]
    assert [texts.count(name) for name in ("bin", "exp", "mirr")] == [1, 1, 2]
    assert "Cr 0.2 → 0.9" in texts
    assert "F 0.5 → 1.5" in texts


def test_the_title_says_what_is_missing_above_the_names_of_the_columns():
    with in_style("paper"):
        figure = empty_figure((7, 7))
        ax = figure.add_subplot()
        draw_mosaic(ax, replace(RECORD, note="0 to 3 of 3 runs"), lambda value: GREEN if value else None)
        figure.draw_without_rendering()
    assert ax.get_title() == "0 to 3 of 3 runs"
    assert ax.title.get_window_extent().y0 > max(text.get_window_extent().y1 for text in ax.texts)
    assert drawn(RECORD).get_title() == ""


def test_a_scale_is_drawn_without_a_picture_in_it():
    with in_style("paper"):
        figure = empty_figure((4, 4))
        ax = figure.add_subplot()
        bar = draw_scale(ax, ScalarMappable(Normalize(0, 1), "viridis"), "a label", extend="both")
        svg = render(figure, "svg", "name", "shows").decode()
    assert "<image" not in svg
    assert svg.count("#440154") > 0  # the darkest colour of viridis, as a vector
    assert bar.ax.get_xlabel() == "a label"


def test_a_study_without_panels_is_an_empty_page():
    ax = drawn(Mosaic((), (), (), (), (), 0))
    assert ax.texts[:] == []


def overlapping(ax):
    """Pairs of names that cover each other"""
    figure = ax.figure
    figure.canvas.draw()
    boxes = [(text.get_text(), text.get_window_extent()) for text in ax.texts]
    return [(one, other) for k, (one, a) in enumerate(boxes) for other, b in boxes[k + 1 :] if a.overlaps(b)]


def test_names_do_not_cover_each_other_with_fifteen_strategies_or_ten_mutations():
    strategies = [operator.name for operator in operators.in_slot("strategy")][:15]
    rows = tuple((crossover, strategy) for crossover in ("bin", "exp") for strategy in strategies)
    assert overlapping(drawn(replace(RECORD, rows=rows, grids=((((1,) * 4),) * 3,) * len(rows)))) == []
    mutations = [*(operator.name for operator in operators.in_slot("mutation")), "mine/1"]
    columns = tuple((mutation, N) for mutation in mutations[-10:] for N in (5, 9))
    assert overlapping(drawn(replace(RECORD, columns=columns, grids=(((1,) * 4,) * len(columns),) * 2))) == []
