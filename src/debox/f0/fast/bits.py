"""Sums of codes against the bounds, 32 components at a time: the outcomes are the bits of a word.

A processor turns a vector of comparisons into a number with one instruction, but no Python loop makes the compiler use
it. So the instructions of `bits` and `popcount` are written by hand, beside their Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from debox.f0.fast.fixed_point import MARGIN, MODULUS, WORD, terms_of
from debox.jit import kernel, native

UP, DOWN, BAND = np.uint16(MARGIN), np.uint16(MODULUS - MARGIN), np.uint16(2 * MARGIN)


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
    surely = bits_of_terms(codes, a, b, c, d, e, UP, np.uint16(S + BAND))  # −MARGIN ≤ v ≤ S + MARGIN?
    return surely, bits_of_terms(codes, a, b, c, d, e, DOWN, np.uint16(S - BAND))  # MARGIN ≤ v ≤ S − MARGIN?


@kernel
def estimate(codes, S, places, t, mask, word):
    """How many of 32 components of mutant t, if taken, are surely outside, and how many perhaps"""
    surely, perhaps = surely_and_perhaps(codes, S, places, t, word)
    return popcount(np.uint32(surely & mask[word, t])), popcount(np.uint32(perhaps & mask[word, t]))
