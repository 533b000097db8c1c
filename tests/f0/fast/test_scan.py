"""The inner loops of the fast engine against mutants built by the mutations themselves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operator_lists import FAST_MUTATIONS

from debox import jit, registry
from debox.de.mutation import mutate
from debox.f0.fast import bits, fixed_point, scan
from debox.f0.fast.draws import mark_segments
from debox.f0.fast.gaps import gap_tables
from debox.f0.fast.tables import p_feasible_table
from debox.jit import kernel
from debox.registry import Operator

N, TRIALS = 7, 40
SIZES = [1, 2, 8, 31, 32, 33, 65, 300]  # below, at and beyond what is looked at at a time, and without interruption


@kernel
def weightless(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """No weighted sum; where all parents are 0, as beyond the last component, it is outside"""
    return x_r1 + F * (x_r2 - x_r3) - 0.375


@kernel
def of_six(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """More parents than a sum has terms"""
    return 0.5 * (x + x_r1) + F * (x_r2 - x_r3) + F * (x_r4 - x_r5)


@kernel
def of_two(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """Fewer"""
    return x_r1 + F * (x_r1 - x_r2)


def made_up(name, function, weights=None):
    return Operator(slot="mutation", name=name, short=name, function=function, citation="", weights=weights)


OURS = FAST_MUTATIONS
MUTATIONS = (
    *OURS,
    made_up("weightless", weightless),
    made_up("of-six", of_six, weights=lambda F: (0.5, 0, 0.5, F, -F, F, -F)),
    made_up("of-two", of_two, weights=lambda F: (0, 0, 1 + F, -F)),
)
every_mutation = pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)


def weights_of(mutation, F):
    return mutation.weights(F) if mutation.weights else ()


def special(function, mutation, F):
    return jit.specialise(function, formula=mutation.function, bits_of_terms=bits.bits_for(weights_of(mutation, F)))


def forms(function, mutation, F, *args):
    """The kernel interpreted and, of a mutation that is worth the time it takes, compiled"""
    with jit.interpreted():
        yield jit.bind(special(function, mutation, F), *args)
    if mutation in OURS:
        yield jit.bind(special(function, mutation, F), *args)


def population(rng, n):
    """Points on a coarse grid: with a coarse F many mutants lie exactly on a bound, where they are feasible"""
    return rng.integers(0, 5, (N, n)) / 4


def points_of(P, weights):
    points = fixed_point.empty_points(*P.shape, weights)
    for i in range(len(P)):
        fixed_point.encode(points, P, i)
    return points


def outside_of(mutation, P, parents, F):
    """Which components of the mutants lie outside [0, 1]: a row for each column of `parents`"""
    mutants = np.empty((parents.shape[1], P.shape[1]))
    for target, best, *r, v in zip(*parents.tolist(), mutants, strict=True):
        jit.specialise(mutate, formula=mutation.function)(P, target, best, r, F, 0.0, v)
    return (mutants < 0) | (mutants > 1)


def words_of(flags):
    """A column of words for each row of flags; the last bits of the last are no components and not set"""
    words = np.zeros((-(-flags.shape[1] // 32), len(flags)), np.uint32)
    for t, j in np.argwhere(flags):
        words[j // 32, t] |= np.uint32(1 << (j % 32))
    return words


# One mutant, exactly.


@pytest.mark.slow
@given(st.sampled_from(MUTATIONS), st.sampled_from(SIZES), st.sampled_from([0.25, 0.7, 1.0, 2.0]), st.integers(0, 9))
@settings(max_examples=60)
def test_outside_and_count_outside_see_what_the_mutant_has_outside(mutation, n, F, seed):
    rng = np.random.default_rng(seed)
    P, parents = population(rng, n), rng.integers(0, N, (7, 4)).astype(np.int32)
    points, expected = points_of(P, weights_of(mutation, F)), outside_of(mutation, P, parents, F)
    chosen = rng.random((4, n)) < rng.random((4, 1))
    taken = words_of(chosen)
    outside, count = (special(function, mutation, F) for function in (scan.outside_bits, scan.count_outside))
    for t in range(4):
        words = np.array([[outside(points, parents, t, F, word)] for word in range(len(taken))])
        components = words_of(np.ones((1, n), bool))  # what the other bits say is nobody's business
        assert (words & components).tolist() == words_of(expected[t : t + 1]).tolist()
        assert count(points, parents, t, F, taken, 0, len(taken)) == np.sum(expected[t] & chosen[t])


# A batch.


def batch(rng, n, F, mutation):
    """A population, its points, parents, the components taken and how many of them are outside"""
    P, parents = population(rng, n), rng.integers(0, N, (7, TRIALS)).astype(np.int32)
    chosen = rng.random((TRIALS, n)) < rng.choice([0.3, 1], (TRIALS, 1))
    outside = np.sum(outside_of(mutation, P, parents, F) & chosen, axis=1)
    return points_of(P, weights_of(mutation, F)), parents, words_of(chosen), outside


def spans_of(taken):
    """All words"""
    return np.repeat([[0], [len(taken)]], taken.shape[1], axis=1)


@pytest.mark.slow
@every_mutation
@pytest.mark.parametrize("n", SIZES)
def test_scan_counts_the_trials_with_u_at_least_keep(mutation, n):
    rng, infeasible = np.random.default_rng(n), []
    tables = np.linspace(1, 0, n + 1), p_feasible_table(n, 0.1, exp=False), p_feasible_table(n, 0.5, exp=True)
    for F, keep in zip((0.25, 2.0, 0.7), tables, strict=True):
        points, parents, taken, outside = batch(rng, n, F, mutation)
        least = keep[outside]
        u = np.clip(least - rng.integers(0, 2, TRIALS) * 2.0**-54, 0, 1 - 2.0**-53)  # exactly enough is enough
        expected = u >= least
        args = [
            points,
            TRIALS,
            parents,
            np.zeros((5, TRIALS), np.uint32),
            taken,
            spans_of(taken),
            F,
            keep,
            u,
            np.zeros(TRIALS, np.int64),
        ]
        for function in forms(scan.scan, mutation, F, *args):
            for args[1] in (0, 17, TRIALS):
                assert function(*args) == sum(expected[: args[1]])
        infeasible += expected.tolist()
    assert 0 < sum(infeasible) < len(infeasible)


@pytest.mark.slow
@every_mutation
@pytest.mark.parametrize("n", [40, 65, 300])
def test_scan_looks_at_the_words_a_segment_spans_and_at_no_others(mutation, n):
    rng, F, keep = np.random.default_rng(n), 0.25, p_feasible_table(n, 0.5, exp=True)
    P, parents = population(rng, n), rng.integers(0, N, (7, TRIALS)).astype(np.int32)
    points = points_of(P, weights_of(mutation, F))
    first, length = rng.integers(0, n, TRIALS).astype(np.int32), rng.integers(1, 4, TRIALS).astype(np.int32)
    length[::5] = rng.integers(1, n + 1, length[::5].size)
    chosen = (np.arange(n) - first[:, None]) % n < length[:, None]
    taken = np.full((-(-n // 32), TRIALS), 2**32 - 1, np.uint32)  # of words nobody may look at
    spans = spans_of(taken)
    mark_segments(n, TRIALS, first, length, taken, spans)
    expected = np.sum((outside_of(mutation, P, parents, F) & chosen).any(axis=1))
    args = (
        points,
        TRIALS,
        parents,
        np.zeros((5, TRIALS), np.uint32),
        taken,
        spans,
        F,
        keep,
        np.full(TRIALS, 0.5),
        np.zeros(TRIALS, np.int64),
    )
    for function in forms(scan.scan, mutation, F, *args):
        assert function(*args) == expected
    assert 0 < expected < TRIALS


# Chances.


def spec_5(flags, Cr, exp):
    """P(infeasible) of a trial whose mutant is outside where the flags are, in the words of docs/spec.md §5"""
    n, k = len(flags), int(sum(flags))
    if not exp:
        return 1 - (1 - k / n) * (1 - Cr) ** k
    lengths = [Cr**step * (1 - Cr) for step in range(n - 1)] + [Cr ** (n - 1)]
    ends = [(first, first + L, p) for first in range(n) for L, p in enumerate(lengths, 1)]
    return sum(p * np.any(np.resize(flags, 2 * n)[first:end]) for first, end, p in ends) / n


@pytest.mark.slow
@every_mutation
@pytest.mark.parametrize("exp", [False, True], ids=["bin", "exp"])
@pytest.mark.parametrize("n", [1, 5, 32, 33])
def test_chances_of_the_tuples_asked_for_are_those_of_spec_5(mutation, exp, n):
    rng, Cr, F = np.random.default_rng(n), 0.6, 0.25
    P, parents = population(rng, n), rng.integers(0, N, (7, TRIALS)).astype(np.int32)
    points, whole = points_of(P, weights_of(mutation, F)), words_of(np.ones((TRIALS, n), bool))
    which, before = np.array([3, 0, 17, 3, 11]), rng.integers(0, 100, 20)
    parents[:, 3] = parents[:, 0]  # the same tuple twice, with the same outcome
    expected = before * scan.UNIT
    expected[which] = [spec_5(flags, Cr, exp) for flags in outside_of(mutation, P, parents[:, : which.size], F)]
    tables = p_feasible_table(n, Cr, exp), gap_tables(n, Cr), np.full(len(whole), 2**32 - 1, np.uint32)
    chance = before.copy()
    args = points, parents, np.zeros((5, TRIALS), np.uint32), whole, F, exp, *tables, which, chance
    for function in forms(scan.chances, mutation, F, *args):
        chance[:] = before
        change = function(*args)
        assert chance * scan.UNIT == pytest.approx(expected, abs=2e-14)  # cut to a UNIT, 1.4e-14
        assert change == chance.sum() - before.sum()
        others = np.delete(np.arange(20), which)
        assert chance[others].tolist() == before[others].tolist()


@pytest.mark.parametrize("exp", [False, True], ids=["bin", "exp"])
def test_chances_are_whole_numbers_of_units_from_0_to_1(exp):
    """A mutant inside never leaves, one that is outside everywhere always does."""
    P, n, one = np.vstack([np.zeros((2, 40)), np.ones((2, 40)), np.full((3, 40), 0.5)]), 40, round(1 / scan.UNIT)
    points, whole = points_of(P, (0, 0, 1, 0.7, -0.7)), words_of(np.ones((3, n), bool))
    parents = np.zeros((7, 3), np.int32)
    parents[fixed_point.R1 : fixed_point.R3 + 1] = np.array([(4, 5, 6), (0, 1, 2), (2, 2, 0)]).T  # ½, −F, 1 + F
    chance = np.array([7, 7, 7])
    tables = p_feasible_table(n, 0.9, exp), gap_tables(n, 0.9), np.zeros(2, np.uint32)
    args = points, parents, np.zeros((5, 3), np.uint32), whole, 0.7, exp, *tables, np.arange(3), chance
    for function in forms(scan.chances, registry.find("mutation", "rand/1"), 0.7, *args):
        function(*args)
        assert chance.tolist() == [0, one, one]
