import pytest

from debox.figures.draw.style import empty_figure
from debox.figures.draw.tiles import GAP, Tiles, range_around, round_ticks

TILES = Tiles(columns=3, rows=2, x=(0, 10), y=(-1, 1))


def test_the_corners_of_a_tile_are_those_of_its_place():
    x, y = TILES.at(2, 0, [0, 10], [-1, 1])
    assert x.tolist() == pytest.approx([2, 3 - GAP])
    assert y.tolist() == pytest.approx([1, 2 - GAP])  # row 0 is at the top


def test_a_point_keeps_its_share_of_the_ranges():
    x, y = TILES.at(0, 1, 5, 0.5)
    assert (float(x), float(y)) == pytest.approx((0.5 * (1 - GAP), 0.75 * (1 - GAP)))


def test_ticks_stand_below_every_column_and_at_the_left_of_every_row():
    ax = empty_figure((3, 3)).add_subplot()
    TILES.ticks(ax, [0, 5], [1])
    assert ax.get_xticks() == pytest.approx([k + u * (1 - GAP) for k in range(3) for u in (0, 0.5)])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "5"] * 3
    assert ax.get_yticks() == pytest.approx([2 - GAP, 1 - GAP])


def test_a_cross_spans_its_tile():
    ax = empty_figure((3, 3)).add_subplot()
    TILES.crosses(ax, [(1, 1)])
    one, other = (path.vertices for path in ax.collections[0].get_paths())
    assert one.ravel() == pytest.approx([1, 0, 2 - GAP, 1 - GAP])
    assert other.ravel() == pytest.approx([1, 1 - GAP, 2 - GAP, 0])


def test_titles_are_above_their_column_and_beside_their_row():
    ax = empty_figure((3, 3)).add_subplot()
    TILES.titles(ax, ["a", "b", "c"], ["top", "below"])
    places = {text.get_text(): text.get_position() for text in ax.texts}
    assert places["b"][0] == pytest.approx(1 + (1 - GAP) / 2)
    assert places["b"][1] > 2 - GAP
    assert places["top"][1] > places["below"][1]
    assert places["top"][0] > 3 - GAP


@pytest.mark.parametrize(("values", "expected"), [([1, 3], (0.9, 3.1)), ([2], (1.5, 2.5)), ([], (-0.05, 1.05))])
def test_a_range_leaves_room_around_the_values(values, expected):
    assert range_around(values) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.05, 2], [0.5, 1, 1.5, 2]),
        ([0.05, 0.99], [0.25, 0.5, 0.75]),
        ([0.7], [0.7]),
        ([0, 1], [0, 0.25, 0.5, 0.75, 1]),
    ],
)
def test_ticks_are_few_and_round(values, expected):
    assert round_ticks(values) == expected


def test_names_of_many_rows_lie_so_that_none_runs_into_the_next():
    for rows, rotation in ((8, 270), (9, 0), (20, 0)):
        ax = empty_figure((2, 2)).add_subplot()
        Tiles(2, rows, (0, 1), (0, 1)).titles(ax, [], ["project-midpoint"] * rows)
        assert {text.get_rotation() for text in ax.texts} == {rotation}
