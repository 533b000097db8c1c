import pytest

from debox import operators
from debox.analysis.old_runs import Runs
from debox.figures.data.strategies import DESCRIPTION, columns_for, entries, strategies
from debox.figures.data.strategy import Densities, Graph
from debox.operators.kinds import Strategy


def test_the_papers_four_are_shown_in_the_boxes_of_the_paper():
    graphs = strategies().graphs[:4]
    assert [(graph.name, type(graph), graph.a, graph.b) for graph in graphs] == [
        ("saturation", Graph, 50, 100),
        ("toroidal", Graph, 40, 90),
        ("mirror", Graph, 40, 90),
        ("COTN", Densities, 40, 90),
    ]
    assert [graph.u_range for graph in graphs[:3]] == [(-20, 140), (-20, 175), (-20, 175)]


def test_a_strategy_that_replaces_the_whole_trial_has_no_graph():
    shown = {graph.name for graph in strategies().graphs}
    every = {operator.name for operator in operators.in_slot("strategy")}
    whole = {"dismiss", "conservatism", "project-midpoint", "project-base", "resample", "penalty", "none"}
    assert every - shown == whole


def halve(u, x, c, a, b, rng):
    """The middle of the violated bound and the box's middle."""
    return (3 * a + b) / 4 if u < a else (a + 3 * b) / 4


@pytest.fixture
def with_more(monkeypatch):
    """with_more(k): the table has k further strategies."""

    def register(count):
        more = tuple(Strategy(f"more-{k}", halve) for k in range(count))
        monkeypatch.setattr(operators, "OPERATORS", (*operators.OPERATORS, *more))

    return register


def test_a_further_strategy_has_a_graph_too(with_more):
    with_more(1)
    further = strategies().graphs[-1]
    assert further.name == "more-0"
    assert [polyline[0][1] for polyline in further.polylines] == pytest.approx([52.5, 40, 77.5])
    assert strategies().columns == 4


@pytest.mark.parametrize(("graphs", "columns"), [(4, 2), (5, 4), (13, 4)])
def test_four_graphs_fit_a_column_more_need_a_page(graphs, columns):
    assert columns_for(graphs) == columns


@pytest.mark.parametrize("more", range(5))
def test_the_figure_grows_by_rows(with_more, table, more):
    """Of four graphs, 1.6 inches high."""
    with_more(more)
    rows = -(-len(strategies().graphs) // 4)
    (entry,) = entries(Runs.of(table()))
    assert entry.size == pytest.approx((7.2, 1.6 * rows))


def test_the_alt_text_names_further_strategies(with_more, table):
    with_more(2)
    (entry,) = entries(Runs.of(table()))
    assert entry.description.startswith(f"{DESCRIPTION} Likewise uniform, midpoint-target, ")
    assert ", more-0, more-1, with the target a quarter up the box and the base three quarters." in entry.description
