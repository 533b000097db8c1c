"""Objectives compiled with Numba give the runs of the same functions in Python, and are compiled once."""

import warnings

import numba
import numpy as np
import pytest
from comparisons import assert_same_result
from objectives import BOUNDS, RUNS
from scipy.optimize import Bounds

from debox import Optimizer, minimize
from debox.optimize import objective

WEIGHTS = np.array([1.0, 2.0, 3.0])


def weighted(x, weights, shift):
    """NaN with a shift of NaN, an error with one of 99; it scribbles on its point."""
    total = shift
    for i in range(x.size):
        total += weights[i] * (x[i] - 0.3) * (x[i] - 0.3)
        x[i] = 99.0
    if shift == 99.0:
        raise ArithmeticError("no value here")
    return total


compiled = numba.njit(weighted)


def weigh(fun=compiled, weights=WEIGHTS, shift=0.5, **options):
    return minimize(fun, BOUNDS, args=(weights, shift), **{"budget": 123, "rng": 1} | options)


@pytest.mark.parametrize("options", RUNS.values(), ids=RUNS)
def test_a_compiled_objective_gives_the_run_of_the_same_function_in_python(options):
    expected = weigh(weighted, polish=False, **options)
    assert_same_result(weigh(polish=False, **options), expected)
    assert_same_result(weigh(polish=False, **options, callback=lambda _: None), expected)
    optimizer = Optimizer(BOUNDS, **options)
    optimizer.run(compiled, (WEIGHTS, 0.5))
    assert_same_result(optimizer.result, expected)


def test_in_processes_with_bounds_of_scipy_and_with_a_compiled_function_among_the_args_it_is_the_same_run():
    def outer(x, inner, weights):
        return inner(x, weights, 0.5)

    bounds, options = Bounds([-1, 0.25, -3], [1, 2, 4]), {"budget": 123, "rng": 1}
    assert_same_result(minimize(compiled, bounds, args=(WEIGHTS, 0.5), workers=2, **options), weigh(weighted))
    assert_same_result(minimize(numba.njit(outer), bounds, args=(compiled, WEIGHTS), **options), weigh(weighted))


def test_it_is_compiled_once_for_args_of_the_same_types_which_are_read_again_every_time():
    weights = WEIGHTS.copy()
    for k in range(40):
        weights[:] = np.arange(3.0) + k
        assert_same_result(weigh(weights=weights, shift=-float(k)), weigh(weighted, weights, -float(k)))
    assert len(objective.compiled_loop(compiled).signatures) == 1
    integers = np.arange(1, 7)[::-2]  # not beside each other in memory, either
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # those of the compiler
        assert_same_result(weigh(weights=integers), weigh(weighted, integers))


def test_nan_is_warned_of_once_at_the_line_of_the_caller_and_errors_pass_with_notes():
    with pytest.warns(RuntimeWarning, match="NaN") as caught:
        assert minimize(compiled, BOUNDS, args=(WEIGHTS, np.nan), N=7, budget=14).n_nan == 14
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.raises(ArithmeticError, match="no value here") as error:
        weigh(shift=99.0, N=7)
    assert error.value.__notes__ == ["debox: the objective was called with 7 points of a generation"]


@pytest.mark.parametrize("workers", [1, map])
def test_what_numba_cannot_compile_is_an_error_that_says_why(workers):
    with pytest.raises(ValueError, match=r"^Numba cannot compile the objective 'weighted' with its args: No "):
        weigh(weights="text", workers=workers)
    with pytest.raises(ValueError, match=r"^Numba cannot compile the objective '<lambda>' .*not_defined"):
        minimize(numba.njit(lambda x: not_defined(x)), BOUNDS, workers=workers)  # noqa: F821
