"""Is a trial infeasible? The inner loops of the fast engine, the only ones that know the mutation.

Crossover takes components of the mutant: for bin, as far as is known here, all of them; for exp L of them from I on,
cyclically. With k of those taken outside the box a trial is infeasible iff U ≥ p_feasible[k]: for bin
p_feasible[k] = (1 − k/n)(1 − Cr)ᵏ is the chance that none of the k is exchanged; for exp all of them are, so p_feasible
is 1, 0, 0, …

What the sums of codes leave undecided is decided by the formula. That is no rare case with strategies that put points
on a bound, as saturation does: called through a pointer, the formula would make their runs up to twice as long.
"""

from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.de.variation import formula
from debox.f0.fast.fixed_point import (
    BEST,
    R1,
    R2,
    R3,
    R4,
    R5,
    TARGET,
    WORD,
    estimate,
    locate,
    popcount,
    surely_and_perhaps,
)
from debox.jit import kernel

BATCH = 256  # trials at a time: their columns stay in the first-level cache
UNIT = 2.0**-46  # of a chance as an integer
FIRST_WORD = np.int64(0)  # kernels are compiled anew for each plain number they are called with
WORDS_BETWEEN_CHECKS = 4  # to check whether a trial is decided costs as much: processors predict the outcome badly


def all_components(n: int) -> NDArray[np.uint32]:
    """For each trial of a batch, words with a bit set for each component."""
    words = [(1 << min(n - begin, 32)) - 1 for begin in range(0, n, 32)]
    return np.repeat(np.array(words, np.uint32)[:, None], BATCH, axis=1)


def p_feasible_table(n: int, Cr: float, exp: bool) -> NDArray[np.float64]:
    """P(trial feasible | k of the scanned components infeasible): bin (1 − k/n)(1 − Cr)ᵏ; exp 1, 0, 0, …"""
    k = np.arange(n + 1)
    return np.where(k == 0, 1.0, 0.0) if exp else (1.0 - k / n) * (1.0 - Cr) ** k


@kernel
def row(points, parents, role, t, word):
    """Where 32 components of a parent of trial t start"""
    return np.uint64(parents[role, t]) * points.width + np.uint64(word) * WORD


@kernel
def outside_bits(points, parents, t, F, word):
    """Which of 32 components of mutant t lie outside [0, 1], exactly"""
    rows, x, x_best = (
        points.rows,
        row(points, parents, TARGET, t, word),
        row(points, parents, BEST, t, word),
    )
    r1, r2, r3 = (
        row(points, parents, R1, t, word),
        row(points, parents, R2, t, word),
        row(points, parents, R3, t, word),
    )
    r4, r5 = row(points, parents, R4, t, word), row(points, parents, R5, t, word)
    flags = np.uint32(0)
    for j in range(WORD):
        v = formula(
            rows[x + j], rows[x_best + j], rows[r1 + j], rows[r2 + j], rows[r3 + j], rows[r4 + j], rows[r5 + j], F
        )
        flags |= np.uint32((v < 0.0) | (v > 1.0)) << np.uint32(j)
    return flags


@kernel
def count_outside(points, parents, t, F, mask, word, words):
    """How many components of mutant t in the mask lie outside [0, 1], exactly; in `words` words from `word` on"""
    k = np.uint32(0)
    for _ in range(words):
        k = np.uint32(k + popcount(np.uint32(outside_bits(points, parents, t, F, word) & mask[word, t])))
        word = word + 1 if word + 1 < mask.shape[0] else 0
    return k


@kernel
def scan(points, trials, parents, places, mask, spans, F, p_feasible, u, undecided):
    """How many of a batch of trials are infeasible; column t of each array is trial t"""
    codes, S = points.codes, points.S
    locate(points, trials, parents, places)
    if mask.shape[0] == 1:
        infeasible, n_undecided = scan_word(codes, S, trials, places, mask, p_feasible, u, undecided)
    else:
        infeasible, n_undecided = scan_words(codes, S, trials, places, mask, spans, p_feasible, u, undecided)
    for p in range(n_undecided):
        t = undecided[p]
        k = count_outside(points, parents, t, F, mask, spans[0, t], spans[1, t])
        infeasible += u[t] >= p_feasible[k]
    return infeasible


@kernel
def scan_word(codes, S, trials, places, mask, p_feasible, u, undecided):
    """How many trials are surely infeasible, and how many undecided, which are listed; for n ≤ 32, in one word"""
    infeasible = n_undecided = 0
    for t in range(trials):
        least, most = estimate(codes, S, places, t, mask, FIRST_WORD)
        is_infeasible = u[t] >= p_feasible[least]
        infeasible += is_infeasible
        undecided[n_undecided] = t
        n_undecided += (u[t] >= p_feasible[most]) & (not is_infeasible)
    return infeasible, n_undecided


@kernel
def scan_words(codes, S, trials, places, mask, spans, p_feasible, u, undecided):
    """The same for any n: the words of a trial's span one by one, until it is decided"""
    words, infeasible, n_undecided = mask.shape[0], 0, 0
    for t in range(trials):
        word, least, most = spans[0, t], np.uint32(0), np.uint32(0)
        for done in range(spans[1, t]):
            if done % WORDS_BETWEEN_CHECKS == 0 and u[t] >= p_feasible[least]:
                break
            more, perhaps = estimate(codes, S, places, t, mask, word)
            least, most = np.uint32(least + more), np.uint32(most + perhaps)
            word = word + 1 if word + 1 < words else 0
        is_infeasible = u[t] >= p_feasible[least]
        infeasible += is_infeasible
        undecided[n_undecided] = t
        n_undecided += (u[t] >= p_feasible[most]) & (not is_infeasible)
    return infeasible, n_undecided


@kernel
def estimate_all(codes, S, places, t, all_bits):
    """How many components of mutant t are surely outside, and how many perhaps"""
    least = most = np.uint32(0)
    for word in range(all_bits.shape[0]):
        more, perhaps = estimate(codes, S, places, t, all_bits, word)
        least, most = np.uint32(least + more), np.uint32(most + perhaps)
    return least, most


@kernel
def chances(points, parents, places, all_bits, F, exp, p_feasible, gaps, words, tuple_numbers, chance):
    """Write P(infeasible) for some tuples of donors in UNITs: column t of `parents` is number tuple_numbers[t]

    Returned is by how much their sum changed.
    """
    codes, S, change = points.codes, points.S, 0
    locate(points, tuple_numbers.size, parents, places)
    for t in range(tuple_numbers.size):
        if exp:
            for word in range(words.size):
                surely, perhaps = surely_and_perhaps(codes, S, places, t, word)
                in_doubt = (surely ^ perhaps) & all_bits[word, t]
                flags = outside_bits(points, parents, t, F, word) if in_doubt else surely
                words[word] = flags & all_bits[word, t]
            p = chance_exp(gaps, words)
        else:
            k, most = estimate_all(codes, S, places, t, all_bits)
            if k != most:
                k = count_outside(points, parents, t, F, all_bits, FIRST_WORD, all_bits.shape[0])
            p = 1.0 - p_feasible[k]
        p = np.int64(p / UNIT)
        change += p - chance[tuple_numbers[t]]
        chance[tuple_numbers[t]] = p
    return change


@kernel
def no_chances(points, parents, places, all_bits, F, exp, p_feasible, gaps, words, tuple_numbers, chance):
    """Takes the place of `chances` where none are computed, so that nothing is compiled for them"""
    return 0


# The chance of exp to take an infeasible component, from the gaps between them.


class Gaps(NamedTuple):
    """Tables for eight components at a time, which are the bits of a byte."""

    n: int
    after: Any  # at g + 1, what an infeasible component adds after g feasible ones: Σ Crᵈ for d = 0..g; at 0 nothing
    ahead: Any  # for each byte: 1 + the bits before the first that is set
    behind: Any  # the bits after the last that is set
    others: Any  # what all that are set but the first add


@lru_cache(maxsize=64)
def gap_tables(n: int, Cr: float) -> Gaps:
    """For n components and this crossover rate."""
    after = np.concatenate([[0.0], np.cumsum(np.power(Cr, np.arange(max(n, 8) + 1)))])
    ahead, behind, others = np.zeros(256, np.int64), np.zeros(256, np.int64), np.zeros(256)
    for byte in range(1, 256):
        bits = [bit for bit in range(8) if byte >> bit & 1]
        ahead[byte], behind[byte] = 1 + bits[0], 7 - bits[-1]
        others[byte] = sum(after[bit - before] for before, bit in pairwise(bits))
    return Gaps(n, after, ahead, behind, others)


@kernel
def chance_exp(gaps, words):
    """(1/n) Σ Crᵈ over all starts I, d the distance from I to the next infeasible component; 0 if there is none

    Without a branch. The gap before the first infeasible component of a byte began in a byte before it; the one before
    the very first began at the end, where the last bits of the last word are no components.
    """
    after, ahead, behind, others = gaps.after, gaps.ahead, gaps.behind, gaps.others
    gap = 0
    for place in range(4 * words.size):
        gap = next_gap(gap, byte_of(words, place), behind)
    gap -= 32 * words.size - gaps.n
    of_firsts = of_others = 0.0
    for place in range(4 * words.size):
        byte = byte_of(words, place)
        of_firsts += after[(gap + ahead[byte]) * (byte != 0)]
        of_others += others[byte]
        gap = next_gap(gap, byte, behind)
    return (of_firsts + of_others) / gaps.n


@kernel
def byte_of(words, place):
    """The bits of components 8·place, …, 8·place + 7"""
    return (words[place // 4] >> np.uint32(8 * (place % 4))) & np.uint32(255)


@kernel
def next_gap(gap, byte, behind):
    """How many feasible components come last, with those of one more byte"""
    return behind[byte] + (gap + 8) * (byte == 0)
