"""The user's objective is called as its owner would call it; what Numba refuses is said in a line."""

import numba
import numpy as np
import pytest

from debox import jit


def test_objective_passes_the_arguments_in_both_forms():
    fun = numba.njit(lambda x, factor, shift: factor * x.sum() + shift)
    x = np.array([1.0, 2.0])
    args, value = jit.objective(fun, (10.0, 4.0))
    assert value(x, args) == 34
    with jit.interpreted():
        args, value = jit.objective(fun.py_func, (10.0, 4.0))
        assert value(x, args) == 34


def test_objective_without_arguments_is_a_function_of_the_point_and_the_random_numbers():
    fun = numba.njit(lambda x: x.sum())
    x, rng = np.array([1.0, 2.0]), np.random.default_rng(1)
    assert jit.objective(fun)(x, rng) == 3
    with jit.interpreted():
        assert jit.objective(fun.py_func)(x, rng) == 3


def test_a_compiled_function_among_the_arguments_is_called():
    calls = numba.njit(lambda x, shift, function: function(x) + shift)
    double = numba.njit(lambda x: 2 * x[0])
    assert jit.objective(calls, (0.5, double))(np.array([3.0]), np.random.default_rng(1)) == 6.5


@numba.njit
def returns_an_array(x):
    return x


@numba.njit
def adds(x, shift):
    return x[0] + shift


@pytest.mark.parametrize(
    ("fun", "args", "message"),
    [
        (
            returns_an_array,
            (),
            r"the objective 'returns_an_array' .*: No conversion from array\(float64.*\) to float64",
        ),
        (
            adds,
            ("s",),
            r"the objective 'adds' .*: No implementation of .* signature: >>> add\(float64, unicode_type\)$",
        ),
        (adds, ({},), r"the objective 'adds' with its args: Cannot determine Numba type of <class 'dict'>"),
        (adds, (2**70,), r"the objective 'adds' with its args: Int value is too large: 1180591620717411303424"),
        (adds, (), "the objective 'adds' .*missing a required argument: 'shift'"),
    ],
    ids=["array", "text", "dictionary", "huge", "too few"],
)
def test_an_objective_that_numba_refuses_is_named_with_the_reason_in_one_line(fun, args, message):
    with pytest.raises(ValueError, match=f"^Numba cannot compile {message}") as caught:
        jit.objective(fun, args)
    assert "\n" not in str(caught.value)
