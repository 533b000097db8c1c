"""With Numba an operator becomes a C function that does what its Python does, to the bit."""

import ctypes
import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest
from c_calls import Caller, call, functions_of

import debox
from debox.operators import find

OPERATORS = [
    ("mutation", "rand/2"),
    ("mutation", "current-to-rand/1"),
    ("crossover", "bin"),
    ("crossover", "exp"),
    ("strategy", "COTN"),
    ("strategy", "exp-target"),
    ("strategy", "project-base"),
    ("adaptation", "jDE"),
]


@pytest.mark.parametrize(("slot", "name"), OPERATORS)
def test_compiled_operators_of_debox_give_what_their_python_gives(slot, name):
    for function, role in functions_of(find(slot, name)):
        compiled, python = (Caller(function, role, compiled) for compiled in (True, False))
        assert compiled.is_compiled
        assert call(role, compiled) == call(role, python)


def ring(N, target, best, rng, r):
    start = int(rng.random() * N)
    for k in range(r.size):
        r[k] = (start + k) % N


def keep_best(F_Cr, gain, memory, cell):
    best = gain.argmax()
    memory[0, cell], memory[1, cell] = F_Cr[0, best], F_Cr[1, best]
    return (cell + 1) % memory.shape[1]


@pytest.mark.parametrize(("function", "role"), [(ring, "donors"), (keep_best, "learn")])
def test_so_do_functions_of_users(function, role):
    compiled, python = (Caller(function, role, compiled) for compiled in (True, False))
    assert compiled.is_compiled
    assert call(role, compiled) == call(role, python)


SHARE = 0.25


def place(a, b):
    """A function that is called"""
    return a + SHARE * (b - a)


def test_helpers_are_compiled_too_and_a_variable_that_changes_changes_the_result(monkeypatch):
    offset = 0.125

    def between(u, x, c, a, b, rng):
        return place(a, b) + offset

    assert Caller(between, "strategy", True)(2.0, 0.5, 0.5, 0.0, 1.0, ...) == 0.375
    monkeypatch.setitem(globals(), "SHARE", 0.5)
    again = Caller(between, "strategy", True)
    assert again.is_compiled
    assert again(2.0, 0.5, 0.5, 0.0, 1.0, ...) == 0.625


def test_a_function_is_compiled_once_for_a_role():
    def own(u, x, c, a, b, rng):
        return x

    assert Caller(own, "strategy", True).bridge.address == Caller(own, "strategy", True).bridge.address
    assert Caller(own, "strategy", True).bridge.address != Caller(own, "whole", True).bridge.address


def test_an_operator_calls_a_c_function():
    times_two = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_int)(("ldexp", ctypes.CDLL(None)))

    def twice(u, x, c, a, b, rng):
        return times_two(u, 1)

    assert Caller(twice, "strategy", True).is_compiled
    assert call("strategy", Caller(twice, "strategy", True)) == call("strategy", Caller(twice, "strategy", False))


def test_an_operator_calls_another_one():
    @debox.strategy("half")
    def half(u, x, c, a, b, rng):
        """(x + the violated bound)/2"""
        return (x + (a if u < a else b)) / 2

    def quarter(u, x, c, a, b, rng):
        return (x + half(u, x, c, a, b, rng)) / 2

    def within(u, x, c, a, b, rng):
        def quartered(far):
            return a + quarter(far, x, c, 0.0, 1.0, rng) + 0.0 * place(a, b)

        return quartered(u)

    for function in (quarter, within):
        caller = Caller(function, "strategy", True)
        assert caller.is_compiled
        assert caller(2.0, 0.0, 0.5, 0.0, 1.0, ...) == 0.25


def test_an_exception_sets_failed_and_python_has_the_exception():
    def fails(u, x, c, a, b, rng):
        if u > 1.0:
            raise ValueError("mine")
        return x

    compiled, python = Caller(fails, "strategy", True), Caller(fails, "strategy", False)
    assert compiled.is_compiled
    for u, failed in ((0.5, 0), (2.0, 1)):
        for caller in (compiled, python):
            caller(u, 0.5, 0.5, 0.0, 1.0, ...)
            assert caller.failed.value == failed
    assert compiled.errors == []
    assert [str(error) for error in python.errors] == ["mine"]


def test_what_numba_cannot_compile_is_called_in_python_with_one_warning():
    def spawns(u, x, c, a, b, rng):
        return a + 0.0 * rng.spawn(1)[0].random()

    about = "Numba cannot compile 'spawns', which is called in Python instead, some µs a call: .*spawn"
    with pytest.warns(RuntimeWarning, match=about) as warned:
        caller = Caller(spawns, "strategy", True)
    assert len(warned) == 1
    assert "\n" not in str(warned[0].message)
    assert caller(2.0, 0.5, 0.5, 0.25, 1.0, ...) == 0.25
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not Caller(spawns, "strategy", True).is_compiled


def test_random_numbers_of_every_kind_are_those_of_the_generator():
    def draws(u, x, c, a, b, rng):
        return rng.random() + rng.standard_normal() + rng.exponential() + rng.integers(0, 10)

    compiled, python = Caller(draws, "strategy", True), Caller(draws, "strategy", False)
    assert compiled.is_compiled
    results = [[caller(2.0, 0.5, 0.5, 0.0, 1.0, ...) for _ in range(20)] for caller in (compiled, python)]
    np.testing.assert_array_equal(*results)


def test_a_child_that_is_forked_while_a_thread_compiles_compiles_too():
    from numba.core.compiler_lock import global_compiler_lock

    def own(u, x, c, a, b, rng):
        return b

    def other(u, x, c, a, b, rng):
        return a

    def compile_for_a_while():
        with global_compiler_lock:
            compiles.set()
            time.sleep(0.3)

    compiles, thread = threading.Event(), threading.Thread(target=compile_for_a_while)
    Caller(own, "strategy", True)
    thread.start()
    compiles.wait()
    if (child := os.fork()) == 0:
        signal.alarm(10)  # which ends a child that waits for ever
        os._exit(0 if Caller(other, "strategy", True).is_compiled else 1)
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
