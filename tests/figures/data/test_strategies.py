"""The graphs against numbers by hand and against the strategies themselves."""

import numpy as np
import pytest
from scipy import integrate, stats

from debox import registry
from debox.figures.data.strategies import COTN, mirror, saturation, strategies, toroidal


def value(graph, x):
    """The graph at x, where it is not about to jump."""
    for piece in graph.pieces:
        at, heights = zip(*piece, strict=True)
        if at[0] <= x <= at[-1]:
            return float(np.interp(x, at, heights))
    raise AssertionError(f"{graph.name} is not drawn at {x}")


@pytest.mark.parametrize(
    ("graph", "x", "new"),
    [
        (saturation(50, 100, (-20, 140)), 7, 50),
        (saturation(50, 100, (-20, 140)), 70, 70),
        (saturation(50, 100, (-20, 140)), 130, 100),
        (toroidal(40, 90, (-20, 175)), 30, 80),  # docs/spec.md §2
        (toroidal(40, 90, (-20, 175)), -15, 85),
        (toroidal(40, 90, (-20, 175)), 100, 50),
        (toroidal(40, 90, (-20, 175)), 150, 50),
        (mirror(40, 90, (-20, 175)), 30, 50),
        (mirror(40, 90, (-20, 175)), -15, 85),  # reflected at 40 to 95, then at 90
        (mirror(40, 90, (-20, 175)), 100, 80),
        (mirror(40, 90, (-20, 175)), 150, 50),
    ],
)
def test_the_graph_passes_through_points_computed_by_hand(graph, x, new):
    assert value(graph, x) == pytest.approx(new)


@pytest.mark.parametrize("graph", strategies().graphs, ids=lambda graph: graph.name)
def test_the_graph_is_the_strategy(graph):
    strategy = registry.find("strategy", graph.name).function
    low, high = graph.x_range
    for x in np.linspace(low, high, 400)[1:-1] + 1e-4:  # no wall among them
        inside = graph.a <= x <= graph.b
        new = x if inside else strategy(x, 0.0, 0.0, float(graph.a), float(graph.b), None)
        assert value(graph, x) == pytest.approx(new, abs=1e-9)


def test_the_graph_jumps_where_the_strategy_does_and_spans_its_range():
    graphs = {graph.name: graph for graph in strategies().graphs}
    assert {name: len(graph.pieces) for name, graph in graphs.items()} == {"saturation": 1, "toroidal": 5, "mirror": 1}
    for graph in graphs.values():
        assert (graph.pieces[0][0][0], graph.pieces[-1][-1][0]) == graph.x_range


def test_the_densities_of_cotn_are_densities_and_mirror_images():
    record = COTN(40, 90)
    assert integrate.simpson(record.from_a, x=record.x) == pytest.approx(1, abs=1e-8)
    assert record.from_b == pytest.approx(record.from_a[::-1])
    assert (record.x[0], record.x[-1]) == (40, 90)


def test_cotn_is_three_standard_deviations_wide():
    """Two standard deviations in, the density has fallen by exp(−2), and by a little less for what was drawn twice."""
    record = COTN(0, 3, points=4)
    assert record.from_a[0] == pytest.approx(np.sqrt(2 / np.pi), rel=3e-3)
    assert record.from_a[2] / record.from_a[0] == pytest.approx(np.exp(-2), rel=0.02)


def drawn(bound, count):
    rng, strategy = np.random.default_rng(11), registry.find("strategy", "COTN").function
    return np.array([strategy(bound, 0.0, 0.0, 0.0, 1.0, rng) for _ in range(count)])


def p_value(sample, x, density):
    """That a sample comes from a density (Kolmogorov and Smirnov)."""
    cdf = np.concatenate([[0], np.cumsum((np.array(density[1:]) + density[:-1]) / 2 * np.diff(x))])
    return stats.kstest(sample, lambda values: np.interp(values, x, cdf)).pvalue


def test_the_values_that_cotn_draws_have_these_densities():
    """Fixed seed; a right density fails at one seed in 1000. Controls: the other density, and σ = (b − a)/4."""
    record = COTN(0, 1, points=2001)
    below = drawn(-0.5, 4000)
    assert p_value(below, record.x, record.from_a) > 1e-3
    assert p_value(drawn(1.5, 4000), record.x, record.from_b) > 1e-3
    assert p_value(below, record.x, record.from_b) < 1e-12
    narrow = stats.truncnorm(0, 4, scale=0.25).pdf(record.x)
    assert p_value(below, record.x, narrow) < 1e-12
