"""The inner loops of the fast engine against mutants built by the mutations themselves."""

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from debox import Config, registry
from debox.de import jit
from debox.de.mutation import mutate
from debox.f0 import prepare, scan

MUTATIONS = registry.in_slot("mutation")
SIZES = [1, 2, 8, 9, 15, 16, 17, 30, 65]  # below, at and beyond what is looked at first, and at a time
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


def tables(n, Cr, crossover="exp"):
    with jit.interpreted():
        return prepare.prepare(Config(f"DE/rand/1/{crossover} sat, N=5, F=0.7, Cr={Cr}"), n)[1]


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
    for end in {length, length + int(scan.LANES) - 1, int(scan.HEAD)}:
        seen = segment(expected, first, min(length, end))
        assert special["outside"](rows, *starts, F, np.uint64(length), np.uint64(end)) == sum(seen)
    flags = np.full(n, 7)
    special["flag"](rows, *(np.uint64(i) * width for i in who), F, flags)
    assert flags.tolist() == expected.astype(int).tolist()


def batch(rng, N, n, trials):
    """Random columns, one per trial: target, donors, first, length"""
    draws = rng.integers(0, N, trials), rng.integers(0, N, (5, trials))
    return [column.astype(np.int32) for column in (*draws, rng.integers(0, n, trials), rng.integers(1, n + 1, trials))]


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
    for function, paused, counted in product((plain, jit.compiled(plain)), (0, 3), (0, 17, trials)):
        undecided, pause = np.full(trials, -1, np.int32), np.array([paused])
        args = (*laid_out(P), target, best, r, F, first, length, keep, u[:counted], undecided, pause)
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
    chance = scan.chance_exp(np.array(flags, np.int64), tables(len(flags), Cr).after_gap)
    assert chance == pytest.approx(spec_5(flags, Cr, "exp"), abs=1e-14)
    if not any(flags):
        assert chance == 0  # exactly: such a trial never leaves
    assert chance <= 1 + 1e-15


def test_chance_exp_by_hand():
    # n = 4, Cr = 1/2, components 1 and 2 outside: I = 1, 2 at once; I = 0 one step on, I = 3 two: (1 + 1 + 1/2 + 1/4)/4
    assert scan.chance_exp(np.array([0, 1, 1, 0]), tables(4, 0.5).after_gap) == 2.75 / 4


@every_mutation
@pytest.mark.parametrize("crossover", ["bin", "exp"])
@pytest.mark.parametrize("n", [1, 5, 17])
def test_chances_of_the_tuples_asked_for_are_those_of_spec_5(mutation, crossover, n):
    rng, N, Cr, F, target, best = np.random.default_rng(n), 6, 0.6, 0.7, 1, 2
    P, enum = population(rng, N, n), tables(n, Cr, crossover)
    tuples = np.array([rng.permutation(N)[:5] for _ in range(20)], np.uint64)
    which, before = np.array([3, 0, 17, 3]), rng.integers(0, 100, 20)
    expected = before * scan.UNIT
    for k in which:
        expected[k] = spec_5(leaves(mutation, P, target, best, tuples[k], F), Cr, crossover)
    plain = jit.specialise(scan.chances, formula=mutation.function)
    for function in (plain, jit.compiled(plain)):
        chance = before.copy()
        asked = target, best, tuples, which, F, crossover == "exp"
        change = function(*laid_out(P), *asked, enum.keep, enum.after_gap, enum.flags, chance)
        assert chance * scan.UNIT == pytest.approx(expected, abs=2e-14)  # cut to a UNIT, 1.4e-14
        assert change == chance.sum() - before.sum()
        others = np.delete(np.arange(20), which)
        assert chance[others].tolist() == before[others].tolist()
