"""Algorithm 1: Differential Evolution in a box, generational, every infeasible trial counted."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.jit import borrow, kernel

# The places of `Tally.counts`.
COUNTERS = EVALUATIONS, INFEASIBLE, ACCEPTED, NANS, MARKS_PASSED = range(5)

# What the base of a mutation may be.
BASE_R1, BASE_BEST, BASE_TARGET = range(3)

# What becomes of an infeasible trial once it is repaired: it is evaluated and replaces its target if it is no worse; it
# is evaluated and never replaces its target; it counts as an evaluation without one and never replaces its target.
COMPETES, LOSES, UNSEEN = range(3)


class DE(NamedTuple):
    """What the loop needs of a configuration and a box: the operators, their parameters, the bounds.

    Compiled, each field is an argument of the loop: three more numbers here make trials up to a quarter slower.
    """

    donors: Any  # (N, target, best, rng, r)
    mutation: Any  # (P, target, best, r, F, K, v)
    crossover: Any  # (x, v, Cr, rng, u)
    strategies: Any  # (u, x, c, a, b, rng) → number: those in use, the first repeated to fill a fixed number of places
    strategy_of: Any  # for each variable, the index of its strategy
    whole: bool  # use `whole_strategy`, for the whole trial, not `strategies`, for components?
    whole_strategy: Any  # (u, x, c, a, b, rng), vectors; it changes u
    redraws: int  # how often an infeasible trial is drawn anew before the strategy repairs it
    base: int  # the vector to which the mutation adds differences: BASE_R1, BASE_BEST or BASE_TARGET
    n_donors: int
    F: float
    Cr: float
    a: Any  # lower bounds
    b: Any  # upper bounds
    fate: int  # what becomes of a trial that was infeasible: COMPETES, LOSES or UNSEEN
    frozen: bool  # is no trial ever accepted?
    v: Any  # room for a mutant
    r: Any  # room for five donors
    adaptation: Any = ()  # in adaptive runs (`Config.adapts`) an `adaptive.AdaptiveParts`


class Tally(NamedTuple):
    """What a run counts, in arrays that the loop writes into."""

    counts: Any  # evaluations, infeasible trials, accepted trials, NaN values, marks passed
    marks: Any  # rising numbers of evaluations
    infeasible_at: Any  # for each mark passed, how many evaluations were infeasible up to it
    violations: Any  # for each variable, how many trials violated its bounds

    @classmethod
    def empty(cls, marks: NDArray[np.int64], n: int) -> Tally:
        """Nothing counted yet, in n dimensions."""
        counts, infeasible_at = np.zeros(len(COUNTERS), np.int64), np.zeros(len(marks), np.int64)
        return cls(counts, marks, infeasible_at, np.zeros(n, np.int64))


@kernel
def is_no_worse(new, old):
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
def is_inside(u, a, b):
    """a_i ≤ u_i ≤ b_i for all i; without an early exit, so that the compiler vectorises it"""
    inside = True
    for i in range(u.size):
        inside &= (a[i] <= u[i]) & (u[i] <= b[i])
    return inside


@kernel
def base_of(base, target, best, r):
    """The index of the individual to which a mutation with this base adds differences"""
    return r[0] if base == BASE_R1 else np.uint64(best if base == BASE_BEST else target)


@kernel
def repair_components(u, x, c, a, b, strategies, strategy_of, rng, violations):
    """Bring the components of the trial u that left [a, b] back, each by its strategy; was there any?"""
    infeasible = False
    for i in range(u.size):
        if not a[i] <= u[i] <= b[i]:
            infeasible = True
            violations[i] += 1
            u[i] = strategies[strategy_of[i]](u[i], x[i], c[i], a[i], b[i], rng)
    return infeasible


@kernel
def repair_whole(u, x, c, a, b, strategy, rng, violations):
    """Bring the whole trial u back by one call of the strategy, if a component left [a, b]; did one?"""
    infeasible = False
    for i in range(u.size):
        if not a[i] <= u[i] <= b[i]:
            infeasible = True
            violations[i] += 1
    if infeasible:
        strategy(u, x, c, a, b, rng)
    return infeasible


@kernel
def repair(u, x, c, de, rng, tally):
    """Bring the trial u of target x and base c back into the box; was it outside?"""
    if de.whole:
        return repair_whole(u, x, c, de.a, de.b, de.whole_strategy, rng, tally.violations)
    return repair_components(u, x, c, de.a, de.b, de.strategies, de.strategy_of, rng, tally.violations)


@kernel
def count_violations(u, a, b, violations):
    """Is the trial u outside [a, b]? Its components that are get counted"""
    infeasible = False
    for i in range(u.size):
        if not a[i] <= u[i] <= b[i]:
            infeasible = True
            violations[i] += 1
    return infeasible


@kernel
def draw_K(rng):
    """K of a mutation that does not use it"""
    return 0.0


@kernel
def draw_uniform_K(rng):
    """K = U, in the place of `draw_K` for a mutation that uses it"""
    return rng.random()


@kernel
def draw_mutant(de, F, P, i, best, rng):
    """Write the mutant of target i into de.v; returns the best it is made with (adaptive runs draw one: adaptive.py)"""
    de.donors(P.shape[0], i, best, rng, de.r[: de.n_donors])
    de.mutation(P, i, best, de.r, F, draw_K(rng), de.v)
    return best


@kernel
def repair_uncounted(u, x, c, de, rng):
    """`repair` of what is no trial, or one that is counted already"""
    violations = np.zeros(u.size, np.int64)
    if de.whole:
        repair_whole(u, x, c, de.a, de.b, de.whole_strategy, rng, violations)
    else:
        repair_components(u, x, c, de.a, de.b, de.strategies, de.strategy_of, rng, violations)


@kernel
def build(de, F, Cr, P, i, best, rng, u, tally):
    """The trial u of target i, repaired; was it infeasible? `assemble.proposer_for` puts a kernel in this place"""
    raise RuntimeError("no configuration is in force: assemble.proposer_for puts a kernel in the place of `build`")


@kernel
def build_classic(de, F, Cr, P, i, best, rng, u, tally):
    """`build` for most configurations; the fast engine calls it, the loop has it written out in `propose_classic`"""
    de.donors(P.shape[0], i, best, rng, de.r[: de.n_donors])
    de.mutation(P, i, best, de.r, F, 0.0, de.v)
    de.crossover(P[i], de.v, Cr, rng, u)
    return repair(u, P[i], P[base_of(de.base, i, best, de.r)], de, rng, tally)


@kernel
def build_or_redraw(de, F, Cr, P, i, best, rng, u, tally):
    """`build`, but an infeasible trial is drawn anew until it is inside, at most de.redraws times, then repaired"""
    best_used = draw_mutant(de, F, P, i, best, rng)
    de.crossover(P[i], de.v, Cr, rng, u)
    if de.redraws == 0 or is_inside(u, de.a, de.b):
        return repair(u, P[i], P[base_of(de.base, i, best_used, de.r)], de, rng, tally)
    count_violations(u, de.a, de.b, tally.violations)
    for _ in range(de.redraws):
        best_used = draw_mutant(de, F, P, i, best, rng)
        de.crossover(P[i], de.v, Cr, rng, u)
        if is_inside(u, de.a, de.b):
            return True
    repair_uncounted(u, P[i], P[base_of(de.base, i, best_used, de.r)], de, rng)
    return True


@kernel
def build_from_repaired_mutant(de, F, Cr, P, i, best, rng, u, tally):
    """`build`, but the mutant is drawn anew and repaired, before crossover; was the trial of the first one infeasible?

    Both trials take the same components from their mutant: crossover is asked once, with zeros for the target and ones
    for the mutant.
    """
    best_used = draw_mutant(de, F, P, i, best, rng)
    taken = np.empty(u.size)
    de.crossover(np.zeros(u.size), np.ones(u.size), Cr, rng, taken)
    mix(P[i], de.v, taken, u)
    infeasible = count_violations(u, de.a, de.b, tally.violations)
    for _ in range(de.redraws):
        if is_inside(de.v, de.a, de.b):
            break
        best_used = draw_mutant(de, F, P, i, best, rng)
    repair_uncounted(de.v, P[i], P[base_of(de.base, i, best_used, de.r)], de, rng)
    mix(P[i], de.v, taken, u)
    return infeasible


@kernel
def mix(x, v, taken, u):
    """u_i = v_i where taken_i is 1, else x_i"""
    for i in range(u.size):
        u[i] = v[i] if taken[i] == 1.0 else x[i]


@kernel
def same_for_all(F, Cr, N):
    """F in the first row and Cr in the second, for each of N individuals"""
    F_Cr = np.empty((2, N))
    for i in range(N):
        F_Cr[0, i], F_Cr[1, i] = F, Cr
    return F_Cr


@kernel
def propose(de, F_Cr, P, best, rng, U, infeasible, tally):
    """The trials U of the first len(U) targets, repaired, and which were infeasible; F_Cr[:, i] is F, Cr of trial i

    `assemble.loop_for` puts a kernel in this place.
    """
    raise RuntimeError("no configuration is in force: assemble.loop_for puts a kernel in the place of `propose`")


@kernel
def propose_classic(de, F_Cr, P, best, rng, U, infeasible, tally):
    """`propose` for most configurations: draw, mutate, cross, check, repair"""
    # F and Cr are one array, F_Cr: with one argument more, compiled trials take up to a third longer
    de, tally, infeasible = borrow(de), borrow(tally), borrow(infeasible)
    F_Cr, P, U = borrow(F_Cr), borrow(P), borrow(U)
    a, b = de.a, de.b
    v, r, donors = de.v, de.r, de.r[: de.n_donors]
    for i in range(U.shape[0]):
        x, u = P[i], U[i]
        de.donors(P.shape[0], i, best, rng, donors)
        de.mutation(P, i, best, r, F_Cr[0, i], 0.0, v)
        de.crossover(x, v, F_Cr[1, i], rng, u)
        infeasible[i] = not is_inside(u, a, b)
        if infeasible[i]:
            c = P[base_of(de.base, i, best, r)]
            if de.whole:  # `repair`, written out: a call with all of de takes a tenth of an infeasible trial's time
                repair_whole(u, x, c, a, b, de.whole_strategy, rng, tally.violations)
            else:
                repair_components(u, x, c, a, b, de.strategies, de.strategy_of, rng, tally.violations)


@kernel
def propose_each(de, F_Cr, P, best, rng, U, infeasible, tally):
    """`propose` by a call of `build` for each trial, in whose place `jit.specialise(…, build=…)` puts a kernel"""
    de, tally, infeasible = borrow(de), borrow(tally), borrow(infeasible)
    F_Cr, P, U = borrow(F_Cr), borrow(P), borrow(U)
    for i in range(U.shape[0]):
        infeasible[i] = build(de, F_Cr[0, i], F_Cr[1, i], P, i, best, rng, U[i], tally)


@kernel
def count(f, infeasible, tally):
    """Count evaluations with values f, and note at each mark how many were infeasible"""
    # local variables stay in registers, an array would be written to memory at every step
    counts, marks = tally.counts, tally.marks
    evaluations, outside, nans, mark = counts[EVALUATIONS], counts[INFEASIBLE], counts[NANS], counts[MARKS_PASSED]
    for i in range(f.size):
        evaluations += 1
        outside += infeasible[i]
        nans += np.isnan(f[i])
        while mark < marks.size and marks[mark] == evaluations:
            tally.infeasible_at[mark] = outside
            mark += 1
    counts[EVALUATIONS], counts[INFEASIBLE], counts[NANS], counts[MARKS_PASSED] = evaluations, outside, nans, mark


@kernel
def next_generation(adaptation, F_Cr, frozen, skip_infeasible, P, f, U, f_U, infeasible, rng, tally):
    """Let the trials U replace their targets, count; the index of the best. Adaptive runs also learn (adaptive.py)

    skip_infeasible: infeasible trials replace no target
    """
    accepted = 0
    for i in range(U.shape[0]):
        if is_no_worse(f_U[i], f[i]) and not (skip_infeasible and infeasible[i]) and not frozen:
            for j in range(P.shape[1]):
                P[i, j] = U[i, j]
            f[i] = f_U[i]
            accepted += 1
    tally.counts[ACCEPTED] += accepted
    count(f_U, infeasible, tally)
    return best_of(f)


@kernel
def is_unseen(infeasible, i):
    """Is trial i not evaluated? With most strategies all are"""
    return False


@kernel
def is_infeasible(infeasible, i):
    """Takes the place of `is_unseen` where infeasible trials are UNSEEN"""
    return infeasible[i]


@kernel
def evaluate(fun, X, f, infeasible, rng, x):
    """f_i = fun(x_i), ∞ for trials that are UNSEEN; x takes a copy of each point, so that fun may write into it"""
    for i in range(X.shape[0]):
        if is_unseen(infeasible, i):
            f[i] = np.inf
            continue
        for j in range(x.size):  # loops, here and elsewhere: slices take ten times as long to compile
            x[j] = X[i, j]
        f[i] = fun(x, rng)


@kernel
def evaluate_with_args(fun, X, f, infeasible, rng, x):
    """`evaluate` for an objective that takes more than a point: fun is the pair of args and a function (x, args)"""
    args, value = fun
    for i in range(X.shape[0]):
        if is_unseen(infeasible, i):
            f[i] = np.inf
            continue
        for j in range(x.size):
            x[j] = X[i, j]
        f[i] = value(x, args)


@kernel
def rank(adaptation, f):
    """The index of the best; adaptive runs sort the population (adaptive.py)"""
    return best_of(f)


@kernel
def trials_left(adaptation, f, budget, counts):
    """How many trials the next generation has"""
    return min(f.size, budget - counts[EVALUATIONS])


@kernel
def run(fun, de, P, f, budget, target, rng, tally):
    """Algorithm 1 from the population P to the end of the budget, or until f(best) ≤ target

    `assemble.loop_for` makes of it the loop of a configuration; without that `propose` raises. Kernels take the places
    of `propose` and, in runs that adapt, of `next_generation`, `rank` and `trials_left`; with penalty, of `is_unseen`;
    for an objective with arguments, of `evaluate`.
    """
    de, tally = borrow(de), borrow(tally)
    P, f = borrow(P), borrow(f)
    adaptation, counts, skip_infeasible = de.adaptation, tally.counts, de.fate != COMPETES
    U, f_U, x = np.empty((f.size, P.shape[1])), np.empty(f.size), np.empty(P.shape[1])
    infeasible = np.zeros(f.size, np.bool_)
    if counts[EVALUATIONS] == 0:
        evaluate(fun, P[: f.size], f, infeasible, rng, x)
        count(f, infeasible, tally)
    F_Cr = same_for_all(de.F, de.Cr, f.size)
    best = rank(adaptation, f)
    generations = 0
    while counts[EVALUATIONS] < budget and not f[best] <= target:
        S = trials_left(adaptation, f, budget, counts)
        trials, values = U[:S], f_U[:S]
        propose(de, F_Cr, P, best, rng, trials, infeasible, tally)
        evaluate(fun, trials, values, infeasible, rng, x)
        best = next_generation(
            adaptation, F_Cr, de.frozen, skip_infeasible, P, f, trials, values, infeasible, rng, tally
        )
        generations += 1
    return generations
