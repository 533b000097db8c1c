"""Binding gives the machine code of a kernel for arguments of given types."""

from math import inf, nan
from types import FunctionType

import numpy as np

from debox import jit
from debox.de import algorithm
from debox.jit import kernel


def test_kernels_are_plain_functions_and_bind_gives_their_compiled_twin():
    bound = jit.bind(algorithm.is_no_worse, 1.0, 2.0)
    assert type(algorithm.is_no_worse) is FunctionType
    assert bound is not algorithm.is_no_worse
    assert (bound(1.0, 2.0), bound(2.0, 1.0), bound(nan, inf)) == (True, False, False)


@kernel
def first_of(numbers):
    return numbers[0]


def test_an_array_that_may_not_be_written_is_of_another_type():
    """The types of ordinary arrays are kept; this one is not ordinary, and code that writes must not get it."""
    numbers = np.ones(3)
    numbers.flags.writeable = False
    assert jit.bind(first_of, numbers)(numbers) == 1
    assert jit.bind(first_of, np.ones(3)) is not jit.bind(first_of, numbers)
    assert [kind.mutable for (kind,) in jit.dispatcher_of(first_of).signatures] == [False, True]
