"""What a run counts and accepts: infeasible trials, NaN, which is worse than anything, and the switches."""

from math import inf, nan

import numpy as np
import pytest
from algorithm_parts import UNIT, Falling, each_strategy, f0, outside, watched

from debox.de.algorithm import (
    ACCEPTED,
    EVALUATIONS,
    INFEASIBLE,
    MARKS_PASSED,
    NANS,
    best_of,
    is_no_worse,
)


@each_strategy
def test_counts_are_those_of_the_trials_seen_from_outside(plain, simulate, strategy):
    bounds = [(0.0, 1.0), (-3.0, -1.0), (10.0, 10.5)]
    de, trials = watched(plain(f"DE/rand/2/exp {strategy.name}, N=6, F=0.6, Cr=0.7", bounds))
    rng, marks = np.random.default_rng(4), [1, 6, 7, 20, 33, 60, 100]
    P = rng.uniform(*np.array(bounds).T, (6, 3))
    run = simulate(de, lambda x, rng: nan if x[0] > 0.9 else x.sum(), P, 64, rng, marks)
    violated = outside(trials, bounds)
    flags = [False] * 6 + violated.any(axis=1).tolist()
    assert 0 < sum(flags) < 58
    assert run.counts[INFEASIBLE] == sum(flags)
    assert run.violations.tolist() == violated.sum(axis=0).tolist()
    assert run.infeasible_at.tolist() == [sum(flags[:mark]) for mark in marks[:-1]] + [0]  # 100 was not reached
    assert run.counts[MARKS_PASSED] == 6


def test_nans_are_counted(plain, simulate):
    values = iter([nan, 1, 2, 3, 4, nan, nan, 5, 6, 7])
    de, P = plain("DE/rand/1/bin sat, N=5, F=0.7, Cr=1", UNIT * 2), np.random.default_rng(1).random((5, 2))
    assert simulate(de, lambda x, rng: next(values), P, 10, np.random.default_rng(2)).counts[NANS] == 3


# NaN is worse than anything.


@pytest.mark.parametrize(
    ("new", "old", "accepted"),
    [
        (1, 2, True),
        (2, 1, False),
        (1, 1, True),
        (inf, inf, True),
        (nan, inf, False),
        (inf, nan, True),
        (nan, nan, True),
    ],
)
def test_no_worse_puts_nan_after_infinity(new, old, accepted):
    assert bool(is_no_worse(new, old)) is accepted


@pytest.mark.parametrize(
    ("f", "best"),
    [([3, 1, 2], 1), ([nan, inf], 1), ([inf, nan], 0), ([nan, nan, 5, 4], 3), ([nan, nan], 0), ([1, 1], 0)],
)
def test_best_of_is_the_first_of_the_smallest_and_nan_only_if_all_are(f, best):
    assert best_of(np.array(f, float)) == best


def test_a_nan_target_is_replaced_and_a_nan_trial_replaces_nothing(plain, simulate):
    values = iter([nan, inf, 5.0, nan, inf, nan, nan, nan])  # of four targets and their trials
    de, P = plain("DE/rand/1/bin sat, N=4, F=0.7, Cr=1", UNIT * 2), np.random.default_rng(1).random((4, 2))
    run = simulate(de, lambda x, rng: next(values), P, 8, np.random.default_rng(2))
    assert (run.P != P).any(axis=1).tolist() == [True, False, False, True]
    assert np.array_equal(run.f, [inf, inf, 5, nan], equal_nan=True)


# The switches.


@pytest.mark.parametrize("reevaluate", [True, False])
def test_a_dismissed_trial_stays_at_its_target_and_has_its_value_only_if_reevaluated(plain, simulate, reevaluate):
    de, trials = watched(plain(f"DE/rand/1/bin dism, N=8, F=0.8, Cr=0.5, reevaluate={reevaluate}", UNIT * 2))
    P, fun = np.random.default_rng(1).random((8, 2)), Falling()
    run = simulate(de, fun, P, 16, np.random.default_rng(5))
    dismissed = outside(trials, UNIT * 2).any(axis=1)
    assert 0 < dismissed.sum() < 8
    assert len(fun.calls) == 16  # evaluated either way
    assert fun.calls[8:] == [x.tolist() if out else u.tolist() for x, u, out in zip(P, trials, dismissed, strict=True)]
    assert run.P.tolist() == fun.calls[8:]
    accepted = np.ones(8, bool) if reevaluate else ~dismissed
    assert run.f.tolist() == np.where(accepted, -np.arange(9, 17), -np.arange(1, 9)).tolist()
    assert run.counts[ACCEPTED] == accepted.sum()
    assert run.counts[INFEASIBLE] == dismissed.sum()


@each_strategy
def test_reevaluate_matters_to_dismiss_only(plain, simulate, strategy):
    runs = []
    for reevaluate in (True, False):
        rng = np.random.default_rng(6)
        de = plain(f"DE/rand/1/bin {strategy.name}, N=8, F=0.8, Cr=0.5, reevaluate={reevaluate}", UNIT)
        runs.append(simulate(de, f0, rng.random((8, 1)), 80, rng))
    assert np.array_equal(runs[0].f, runs[1].f) == (strategy.name != "dismiss")


@each_strategy
def test_frozen_keeps_the_population_and_still_spends_and_counts(plain, simulate, strategy):
    de, trials = watched(plain(f"DE/rand/1/bin {strategy.name}, N=5, F=0.8, Cr=0.5, frozen=True", UNIT * 2))
    P = np.random.default_rng(1).random((5, 2))
    run = simulate(de, Falling(), P, 48, np.random.default_rng(2))
    assert np.array_equal(run.P, P)
    assert run.f.tolist() == [-1, -2, -3, -4, -5]
    assert (run.counts[EVALUATIONS], run.counts[ACCEPTED]) == (48, 0)
    assert run.counts[INFEASIBLE] == outside(trials, UNIT * 2).any(axis=1).sum() > 0
