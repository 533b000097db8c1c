"""The inner loops of the fast engine against mutants built by the mutations themselves."""

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from debox import registry
from debox.de import jit
from debox.de.mutation import mutate
from debox.f0 import prepare, scan

MUTATIONS = registry.in_slot("mutation")
SIZES = [1, 2, 15, 16, 17, 30, 65]  # below, at and beyond what is scanned at a time
LANES = [prepare.SHORT, scan.LANES]
every_mutation = pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)


def population(rng, N, n):
    """Points on a coarse grid: with a coarse F many mutants lie exactly on a bound, where they are feasible"""
    return rng.integers(0, 5, (N, n)) / 4


def laid_out(P):
    """`rows` and `width` as the inner loops want them: every individual twice, then room to read beyond"""
    N, n = P.shape
    room = np.full((N, int(scan.LANES)), np.nan)
    return np.hstack([P, P, room]).ravel(), np.uint64(2 * n + int(scan.LANES))


def leaves(mutation, P, target, best, r, F):
    """Which components of the mutant lie outside [0, 1]"""
    v = np.empty(P.shape[1])
    jit.specialise(mutate, formula=mutation.function)(P, target, best, np.array(r, np.uint64), F, v)
    return (v < 0) | (v > 1)


def segment(flags, first, length):
    """flags[first .. first + length), cyclically"""
    return [bool(flags[(first + step) % len(flags)]) for step in range(length)]


def spec_5(flags, Cr, crossover):
    """P(infeasible) of a trial whose mutant is outside where the flags are, in the words of SPEC 5"""
    n, k = len(flags), int(sum(flags))
    if crossover == "bin":
        return 1 - (1 - k / n) * (1 - Cr) ** k
    lengths = [Cr**step * (1 - Cr) for step in range(n - 1)] + [Cr ** (n - 1)]
    chances = [p * any(segment(flags, first, L)) for first in range(n) for L, p in enumerate(lengths, 1)]
    return sum(chances) / n


def powers_added(n, Cr):
    return np.array([sum(Cr**d for d in range(g + 1)) for g in range(n + 1)])


@given(st.sampled_from(MUTATIONS), st.sampled_from(SIZES), st.sampled_from([0.25, 0.7, 1.0, 2.0]), st.data())
def test_outside_and_flag_see_what_the_mutant_has_outside(mutation, n, F, data):
    N = 6
    who = data.draw(st.lists(st.integers(0, N - 1), min_size=7, max_size=7))
    first, length = data.draw(st.integers(0, n - 1)), data.draw(st.integers(1, n))
    P = population(np.random.default_rng(data.draw(st.integers(0, 9))), N, n)
    (target, best, *r), (rows, width) = who, laid_out(P)
    expected = leaves(mutation, P, target, best, r, F)

    special = {name: jit.specialise(getattr(scan, name), formula=mutation.function) for name in ("outside", "flag")}
    starts = [np.uint64(i) * width + np.uint64(first) for i in who]
    for lanes in LANES:
        assert special["outside"](rows, *starts, F, np.uint64(length), lanes) == sum(segment(expected, first, length))
    flags = np.full(n, 7)
    special["flag"](rows, *(np.uint64(i) * width for i in who), F, flags)
    assert flags.tolist() == expected.astype(int).tolist()


def batch(rng, N, n, trials):
    """Random columns, one per trial: target, donors, first, length"""
    draws = rng.integers(0, N, trials), rng.integers(0, N, (5, trials))
    return *draws, rng.integers(0, n, trials), rng.integers(1, n + 1, trials)


@every_mutation
@pytest.mark.parametrize("n", SIZES)
def test_scan_counts_the_trials_with_u_at_least_keep(mutation, n):
    rng, N, best, F, trials = np.random.default_rng(n), 6, 2, 0.7, 40
    P = population(rng, N, n)
    target, r, first, length = batch(rng, N, n, trials)
    outside = [segment(leaves(mutation, P, target[t], best, r[:, t], F), first[t], length[t]) for t in range(trials)]
    keep = np.linspace(1, 0, n + 1)
    least = keep[[sum(components) for components in outside]]
    u = np.minimum(least - rng.integers(0, 2, trials) * 2.0**-54, 1 - 2.0**-53)  # U < 1; exactly enough is enough
    expected = u >= least
    assert 0 < sum(expected) < trials
    plain = jit.specialise(scan.scan, formula=mutation.function)
    for function, lanes, counted in product((plain, jit.compiled(plain)), LANES, (0, 17, trials)):
        args = (*laid_out(P), target, best, r, F, first, length, lanes, keep, u, counted)
        assert function(*args) == sum(expected[:counted])


@given(st.lists(st.booleans(), min_size=1, max_size=66), st.sampled_from([0.0, 0.05, 0.5, 0.99, 1.0]))
@example([False], 0.5)
@example([True], 0.5)
@example([False] * 30, 1.0)
@example([True] * 30, 0.0)
@example([False] * 29 + [True], 0.99)
@example([True] + [False] * 29, 0.99)
@settings(max_examples=60)
def test_chance_exp_is_the_sum_over_all_segments(flags, Cr):
    chance = scan.chance_exp(np.array(flags, np.int64), powers_added(len(flags), Cr))
    assert chance == pytest.approx(spec_5(flags, Cr, "exp"), abs=1e-14)
    if not any(flags):
        assert chance == 0  # exactly: such a trial never leaves
    assert chance <= 1 + 1e-15


def test_chance_exp_by_hand():
    # n = 4, Cr = 1/2, components 1 and 2 outside: I = 1, 2 at once; I = 0 one step on, I = 3 two: (1 + 1 + 1/2 + 1/4)/4
    assert scan.chance_exp(np.array([0, 1, 1, 0]), powers_added(4, 0.5)) == 2.75 / 4


def call_chances(mutation, P, tuples, changed, all_changed, exp, Cr, chance, compiled=False):
    n = P.shape[1]
    function = jit.specialise(scan.chances, formula=mutation.function)
    function = jit.compiled(function) if compiled else function
    padded = np.zeros((len(tuples), 5), np.uint64)
    padded[:, : mutation.donors] = np.array(tuples)[:, : mutation.donors]
    tables = prepare.keep_table(n, Cr, exp), powers_added(n, Cr), np.zeros(n, np.int64)
    function(*laid_out(P), 1, 2, padded, np.array(changed), all_changed, 0.7, exp, *tables, chance)
    return padded


@every_mutation
@pytest.mark.parametrize("exp", [False, True], ids=["bin", "exp"])
@pytest.mark.parametrize("n", [1, 5, 17])
def test_chances_are_those_of_spec_5_where_a_donor_changed_and_stay_elsewhere(mutation, exp, n):
    rng, N, Cr = np.random.default_rng(n), 6, 0.6
    P = population(rng, N, n)
    tuples = [rng.permutation(N)[:5] for _ in range(20)]
    changed = rng.integers(0, 2, 20).astype(bool)
    assert 0 < changed.sum() < 20
    before = rng.random(20)
    for compiled, all_changed in product((False, True), repeat=2):
        chance = before.copy()
        padded = call_chances(mutation, P, tuples, changed, all_changed, exp, Cr, chance, compiled)
        for k, r in enumerate(padded):
            if all_changed or changed[k]:
                flags = leaves(mutation, P, 1, 2, r, 0.7)
                assert chance[k] == pytest.approx(spec_5(flags, Cr, "exp" if exp else "bin"), abs=1e-14)
            else:
                assert chance[k] == before[k]
