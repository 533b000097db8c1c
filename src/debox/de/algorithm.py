"""Algorithm 1: Differential Evolution in a box, generational, every infeasible trial counted."""

from typing import Any, NamedTuple

import numpy as np

from debox.de.jit import kernel

# What `counts` counts.
EVALUATIONS, INFEASIBLE, ACCEPTED, NANS, MARKS_PASSED = range(5)


class DE(NamedTuple):
    """What the loop needs of a configuration and a box: the operators, their parameters, the bounds."""

    donors: Any  # (N, target, best, rng, r)
    mutation: Any  # (P, target, best, r, F, v)
    crossover: Any  # (x, v, Cr, rng, u)
    strategies: Any  # all strategies (u, x, a, b, rng) → number, in the order of the registry
    strategy_of: Any  # for each variable, which of them
    whole: bool  # the strategy replaces the whole trial (dismiss), not only its violated components
    n_donors: int
    F: float
    Cr: float
    a: Any
    b: Any
    reevaluate: bool
    frozen: bool


@kernel
def no_worse(new, old):
    """new ≤ old, where NaN is worse than anything"""
    return new <= old or np.isnan(old)


@kernel
def best_of(f):
    """The index of the smallest value"""
    best = 0
    for i in range(1, f.size):
        if f[i] < f[best] or (np.isnan(f[best]) and not np.isnan(f[i])):
            best = i
    return best


@kernel
def copy(X, i, x):
    """x = X_i"""
    for j in range(x.size):  # a loop compiles ten times faster than a slice
        x[j] = X[i, j]


@kernel
def repair(u, x, de, rng, violations):
    """Bring the trial u of target x back into the box; was it outside?"""
    infeasible = False
    for i in range(u.size):
        if not de.a[i] <= u[i] <= de.b[i]:
            infeasible = True
            violations[i] += 1
            u[i] = de.strategies[de.strategy_of[i]](u[i], x[i], de.a[i], de.b[i], rng)
    if infeasible and de.whole:
        for i in range(u.size):
            u[i] = x[i]
    return infeasible


@kernel
def propose(de, P, best, rng, U, infeasible, violations):
    """The trials U of the first len(U) targets, repaired, and which of them were infeasible"""
    v = np.empty(P.shape[1])
    r = np.zeros(5, np.uint64)
    donors = r[: de.n_donors]
    for i in range(U.shape[0]):
        x, u = P[i], U[i]
        de.donors(P.shape[0], i, best, rng, donors)
        de.mutation(P, i, best, r, de.F, v)
        de.crossover(x, v, de.Cr, rng, u)
        infeasible[i] = repair(u, x, de, rng, violations)


@kernel
def count(f_x, infeasible, counts, marks, infeasible_at):
    """One evaluation more; `infeasible_at` notes how many of the first `marks` evaluations were infeasible"""
    counts[EVALUATIONS] += 1
    counts[INFEASIBLE] += infeasible
    counts[NANS] += np.isnan(f_x)
    while counts[MARKS_PASSED] < marks.size and marks[counts[MARKS_PASSED]] == counts[EVALUATIONS]:
        infeasible_at[counts[MARKS_PASSED]] = counts[INFEASIBLE]
        counts[MARKS_PASSED] += 1


@kernel
def begin(f, counts, marks, infeasible_at):
    """Count the initial population"""
    for i in range(f.size):
        count(f[i], False, counts, marks, infeasible_at)


@kernel
def select(de, P, f, U, f_U, infeasible, counts, marks, infeasible_at):
    """Fill the next population, count; the index of its best"""
    for i in range(U.shape[0]):
        dismissed = de.whole and infeasible[i] and not de.reevaluate
        if no_worse(f_U[i], f[i]) and not dismissed and not de.frozen:
            copy(U, i, P[i])
            f[i] = f_U[i]
            counts[ACCEPTED] += 1
        count(f_U[i], infeasible[i], counts, marks, infeasible_at)
    return best_of(f)


@kernel
def evaluate(fun, X, f, rng):
    """f_i = fun(x_i)"""
    x = np.empty(X.shape[1])  # a copy, so that fun may write into it
    for i in range(X.shape[0]):
        copy(X, i, x)
        f[i] = fun(x, rng)


@kernel
def run(fun, de, P, f, budget, target, rng, counts, marks, infeasible_at, violations):
    """Algorithm 1 from the population P to the end of the budget, or until f(best) ≤ target"""
    U, f_U, infeasible = np.empty_like(P), np.empty_like(f), np.zeros(f.size, np.bool_)
    if counts[EVALUATIONS] == 0:
        evaluate(fun, P, f, rng)
        begin(f, counts, marks, infeasible_at)
    best = best_of(f)
    generations = 0
    while counts[EVALUATIONS] < budget and not f[best] <= target:
        S = min(f.size, budget - counts[EVALUATIONS])
        propose(de, P, best, rng, U[:S], infeasible, violations)
        evaluate(fun, U[:S], f_U, rng)
        best = select(de, P, f, U[:S], f_U, infeasible, counts, marks, infeasible_at)
        generations += 1
    return generations
