from types import SimpleNamespace

import pytest

from debox import registry
from debox.analysis.runs import Runs
from debox.figures.data import strategies as data
from debox.figures.data.strategies import DESCRIPTION, entries, strategies
from debox.figures.data.strategy import Densities, Graph


def halve(u, *rest):
    """The middle of the violated bound and the box's middle."""
    *_, a, b, _ = rest
    return (3 * a + b) / 4 if u < a else (a + 3 * b) / 4


@pytest.fixture
def with_more(monkeypatch):
    """with_more(k): there are k further strategies that have a graph."""

    def register(count):
        more = [SimpleNamespace(name=f"more-{k}", function=halve) for k in range(count)]
        every = (*data.component_wise(), *more)
        monkeypatch.setattr(data, "component_wise", lambda: every)

    return register


def test_the_papers_four_are_shown_in_the_boxes_of_the_paper():
    graphs = strategies().graphs
    assert [(graph.name, type(graph), graph.a, graph.b) for graph in graphs] == [
        ("saturation", Graph, 50, 100),
        ("toroidal", Graph, 40, 90),
        ("mirror", Graph, 40, 90),
        ("COTN", Densities, 40, 90),
    ]
    assert [graph.u_range for graph in graphs[:3]] == [(-20, 140), (-20, 175), (-20, 175)]
    assert strategies().columns == 2


def test_a_strategy_that_replaces_the_whole_trial_has_no_graph():
    assert "dismiss" in [operator.name for operator in registry.in_slot("strategy")]
    assert "dismiss" not in [graph.name for graph in strategies().graphs]


def test_a_further_strategy_has_a_graph_too(with_more):
    with_more(1)
    further = strategies().graphs[-1]
    assert further.name == "more-0"
    assert [polyline[0][1] for polyline in further.polylines] == pytest.approx([52.5, 40, 77.5])
    assert strategies().columns == 4


@pytest.mark.parametrize(("more", "size"), [(0, (3.5, 3.2)), (1, (7.2, 3.2)), (4, (7.2, 3.2)), (5, (7.2, 4.8))])
def test_the_figure_grows_by_rows(with_more, table, more, size):
    with_more(more)
    (entry,) = entries(Runs.of(table()))
    assert entry.size == pytest.approx(size)


def test_the_alt_text_names_further_strategies(with_more, table):
    (papers,) = entries(Runs.of(table()))
    assert papers.description == DESCRIPTION
    with_more(2)
    (entry,) = entries(Runs.of(table()))
    assert entry.description == f"{DESCRIPTION} Likewise more-0, more-1, with the target in the middle of the box."
