"""Algorithm 1, by hand: who is seen, counted, repaired, accepted, learned from, and who leaves."""

from math import inf, nan

import numpy as np
import pytest

from debox import minimize
from debox import reference as ref
from debox.reference import Run, propose, run, select_survivors

ROW = [[0.25], [0.5], [0.75], [1.0]]
SQUARE = [[0.2, 0.4], [0.5, 0.5], [0.7, 0.6], [0.9, 0.8]]


class Falling:
    """Each value is smaller than all before: every trial is accepted. Remembers where it was called."""

    def __init__(self):
        self.calls = []

    def __call__(self, x):
        self.calls.append(x.tolist())
        return -float(len(self.calls))


class Scripted:
    """Stands in for a Generator: gives the prescribed numbers in their order and fails when asked for more."""

    def __init__(self, *numbers):
        self.left = list(numbers)

    def random(self):
        return self.left.pop(0)


class Prescribed:
    """Operators whose draws are prescribed: each mutant in its turn; the components taken from it; donors 1"""

    def __init__(self, mutants, taken=True):
        self.components, self.taken = [component for v in mutants for component in v], taken

    def in_run(self, P, budget, **settings):
        settings = {"mutation": self.mutation, "crossover": self.crossover, "donors": self.donors, **settings}
        return in_unit_box(P, budget, **settings)

    def mutation(self, *_):
        return self.components.pop(0)

    def crossover(self, x, v, Cr, rng, u):
        u[:] = np.where(self.taken, v, x)

    def donors(self, N, target, best, rng, r):
        r[:] = 1


def in_unit_box(P, budget, seed=1, **settings):
    P = np.array(P, float)
    return Run(np.zeros(P.shape[1]), np.ones(P.shape[1]), P, budget, np.random.default_rng(seed), **settings)


def random_points(N, n=2):
    return np.random.default_rng(1).random((N, n))


# Generations.


@pytest.mark.parametrize("budget", [5, 6, 9, 10, 11, 38])
def test_the_budget_is_spent_exactly(budget):
    de, fun = in_unit_box(random_points(5), budget), Falling()
    run(de, fun)
    assert len(fun.calls) == de.counts[ref.EVALUATIONS] == budget
    assert de.counts[ref.ACCEPTED] == budget - 5
    assert de.generations == -(-(budget - 5) // 5)  # rounded up: a cut generation is one


def test_a_generation_cut_by_the_budget_changes_the_first_targets_only():
    P, de = random_points(5), in_unit_box(random_points(5), 5 + 3, Cr=1.0)
    run(de, Falling())
    assert (P != de.P).any(axis=1).tolist() == [True, True, True, False, False]
    assert de.f.tolist() == [-6, -7, -8, -4, -5]


@pytest.mark.parametrize(
    ("target", "evaluations", "generations"), [(-5, 5, 0), (-5.5, 10, 1), (-10, 10, 1), (-10.5, 15, 2), (-inf, 40, 7)]
)
def test_the_run_ends_with_the_generation_that_reaches_the_target(target, evaluations, generations):
    de = in_unit_box(random_points(5), 40, target=target)
    run(de, Falling())
    assert (de.counts[ref.EVALUATIONS], de.generations, propose(de), de.trials) == (evaluations, generations, 0, 0)


@pytest.mark.parametrize(
    ("seen", "one", "two"),
    [
        # the trial of individual i is a step above individual 0, in generation 1 at 0, in generation 2 at 0.25
        ("x_r1", [0.25, 0.25], [0.5, 0.5]),
        # or above the best: in generation 1 individual 1 at 0.25, in generation 2 both are
        ("x_best", [0.5, 0.5], [0.75, 0.75]),
    ],
)
def test_trials_of_a_generation_see_its_start_and_the_best_then(seen, one, two):
    def mutation(x, x_best, x_r1, *_):
        return (x_best if seen == "x_best" else x_r1) + 0.25

    def donors(N, target, best, rng, r):
        r[:] = 0

    for budget, expected in ((4, one), (6, two)):
        de = in_unit_box([[0.0], [0.25]], budget, mutation=mutation, donors=donors)
        run(de, lambda x: -x[0])
        assert de.P.ravel().tolist() == expected


def test_every_operator_gets_its_target_the_best_and_its_parameter():
    P, calls = [[0.1], [0.2], [0.0], [0.3], [0.4]], []  # of fun = x the best is individual 2
    spies = {
        "donors": lambda N, target, best, rng, r: (calls.append((N, target, best, r.size)), r.fill(3)),
        "mutation": lambda x, x_best, x_r1, x_r2, *rest: (calls.append((x, x_best, x_r2, rest[-1])), x)[1],
        "crossover": lambda x, v, Cr, rng, u: (calls.append((x[0], Cr)), u.fill(0.5)),
    }
    run(in_unit_box(P, 10, n_donors=2, F=0.7, Cr=0.4, **spies), lambda x: x[0])
    assert calls == [call for i in range(5) for call in [(5, i, 2, 2), (P[i][0], 0.0, 0.3, 0.7), (P[i][0], 0.4)]]


def test_each_trial_has_the_F_and_Cr_that_were_sampled_for_it_before_anything_else_is_drawn():
    def sample(i, memory, rng, F_Cr):
        F_Cr[:, i] = rng.random(), i / 10

    seen, numbers = [], [0.5, 0.9, 0.25, 0.6]  # F, then K, of each trial
    spies = {
        "donors": lambda *_: None,
        "mutation": lambda x, *rest: (seen.append(rest[-2:]), x)[1],
        "crossover": lambda x, v, Cr, rng, u: (seen.append(Cr), u.fill(0.5)),
    }
    de = in_unit_box(ROW[:2], 4, sample=sample, learn=ref.learn_nothing, draws_K=True, **spies)
    de.rng = Scripted(*numbers)
    run(de, Falling())
    assert seen == [(0.5, 0.9), 0.0, (0.25, 0.6), 0.1]


def test_K_is_drawn_once_for_each_trial():
    seen = []
    spies = {"donors": lambda *_: None, "mutation": lambda x, *rest: (seen.append(rest[-1]), x)[1]}
    de = in_unit_box(ROW, 12, draws_K=True, crossover=lambda x, v, Cr, rng, u: u.fill(0.5), **spies)
    run(de, Falling())
    assert seen == np.random.default_rng(1).random(8).tolist()


# Repair.


@pytest.mark.parametrize(
    ("base", "who"), [(ref.BASE_R1, [3] * 5), (ref.BASE_BEST, [2] * 5), (ref.BASE_TARGET, range(5))]
)
@pytest.mark.parametrize("whole", [False, True])
def test_a_strategy_is_given_the_target_the_base_and_the_bounds(base, who, whole):
    P, calls = [[0.1, 0.5], [0.2, 0.6], [0.0, 0.7], [0.3, 0.8], [0.4, 0.9]], []

    def donors(N, target, best, rng, r):
        r[:] = [3, 1, 0]

    def strategy(u, x, c, a, b, rng):
        calls.append([np.array(part).tolist() for part in (u, x, c, a, b)])
        if whole:
            u[:] = x
        return 0.5

    spies = {"whole": strategy} if whole else {"strategies": [strategy]}
    outside = Prescribed([[0.5, 7.0]] * 5)
    de = outside.in_run(P, 10, base=base, **(spies | {"donors": donors}))
    run(de, lambda x: x[0])
    if whole:
        assert calls == [[[0.5, 7.0], P[i], P[c], [0, 0], [1, 1]] for i, c in enumerate(who)]
    else:
        assert calls == [[7.0, P[i][1], P[c][1], 0.0, 1.0] for i, c in enumerate(who)]
    assert (de.violations.tolist(), de.counts[ref.INFEASIBLE]) == ([[0, 0], [0, 5]], 5)


def test_every_variable_has_its_own_strategy():
    strategies = [ref.toroidal, ref.saturation, ref.mirror]
    de = Prescribed([[-0.2] * 5] * 4).in_run(
        np.full((4, 5), 0.5), 5, strategies=strategies, n_own_strategies=3, strategy_of=np.array([0, 1, 2, 0, 1])
    )
    run(de, Falling())
    assert de.P[0] == pytest.approx([0.8, 0, 0.2, 0.8, 0])


@pytest.mark.parametrize(("n_own", "asked", "trial"), [(1, [nan, 2.0], [0.9, 0.9]), (0, [2.0], [0.2, 0.9])])
def test_a_strategy_of_a_user_is_never_asked_about_nan(n_own, asked, trial):
    calls = []

    def strategy(u, x, c, a, b, rng):
        calls.append(u)
        return 0.9

    de = Prescribed([[nan, 2.0]]).in_run(SQUARE, 5, strategies=[strategy], n_own_strategies=n_own)
    run(de, Falling())
    assert calls == pytest.approx(asked, nan_ok=True)
    assert de.P[0].tolist() == trial
    assert de.violations.tolist() == [[0, 0], [1, 1]]  # below and above; NaN counts as above


@pytest.mark.parametrize(
    ("mutant", "n_own", "asked"),
    [([nan, 2.0], 0, [[0.2, 2.0]]), ([nan, 0.5], 0, []), ([nan, 2.0], 1, [[nan, 2.0]])],
)
def test_a_strategy_of_a_user_for_whole_trials_is_given_the_target_for_nan(mutant, n_own, asked):
    calls = []

    def whole(u, x, c, a, b, rng):
        calls.append(u.tolist())
        u[:] = 0.1

    de = Prescribed([mutant]).in_run(SQUARE, 5, whole=whole, n_own_strategies=n_own)
    run(de, Falling())
    assert [str(call) for call in calls] == [str(call) for call in asked]
    assert de.P[0].tolist() == ([0.1, 0.1] if asked else [0.2, 0.5])
    assert de.counts[ref.INFEASIBLE] == 1


def test_redraws_go_on_until_the_trial_is_inside_and_the_first_draw_is_counted():
    de = Prescribed([[0.1], [1.5], [-2.0], [0.2], [0.3], [1.1], [0.4]]).in_run(ROW, 8, redraws=100)
    run(de, Falling())
    assert de.P.ravel().tolist() == [0.1, 0.2, 0.3, 0.4]
    assert (de.counts[ref.INFEASIBLE], de.violations.tolist()) == (2, [[0], [2]])


def test_after_the_last_redraw_the_strategy_repairs():
    drawn = Prescribed([[5.0]] * 100 + [[-5.0], [0.1], [0.2], [0.3]])
    de = drawn.in_run(ROW, 8, redraws=100)
    run(de, Falling())
    assert de.P.ravel().tolist() == [0.0, 0.1, 0.2, 0.3]
    assert (drawn.components, de.counts[ref.INFEASIBLE], de.violations.tolist()) == ([], 1, [[0], [1]])


@pytest.mark.parametrize(
    ("strategy", "mutant", "trial"),
    [
        # base (0.5, 0.5); the crossover takes the first component of the mutant only
        (ref.conservatism, [0.1, 2.0], [0.5, 0.4]),  # the mutant is outside, its trial is not: not counted
        (ref.conservatism, [2.0, 0.1], [0.5, 0.4]),
        (ref.project_base, [0.3, 1.5], [0.4, 0.4]),  # α = (1 − 0.5)/(1.5 − 0.5) = 1/2
        (ref.project_midpoint, [-0.5, 0.1], [0.0, 0.4]),
        (ref.conservatism, [0.1, 0.9], [0.1, 0.4]),  # a mutant inside stays
    ],
)
def test_a_mutant_is_repaired_before_crossover_and_counted_is_the_trial_of_the_unrepaired_one(strategy, mutant, trial):
    de = Prescribed([mutant], taken=[True, False]).in_run(SQUARE, 5, repairs_mutant=True, whole=strategy)
    run(de, Falling())
    assert de.P[0].tolist() == pytest.approx(trial)
    assert de.counts[ref.INFEASIBLE] == (not 0 <= mutant[0] <= 1)
    assert de.violations.tolist() == [[mutant[0] < 0, 0], [mutant[0] > 1, 0]]


def test_a_mutant_is_drawn_again_until_all_of_it_is_inside():
    drawn = Prescribed([[0.1, 2.0], [-0.1, 0.5], [0.3, 0.9]], taken=[True, False])
    de = drawn.in_run(SQUARE, 5, repairs_mutant=True, redraws=100)
    run(de, Falling())
    assert (de.P[0].tolist(), drawn.components, de.counts[ref.INFEASIBLE]) == ([0.3, 0.4], [], 0)


# Counting and accepting.


def test_counts_are_those_of_the_trials_seen_from_outside():
    trials, marks = [], [1, 6, 7, 20, 33, 60, 100]

    def crossover(x, v, Cr, rng, u):
        ref.binomial(x, v, Cr, rng, u)
        trials.append(u.copy())

    de = in_unit_box(random_points(6, 3), 64, crossover=crossover, marks=marks, F=0.9)
    run(de, lambda x: nan if x[0] > 0.9 else x.sum())
    violated = np.array([np.array(trials) < 0, np.array(trials) > 1])
    flags = [False] * 6 + violated.any(axis=(0, 2)).tolist()
    assert 0 < sum(flags) < 58
    assert de.counts[ref.INFEASIBLE] == sum(flags)
    assert de.violations.tolist() == violated.sum(axis=1).tolist()
    assert de.infeasible_at.tolist() == [sum(flags[:mark]) for mark in marks[:-1]] + [0]  # 100 was not reached
    assert de.counts[ref.MARKS_PASSED] == 6


def test_nan_is_worse_than_anything_and_counted():
    values = iter([nan, inf, 5.0, nan, 7.0, inf, nan, nan, nan, 8.0])  # of five targets and their trials
    P, de = random_points(5), in_unit_box(random_points(5), 10, Cr=1.0)
    run(de, lambda x: next(values))
    assert (P != de.P).any(axis=1).tolist() == [True, False, False, True, False]
    assert np.array_equal(de.f, [inf, inf, 5, nan, 7], equal_nan=True)
    assert (de.counts[ref.NANS], de.best) == (5, 2)


@pytest.mark.parametrize(
    ("f", "best"),
    [([3, 1, 2], 1), ([nan, inf], 1), ([inf, nan], 0), ([nan, nan, 5, 4], 3), ([nan, nan], 0), ([1, 1], 0)],
)
def test_the_best_is_the_first_of_the_smallest_and_nan_only_if_all_are(f, best):
    values, de = iter(f), in_unit_box(random_points(len(f)), len(f))
    run(de, lambda x: next(values))
    assert de.best == best


@pytest.mark.parametrize("keeps_ties", [False, True])
def test_a_trial_as_good_as_its_target_replaces_it_unless_ties_are_kept(keeps_ties):
    de = in_unit_box(random_points(5), 25, keeps_ties=keeps_ties)
    run(de, lambda x: 1.0)
    assert de.counts[ref.ACCEPTED] == (0 if keeps_ties else 20)


@pytest.mark.parametrize("fate", [ref.LOSES, ref.UNSEEN])
@pytest.mark.parametrize("value", [5.0, inf, nan])  # of the targets: ∞ and NaN are no reason to accept
def test_an_infeasible_trial_that_loses_is_not_accepted_and_one_unseen_not_evaluated(fate, value):
    calls, de = [], Prescribed([[1.5], [0.1], [-1.0], [nan]]).in_run(ROW, 8, whole=ref.dismiss, fate=fate)
    run(de, lambda x: (calls.append(x[0]), value)[1])
    assert calls == [0.25, 0.5, 0.75, 1.0, *([0.1] if fate == ref.UNSEEN else [0.25, 0.1, 0.75, 1.0])]
    assert de.P.ravel().tolist() == [0.25, 0.1, 0.75, 1.0]
    assert de.counts[[ref.EVALUATIONS, ref.INFEASIBLE, ref.ACCEPTED]].tolist() == [8, 3, 1]


def test_frozen_keeps_the_population_and_still_spends_and_counts():
    P, de = random_points(5), in_unit_box(random_points(5), 48, frozen=True, F=0.9)
    run(de, Falling())
    assert np.array_equal(de.P, P)
    assert de.f.tolist() == [-1, -2, -3, -4, -5]
    assert de.counts[[ref.EVALUATIONS, ref.ACCEPTED]].tolist() == [48, 0]
    assert de.counts[ref.INFEASIBLE] > 0


def test_what_the_objective_writes_does_not_reach_the_trials():
    def fun(x):
        x[:] = 7.0
        return -1.0

    de = in_unit_box(ROW, 12)
    run(de, fun)
    assert (de.P <= 1).all()


# Runs that learn.

ADAPTIVE = {"sample": ref.sample_shade, "learn": ref.learn_shade, "cells": 2}


def finished(f, trials, values, **settings):
    """A run whose first generation is done: points at 0.01 i with values f, replaced by `trials` with these values."""
    settings = {"sample": ref.sample_fixed, "learn": ref.learn_nothing, **settings}
    de = Prescribed([[z] for z in trials]).in_run(np.arange(len(f))[:, None] / 100, 99, **settings)
    for f_U in (f, values):
        de.f_U[: propose(de)] = f_U
        select_survivors(de)
    return de


@pytest.mark.parametrize(
    ("new", "old", "gain"),
    [(1.0, 3.0, 2.0), (2.0, 2.0, 0.0), (3.0, 2.0, -1.0), (1.0, inf, inf), (-inf, 1.0, inf),
     (-1e308, 1e308, inf), (1.0, nan, inf), (inf, nan, inf), (inf, inf, 0.0),
     (-inf, -inf, 0.0), (nan, nan, 0.0), (nan, inf, -1.0)],
)  # fmt: skip
def test_the_gain_of_a_trial_and_whose_target_is_archived(new, old, gain):
    de = finished([old, 0.0], [0.5, 0.5], [new, 1.0], archives=1.0)
    assert de.gain.tolist() == [gain, -1.0]
    assert de.sizes[ref.ARCHIVED] == (gain > 0)
    assert de.P[0, 0] == (0.5 if gain >= 0 else 0.0)


def test_noise_on_a_trial_that_is_its_target_teaches_nothing():
    de = finished([3.0, 3.0], [7.0, 0.5], [1.0, 1.0], whole=ref.dismiss, archives=1.0)
    assert (de.gain.tolist(), de.f.tolist()) == ([-1.0, 2.0], [1.0, 1.0])
    assert (de.sizes[ref.ARCHIVED], de.P[2:3, 0].tolist()) == (1, [0.01])


def test_the_archive_takes_targets_and_what_is_too_much_leaves_at_random():
    de = finished([5.0] * 4, [0.5] * 4, [1.0] * 4, archives=0.5)
    assert de.sizes[ref.ARCHIVED] == 2
    archive = [0.0, 0.01, 0.02, 0.03]  # then place 0 to 3 leaves, then 0 to 2, and the last takes that place
    rng = np.random.default_rng(1)
    for size in (4, 3):
        archive[int(rng.random() * size)] = archive[size - 1]
    assert de.P[4:6, 0].tolist() == archive[:2]


def test_a_cell_beyond_the_memory_is_never_learned():
    """`learn` from outside may return any number."""
    for returned, kept in [(10**9, 1), (-5, 0), (1, 1)]:
        de = finished([1.0] * 2, [0.5] * 2, [0.0] * 2, cells=2, learn=lambda *_, cell=returned: cell)
        assert de.sizes[ref.CELL] == kept


def test_individuals_are_ranked_by_value_then_by_index_and_nan_last():
    f = [nan, 2.0, inf, 1.0, 2.0, nan, -inf, 1.0, inf]
    de = finished(f, [0.5] * 9, [nan] * 9, keeps_ties=True)
    assert (de.best, de.order.tolist()) == (6, [6, 3, 7, 1, 4, 2, 8, 0, 5])


@pytest.mark.parametrize(
    ("evaluations", "N"), [(20, 17), (43, 13), (44, 13), (46, 13), (47, 12), (99, 4), (100, 4)]
)  # 20 − 16 · evaluations/100: 16.8, 13.12, 12.96, 12.64, 12.48, 4.16, 4
def test_the_population_shrinks_linearly_and_the_worst_leave(evaluations, N):
    own_pairs = {"belongs_to_individuals": True, "cells": 20}
    de = in_unit_box(np.zeros((20, 1)), 100, least=4, **(ADAPTIVE | own_pairs))
    de.f[:] = np.random.default_rng(1).permutation(20)
    de.P[:, 0], de.memory[:], de.counts[ref.EVALUATIONS] = de.f, de.f, evaluations
    ref.shrink(de)
    assert de.sizes[ref.POPULATION] == N
    assert sorted(de.f[:N]) == list(range(N))
    assert np.isnan(de.f[N:]).all()
    assert (de.P[:N, 0] == de.f[:N]).all()
    assert (de.memory[:, :N] == de.f[:N]).all()
    assert de.f[de.order[:N]].tolist() == list(range(N))


def test_the_last_individual_takes_the_place_of_one_that_leaves():
    de = in_unit_box(np.zeros((4, 1)), 100, least=2, **ADAPTIVE)
    de.f[:], de.counts[ref.EVALUATIONS] = [3.0, 1.0, 4.0, 2.0], 100
    ref.shrink(de)
    assert de.f[:2].tolist() == [2.0, 1.0]  # 2 leaves, 3 goes there; 0 leaves, the one there now goes to 0
    assert de.order[:2].tolist() == [1, 0]


def test_frozen_learns_nothing_and_nobody_leaves():
    for frozen, left in ((True, 12), (False, 4)):
        settings = {**ADAPTIVE, "archives": 1.0, "avoided": 1, "donors": ref.not_target}
        de = in_unit_box(random_points(12), 100, least=4, frozen=frozen, **settings)
        run(de, lambda x: x.sum())
        assert de.sizes[ref.POPULATION] == left
        assert np.array_equal(de.P[:12], random_points(12)) == frozen
        assert (de.memory == [[0.5], [0.9]]).all() == (de.sizes[ref.ARCHIVED] == 0) == frozen


@pytest.mark.parametrize(
    ("N", "p", "p_varies", "numbers", "place"),
    [
        (20, 0.11, False, [0.0], 0),  # the best ⌊2.2 + ½⌋ = 2
        (20, 0.11, False, [0.999], 1),
        (23, 0.11, False, [0.999], 2),  # ⌊2.53 + ½⌋ = 3
        (4, 0.11, False, [0.999], 1),  # never fewer than 2
        (1, 0.05, False, [0.9], 0),  # but for the only one
        (100, 0.05, False, [0.999], 4),
        (100, 0.2, True, [0.0, 0.999], 1),  # p from 2/N …
        (100, 0.2, True, [0.5, 0.999], 10),  # (0.02 + 0.2)/2 · 100 = 11
        (100, 0.2, True, [0.9999, 0.999], 19),  # … to 0.2
        (5, 0.2, True, [0.0, 0.999], 1),
    ],
)
def test_the_p_best(N, p, p_varies, numbers, place):
    assert ref.draw_p_best(np.arange(N)[::-1], N, p, p_varies, Scripted(*numbers)) == N - 1 - place


# A run in Python is the run of debox.


@pytest.mark.parametrize("strategy", ["saturation", "penalty", "resample", "conservatism"])
@pytest.mark.parametrize(
    ("variant", "configuration"),
    [
        ("DE/rand/1/bin", {}),
        ("DE/best/2/bin", {"mutation": ref.best_2, "n_donors": 4, "base": ref.BASE_BEST}),
        ("DE/curr-to-rand/1/bin", {"mutation": ref.current_to_rand_1, "base": ref.BASE_TARGET, "draws_K": True}),
    ],
)
def test_it_is_the_run_of_minimize_with_the_same_seed(variant, configuration, strategy):
    result = minimize(
        lambda x: float(x @ x), [(-1, 2), (0, 3)], variant, strategy=strategy, rng=5, N=10, F=0.7, Cr=0.8, budget=205
    )
    rng, function = np.random.default_rng(5), getattr(ref, strategy)
    a, b = np.array([[-1.0, 0.0], [2.0, 3.0]])
    how = {"whole": function} if strategy in ("penalty", "conservatism") else {"strategies": [function]}
    how |= {"redraws": 100 * (strategy == "resample"), "fate": ref.UNSEEN if strategy == "penalty" else ref.COMPETES}
    U = rng.random((10, 2))
    de = Run(a, b, (1 - U) * a + U * b, 205, rng, F=0.7, Cr=0.8, **how, **configuration)
    run(de, lambda x: float(x @ x))
    assert np.array_equal(result.population, de.P)
    assert np.array_equal(result.population_energies, de.f)
    assert result.n_infeasible == de.counts[ref.INFEASIBLE] > 0
