"""Mutations on hand-computed numbers.

On a population of unit vectors (individual j is e_j) a mutant is the list of the weights it gives to the individuals,
so the formulas of docs/spec.md §2 can be read off it.
"""

import numpy as np
import pytest

from debox import jit, registry
from debox.de.variation import mutate, mutate_with_K

MUTATIONS = registry.in_slot("mutation")

# Individual j is (2ʲ, 10·2ʲ): sums of different individuals differ, so a wrong index shows. Target 1, best 5, F = 1/2.
POWERS = np.array([[2.0**j, 10 * 2.0**j] for j in range(6)])
BY_HAND = {
    "rand/1": ((0, 2, 1), 1 + (4 - 2) / 2),
    "rand/2": ((0, 2, 1, 4, 3), 1 + (4 - 2) / 2 + (16 - 8) / 2),
    "best/1": ((2, 0), 32 + (4 - 1) / 2),
    "current-to-best/1": ((2, 0), 2 + (32 - 2) / 2 + (4 - 1) / 2),
    "current-to-pbest/1": ((2, 0), 2 + (32 - 2) / 2 + (4 - 1) / 2),  # 5 is one of the p-best
    "best/2": ((2, 0, 4, 3), 32 + (4 - 1) / 2 + (16 - 8) / 2),
    "current-to-best/2": ((2, 0, 4, 3), 2 + (32 - 2) / 2 + (4 - 1) / 2 + (16 - 8) / 2),
    "rand-to-best/1": ((0, 2, 3), 1 + (32 - 1) / 2 + (4 - 8) / 2),
    "rand-to-best/2": ((0, 2, 3, 4, 1), 1 + (32 - 1) / 2 + (4 - 8) / 2 + (16 - 2) / 2),
    "current-to-rand/1": ((0, 2, 3), 2 + (1 - 2) / 4 + (4 - 8) / 8),  # K = 1/4
}

# The weights for target 0, best 1, donors 2, 3, … and F = 3/4, in the order of the individuals 0, 1, 2, …
WEIGHTS = {
    "rand/1": [0, 0, 1, 0.75, -0.75, 0, 0],
    "rand/2": [0, 0, 1, 0.75, -0.75, 0.75, -0.75],
    "best/1": [0, 1, 0.75, -0.75, 0, 0, 0],
    "current-to-best/1": [0.25, 0.75, 0.75, -0.75, 0, 0, 0],
    "current-to-pbest/1": [0.25, 0.75, 0.75, -0.75, 0, 0, 0],
    "best/2": [0, 1, 0.75, -0.75, 0.75, -0.75, 0],
    "current-to-best/2": [0.25, 0.75, 0.75, -0.75, 0.75, -0.75, 0],
    "rand-to-best/1": [0, 0.75, 0.25, 0.75, -0.75, 0, 0],
    "rand-to-best/2": [0, 0.75, 0.25, 0.75, -0.75, 0.75, -0.75],
    "current-to-rand/1": [0.75, 0, 0.25, 0.1875, -0.1875, 0, 0],  # K = 1/4
}


def mutant(mutation, P, target, best, r, F):
    v = np.full(P.shape[1], np.nan)
    five = np.zeros(5, np.uint64)
    five[: len(r)] = r
    whole = mutate_with_K if mutation.draws_K else mutate
    kernel = jit.specialise(whole, formula=mutation.function, formula_with_K=mutation.function)
    kernel(P, target, best, five, F, 0.25, v)
    return v


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_mutant_is_the_one_computed_by_hand(mutation):
    r, first = BY_HAND[mutation.name]
    assert mutant(mutation, POWERS, 1, 5, r, 0.5).tolist() == [first, 10 * first]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_weights_of_the_individuals_are_those_of_the_formula(mutation):
    donors = range(2, 2 + mutation.donors)
    assert mutant(mutation, np.eye(7), 0, 1, donors, 0.75).tolist() == WEIGHTS[mutation.name]


@pytest.mark.parametrize("F", [0.05, 0.7, 1.0, 2.0])
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_weights_sum_to_one_also_when_donors_are_target_or_best(mutation, F):
    # Σ w = 1 whoever is who: a mutation moves with the population (the base of the exact chances in docs/spec.md §5).
    for target, best in [(0, 1), (6, 5), (3, 3)]:
        v = mutant(mutation, np.eye(7), target, best, range(mutation.donors), F)
        assert v.sum() == pytest.approx(1, abs=1e-15)


def test_current_to_best_adds_the_weights_of_an_individual_in_two_roles():
    # target = best = r1 = 0, r2 = 1: v = x_0 + F (x_0 − x_0) + F (x_0 − x_1)
    v = mutant(registry.find("mutation", "current-to-best/1"), np.eye(2), 0, 0, (0, 1), 0.5)
    assert v.tolist() == [1.5, -0.5]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_a_population_of_equal_points_gives_that_point(mutation):
    point = np.array([0.1, -7.3, 1e300])
    assert mutant(mutation, np.tile(point, (7, 1)), 0, 1, range(2, 2 + mutation.donors), 2.0).tolist() == point.tolist()


def test_without_a_mutation_in_force_there_is_no_mutant():
    with pytest.raises(RuntimeError, match="no mutation is in force"):
        mutate(np.zeros((5, 2)), 0, 0, np.arange(5, dtype=np.uint64), 0.5, 0.0, np.empty(2))
    with pytest.raises(RuntimeError, match="no mutation is in force"):
        mutate_with_K(np.zeros((5, 2)), 0, 0, np.arange(5, dtype=np.uint64), 0.5, 0.0, np.empty(2))
