"""Algorithm 1: the budget, the generations, the counts, and the exact facts of docs/spec.md §5 about its trials.

The loop takes its operators as arguments, so a test can pass its own: plain functions whose results are known by hand.
"""

from itertools import product
from math import factorial, inf, nan, prod

import numpy as np
import pytest
from operator_lists import PAPER_STRATEGIES
from scipy.stats import norm

from debox import registry
from debox.de.algorithm import (
    ACCEPTED,
    BEST,
    COMPETES,
    DE,
    EVALUATIONS,
    INFEASIBLE,
    MARKS_PASSED,
    NANS,
    R1,
    TARGET,
    Tally,
    base_of,
    best_of,
    is_no_worse,
    propose,
    repair,
)

FALSE_ALARM = 1e-6  # of each statistical test below
UNIT = [(0.0, 1.0)]
NO_MARKS = np.zeros(0, np.int64)
each_strategy = pytest.mark.parametrize("strategy", registry.in_slot("strategy"), ids=lambda s: s.name)


def f0(x, rng):
    return rng.random()


class Falling:
    """Each value is smaller than all before: every trial is accepted. Remembers where it was called."""

    def __init__(self):
        self.calls = []

    def __call__(self, x, rng):
        self.calls.append(x.tolist())
        return -float(len(self.calls))


def watched(de):
    """The same operators, and a list that gets every trial as it was before repair"""
    trials = []

    def crossover(x, v, Cr, rng, u):
        de.crossover(x, v, Cr, rng, u)
        trials.append(u.copy())

    return de._replace(crossover=crossover), trials


def outside(trials, bounds):
    a, b = np.array(bounds).T
    return ~((a <= np.array(trials)) & (np.array(trials) <= b))


# The budget.


@pytest.mark.parametrize("budget", [5, 6, 9, 10, 11, 38])
def test_budget_is_spent_exactly(plain, simulate, budget):
    fun, rng = Falling(), np.random.default_rng(1)
    de = plain("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.5", UNIT * 2)
    run = simulate(de, fun, rng.random((5, 2)), budget, rng)
    assert len(fun.calls) == run.counts[EVALUATIONS] == budget
    assert run.counts[ACCEPTED] == budget - 5
    assert run.generations == -(-(budget - 5) // 5)  # rounded up: a cut generation is one


def test_a_generation_cut_by_the_budget_changes_the_first_targets_only(plain, simulate):
    de = plain("DE/rand/1/bin sat, N=5, F=0.7, Cr=1", UNIT * 2)
    P = np.random.default_rng(1).random((5, 2))
    run = simulate(de, Falling(), P, 5 + 3, np.random.default_rng(2))
    assert (run.P != P).any(axis=1).tolist() == [True, True, True, False, False]
    assert run.f.tolist() == [-6, -7, -8, -4, -5]


@pytest.mark.parametrize(
    ("target", "evaluations", "generations"), [(-5, 5, 0), (-5.5, 10, 1), (-10, 10, 1), (-10.5, 15, 2), (-inf, 40, 7)]
)
def test_the_run_ends_with_the_generation_that_reaches_the_target(plain, simulate, target, evaluations, generations):
    de, P = plain("DE/rand/1/bin sat, N=5, F=0.7, Cr=1", UNIT * 2), np.random.default_rng(1).random((5, 2))
    run = simulate(de, Falling(), P, 40, np.random.default_rng(2), target=target)
    assert (run.counts[EVALUATIONS], run.generations) == (evaluations, generations)


# Generations, by hand: N = 2, n = 1, fun = −x, the trial of target i is steps[i] above individual 0 or the best.


def up_from(individual, steps):
    def mutation(P, target, best, r, F, K, v):
        v[:] = P[individual(best)] + steps[target]

    def crossover(x, v, Cr, rng, u):
        u[:] = v

    def donors(N, target, best, rng, r):
        pass

    return DE(
        donors=donors,
        mutation=mutation,
        crossover=crossover,
        strategies=(),
        strategy_of=np.zeros(1, int),
        whole=False,
        whole_strategy=None,
        redraws=0,
        base=R1,
        n_donors=0,
        F=1.0,
        Cr=1.0,
        a=np.array([-9.0]),
        b=np.array([9.0]),
        fate=COMPETES,
        frozen=False,
        v=np.empty(1),
        r=np.zeros(5, np.uint64),
    )


def in_place(de, P, generations):
    """Not Algorithm 1: accepted trials enter the population, and the best is refreshed, inside the generation"""
    P, v = np.array(P), np.empty(1)
    for i in list(range(len(P))) * generations:
        de.mutation(P, i, int(np.argmax(P)), None, de.F, 0.0, v)
        P[i] = np.maximum(v, P[i])
    return P.tolist()


def test_trials_of_a_generation_see_the_population_of_its_start(simulate):
    # individual 0 is at 0, so both trials of generation 1 are at 0.25, both of generation 2 at 0.5
    de, P = up_from(lambda best: 0, steps=[0.25, 0.25]), [[0.0], [0.25]]
    assert simulate(de, lambda x, rng: -x[0], P, 4).P.tolist() == [[0.25], [0.25]]
    assert simulate(de, lambda x, rng: -x[0], P, 6).P.tolist() == [[0.5], [0.5]]
    assert in_place(de, P, 2) == [[0.5], [0.75]]


def test_best_is_refreshed_between_generations_and_only_there(simulate):
    # individual 1 at 0.5 is the best of generation 1, individual 0 at 1 that of generation 2
    de, P = up_from(lambda best: best, steps=[0.5, 0.25]), [[0.0], [0.5]]
    assert simulate(de, lambda x, rng: -x[0], P, 4).P.tolist() == [[1.0], [0.75]]
    assert simulate(de, lambda x, rng: -x[0], P, 6).P.tolist() == [[1.5], [1.25]]
    assert in_place(de, P, 2) == [[1.75], [2.0]]


def test_every_operator_gets_its_target_the_best_and_its_parameter(plain, simulate):
    de, calls = plain("DE/curr-to-best/1/bin sat, N=5, F=0.7, Cr=0.4", UNIT), []
    spies = {
        "donors": lambda N, target, best, rng, r: calls.append((N, target, best, r.size)),
        "mutation": lambda P, target, best, r, F, K, v: calls.append((target, best, F)),
        "crossover": lambda x, v, Cr, rng, u: (calls.append((x[0], Cr)), u.fill(0.5)),
    }
    P = [[0.1], [0.2], [0.0], [0.3], [0.4]]  # of fun = x the best is individual 2
    simulate(de._replace(**spies), lambda x, rng: x[0], P, 10)
    assert calls == [call for i in range(5) for call in [(5, i, 2, 2), (i, 2, 0.7), (P[i][0], 0.4)]]


def test_every_variable_has_its_own_strategy(plain, scripted):
    names = ["toroidal", "saturation", "COTN", "mirror", "toroidal"]
    de = plain("DE/rand/1/bin tor, N=5, F=1, Cr=1", [(40.0, 90.0)] * 5, names)
    u, tally = np.array([30.0, 30.0, 30.0, 30.0, 95.0]), Tally.empty(NO_MARKS, 5)
    x, c = np.full(5, 77.0), np.full(5, 66.0)
    assert repair(u, x, c, de, scripted(normal=[0.6]), tally)  # 40 + 0.6·50/3 = 50
    assert u == pytest.approx([80, 40, 50, 50, 45])


@pytest.mark.parametrize(("base", "individual"), [(R1, 3), (BEST, 2), (TARGET, 1)])
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


@pytest.mark.slow
@each_strategy
def test_no_value_ever_rises_and_the_best_is_the_smallest_so_far(plain, simulate, strategy):
    de, seen = plain(f"DE/curr-to-best/1/exp {strategy.name}, N=6, F=0.9, Cr=0.8", UNIT * 3), []

    def sphere(x, rng):
        seen.append(float(((x - 0.3) ** 2).sum()))
        return seen[-1]

    before = np.full(6, inf)
    for generations in range(12):
        seen.clear()
        rng = np.random.default_rng(3)  # the same run, ever longer
        run = simulate(de, sphere, rng.random((6, 3)), 6 + 6 * generations, rng)
        assert (run.f <= before).all()
        assert run.f[best_of(run.f)] == min(seen)
        before = run.f
    assert run.counts[ACCEPTED] > 0


def test_a_trial_as_good_as_its_target_is_accepted(plain, simulate):
    de, P = plain("DE/rand/1/bin sat, N=5, F=0.7, Cr=1", UNIT * 2), np.random.default_rng(1).random((5, 2))
    assert simulate(de, lambda x, rng: 1.0, P, 25, np.random.default_rng(2)).counts[ACCEPTED] == 20


# The counts.


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


@each_strategy
def test_a_run_in_a_box_whose_width_overflows_stays_in_it(plain, simulate, strategy):
    de = plain(f"DE/rand/2/bin {strategy.name}, N=6, F=2, Cr=0.9", [(0, 1)] * 2)
    de = de._replace(a=np.full(2, -1.7e308), b=np.full(2, 1.7e308))  # wider than a Box may be
    rng = np.random.default_rng(7)
    with np.errstate(over="ignore", invalid="ignore"):  # mutants are ±inf and NaN
        run = simulate(de, f0, rng.uniform(-1, 1, (6, 2)) * 1.7e308, 120, rng)
    assert (abs(run.P) <= 1.7e308).all() or strategy.leaves_outside
    assert run.counts[INFEASIBLE] > 0


# Generation 1 (docs/spec.md §5). The donors are different points, uniform and independent, so a component
# of the mutant is Σ wⱼUⱼ with Σ wⱼ = 1. It is below 0 with probability Σ_v (−1)^|v| max(0, −w·v)^k / (k! ∏ wⱼ), the
# volume of a corner of the cube by inclusion and exclusion, and above 1 as often (U → 1 − U). Components are
# independent, and those left to the target are feasible.


def chance_outside(*w):
    corners = product((0, 1), repeat=len(w))
    volume = sum((-1) ** sum(v) * max(0, -np.dot(w, v)) ** len(w) for v in corners)
    return 2 * volume / (factorial(len(w)) * prod(w))


def chance_infeasible(crossover, p, Cr, n):
    if crossover == "bin":
        return 1 - (1 - p) * (1 - Cr * p) ** (n - 1)
    lengths = [Cr ** (length - 1) * ((1 - Cr) if length < n else 1) for length in range(1, n + 1)]
    return 1 - sum(chance * (1 - p) ** length for length, chance in enumerate(lengths, start=1))


def p_value_of_mean(samples, expected):
    """Two-sided, of independent samples; there are enough of them for the normal law"""
    return 2 * norm.sf(abs(np.mean(samples) - expected) / (np.std(samples) / len(samples) ** 0.5))


def infeasible_in_generation_1(plain, simulate, variant, F, runs=2000, N=8, n=3):
    """The share of infeasible trials in each of many runs; trials of one run share donors, runs share nothing"""
    de, rng = plain(f"{variant} sat, N={N}, F={F}, Cr=0.4", UNIT * n), np.random.default_rng(8)
    return [simulate(de, f0, rng.random((N, n)), 2 * N, rng).counts[INFEASIBLE] / N for _ in range(runs)]


def test_a_mutant_component_of_rand_1_is_outside_with_the_chance_in_the_spec():
    for F in (0.05, 0.5, 1.0):
        assert chance_outside(1, F, -F) == pytest.approx(F / 3)
    for F in (1.0, 1.5, 2.0):
        assert chance_outside(1, F, -F) == pytest.approx(1 - 1 / F + 1 / (3 * F**2))


WEIGHTS = {"rand/1": lambda F: (1, F, -F), "rand/2": lambda F: (1, F, -F, F, -F)}


@pytest.mark.slow
@pytest.mark.parametrize("crossover", ["bin", "exp"])
@pytest.mark.parametrize(("mutation", "F"), [("rand/1", 0.5), ("rand/1", 2.0), ("rand/2", 0.7)])
def test_infeasible_trials_of_generation_1_are_as_frequent_as_their_chance(plain, simulate, mutation, F, crossover):
    p = chance_outside(*WEIGHTS[mutation](F))
    shares = infeasible_in_generation_1(plain, simulate, f"DE/{mutation}/{crossover}", F)
    assert p_value_of_mean(shares, chance_infeasible(crossover, p, 0.4, 3)) > FALSE_ALARM
    # refused: the chance of the other crossover, and of a binomial that may exchange nothing
    other = {"bin": "exp", "exp": "bin"}[crossover]
    assert p_value_of_mean(shares, chance_infeasible(other, p, 0.4, 3)) < FALSE_ALARM
    assert p_value_of_mean(shares, 1 - (1 - 0.4 * p) ** 3) < FALSE_ALARM


# On f0 a slot's accepted values are the records of independent U(0, 1): the g-th of G + 1 is one with probability 1/g.


def acceptances_on_f0(plain, simulate, text, N=4, G=15, runs=300):
    de, rng = plain(f"{text}, N={N}, F=1, Cr=0.9", UNIT), np.random.default_rng(9)
    return [simulate(de, f0, rng.random((N, 1)), N * (G + 1), rng).counts[ACCEPTED] for _ in range(runs)]


RECORDS = 4 * sum(1 / g for g in range(2, 17))  # N (H_(G+1) − 1)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [*PAPER_STRATEGIES, registry.find("strategy", "none")], ids=lambda s: s.name)
def test_acceptances_on_f0_are_records(plain, simulate, strategy):
    accepted = acceptances_on_f0(plain, simulate, f"DE/rand/1/bin {strategy.name}")
    assert p_value_of_mean(accepted, RECORDS) > FALSE_ALARM


@pytest.mark.slow
@pytest.mark.parametrize("more", ["dism, reevaluate=False", "penalty"])
def test_records_are_refused_where_infeasible_trials_are_never_accepted(plain, simulate, more):
    accepted = acceptances_on_f0(plain, simulate, f"DE/rand/1/bin {more}")
    assert p_value_of_mean(accepted, RECORDS) < FALSE_ALARM


def test_each_trial_has_the_F_and_Cr_of_its_target():
    """By hand: v = x_best + F_i (x_r1 − x_r2) in one dimension, where crossover always takes the mutant's component"""
    drawn = iter([(1, 0), (1, 0), (0, 1)])

    def donors(N, target, best, rng, r):
        r[:] = next(drawn)

    def mutation(P, target, best, r, F, K, v):
        v[:] = P[best] + F * (P[r[0]] - P[r[1]])

    seen = []

    def crossover(x, v, Cr, rng, u):
        seen.append(Cr)
        u[:] = v

    de = up_from(lambda best: best, [0, 0, 0])._replace(
        donors=donors, mutation=mutation, crossover=crossover, n_donors=2
    )
    P, U, infeasible = np.array([[1.0], [3.0], [0.0]]), np.empty((3, 1)), np.zeros(3, bool)
    F_Cr = np.array([[0.5, 1.0, 0.25], [0.1, 0.2, 0.3]])
    propose(de, F_Cr, P, 2, None, U, infeasible, Tally.empty(np.zeros(0, np.int64), 1))
    assert U.ravel().tolist() == [1.0, 2.0, -0.5]
    assert seen == [0.1, 0.2, 0.3]


# Strategies that change what is drawn, evaluated or repaired, by hand: in [0, 1], where P is 0.25, 0.5, 0.75 and 1.

ROW = [[0.25], [0.5], [0.75], [1.0]]


class Prescribed:
    """Operators whose draws are prescribed: each mutant in its turn; the components taken from it; donor 1"""

    def __init__(self, mutants, taken=None):
        self.mutants, self.taken, self.calls = [np.array(v) for v in mutants], taken, 0

    def mutation(self, P, target, best, r, F, K, v):
        v[:] = self.mutants[self.calls]
        self.calls += 1

    def crossover(self, x, v, Cr, rng, u):
        u[:] = np.where(self.taken, v, x) if self.taken else v

    def donors(self, N, target, best, rng, r):
        r[:] = 1

    def replace_in(self, de):
        return de._replace(mutation=self.mutation, crossover=self.crossover, donors=self.donors)


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


def test_K_is_drawn_once_for_each_trial(plain, simulate, other_loop):
    text, seen = "DE/curr-to-rand/1/bin sat, N=4, F=1, Cr=1", []

    class Watched(Prescribed):
        def mutation(self, P, target, best, r, F, K, v):
            seen.append(K)
            v[:] = 0.5

    simulate(
        Watched([]).replace_in(plain(text, UNIT)), Falling(), ROW, 12, np.random.default_rng(1), run=other_loop(text)
    )
    assert seen == np.random.default_rng(1).random(8).tolist()
