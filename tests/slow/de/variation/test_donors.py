"""Donors: distinct, avoiding whom the rule says, uniform over everything that is left."""

from functools import cache
from itertools import permutations, product

import numpy as np
import pytest
from operator_lists import PAPER_MUTATIONS
from scipy.stats import chisquare

from debox import registry
from debox.de import variation

FALSE_ALARM = 1e-6  # of each chi-square test below

# docs/spec.md §2, by hand: the donors of the formula, plus target and, where the mutation uses it, best if avoided.
SMALLEST = {
    "rand/1": {"distinct": 3, "not-target": 4, "not-parents": 4},
    "rand/2": {"distinct": 5, "not-target": 6, "not-parents": 6},
    "best/1": {"distinct": 2, "not-target": 3, "not-parents": 4},
    "current-to-best/1": {"distinct": 2, "not-target": 3, "not-parents": 4},
    "best/2": {"distinct": 4, "not-target": 5, "not-parents": 6},
    "current-to-pbest/1": {"distinct": 2, "not-target": 3, "not-parents": 4},
    "current-to-best/2": {"distinct": 4, "not-target": 5, "not-parents": 6},
    "rand-to-best/1": {"distinct": 3, "not-target": 4, "not-parents": 5},
    "rand-to-best/2": {"distinct": 5, "not-target": 6, "not-parents": 7},
    "current-to-rand/1": {"distinct": 3, "not-target": 4, "not-parents": 4},
}

every_pair = pytest.mark.parametrize(
    ("mutation", "rule"),
    [
        pytest.param(m, rule, id=f"{m.name} {rule.name}")
        for m, rule in product(registry.in_slot("mutation"), registry.in_slot("donors"))
    ],
)


def allowed(mutation, rule, N, target, best):
    """Who may be drawn, in the words of docs/spec.md §2."""
    candidates = set(range(N))
    if rule.name in ("not-target", "not-parents"):
        candidates.discard(target)
    if rule.name == "not-parents" and "best" in mutation.name:
        candidates.discard(best)
    return candidates


def drawn(rule_in_force, k, N, target, best, rng):
    r = np.full(k, 2**63, np.uint64)
    rule_in_force(N, target, best, rng, r)
    return tuple(r.tolist())


@every_pair
def test_smallest_population_is_the_one_counted_by_hand(mutation, rule):
    assert registry.smallest_population(mutation, rule) == SMALLEST[mutation.name][rule.name]


@every_pair
def test_donors_are_distinct_and_allowed_for_every_population_from_the_smallest(mutation, rule):
    in_force = registry.donor_rule(rule, mutation).function
    rng = np.random.default_rng(1)
    smallest = registry.smallest_population(mutation, rule)
    for N in range(smallest, smallest + 4):
        for target, best in product(range(N), repeat=2):
            candidates = allowed(mutation, rule, N, target, best)
            for _ in range(5):
                r = drawn(in_force, mutation.donors, N, target, best, rng)
                assert len(set(r)) == mutation.donors
                assert candidates.issuperset(r)


@cache  # mutations with as many donors have them from the same kernels
def p_value_of_uniformity(in_force, k, N, target, best, candidates, seed):
    """Chi-square over all ordered k-tuples of different candidates; a tuple outside them has no place to be counted."""
    rng = np.random.default_rng(seed)
    cells = dict.fromkeys(permutations(sorted(candidates), k), 0)
    for _ in range(max(2000, 15 * len(cells))):
        cells[drawn(in_force, k, N, target, best, rng)] += 1
    return chisquare(list(cells.values())).pvalue


@pytest.mark.parametrize(("target", "best"), [(1, 0), (2, 2)])
@pytest.mark.parametrize("rule", registry.in_slot("donors"), ids=lambda rule: rule.name)
@pytest.mark.parametrize("mutation", PAPER_MUTATIONS, ids=lambda mutation: mutation.name)
def test_every_allowed_ordered_tuple_is_equally_likely(mutation, rule, target, best):
    N = max(registry.smallest_population(mutation, rule), 3)
    in_force = registry.donor_rule(rule, mutation).function
    candidates = frozenset(allowed(mutation, rule, N, target, best))
    assert p_value_of_uniformity(in_force, mutation.donors, N, target, best, candidates, 2) > FALSE_ALARM


def steps_on(N, target, best, rng, r):
    """Distinct, but wrong: a number already taken is replaced by the next free one, not drawn again."""
    for k in range(r.size):
        r[k] = variation.draw(N, rng)
        while variation.repeats(r, k):
            r[k] = (int(r[k]) + 1) % N


def test_uniformity_is_refused_to_donors_that_step_on_to_the_next_free_number():
    # N = 3, two donors: each tuple should have 1/6, but (0, 1), (1, 2), (2, 0) have 2/9 and the others 1/9
    assert p_value_of_uniformity(steps_on, 2, 3, 0, 0, frozenset(range(3)), 2) < FALSE_ALARM
    assert p_value_of_uniformity(steps_on, 5, 6, 0, 0, frozenset(range(6)), 2) < FALSE_ALARM


def with_replacement(N, target, best, rng, r):
    for k in range(r.size):
        r[k] = variation.draw(N, rng)


def test_uniformity_is_refused_to_donors_drawn_with_replacement():
    with pytest.raises(KeyError):
        p_value_of_uniformity(with_replacement, 3, 5, 0, 0, frozenset(range(5)), 2)


def test_draw_is_the_integer_part_of_k_times_u(scripted):
    # ⌊5·0.19⌋, ⌊5·0.2⌋, ⌊5·0.99⌋
    assert [variation.draw(5, scripted([U])) for U in (0.0, 0.19, 0.2, 0.99)] == [0, 0, 1, 4]


def test_draw_never_reaches_k_however_close_to_one_u_comes(scripted):
    largest = 1 - 2.0**-53  # no Generator.random() is larger
    for k in [*range(1, 2000), 10**6, 2**31 - 1, 2**31]:
        assert variation.draw(k, scripted([largest])) == k - 1


def test_distinct_draws_again_what_was_drawn_before(scripted):
    # N = 10: 0, 0 (again), 3, 0 (again), 3 (again), 9
    rng = scripted([0.05, 0.05, 0.31, 0.0, 0.39, 0.99])
    assert drawn(variation.distinct, 3, 10, 3, 9, rng) == (0, 3, 9)
    assert rng.left["random"] == []


def test_not_target_draws_again_the_target(scripted):
    # N = 10, target 3, best 9: 3 (target), 9, 9 (again), 4
    rng = scripted([0.31, 0.99, 0.95, 0.45])
    assert drawn(variation.not_target, 2, 10, 3, 9, rng) == (9, 4)
    assert rng.left["random"] == []


def test_not_parents_draws_again_the_target_and_the_best(scripted):
    # N = 10, target 3, best 9: 3 (target), 9 (best), 4, 4 (again), 0
    rng = scripted([0.31, 0.99, 0.45, 0.42, 0.0])
    assert drawn(variation.not_parents, 2, 10, 3, 9, rng) == (4, 0)
    assert rng.left["random"] == []
