"""Crossovers: scripted draws by hand, then the law of what is exchanged."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chisquare

from debox import registry
from debox.de.variation import binomial, draw, exponential

FALSE_ALARM = 1e-6  # of each statistical test below
CROSSOVERS = registry.in_slot("crossover")
each_crossover = pytest.mark.parametrize("crossover", CROSSOVERS, ids=lambda c: c.name)

X, V = np.array([0.0, 1.0, 2.0, 3.0]), np.array([10.0, 11.0, 12.0, 13.0])


def trial(crossover, Cr, rng, x=X, v=V):
    u = np.full(x.size, np.nan)
    crossover(x, v, Cr, rng, u)
    return u.tolist()


def exchanged(crossover, n, Cr, times, seed=1):
    """Which components came from the mutant, (times, n)"""
    rng, x, v, U = np.random.default_rng(seed), np.zeros(n), np.ones(n), np.full((times, n), np.nan)
    for u in U:
        crossover(x, v, Cr, rng, u)
    return U == 1


# By hand. binomial draws U₁ … Uₙ, then I; exponential draws I, then a U after each component.


def test_binomial_takes_the_components_with_u_up_to_cr_and_component_i(scripted):
    # U = 0.6, 0.5 (= Cr counts), 0.4, 0.9; I = ⌊4·0.99⌋ = 3 is taken although 0.9 > Cr
    assert trial(binomial, 0.5, scripted([0.6, 0.5, 0.4, 0.9, 0.99])) == [0, 11, 12, 13]
    # I = 1, which U = 0.5 takes anyway
    assert trial(binomial, 0.5, scripted([0.6, 0.5, 0.4, 0.9, 0.25])) == [0, 11, 12, 3]


def test_exponential_wraps_around_the_end(scripted):
    # I = ⌊4·0.8⌋ = 3; 0.5 = Cr goes on to 0; 0.6 stops
    assert trial(exponential, 0.5, scripted([0.8, 0.5, 0.6])) == [10, 1, 2, 13]


def test_exponential_stops_back_at_its_start(scripted):
    assert trial(exponential, 0.5, scripted([0.3, 0.1, 0.2, 0.3, 0.4])) == V.tolist()


@each_crossover
def test_cr_zero_exchanges_exactly_one_component(crossover):
    assert (exchanged(crossover.function, 5, 0.0, 200).sum(axis=1) == 1).all()


@each_crossover
def test_cr_one_exchanges_all_components(crossover):
    assert exchanged(crossover.function, 5, 1.0, 200).all()


@each_crossover
def test_the_only_component_is_always_exchanged(crossover):
    assert exchanged(crossover.function, 1, 0.3, 200).all()


# Properties.

floats_of = {"target": st.floats(-1, 1), "mutant": st.floats()}  # the mutant: NaN and infinities too
vectors = st.integers(1, 8).flatmap(
    lambda n: st.tuples(*(st.lists(floats, min_size=n, max_size=n).map(np.array) for floats in floats_of.values()))
)


@each_crossover
@given(vectors, st.floats(0, 1), st.integers(0, 2**32))
def test_a_trial_takes_each_component_from_target_or_mutant_and_at_least_one_from_the_mutant(crossover, pair, Cr, seed):
    x, v, u = *pair, np.full(pair[0].size, 7.0)
    before = x.tobytes(), v.tobytes()
    crossover.function(x, v, Cr, np.random.default_rng(seed), u)
    bits = {name: vector.view(np.int64) for name, vector in zip("xvu", (x, v, u), strict=True)}  # NaN is like itself
    assert ((bits["u"] == bits["x"]) | (bits["u"] == bits["v"])).all()
    assert (bits["u"] == bits["v"]).any()
    assert (x.tobytes(), v.tobytes()) == before


@each_crossover
@given(vectors, st.floats(0, 1), st.integers(0, 2**32))
def test_a_trial_is_infeasible_only_if_its_mutant_is(crossover, pair, Cr, seed):
    x, v = pair
    u = np.array(trial(crossover.function, Cr, np.random.default_rng(seed), x, v))
    assert (abs(u) <= 1).all() or not (abs(v) <= 1).all()


# Laws. L is the number of exchanged components.


def law_of_binomial(n, Cr):
    """L − 1 of the other n − 1 components are taken, each with probability Cr"""
    return [comb(n - 1, length - 1) * Cr ** (length - 1) * (1 - Cr) ** (n - length) for length in range(1, n + 1)]


def law_of_exponential(n, Cr):
    """P(L ≥ l) = Cr^(l−1) for l ≤ n"""
    return [Cr ** (length - 1) * ((1 - Cr) if length < n else 1) for length in range(1, n + 1)]


LAW = {"bin": law_of_binomial, "exp": law_of_exponential}
MEAN = {"bin": lambda n, Cr: 1 + (n - 1) * Cr, "exp": lambda n, Cr: (1 - Cr**n) / (1 - Cr)}


def p_value_of_lengths(crossover, law, n=6, Cr=0.6):
    lengths = exchanged(crossover, n, Cr, 20_000).sum(axis=1)
    if (lengths == 0).any():
        return 0.0  # exchanged nothing: impossible
    return chisquare(np.bincount(lengths, minlength=n + 1)[1:], 20_000 * np.array(law(n, Cr))).pvalue


@each_crossover
def test_number_of_exchanged_components_follows_its_law(crossover):
    assert p_value_of_lengths(crossover.function, LAW[crossover.name]) > FALSE_ALARM


@each_crossover
@pytest.mark.parametrize("Cr", [Fraction(1, 20), Fraction(1, 2), Fraction(99, 100)])
def test_the_laws_have_the_expected_numbers_of_the_spec(crossover, Cr):
    law = LAW[crossover.name](7, Cr)
    assert sum(law) == 1
    assert sum(length * p for length, p in enumerate(law, start=1)) == MEAN[crossover.name](7, Cr)


def binomial_without_i(x, v, Cr, rng, u):
    u[:] = [v[i] if rng.random() <= Cr else x[i] for i in range(u.size)]


def exponential_without_wrap(x, v, Cr, rng, u):
    u[:] = x
    for i in range(int(draw(u.size, rng)), u.size):
        u[i] = v[i]
        if rng.random() > Cr:
            break


def test_the_laws_are_refused_to_crossovers_with_a_fault_and_to_each_other():
    assert p_value_of_lengths(binomial_without_i, law_of_binomial) < FALSE_ALARM
    assert p_value_of_lengths(exponential_without_wrap, law_of_exponential) < FALSE_ALARM
    assert p_value_of_lengths(binomial, law_of_exponential) < FALSE_ALARM
    assert p_value_of_lengths(exponential, law_of_binomial) < FALSE_ALARM


def starts(crossover, n, Cr):
    """How often each component was exchanged while its predecessor was not; where all were, no start can be told"""
    swapped = exchanged(crossover, n, Cr, 20_000)
    return (swapped & ~np.roll(swapped, 1, axis=1)).sum(axis=0)


@each_crossover
def test_component_i_is_uniform(crossover):
    assert chisquare(starts(crossover.function, 7, 0.0)).pvalue > FALSE_ALARM


def test_start_of_exponential_is_uniform():
    assert chisquare(starts(exponential, 7, 0.6)).pvalue > FALSE_ALARM


def exponential_never_from_the_last(x, v, Cr, rng, u):
    start = int(draw(u.size - 1, rng))
    u[:] = x
    for i in range(start, start + u.size):
        u[i % u.size] = v[i % u.size]
        if rng.random() > Cr:
            break


def test_uniformity_is_refused_to_an_exponential_that_never_starts_from_the_last():
    assert chisquare(starts(exponential_never_from_the_last, 7, 0.0)).pvalue < FALSE_ALARM
    assert chisquare(starts(exponential_never_from_the_last, 7, 0.6)).pvalue < FALSE_ALARM


# The chance of an infeasible trial, given which components of the mutant are infeasible (docs/spec.md §5). Derivation:
# bin stays feasible iff I is feasible, (1 − k/n), and none of the k infeasible others is taken, (1 − Cr)^k.
# exp stays feasible iff it starts on a feasible component and stops before the next infeasible one, j steps away:
# P(L ≤ j) = 1 − Cr^j; every maximal run of g feasible components holds one start for each j = 1 … g.


def chance_of_binomial(n, infeasible, Cr):
    k = len(infeasible)
    return 1 - (1 - Fraction(k, n)) * (1 - Cr) ** k


def chance_of_exponential(n, infeasible, Cr):
    if not infeasible:
        return 0
    gaps = [
        (after - before - 1) % n for before, after in zip(infeasible, [*infeasible[1:], infeasible[0]], strict=True)
    ]
    return 1 - Fraction(1, n) * sum(1 - Cr**j for g in gaps for j in range(1, g + 1))


CHANCE = {"bin": chance_of_binomial, "exp": chance_of_exponential}
PATTERNS = [[i for i in range(5) if mask >> i & 1] for mask in range(2**5)]


def chance_by_enumeration(name, infeasible, Cr, n=5):
    """The sum over everything that can be drawn: I, and for bin the set of U ≤ Cr, for exp the length L"""
    total = 0
    for start in range(n):
        if name == "bin":
            for mask in range(2**n):
                taken = {i for i in range(n) if mask >> i & 1}
                p = Cr ** len(taken) * (1 - Cr) ** (n - len(taken))
                total += p * bool((taken | {start}) & set(infeasible))
        else:
            for length, p in enumerate(law_of_exponential(n, Cr), start=1):
                total += p * any((start + step) % n in infeasible for step in range(length))
    return total / n


@each_crossover
@pytest.mark.parametrize("Cr", [Fraction(0), Fraction(3, 10), Fraction(1)])
def test_chance_of_an_infeasible_trial_is_the_sum_over_all_draws(crossover, Cr):
    for infeasible in PATTERNS:
        chance = CHANCE[crossover.name](5, infeasible, Cr)
        assert chance == chance_by_enumeration(crossover.name, infeasible, Cr)


def p_values_of_chances(crossover, chance, Cr):
    """One exact binomial test for each set of infeasible components"""
    swapped = exchanged(crossover, 5, Cr, 20_000)
    seen = [int(swapped[:, infeasible].any(axis=1).sum()) for infeasible in PATTERNS]
    chances = [float(chance(5, infeasible, Cr)) for infeasible in PATTERNS]
    return np.array([binomtest(k, 20_000, p).pvalue for k, p in zip(seen, chances, strict=True)])


@each_crossover
@pytest.mark.parametrize("Cr", [0.3, 0.9])
def test_infeasible_trials_are_as_frequent_as_their_chance(crossover, Cr):
    assert (p_values_of_chances(crossover.function, CHANCE[crossover.name], Cr) > FALSE_ALARM).all()


def test_the_chance_of_the_other_crossover_is_refused():
    # it agrees only where nothing (the first pattern) or everything (the last) is infeasible
    for crossover, chance in ((binomial, chance_of_exponential), (exponential, chance_of_binomial)):
        assert (p_values_of_chances(crossover, chance, 0.3)[1:-1] < FALSE_ALARM).all()
