import pytest

from debox.figures.data.strategy import Densities, Graph
from debox.figures.draw.strategy import draw_in, named_places
from debox.figures.draw.style import BLUE, empty_figure, in_style

LINES = (((0.0, 1.0), (2.0, 3.0)), ((2.0, 2.0), (3.0, 3.0)), ((3.0, 2.5), (6.0, 2.5)))
GRAPH = Graph("jumps", 2.0, 3.0, (0.0, 6.0), LINES)
DENSITIES = Densities("random", 0.0, 2.0, (0.0, 1.0, 2.0), (0.8, 0.2), (0.1, 0.9))


def drawn(record):
    with in_style("paper"):
        return draw_in(empty_figure((2, 2)).add_subplot(), record)


def test_a_jump_is_a_gap_between_lines():
    lines = [line.get_xydata().tolist() for line in drawn(GRAPH).lines if line.get_color() == BLUE]
    assert lines == [[list(point) for point in line] for line in LINES]


def test_bounds_are_named_and_so_are_their_images_where_the_graph_bends():
    ax = drawn(GRAPH)
    assert [(tick.get_position()[0], tick.get_text()) for tick in ax.get_xticklabels()] == [(2, "a"), (3, "b")]
    bent = Graph("bent", 2.0, 3.0, (0.0, 6.0), (((0.0, 2.0), (1.0, 3.0), (2.0, 2.0), (4.0, 2.0), (6.0, 2.0)),))
    assert named_places(bent) == {1: "2a−b", 2: "a", 3: "b", 4: "2b−a"}


def test_the_ends_of_the_range_are_no_bends():
    assert named_places(Graph("", 2.0, 3.0, (1.0, 4.0), (((1.0, 2.0), (4.0, 3.0)),))) == {2: "a", 3: "b"}


def test_densities_are_drawn_solid_from_below_and_dashed_from_above():
    ax = drawn(DENSITIES)
    below, above = ax.patches
    assert below.get_data().values == pytest.approx((0.8, 0.2))
    assert above.get_data().values == pytest.approx((0.1, 0.9))
    assert (below.get_linestyle(), above.get_linestyle()) == ("-", (0, (4, 2)))
    assert ax.get_ylim()[1] > 0.9
    assert [label.get_text() for label in ax.get_yticklabels()] == ["0", "1"]  # of 0.9 · (b − a) = 1.8


@pytest.mark.parametrize("record", [GRAPH, DENSITIES])
def test_a_strategy_stands_under_its_name(record):
    assert drawn(record).get_title() == record.name


def test_the_component_is_called_u_as_in_the_formulas():
    """x is the target."""
    assert drawn(GRAPH).get_xlabel() == "component u"
    assert [text.get_text().strip() for text in drawn(DENSITIES).texts] == ["u < a", "u > b"]
