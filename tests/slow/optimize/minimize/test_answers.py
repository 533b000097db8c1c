"""What is found: the bottom of a bowl, a corner of the box, good answers without settings.

Runs end when they have found it: the budget is what it may take at most.
"""

from itertools import islice

import numpy as np
import pytest
from objectives import BOUNDS, squares

from debox import minimize
from debox.registry import in_slot


@pytest.mark.parametrize("mutation", in_slot("mutation"), ids=lambda operator: operator.name)
@pytest.mark.parametrize("crossover", in_slot("crossover"), ids=lambda operator: operator.name)
def test_every_variant_finds_the_bottom_of_a_bowl(mutation, crossover):
    options = {"vectorized": True, "budget": 12_000, "target": 1e-6, "rng": 1}
    result = minimize(squares, BOUNDS, f"DE/{mutation.name}/{crossover.name}", **options)
    np.testing.assert_allclose(result.x, 0.3, atol=1e-3)


@pytest.mark.parametrize(
    "strategy", [s for s in in_slot("strategy") if not s.leaves_outside], ids=lambda operator: operator.name
)
def test_every_strategy_finds_a_corner_of_the_box(strategy):
    """The best point of a plane is a corner: all moves towards it lead outside."""
    options = {"vectorized": True, "budget": 9000, "target": -1 + 0.25 - 3 + 0.02, "rng": 1}
    result = minimize(lambda x: x.sum(axis=0), BOUNDS, strategy=strategy.name, **options)
    np.testing.assert_allclose(result.x, [-1, 0.25, -3], atol=0.02)
    assert result.n_infeasible > 0


# The minimum of each, 0, lies off the middle of the box.
def sphere(x):
    return (x**2).sum(axis=0)


def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum(axis=0)


def ackley(x):
    roof = 20 * np.exp(-0.2 * np.sqrt((x**2).mean(axis=0)))
    return 20 + np.e - roof - np.exp(np.cos(2 * np.pi * x).mean(axis=0))


def rastrigin(x):
    return (x**2 - 10 * np.cos(2 * np.pi * x) + 10).sum(axis=0)


@pytest.mark.parametrize(
    ("fun", "bounds", "good"),
    [
        (sphere, (-3, 7), 1e-6),
        (ackley, (-20, 40), 1e-6),
        (rosenbrock, (-5, 10), 1e-2),
        (rastrigin, (-4, 6), 1.0),  # of its 10¹⁰ valleys the lowest or, for one variable, the next one
    ],
)
def test_ten_variables_and_no_settings_give_a_good_answer(fun, bounds, good):
    results = (minimize(fun, [bounds] * 10, vectorized=True, target=good, rng=seed).fun for seed in range(3))
    assert len(list(islice((result for result in results if result <= good), 2))) == 2  # their median is good
