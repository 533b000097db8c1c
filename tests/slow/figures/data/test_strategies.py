from debox import operators
from debox.figures.data.strategies import strategies
from debox.figures.data.strategy import Densities, Graph


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
