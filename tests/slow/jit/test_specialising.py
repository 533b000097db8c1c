"""A name that is specialised means another kernel; one that stands for it raises as long as it is not."""

import time
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

from debox import jit
from debox.de.variation import formula, mutate
from debox.f0.fast import fixed_point
from debox.jit import kernel, specialising


@kernel
def shape(x):
    raise RuntimeError("no shape is chosen")


@kernel
def double_shape(x):
    return 2 * shape(x)


@kernel
def area(x):
    return double_shape(x) + (lambda y: shape(y))(x)


@kernel
def square(x):
    return x * x


@kernel
def negative(x):
    return -x


def both(function, x):
    """What a kernel returns, compiled and interpreted"""
    compiled = jit.bind(function, x)(x)
    with jit.interpreted():
        return compiled, jit.bind(function, x)(x)


def test_a_name_means_the_other_kernel_also_in_kernels_that_are_called():
    assert both(jit.specialise(area, shape=square), 3.0) == (27, 27)
    assert both(jit.specialise(area, shape=negative), 3.0) == (-9, -9)
    assert both(jit.specialise(area, double_shape=negative, shape=square), 3.0) == (6, 6)


def test_specialising_is_done_once_and_leaves_the_kernel_as_it_is():
    special = jit.specialise(area, shape=square)
    assert jit.specialise(area, shape=square) is special
    assert jit.specialise(square, shape=negative) is square
    with pytest.raises(RuntimeError, match="no shape is chosen"):
        area(3.0)


def around(inner):
    return kernel(lambda x: inner(x) + 1)


def test_a_variable_around_a_kernel_can_be_specialised():
    assert both(jit.specialise(around(shape), inner=square), 3.0) == (10, 10)
    assert both(jit.specialise(around(double_shape), shape=square), 3.0) == (19, 19)


PLACE, WORD = np.uint64(0), np.uint16(0)


@pytest.mark.parametrize("form", [jit.dispatcher_of, lambda function: function], ids=["compiled", "interpreted"])
@pytest.mark.parametrize(
    ("function", "args"),
    [
        (formula, (0.5,) * 8),
        (fixed_point.bits_of_terms, (np.zeros(32, np.uint16), *[PLACE] * 5, WORD, WORD)),
    ],
)
def test_kernels_that_stand_for_what_is_specialised_raise(function, args, form):
    with pytest.raises(RuntimeError, match="no mutation is in force"):
        form(function)(*args)


def test_a_kernel_that_needs_a_formula_and_has_none_raises_or_is_not_compiled():
    call = np.zeros((6, 2)), 0, 0, np.arange(5, dtype=np.uint64), 0.5, 0.0, np.zeros(2)
    with pytest.raises(RuntimeError, match="no mutation is in force"):
        mutate(*call)
    with pytest.raises(numba.core.errors.TypingError):  # there is no number to store
        jit.bind(mutate, *call)


def test_formulas_of_one_name_that_do_something_else_are_kept_apart():
    """Else the machine code of the one, kept on disk, would be run for the other."""

    def formulas(shift):
        names = {"SHIFT": shift}
        exec("def mine(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):\n    return x_r1 + SHIFT", names)
        return jit.specialise(mutate, formula=jit.kernel(names["mine"])).__qualname__

    assert formulas(0.0) == formulas(0.0)
    assert formulas(0.0) != formulas(1.0)


def test_threads_that_specialise_at_the_same_time_get_the_same_copy(monkeypatch):
    """Else machine code would be kept under a fingerprint that depends on who was first."""
    names_in, names = specialising.names_in, {"kernel": jit.kernel}
    exec("@kernel\ndef inner(x): return x\n@kernel\ndef outer(x): return inner(x)", names)
    exec("@kernel\ndef other(x): return -x", names)

    def slow(function):
        time.sleep(0.01)
        return names_in(function)

    monkeypatch.setattr(specialising, "names_in", slow)
    with ThreadPoolExecutor(4) as pool:
        copies = list(pool.map(lambda _: jit.specialise(names["outer"], inner=names["other"]), range(4)))
    assert copies[0](3) == -3
    assert all(copy is copies[0] for copy in copies)
