"""Objectives compiled with Numba: compiled once, with args that mean what they mean to Python."""

import warnings

import numba
import numba.core.event
import numpy as np
import pytest
from comparisons import assert_same_result
from objectives import BOUNDS, compiled_squares, squares

from debox import jit, minimize


@pytest.fixture
def compilations():
    """What Numba compiles during the test."""
    seen = []

    class Seen(numba.core.event.Listener):
        def on_start(self, event):
            seen.append(event.data["dispatcher"])

        def on_end(self, event):
            pass

    listener = Seen()
    numba.core.event.register("numba:compile", listener)
    yield seen
    numba.core.event.unregister("numba:compile", listener)


@numba.njit
def weighted(x, weights, shift):
    total = shift
    for i in range(x.size):
        total += weights[i] * (x[i] - 0.3) ** 2
    return total


def weigh(weights, shift, **options):
    return minimize(weighted, BOUNDS, args=(weights, shift), budget=300, rng=1, **options)


def test_a_compiled_objective_is_compiled_once_for_args_of_the_same_types(compilations):
    first = weigh(np.ones(3), 0.5)
    assert weighted in compilations  # the listener hears
    compilations.clear()
    assert weigh(np.ones(3), 1.5).fun == pytest.approx(first.fun + 1)
    for k in range(40):  # more than are kept of compiled objectives
        weigh(np.arange(3.0) + k, -float(k))
    assert compilations == []


@pytest.mark.parametrize(("variant", "propose"), [("DE/rand/1/bin", "propose_classic"), ("L-SHADE", "propose")])
def test_a_run_in_one_call_binds_the_loop_alone_and_not_the_kernels_of_ask_and_tell(variant, propose, monkeypatch):
    """Each for Python anew, they would add to what the first call compiles."""
    bound, bind = [], jit.bind

    def remember(function, *args, **options):
        bound.append(function.__name__)
        return bind(function, *args, **options)

    monkeypatch.setattr(jit, "bind", remember)
    minimize(compiled_squares, BOUNDS, variant, budget=300)
    assert bound == ["run"]
    minimize(squares, BOUNDS, variant, budget=300)
    assert bound == ["run", propose, "next_generation"]


@pytest.mark.parametrize("weights", [np.arange(1.0, 4), np.arange(1, 7)[::-2]], ids=str)
def test_args_of_a_compiled_objective_mean_what_they_mean_to_python(weights):
    """Numbers and integers, beside each other in memory and not: other types, for which it is compiled anew."""
    expected = minimize(weighted.py_func, BOUNDS, args=(weights, 0.5), budget=300, rng=1)
    assert_same_result(weigh(weights, 0.5), expected)
    weights[:] = weights[::-1].copy()
    assert weigh(weights, 0.5).fun != expected.fun


def test_an_array_that_has_changed_since_the_last_call_is_read_again():
    weights = np.ones(3)
    before = weigh(weights, 0.0)
    weights[:] = [5.0, 0.0, 1.0]
    after = weigh(weights, 0.0)
    assert_same_result(after, minimize(weighted.py_func, BOUNDS, args=(weights, 0.0), budget=300, rng=1))
    assert after.fun != before.fun


def test_signed_zeros_are_told_apart():
    sign = numba.njit(lambda x, zero: np.copysign(1.0, zero))
    assert [minimize(sign, BOUNDS, args=(zero,), budget=30, rng=1).fun for zero in (0.0, -0.0)] == [1.0, -1.0]


def test_no_warning_of_the_compiler_reaches_the_caller():
    for variant in ("DE/rand/1/bin", "DE/best/1/exp"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            minimize(numba.njit(lambda x: x[0]), BOUNDS, variant, budget=100, rng=1)
