"""A population in whole numbers of 16 bits: they tell of nearly every mutant component whether it left the box.

A mutant component is a weighted sum of its parents' components. `codes` holds, for each weight w and individual, w·x in
whole units of 1/S; a component is the sum of three to five codes, and bits.py adds 32 of them at a time. A sum is wrong
by at most half a unit a term: one more than MARGIN units from both bounds is decided, what is nearer is left to the
exact formula (scan.py). Sums wrap around at 2¹⁶; S is small enough that none gets back into the box that way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.jit import kernel

TARGET, BEST, R1, R2, R3, R4, R5 = map(np.int64, range(7))  # roles in a mutation; the rows of `parents`
FEWEST_TERMS, MOST_TERMS = 3, 5  # of a sum
FARTHEST = 100.0  # widths of the box: beyond, 16 bits tell too little
MARGIN = 3  # units: more than half a unit for each of MOST_TERMS
MODULUS = 2**16  # codes wrap around at it
WORD = np.uint64(32)  # components at a time
LINE = 64  # bytes: a line of the cache, a word of codes


class Points(NamedTuple):
    """The population for the inner loops: row i of `rows` is individual i, filled up to whole words."""

    rows: Any
    width: Any  # of a row, in components
    codes: Any  # for each weight such rows of codes
    weights: Any  # S times each of the weights
    S: Any
    roles: Any  # for each term of the sum: whose code it is
    starts: Any  # and where the codes for its weight start


def empty_points(N: int, n: int, weights: Sequence[float]) -> Points:
    """Room for N individuals; `weights` of target, best, r1, …: if there are none all is left to the exact formula."""
    terms = terms_of(weights)
    different = sorted({weight for _, weight in terms})
    S, width = int((MODULUS - 4 * MARGIN) / reach(terms)), width_of(n)
    return Points(
        rows=np.zeros(N * width),
        width=np.uint64(width),
        codes=aligned_codes(len(different) * N * width),
        weights=np.array(different) * S,
        S=np.uint16(S),
        roles=np.array([role for role, _ in terms], np.uint64),
        starts=np.array([different.index(weight) * N * width for _, weight in terms], np.uint32),
    )


def width_of(n: int) -> int:
    """How many components a row has."""
    return -(-n // int(WORD)) * int(WORD)


def fits_32_bits(N: int, n: int) -> bool:
    """Can 32 bits number the places of all codes?"""
    return MOST_TERMS * N * width_of(n) <= 2**32


def terms_of(weights: Sequence[float]) -> list[tuple[int, float]]:
    """Role and weight of the terms of the sum, at least three; weights are 0 if codes are no help."""
    terms = [(role, float(weight)) for role, weight in enumerate(weights) if weight]
    if len(terms) > MOST_TERMS or reach(terms) > FARTHEST:
        terms = []
    return terms + [(int(TARGET), 0.0)] * (FEWEST_TERMS - len(terms))


def reach(terms: list[tuple[int, float]]) -> float:
    """How far a mutant component gets from 0 upwards or from 1 downwards, in widths of the box."""
    lowest, highest = sum(min(w, 0.0) for _, w in terms), sum(max(w, 0.0) for _, w in terms)
    return max(highest, 1.0 - lowest)


def aligned_codes(size: int) -> NDArray[np.uint16]:
    """Zeros, of which 32 are a line of the cache: a row astride two lines takes twice as long."""
    room = np.zeros(2 * size + LINE, np.uint8)
    begin = -room.ctypes.data % LINE
    return room[begin : begin + 2 * size].view(np.uint16)


@kernel
def encode(points, P, i):
    """Write the rows of individual i; did it change?"""
    rows, codes, weights, (N, n) = points.rows, points.codes, points.weights, P.shape
    width = np.int64(points.width)
    at, is_new = i * width, False
    for j in range(n):
        is_new |= rows[at + j] != P[i, j]
        rows[at + j] = P[i, j]
    for table in range(weights.size):
        weight = weights[table]
        for j in range(n):
            codes[at + j] = np.uint16(np.int64(np.floor(weight * P[i, j] + 0.5)))
        at += N * width
    return is_new


@kernel
def locate(points, trials, parents, places):
    """Where the codes for each term of the mutants of a batch start"""
    roles, starts, width = points.roles, points.starts, np.uint32(points.width)
    for term in range(roles.size):
        role, start = roles[term], starts[term]
        for t in range(trials):
            places[term, t] = np.uint32(parents[role, t]) * width + start
