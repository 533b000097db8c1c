"""N and budget by default; what is wrong with given ones is tested with `minimize`, whose arguments they are."""

import numpy as np
import pytest

from debox import Optimizer, minimize, registry

MUTATIONS = [operator.name for operator in registry.in_slot("mutation")]


@pytest.mark.parametrize("mutation", MUTATIONS)
@pytest.mark.parametrize(
    ("n", "budget", "N"),
    [(1, None, 30), (10, None, 30), (13, None, 39), (1000, None, 40), (10, 200, 20), (10, 20, 8), (3, 8, 8), (3, 7, 7)],
)
def test_the_default_population_serves_every_mutation_and_leaves_time_to_evolve(mutation, n, budget, N):
    # 3n, but 30 to 40, but a tenth of the budget, but 8: six is the most that a mutation needs (rand/2, not-target).
    optimizer = Optimizer([(0, 1)] * n, f"DE/{mutation}/bin", donors="not-parents", budget=budget, rng=1)
    assert len(optimizer.ask()) == N == optimizer.config.N


@pytest.mark.parametrize(("variant", "least"), [("DE/rand/1/bin", 3), ("DE/rand/2/bin", 5), ("DE/best/1/exp", 2)])
def test_any_budget_that_the_mutation_can_work_with_is_spent(variant, least):
    for budget in range(least, 12):
        assert minimize(lambda x: x[0], [(0, 1)], variant, budget=budget, rng=1).nfev == budget
    with pytest.raises(ValueError, match=f"^budget must be an integer ≥ {least}, got {least - 1}: ") as error:
        minimize(lambda x: x[0], [(0, 1)], variant, budget=least - 1)
    assert "N" not in str(error.value)  # nobody gave one


@pytest.mark.parametrize(
    ("n", "sizes", "budget"),
    [
        (1, {}, 10_000),
        (3, {"N": 50}, 30_000),
        (3, {"N": 3001}, 30_010),
        (1, {"N": 20_000}, 200_000),
        (1, {"init": np.full((20_000, 1), 0.5)}, 200_000),
    ],
    ids=["n = 1", "n = 3", "N = 3001", "N = 20 000", "init"],
)
def test_the_default_budget_is_10_000_evaluations_a_variable_and_at_least_10_an_individual(n, sizes, budget):
    assert Optimizer([(0, 1)] * n, **sizes).budget == budget
