"""A call of an operator on trial ends, and its error shows what was passed."""

import sys
from contextlib import suppress

import numpy as np
import pytest

import debox
from debox import Operator
from debox.registry.checks import calls


@debox.kernel
def never_ends(u, x, c, a, b, rng):
    """u − 1, again and again"""
    while u > b:
        with suppress(Exception):  # suppresses nothing of what ends a call
            u -= 0.0
    return u


@debox.kernel
def divides(u, x, c, a, b, rng):
    """1/[u > b]"""
    return [1.0][int(u > b)]


def strategy(function):
    return Operator(slot="strategy", name="mine", function=function)


def test_a_call_that_does_not_end_is_an_error_and_the_tracer_before_is_back():
    before = sys.gettrace()
    with pytest.raises(
        ValueError, match=r"strategy 'mine': never_ends\(u=2.0, x=0.5, c=0.5, a=0.0, b=1.0\) does not end"
    ):
        calls.call(strategy(never_ends), 2.0, 0.5, 0.5, 0.0, 1.0, None)
    assert sys.gettrace() is before


def test_a_call_of_few_lines_gives_its_result():
    assert calls.call(strategy(divides), 0.5, 0.5, 0.5, 0.0, 1.0, None) == 1.0


def test_an_error_of_the_function_is_told_with_its_arguments():
    with pytest.raises(ValueError, match=r"divides\(u=2.0, .*\) raised IndexError: list index out of range"):
        calls.call(strategy(divides), np.float64(2.0), 0.5, 0.5, 0.0, 1.0, None)


def test_numbers_and_arrays_are_shown_as_a_reader_writes_them():
    assert calls.text_of(np.array([1.0, np.nan])) == "[1.0, nan]"
    assert calls.text_of(np.float64(0.1)) == "0.1"


@pytest.mark.parametrize(
    ("value", "answer"), [(1.0, True), (np.int64(1), True), (True, False), (None, False), ("1", False)]
)
def test_what_a_compiled_kernel_could_return_is_a_number(value, answer):
    assert calls.is_number(value) == answer
