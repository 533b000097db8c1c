"""Kernels written for the compiler say what their Python says, and borrowing leaves no trace."""

import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
from kernel_pairs import compiled_and_interpreted

from debox import jit
from debox.jit import borrow, compiling, kernel, native
from debox.jit.binding import type_of

# Native kernels.


def emit_mix(ir, builder, numbers, places, factor):
    """An array is a pointer to its first number, a tuple a list, a number itself"""
    assert isinstance(numbers.type, ir.PointerType)
    assert type(places) is list
    total = ir.Constant(ir.IntType(32), 0)
    for rank, place in enumerate(places, 1):
        number = builder.load(builder.gep(numbers, [place]))
        total = builder.add(total, builder.mul(number, ir.Constant(ir.IntType(32), rank)))
    return builder.mul(total, factor)


@native(emit_mix)
def mix(numbers, places, factor):
    """factor · (1 · the number at the first place + 2 · that at the second + …) modulo 2³²"""
    total = sum(rank * int(numbers[int(place)]) for rank, place in enumerate(places, 1))
    return np.uint32(int(factor) * total % 2**32)


@kernel
def mix_two(numbers, a, b, factor):
    return mix(numbers, (a, b), factor)


@kernel
def mix_three(numbers, a, b, c, factor):
    return mix(numbers, (a, b, c), factor)


def test_a_native_kernel_is_compiled_to_what_its_python_says():
    numbers = np.array([5, 7, 2**31, 2**32 - 1], np.uint32)
    for function in compiled_and_interpreted(mix_two, numbers, np.uint64(0), np.uint64(0), np.uint32(0)):
        assert function(numbers, np.uint64(0), np.uint64(1), np.uint32(3)) == 3 * (5 + 2 * 7)
        assert function(numbers, np.uint64(1), np.uint64(0), np.uint32(3)) == 3 * (7 + 2 * 5)
        assert function(numbers, np.uint64(0), np.uint64(2), np.uint32(1)) == 5  # 2 · 2³¹ comes around
        assert function(numbers, np.uint64(3), np.uint64(0), np.uint32(2)) == 18  # 2 · (−1 + 10)


def test_a_native_kernel_takes_tuples_of_any_length():
    numbers = np.array([5, 7, 11], np.uint32)
    for function in compiled_and_interpreted(mix_three, numbers, *map(np.uint64, (0, 1, 2)), np.uint32(1)):
        assert function(numbers, *map(np.uint64, (0, 1, 2)), np.uint32(1)) == 5 + 14 + 33
        assert function(numbers, *map(np.uint64, (2, 1, 2)), np.uint32(1)) == 11 + 14 + 33


def test_the_first_number_of_a_part_of_an_array_is_that_of_the_part():
    numbers = np.arange(10, dtype=np.uint32)[4:]
    for function in compiled_and_interpreted(mix_two, numbers, np.uint64(0), np.uint64(0), np.uint32(0)):
        assert function(numbers, np.uint64(0), np.uint64(1), np.uint32(1)) == 4 + 2 * 5


@kernel
def compare(numbers, zero, one):
    """Is it a uint32, for which −1 is large?"""
    difference = mix(numbers, (zero,), one)
    return difference > 1.0, difference / 2


def test_the_result_is_a_uint32():
    numbers = np.array([2**32 - 1], np.uint32)
    for function in compiled_and_interpreted(compare, numbers, np.uint64(0), np.uint32(1)):
        assert function(numbers, np.uint64(0), np.uint32(1)) == (True, (2**32 - 1) / 2)


def test_a_native_kernel_is_a_plain_function_that_counts_as_a_kernel():
    assert mix(np.array([5, 7]), (0, 1), 3) == 57
    assert type(mix) is type(emit_mix)
    assert mix.__kernel__


# Borrowing.


class Inner(NamedTuple):
    counts: Any
    factor: float


class Outer(NamedTuple):
    inner: Inner
    matrix: Any
    number: int


def things():
    return Outer(Inner(np.zeros(3, np.int64), 0.5), np.ones((2, 4)), 7), np.zeros(5, np.uint16)


@kernel
def give(outer):
    return 10 * outer.inner.counts.size


@kernel
def write(outer, words, again):
    """Calls in branches, which is where references are counted"""
    outer, words = borrow((outer, words))
    inner = outer.inner
    for k in range(inner.counts.size):
        inner.counts[k] += k + outer.number
        if again:
            inner.counts[k] += give(outer)
    outer.matrix[1, 2] = inner.factor
    words[4] = 9
    return inner.counts.sum()


def test_borrowed_are_the_callers_own_arrays():
    for form in range(2):
        outer, words = things()
        function = compiled_and_interpreted(write, outer, words, True)[form]
        assert function(outer, words, True) == 3 * 7 + 3 + 3 * 30
        assert function(outer, words, False) == 2 * (3 * 7 + 3) + 3 * 30
        assert outer.inner.counts.tolist() == [44, 46, 48]
        assert outer.matrix.tolist() == [[1, 1, 1, 1], [1, 1, 0.5, 1]]
        assert words.tolist() == [0, 0, 0, 0, 9]


@kernel
def write_one(numbers):
    borrow(numbers)[1] = 4.5
    return borrow(numbers).size


def test_an_array_alone_can_be_borrowed():
    for form in range(2):
        numbers = np.zeros(3)
        assert compiled_and_interpreted(write_one, numbers)[form](numbers) == 3
        assert numbers.tolist() == [0, 4.5, 0]


def test_interpreted_borrowed_is_the_value_itself():
    value = things()
    assert borrow(value) is value


@kernel
def write_owned(outer, words, again):
    """As `write`, but the arrays are its own"""
    inner = outer.inner
    for k in range(inner.counts.size):
        inner.counts[k] += k + outer.number
        if again:
            inner.counts[k] += give(outer)
    words[4] = 9
    return inner.counts.sum()


@pytest.mark.parametrize(("function", "counts"), [(write, False), (write_owned, True)])
def test_code_that_borrows_has_no_instructions_to_count_references(function, counts, monkeypatch):
    monkeypatch.setattr(compiling, "cache_folder", lambda: None)  # what is loaded from disk cannot be looked at
    compiled = jit.dispatcher_of.__wrapped__(function)
    compiled.compile(tuple(type_of(argument) for argument in (*things(), True)))
    (code,) = compiled.inspect_llvm().values()
    assert ("NRT_incref" in code) == counts


def test_borrowed_arrays_are_held_by_as_many_after_a_call_as_before():
    """One count too many in a call and they are never freed, one too few and they are freed in their owner's hands."""
    outer, words = things()
    arrays = [outer.inner.counts, outer.matrix, words]
    function, lone = jit.bind(write, outer, words, True), jit.bind(write_one, outer.matrix[0])
    before = [sys.getrefcount(array) for array in arrays]
    for call in range(1000):
        function(outer, words, call % 2 == 0)
        lone(outer.matrix[0])
    assert [sys.getrefcount(array) for array in arrays] == before
    assert outer.inner.counts.tolist() == [1000 * (k + 7) + 500 * 30 for k in range(3)]
    assert outer.matrix.tolist() == [[1, 4.5, 1, 1], [1, 1, 0.5, 1]]
    assert words.tolist() == [0, 0, 0, 0, 9]


@kernel
def hold_and_write(outer, words, again):
    """An array of its own, beside those borrowed"""
    own = np.full(1000, 2.0)
    total = 0.0
    for _ in range(3):
        total += borrow(own)[999] + write(outer, words, again)
    return total + own[0]


def test_a_kernel_can_lend_what_it_holds():
    outer, words = things()
    function = jit.bind(hold_and_write, outer, words, False)
    for _ in range(200):
        outer.inner.counts[:] = 0
        assert function(outer, words, False) == 3 * 2 + 24 * (1 + 2 + 3) + 2
