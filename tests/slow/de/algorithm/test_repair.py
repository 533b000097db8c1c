"""What strategies are given and what becomes of a trial outside the box, by hand."""

from math import inf, nan

import numpy as np
import pytest
from algorithm_parts import NO_MARKS, ROW, UNIT, Falling, Prescribed, each_strategy, f0

from debox.de.algorithm import (
    ACCEPTED,
    BASE_BEST,
    BASE_R1,
    BASE_TARGET,
    EVALUATIONS,
    INFEASIBLE,
    NANS,
    Tally,
    base_of,
    repair,
)


def test_every_variable_has_its_own_strategy(plain, scripted):
    names = ["toroidal", "saturation", "COTN", "mirror", "toroidal"]
    de = plain("DE/rand/1/bin tor, N=5, F=1, Cr=1", [(40.0, 90.0)] * 5, names)
    u, tally = np.array([30.0, 30.0, 30.0, 30.0, 95.0]), Tally.empty(NO_MARKS, 5)
    x, c = np.full(5, 77.0), np.full(5, 66.0)
    assert repair(u, x, c, de, scripted(normal=[0.6]), tally)  # 40 + 0.6·50/3 = 50
    assert u == pytest.approx([80, 40, 50, 50, 45])


@pytest.mark.parametrize(("base", "individual"), [(BASE_R1, 3), (BASE_BEST, 2), (BASE_TARGET, 1)])
def test_the_base_is_the_first_donor_the_best_or_the_target(base, individual):
    assert base_of(base, 1, 2, np.array([3, 4, 5, 6, 7], np.uint64)) == individual


def asked_of_strategies(plain, simulate, variant, whole):
    """What a strategy is given in generation 1 of P below, of which individual 2 is the best and 3 the first donor"""
    de, calls = plain(f"{variant} sat, N=5, F=0.7, Cr=1", [(0.0, 1.0), (0.0, 1.0)]), []

    def donors(N, target, best, rng, r):
        r[:] = [3, 1, 0, 4, 2][: r.size]

    def crossover(x, v, Cr, rng, u):
        u[:] = [0.5, 7.0]

    def strategy(u, x, c, a, b, rng):
        calls.append([np.array(part).tolist() for part in (u, x, c, a, b)])
        if whole:
            u[:] = x
        return 0.5

    spies = {"donors": donors, "crossover": crossover, "whole": whole}
    spies |= {"whole_strategy": strategy} if whole else {"strategies": (strategy,)}
    run = simulate(de._replace(**spies), lambda x, rng: x[0], P_OF_FIVE, 10)
    assert run.violations.tolist() == [0, 5]
    return calls


P_OF_FIVE = [[0.1, 0.5], [0.2, 0.6], [0.0, 0.7], [0.3, 0.8], [0.4, 0.9]]
BASES = {
    "DE/rand/1/bin": [3] * 5,
    "DE/rand/2/exp": [3] * 5,
    "DE/best/1/bin": [2] * 5,
    "DE/curr-to-best/1/bin": range(5),
}


@pytest.mark.parametrize("variant", BASES)
def test_a_strategy_of_a_component_is_given_the_target_the_base_and_the_bounds(plain, simulate, variant):
    expected = [[7.0, P_OF_FIVE[i][1], P_OF_FIVE[base][1], 0.0, 1.0] for i, base in enumerate(BASES[variant])]
    assert asked_of_strategies(plain, simulate, variant, whole=False) == expected


@pytest.mark.parametrize("variant", BASES)
def test_a_strategy_of_the_whole_trial_is_called_once_for_each_infeasible_one(plain, simulate, variant):
    expected = [[[0.5, 7.0], P_OF_FIVE[i], P_OF_FIVE[base], [0, 0], [1, 1]] for i, base in enumerate(BASES[variant])]
    assert asked_of_strategies(plain, simulate, variant, whole=True) == expected


def test_a_feasible_trial_meets_no_strategy(plain):
    de = plain("DE/rand/1/bin sat, N=5, F=1, Cr=1", UNIT)._replace(strategies=(), whole_strategy=None)
    for whole in (False, True):
        assert not repair(np.array([0.5]), None, None, de._replace(whole=whole), None, Tally.empty(NO_MARKS, 1))


@each_strategy
def test_a_run_in_a_box_whose_width_overflows_stays_in_it(plain, simulate, strategy):
    de = plain(f"DE/rand/2/bin {strategy.name}, N=6, F=2, Cr=0.9", [(0, 1)] * 2)
    de = de._replace(a=np.full(2, -1.7e308), b=np.full(2, 1.7e308))  # wider than a Box may be
    rng = np.random.default_rng(7)
    with np.errstate(over="ignore", invalid="ignore"):  # mutants are ±inf and NaN
        run = simulate(de, f0, rng.uniform(-1, 1, (6, 2)) * 1.7e308, 120, rng)
    assert (abs(run.P) <= 1.7e308).all() or strategy.leaves_outside
    assert run.counts[INFEASIBLE] > 0


def test_resample_draws_anew_until_the_trial_is_inside_and_counts_the_first_draw(plain, simulate, other_loop):
    text = "DE/rand/1/bin resample, N=4, F=1, Cr=1"
    drawn = Prescribed([[0.1], [1.5], [-2.0], [0.2], [0.3], [1.1], [0.4]])
    run = simulate(drawn.replace_in(plain(text, UNIT)), Falling(), ROW, 8, run=other_loop(text))
    assert run.P.tolist() == [[0.1], [0.2], [0.3], [0.4]]
    assert (drawn.calls, run.counts[INFEASIBLE], run.violations.tolist()) == (7, 2, [2])


def test_resample_gives_up_after_100_redraws_and_takes_the_violated_bound(plain, simulate, other_loop):
    text = "DE/rand/1/bin resample, N=4, F=1, Cr=1"
    drawn = Prescribed([[5.0]] * 100 + [[-5.0], [0.1], [0.2], [0.3]])
    run = simulate(drawn.replace_in(plain(text, UNIT)), Falling(), ROW, 8, run=other_loop(text))
    assert run.P.tolist() == [[0.0], [0.1], [0.2], [0.3]]
    assert (drawn.calls, run.counts[INFEASIBLE], run.violations.tolist()) == (104, 1, [1])


SQUARE = [[0.2, 0.4], [0.5, 0.5], [0.7, 0.6], [0.9, 0.8]]


@pytest.mark.parametrize(
    ("strategy", "mutant", "trial"),
    [
        # base (0.5, 0.5); the crossover takes the first component of the mutant only
        ("conservatism", [0.1, 2.0], [0.5, 0.4]),  # the mutant is outside, its trial is not: repaired, not counted
        ("conservatism", [2.0, 0.1], [0.5, 0.4]),
        ("project-base", [0.3, 1.5], [0.4, 0.4]),  # α = (1 − 0.5)/(1.5 − 0.5) = 1/2
        ("project-midpoint", [-0.5, 0.1], [0.0, 0.4]),
        ("conservatism", [0.1, 0.9], [0.1, 0.4]),  # a mutant inside stays
    ],
)
def test_a_mutant_is_repaired_before_crossover_and_counted_is_the_trial_of_the_unrepaired_one(
    plain, simulate, other_loop, strategy, mutant, trial
):
    text = f"DE/rand/1/bin {strategy}, N=4, F=1, Cr=1, repair=mutant"
    drawn = Prescribed([mutant], taken=[True, False])
    run = simulate(drawn.replace_in(plain(text, UNIT * 2)), Falling(), SQUARE, 5, run=other_loop(text))
    assert run.P[0].tolist() == pytest.approx(trial)
    assert run.counts[INFEASIBLE] == (not 0 <= mutant[0] <= 1)
    assert run.violations.tolist() == [not 0 <= mutant[0] <= 1, 0]


def test_resample_of_the_mutant_asks_that_all_of_it_is_inside(plain, simulate, other_loop):
    text = "DE/rand/1/bin resample, N=4, F=1, Cr=1, repair=mutant"
    drawn = Prescribed([[0.1, 2.0], [-0.1, 0.5], [0.3, 0.9]], taken=[True, False])
    run = simulate(drawn.replace_in(plain(text, UNIT * 2)), Falling(), SQUARE, 5, run=other_loop(text))
    assert run.P[0].tolist() == [0.3, 0.4]
    assert (drawn.calls, run.counts[INFEASIBLE]) == (3, 0)


@pytest.mark.parametrize("value", [5.0, inf, nan])  # of the targets: ∞ and NaN are no reason to accept
def test_penalty_counts_an_evaluation_that_is_not_done_and_never_accepts(plain, simulate, other_loop, value):
    text, calls = "DE/rand/1/bin penalty, N=4, F=1, Cr=1", []

    def fun(x, rng):
        calls.append(x[0])
        return value

    drawn = Prescribed([[1.5], [0.1], [-1.0], [nan]])
    run = simulate(drawn.replace_in(plain(text, UNIT)), fun, ROW, 8, run=other_loop(text))
    assert calls == [0.25, 0.5, 0.75, 1.0, 0.1]
    assert run.P.tolist() == [[0.25], [0.1], [0.75], [1.0]]
    assert run.counts[[EVALUATIONS, INFEASIBLE, ACCEPTED]].tolist() == [8, 3, 1]
    assert run.counts[NANS] == (5 if np.isnan(value) else 0)


def test_none_evaluates_trials_outside_and_later_trials_inherit_their_components(plain, simulate):
    drawn = Prescribed([[1.5, 0.5], [0.1, 0.5], [0.2, 0.5], [0.3, 0.5]])
    de, fun = drawn.replace_in(plain("DE/rand/1/bin none, N=4, F=1, Cr=1", UNIT * 2)), Falling()
    run = simulate(de, fun, SQUARE, 8)
    assert fun.calls[4] == run.P[0].tolist() == [1.5, 0.5]
    assert run.counts[INFEASIBLE] == 1
    # from there all mutants are inside, but the first target keeps its first component
    drawn.calls, drawn.mutants, drawn.taken = 0, [np.array([0.1, 0.6])] * 4, [False, True]
    assert simulate(de, Falling(), run.P, 8).counts[INFEASIBLE] == 1
