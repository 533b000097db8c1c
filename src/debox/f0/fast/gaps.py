"""The chance of exp to take an infeasible component, from the gaps between them."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from debox.jit import kernel


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
