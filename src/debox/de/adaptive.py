"""Adaptive Differential Evolution: what takes the places of kernels of algorithm.py where F and Cr adapt.

Runs with p-best are adaptive runs here even if F and Cr are fixed: they need the order of the population.

The rows of P are the population, of which individuals may leave, and the archive of targets that were replaced by
better trials. Kernels take what they use and not a whole DE, which would add half a second each to compiling.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.de.algorithm import (
    ACCEPTED,
    EVALUATIONS,
    base_of,
    build,
    count,
    draw_K,
    is_inside,
    is_no_worse,
    repair_components,
    repair_whole,
)
from debox.de.variation import draw
from debox.jit import borrow, kernel

# The places of `AdaptiveParts.sizes`.
POPULATION, ARCHIVED, CELL = range(3)


class AdaptiveParts(NamedTuple):
    """What adaptive runs have besides a DE: the adaptation, its memory, and what belongs to p-best and archive."""

    sample: Any  # (i, memory, rng, F_Cr)
    learn: Any  # (F_Cr, gain, memory, cell) → cell
    memory: Any  # pairs of F and Cr, in columns
    sizes: Any  # individuals, points in the archive, the cell of the memory that learns next
    gain: Any  # of each trial of a generation
    order: Any  # the individuals from the best to the worst
    belongs_to_individuals: bool  # is column i of the memory that of individual i?
    uses_p_best: bool  # is the best of the mutation one of the p-best?
    p: float
    p_varies: bool  # is p ~ U(2/N, p) for each trial?
    archives: float  # how many times N the archive holds; 0 if the mutation does not use it
    keeps_ties: bool  # does a trial that is as good as its target not replace it?
    avoided: int  # how many of target and best the donor rule avoids
    least: int  # N at the end of the budget: with as many as at the start the population does not shrink
    budget: int


@kernel
def archive_size(archives, N):
    """⌊archives · N + ½⌋"""
    return int(archives * N + 0.5)


def with_room_for_archive(adaptation: AdaptiveParts, P: NDArray[np.float64]) -> NDArray[np.float64]:
    """The population P and rows for a full archive and, before it is cut, for a generation's targets."""
    N, n = P.shape
    rows = archive_size(adaptation.archives, N) + N if adaptation.archives else 0
    return np.vstack([P, np.zeros((rows, n))])


def restart(adaptation: AdaptiveParts, F: float, Cr: float) -> None:
    """Forget everything: each pair in memory is (F, Cr)."""
    adaptation.memory[0], adaptation.memory[1] = F, Cr
    adaptation.sizes[:] = adaptation.gain.size, 0, 0
    adaptation.order[:] = range(adaptation.gain.size)


def population_of(adaptation: AdaptiveParts, P: NDArray[Any]) -> NDArray[Any]:
    """The rows of P, or of values, that are the population."""
    return P[: adaptation.sizes[POPULATION]]


def archive_of(adaptation: AdaptiveParts, P: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rows of P that are the archive."""
    first = adaptation.gain.size
    return P[first : first + adaptation.sizes[ARCHIVED]]


def rank_anew(adaptation: AdaptiveParts, f: NDArray[np.float64]) -> int:
    """`rank`, whatever the order is now: a sort by values that keeps equal ones in the order of their indices."""
    adaptation.order[: adaptation.sizes[POPULATION]] = np.argsort(population_of(adaptation, f), kind="stable")
    return int(adaptation.order[0])


@kernel
def trials_left(adaptation, f, budget, counts):
    """How many trials the next generation has; `budget` may lie before the end of the run, it cuts no generation"""
    return min(adaptation.sizes[POPULATION], adaptation.budget - counts[EVALUATIONS])


@kernel
def draw_p_best(order, N, p, p_varies, rng):
    """One of the best max(2, ⌊pN + ½⌋), at random; the one individual there is if N = 1"""
    if p_varies:
        p = 2.0 / N + rng.random() * (p - 2.0 / N)
    return order[draw(min(max(2, np.int64(p * N + 0.5)), N), rng)]


@kernel
def draw_from_archive(r, others, first, archived, rng):
    """Replace r, one of so many others, by an archived one, in the rows from `first`: all are equally likely"""
    k = np.int64(draw(others + archived, rng))
    return r if k < others else np.uint64(first + k - others)


@kernel
def allowed_last(N, n_donors, avoided, best_is_target):
    """How many individuals may be the last of so many donors; the rule avoids so many of target and best"""
    return N - (n_donors - 1) - (1 if avoided == 2 and best_is_target else avoided)


@kernel
def draw_mutant(de, F, P, i, best, rng):
    """The mutant of target i, in de.v; the best, or p-best, that it is made with

    The last donor comes from the population or, as likely each, from the archive.
    """
    adaptation, r, last = de.adaptation, de.r, de.n_donors - 1
    N, archived = adaptation.sizes[POPULATION], adaptation.sizes[ARCHIVED]
    if adaptation.uses_p_best:
        best = draw_p_best(adaptation.order, N, adaptation.p, adaptation.p_varies, rng)
    de.donors(N, i, best, rng, r[: last + 1])
    if archived > 0:
        others = allowed_last(N, de.n_donors, adaptation.avoided, best == i)
        r[last] = draw_from_archive(r[last], others, adaptation.gain.size, archived, rng)
    de.mutation(P, i, best, r, F, draw_K(rng), de.v)
    return best


@kernel
def propose(de, F_Cr, P, best, rng, U, infeasible, tally):
    """The trials U of the first len(U) targets, repaired, and which were infeasible; F_Cr takes F and Cr of each

    `draw_mutant` and `repair` are written out: with calls that take all of de, it is compiled for twice as long.
    """
    de, tally, infeasible = borrow(de), borrow(tally), borrow(infeasible)
    F_Cr, P, U = borrow(F_Cr), borrow(P), borrow(U)
    adaptation = de.adaptation
    a, b, last = de.a, de.b, de.n_donors - 1
    v, r, donors = de.v, de.r, de.r[: de.n_donors]
    N, archived, first = adaptation.sizes[POPULATION], adaptation.sizes[ARCHIVED], adaptation.gain.size
    for i in range(U.shape[0]):
        x, u = P[i], U[i]
        adaptation.sample(i, adaptation.memory, rng, F_Cr)
        if adaptation.uses_p_best:
            best = draw_p_best(adaptation.order, N, adaptation.p, adaptation.p_varies, rng)
        de.donors(N, i, best, rng, donors)
        if archived > 0:
            others = allowed_last(N, de.n_donors, adaptation.avoided, best == i)
            r[last] = draw_from_archive(r[last], others, first, archived, rng)
        de.mutation(P, i, best, r, F_Cr[0, i], 0.0, v)
        de.crossover(x, v, F_Cr[1, i], rng, u)
        infeasible[i] = not is_inside(u, a, b)
        if infeasible[i]:
            c = P[base_of(de.base, i, best, r)]
            if de.whole:
                repair_whole(u, x, c, a, b, de.whole_strategy, rng, tally.violations)
            else:
                repair_components(u, x, c, a, b, de.strategies, de.strategy_of, rng, tally.violations)


@kernel
def propose_each(de, F_Cr, P, best, rng, U, infeasible, tally):
    """`propose` by a call of `build` for each trial, in whose place `jit.specialise(…, build=…)` puts a kernel"""
    de, tally, infeasible = borrow(de), borrow(tally), borrow(infeasible)
    F_Cr, P, U = borrow(F_Cr), borrow(P), borrow(U)
    for i in range(U.shape[0]):
        # all that differs from algorithm.propose_each, whose runs have no adaptation: F_Cr is filled once for them
        de.adaptation.sample(i, de.adaptation.memory, rng, F_Cr)
        infeasible[i] = build(de, F_Cr[0, i], F_Cr[1, i], P, i, best, rng, U[i], tally)


@kernel
def is_better(new, old):
    """new < old, where NaN is worse than anything"""
    return new < old or (np.isnan(old) and not np.isnan(new))


@kernel
def gain_of(new, old):
    """Δf = old − new of a trial that replaces its target"""
    if new < old:
        return old - new
    return np.inf if np.isnan(old) and not np.isnan(new) else 0.0


@kernel
def is_same_row(U, P, i):
    """u_i = x_i"""
    for j in range(P.shape[1]):
        if U[i, j] != P[i, j]:
            return False
    return True


@kernel
def copy_row(source, i, goal, k):
    """goal[k] = source[i]"""
    for j in range(goal.shape[1]):
        goal[k, j] = source[i, j]


@kernel
def replace_targets(P, f, U, f_U, skip_infeasible, infeasible, keeps_ties, archives, gain, sizes):
    """Let trials replace their targets, unless infeasible ones are skipped, and note what they gain; how many do?

    The archive takes targets that a better trial replaces. A trial that is its target, as one that was dismissed, gains
    nothing, whatever its value says.
    """
    accepted = 0
    for i in range(f_U.size):
        gain[i] = -1.0
        better = is_better(f_U[i], f[i])
        if (skip_infeasible and infeasible[i]) or not (better or (is_no_worse(f_U[i], f[i]) and not keeps_ties)):
            continue
        if not is_same_row(U, P, i):
            gain[i] = gain_of(f_U[i], f[i])
        if better and archives and gain[i] > 0.0:
            copy_row(P, i, P, f.size + sizes[ARCHIVED])
            sizes[ARCHIVED] += 1
        copy_row(U, i, P, i)
        f[i] = f_U[i]
        accepted += 1
    return accepted


@kernel
def next_generation(adaptation, F_Cr, frozen, skip_infeasible, P, f, U, f_U, infeasible, rng, tally):
    """Let the trials U replace their targets, and learn from them; the worst leave; the index of the best"""
    adaptation, tally, infeasible = borrow(adaptation), borrow(tally), borrow(infeasible)
    F_Cr, P, f = borrow(F_Cr), borrow(P), borrow(f)
    U, f_U = borrow(U), borrow(f_U)
    sizes, order, counts = adaptation.sizes, adaptation.order, tally.counts
    memory, gain = adaptation.memory, adaptation.gain
    count(f_U, infeasible, tally)
    if not frozen:
        ties, archives = adaptation.keeps_ties, adaptation.archives > 0.0
        counts[ACCEPTED] += replace_targets(P, f, U, f_U, skip_infeasible, infeasible, ties, archives, gain, sizes)
        cell = adaptation.learn(F_Cr, gain[: f_U.size], memory, sizes[CELL])
        sizes[CELL] = min(max(cell, 0), memory.shape[1] - 1)  # a learn from outside may return any number
    N = sizes[POPULATION]
    if not frozen:
        N = scheduled_N(f.size, adaptation.least, counts[EVALUATIONS], adaptation.budget)
    while True:  # one call of `sort` stands here, for it is compiled anew where it is called
        sort(order, f, sizes[POPULATION])
        if sizes[POPULATION] <= N:
            break
        shrink(P, f, order, sizes, N, memory, adaptation.belongs_to_individuals)
    cut_archive(P, f.size, sizes, archive_size(adaptation.archives, sizes[POPULATION]), rng)
    return order[0]


@kernel
def scheduled_N(N0, least, evaluations, budget):
    """max(least, ⌊N₀ + (least − N₀) · evaluations/budget + ½⌋)"""
    return max(np.int64(N0 + (least - N0) * float(evaluations) / budget + 0.5), least)


@kernel
def shrink(P, f, order, sizes, N, memory, belongs_to_individuals):
    """The worst leave until there are N; the last individual takes the place of one that leaves"""
    place_of = np.empty_like(order)  # looked for in the order, each would take as many steps as there are individuals
    for place in range(sizes[POPULATION]):
        place_of[order[place]] = place
    while sizes[POPULATION] > N:
        sizes[POPULATION] -= 1
        last = sizes[POPULATION]
        worst = order[last]
        copy_row(P, last, P, worst)
        f[worst], f[last] = f[last], np.nan
        if belongs_to_individuals:
            memory[0, worst], memory[1, worst] = memory[0, last], memory[1, last]
        order[place_of[last]], place_of[worst] = worst, place_of[last]


@kernel
def cut_archive(P, first, sizes, most, rng):
    """What is more than the archive, in the rows from `first`, holds leaves it at random"""
    while sizes[ARCHIVED] > most:
        leaves = np.int64(draw(sizes[ARCHIVED], rng))
        sizes[ARCHIVED] -= 1
        copy_row(P, first + sizes[ARCHIVED], P, first + leaves)


@kernel
def sort(order, f, N):
    """Bring the N individuals into the order of values, the best first, by Shell's sort

    Most are in their place since last time, and then it takes a step or two for each and distance.
    """
    distance = 1
    while distance < N:
        distance = 8 * distance + 1
    while distance > 1:
        distance //= 8
        for k in range(distance, N):
            i, place = order[k], k
            while place >= distance and is_before(f, i, order[place - distance]):
                order[place] = order[place - distance]
                place -= distance
            order[place] = i


@kernel
def rank(adaptation, f):
    """Bring adaptation.order into the order of values, the best first; the index of the best"""
    sort(adaptation.order, f, adaptation.sizes[POPULATION])
    return adaptation.order[0]


@kernel
def is_before(f, i, k):
    """Is individual i better than k? Of two that are as good the first one is: the order depends on f alone"""
    return is_better(f[i], f[k]) or (i < k and not is_better(f[k], f[i]))
