"""A population in whole numbers of 16 bits: they tell of nearly every mutant component whether it left the box.

A mutant component is a weighted sum of its parents' components. `codes` holds, for each weight w and individual, w·x in
whole units of 1/S; a component is the sum of three to five codes. A sum is wrong by at most half a unit a term: one
more than MARGIN units from both bounds is decided, what is nearer is left to the exact formula (scan.py). Sums wrap
around at 2¹⁶; S is small enough that none gets back into the box that way.

32 sums are compared with the bounds at a time: the outcomes are the bits of a word. A processor turns a vector of
comparisons into a number with one instruction, but no Python loop makes the compiler use it. So the instructions of
`bits` and `popcount` are written by hand, beside their Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.jit import kernel, native

# Roles in a mutation. They are the rows of `parents`: batch and exact write there who has which role in each trial.
TARGET, BEST, R1, R2, R3, R4, R5 = map(np.int64, range(7))
FEWEST_TERMS, MOST_TERMS = 3, 5  # of a sum
FARTHEST = 100.0  # widths of the box: beyond, 16 bits tell too little
MARGIN = 3  # units: more than half a unit for each of MOST_TERMS
MODULUS = 2**16  # codes wrap around at it
WORD = np.uint64(32)  # components at a time
LINE = 64  # bytes: a line of the cache, a word of codes
UP, DOWN, BAND = np.uint16(MARGIN), np.uint16(MODULUS - MARGIN), np.uint16(2 * MARGIN)


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


def emit_bits(ir: Any, builder: Any, codes: Any, places: Any, shift: Any, limit: Any) -> Any:
    """Write the instructions of `bits`"""
    lanes, word = int(WORD), ir.IntType(32)
    vector, zeros = ir.VectorType(ir.IntType(16), lanes), ir.Constant(ir.VectorType(word, lanes), [0] * lanes)
    anything = ir.Constant(vector, ir.Undefined)

    def load(place: Any) -> Any:
        return builder.load(builder.bitcast(builder.gep(codes, [place]), vector.as_pointer()), align=2)

    def fill(number: Any) -> Any:
        one = builder.insert_element(anything, number, ir.Constant(word, 0))
        return builder.shuffle_vector(one, anything, zeros)

    v = fill(shift)
    for place in places:
        v = builder.add(v, load(place))
    return builder.bitcast(builder.icmp_unsigned(">", v, fill(limit)), word)


@native(emit_bits)
def bits(codes, places, shift, limit):
    """Bit j: is shift + the j-th code after each of these places, modulo 2¹⁶, more than the limit?"""
    outcomes = 0
    for j in range(int(WORD)):
        v = int(shift)
        for place in places:
            v += int(codes[int(place) + j])
        outcomes |= (v % MODULUS > limit) << j
    return np.uint32(outcomes)


@native(lambda ir, builder, word: builder.ctpop(word))
def popcount(word):
    """How many bits are set"""
    return np.uint32(int(word).bit_count())


@kernel
def bits_of_three_terms(codes, a, b, c, d, e, shift, limit):
    """`bits` for a mutation whose sum has three terms"""
    return bits(codes, (a, b, c), shift, limit)


@kernel
def bits_of_four_terms(codes, a, b, c, d, e, shift, limit):
    """`bits` for a mutation whose sum has four terms"""
    return bits(codes, (a, b, c, d), shift, limit)


@kernel
def bits_of_five_terms(codes, a, b, c, d, e, shift, limit):
    """`bits` for a mutation whose sum has five terms"""
    return bits(codes, (a, b, c, d, e), shift, limit)


@kernel
def bits_of_terms(codes, a, b, c, d, e, shift, limit):
    """`bits` for the mutation in force, which `jit.specialise(…, bits_of_terms=…)` puts in this place"""
    raise RuntimeError("no mutation is in force: jit.specialise(…, bits_of_terms=…) puts its sum in this place")


def bits_for(weights: Sequence[float]) -> Any:
    """What `bits_of_terms` is for a mutation with these weights."""
    return {3: bits_of_three_terms, 4: bits_of_four_terms, 5: bits_of_five_terms}[len(terms_of(weights))]


@kernel
def surely_and_perhaps(codes, S, places, t, word):
    """Of 32 components of mutant t: which are surely outside [0, S], and which perhaps"""
    skip = np.uint64(word) * WORD
    a, b, c = places[0, t] + skip, places[1, t] + skip, places[2, t] + skip
    d, e = places[3, t] + skip, places[4, t] + skip
    surely = bits_of_terms(codes, a, b, c, d, e, UP, np.uint16(S + BAND))  # v < −MARGIN or v > S + MARGIN
    return surely, bits_of_terms(codes, a, b, c, d, e, DOWN, np.uint16(S - BAND))  # v < MARGIN or v > S − MARGIN


@kernel
def estimate(codes, S, places, t, mask, word):
    """How many of 32 components of mutant t, if taken, are surely outside, and how many perhaps"""
    surely, perhaps = surely_and_perhaps(codes, S, places, t, word)
    return popcount(np.uint32(surely & mask[word, t])), popcount(np.uint32(perhaps & mask[word, t]))
