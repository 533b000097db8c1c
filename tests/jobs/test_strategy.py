"""Which strategy suits my function? Its minimum is near two bounds, in the corner of the box."""

import debox


def waste(x):
    """Of three valves that should be almost shut, and work against each other."""
    a, b, c = x - 0.001
    return a * a + 4 * (a - b) ** 2 + 9 * (b - c) ** 2


def test_a_comparison_says_which_strategies_are_worse_beyond_chance():
    bounds, strategies = [(0, 1)] * 3, ["toroidal", "mirror", "dismiss"]
    found = debox.compare(waste, bounds, strategies, variant="DE/best/1/bin", budget=600, runs=15)
    assert found.best == "mirror"
    assert "toroidal" in found.worse
    assert "Worse than mirror beyond chance" in str(found)

    chosen = debox.minimize(waste, bounds, "DE/best/1/bin", strategy=found.best, budget=600, rng=found.seeds[0])
    assert chosen.fun == found.values[1, 0]
    assert chosen.fun < found.medians[0]
