"""The budget and the generations of Algorithm 1: who is seen, who is best, what operators are given, by hand."""

from math import inf

import numpy as np
import pytest
from algorithm_parts import ROW, UNIT, Falling, Prescribed, each_strategy

from debox.de.algorithm import (
    ACCEPTED,
    BASE_R1,
    COMPETES,
    DE,
    EVALUATIONS,
    Tally,
    best_of,
    propose_classic,
)


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
        base=BASE_R1,
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
    propose_classic(de, F_Cr, P, 2, None, U, infeasible, Tally.empty(np.zeros(0, np.int64), 1))
    assert U.ravel().tolist() == [1.0, 2.0, -0.5]
    assert seen == [0.1, 0.2, 0.3]


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
