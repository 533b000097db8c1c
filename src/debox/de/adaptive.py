"""Adaptive Differential Evolution: what takes the places of kernels of algorithm.py where F and Cr adapt.

The rows of P are the population, of which individuals may leave, and the archive of targets that were replaced by
better trials.
"""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.de.algorithm import COMPETES, DE, EVALUATIONS, build, draw_K, is_no_worse, select
from debox.de.donors import draw
from debox.jit import borrow, inlined, kernel

# The places of `Adaptation.sizes`.
POPULATION, ARCHIVED, CELL = range(3)


class Adaptation(NamedTuple):
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
    avoided: int  # how many of target and best the donor rule avoids
    dismisses: bool  # are infeasible trials replaced by their targets, so that they can not succeed?
    least: int  # N at the end of the budget: with as many as at the start the population does not shrink
    budget: int


# A DE with an Adaptation. A type of its own: with more fields every trial of a DE would take longer.
AdaptiveDE = namedtuple("AdaptiveDE", (*DE._fields, "adaptation"))  # type: ignore[misc]


@kernel
def archive_size(archives, N):
    """⌊archives · N + ½⌋"""
    return int(archives * N + 0.5)


def with_room_for_archive(adaptation: Adaptation, P: NDArray[np.float64]) -> NDArray[np.float64]:
    """The population P and rows for a full archive and, before it is cut, for a generation's targets."""
    N, n = P.shape
    rows = archive_size(adaptation.archives, N) + N if adaptation.archives else 0
    return np.vstack([P, np.zeros((rows, n))])


def restart(adaptation: Adaptation, F: float, Cr: float) -> None:
    """Forget everything: each pair in memory is (F, Cr)."""
    adaptation.memory[0], adaptation.memory[1] = F, Cr
    adaptation.sizes[:] = adaptation.gain.size, 0, 0
    adaptation.order[:] = range(adaptation.gain.size)


def population_of(adaptation: Adaptation, P: NDArray[Any]) -> NDArray[Any]:
    """The rows of P, or of values, that are the population."""
    return P[: adaptation.sizes[POPULATION]]


@kernel
def trials_left(de, f, budget, counts):
    """How many trials the next generation has; `budget` may lie before the end of the run, it cuts no generation"""
    return min(de.adaptation.sizes[POPULATION], de.adaptation.budget - counts[EVALUATIONS])


@kernel
def draw_p_best(adaptation, rng):
    """One of the best max(2, ⌊pN + ½⌋), at random"""
    N, p = adaptation.sizes[POPULATION], adaptation.p
    if adaptation.p_varies:
        p = 2.0 / N + rng.random() * (p - 2.0 / N)
    return adaptation.order[draw(max(2, np.int64(p * N + 0.5)), rng)]


@inlined
def draw_mutant(de, F, P, i, best, rng):
    """The mutant of target i, in de.v; the last donor comes from the population or, as likely each, from the archive"""
    adaptation = de.adaptation
    N, archived = adaptation.sizes[POPULATION], adaptation.sizes[ARCHIVED]
    if adaptation.uses_p_best:
        best = draw_p_best(adaptation, rng)
    de.donors(N, i, best, rng, de.r[: de.n_donors])
    if archived > 0:
        twice = 1 if adaptation.avoided == 2 and best == i else 0
        others = N - (de.n_donors - 1) - adaptation.avoided + twice  # the last donor was one of so many
        k = np.int64(draw(others + archived, rng))
        if k >= others:
            de.r[de.n_donors - 1] = np.uint64(adaptation.gain.size + k - others)
    de.mutation(P, i, best, de.r, F, draw_K(rng), de.v)


@kernel
def propose(de, F_Cr, P, best, rng, U, infeasible, tally):
    """The trials U of the first len(U) targets, repaired, and which were infeasible; F_Cr takes F and Cr of each"""
    de, F_Cr, P, U, infeasible, tally = borrow((de, F_Cr, P, U, infeasible, tally))
    for i in range(U.shape[0]):
        de.adaptation.sample(i, de.adaptation.memory, rng, F_Cr)
        infeasible[i] = build(de, F_Cr[0, i], F_Cr[1, i], P, i, best, rng, U[i], tally)


@kernel
def is_better(new, old):
    """new < old, where NaN is worse than anything: in the place of `is_no_worse` where a tie keeps the target"""
    return new < old or (np.isnan(old) and not np.isnan(new))


@kernel
def gain_of(new, old):
    """Δf = old − new of a trial that replaces its target"""
    if new < old:
        return old - new
    return np.inf if np.isnan(old) and not np.isnan(new) else 0.0


@kernel
def note_gains(de, P, f, f_U, infeasible):
    """What the trials with values f_U gain, before they replace targets; targets that a better trial replaces are kept

    A trial that was dismissed is its target, whatever its value says.
    """
    adaptation = de.adaptation
    for i in range(f_U.size):
        loses = infeasible[i] and (de.fate != COMPETES or adaptation.dismisses)
        gain = -1.0 if loses or de.frozen or not is_no_worse(f_U[i], f[i]) else gain_of(f_U[i], f[i])
        adaptation.gain[i] = gain
        if gain > 0.0 and adaptation.archives > 0.0:
            copy_row(P, i, f.size + adaptation.sizes[ARCHIVED])
            adaptation.sizes[ARCHIVED] += 1


@kernel
def next_generation(de, F_Cr, P, f, U, f_U, infeasible, rng, tally):
    """Let the trials U replace their targets, and learn from them; the worst leave; the index of the best"""
    de, F_Cr, P, f, U, f_U, infeasible, tally = borrow((de, F_Cr, P, f, U, f_U, infeasible, tally))
    adaptation = de.adaptation
    note_gains(de, P, f, f_U, infeasible)
    select(de.frozen, de.fate != COMPETES, P, f, U, f_U, infeasible, tally)
    sizes = adaptation.sizes
    sizes[CELL] = adaptation.learn(F_Cr, adaptation.gain[: f_U.size], adaptation.memory, sizes[CELL])
    rank(de, P, f)
    shrink(adaptation, P, f, tally.counts[EVALUATIONS])
    cut_archive(adaptation, P, rng)
    return rank(de, P, f)


@kernel
def cut_archive(adaptation, P, rng):
    """What is more than the archive holds leaves it at random"""
    sizes, first = adaptation.sizes, adaptation.gain.size
    most = archive_size(adaptation.archives, sizes[POPULATION])
    while sizes[ARCHIVED] > most:
        leaves = np.int64(draw(sizes[ARCHIVED], rng))
        sizes[ARCHIVED] -= 1
        copy_row(P, first + sizes[ARCHIVED], first + leaves)


@kernel
def shrink(adaptation, P, f, evaluations):
    """The worst leave until N = ⌊N₀ + (N_end − N₀) · evaluations/budget + ½⌋; the last individual takes their place"""
    sizes, order, memory, N0 = adaptation.sizes, adaptation.order, adaptation.memory, adaptation.gain.size
    N = np.int64(N0 + (adaptation.least - N0) * float(evaluations) / adaptation.budget + 0.5)
    while sizes[POPULATION] > max(N, adaptation.least):
        sizes[POPULATION] -= 1
        last = sizes[POPULATION]
        worst = order[last]
        copy_row(P, last, worst)
        f[worst], f[last] = f[last], np.nan
        if adaptation.belongs_to_individuals:
            memory[0, worst], memory[1, worst] = memory[0, last], memory[1, last]
        for k in range(last):
            if order[k] == last:
                order[k] = worst


@kernel
def rank(de, P, f):
    """Bring adaptation.order into the order of values, the best first; the index of the best"""
    order = de.adaptation.order
    for k in range(1, de.adaptation.sizes[POPULATION]):  # by insertion: most are in their place since last time
        i = order[k]
        while k > 0 and is_before(f, i, order[k - 1]):
            order[k] = order[k - 1]
            k -= 1
        order[k] = i
    return order[0]


@kernel
def is_before(f, i, k):
    """Is individual i better than k? Of two that are as good the first one is: the order depends on f alone"""
    return is_better(f[i], f[k]) or (i < k and not is_better(f[k], f[i]))


@kernel
def copy_row(P, source, goal):
    """P[goal] = P[source]"""
    for j in range(P.shape[1]):
        P[goal, j] = P[source, j]
