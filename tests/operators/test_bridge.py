"""Without Numba C calls Python: arguments and results are those of the function, and its exception ends the run."""

import numpy as np
import pytest
from c_calls import Caller, call

from debox import reference as ref
from debox.operators import find


def test_a_strategy_is_given_its_numbers_and_the_generator():
    def place(u, x, c, a, b, rng):
        return u + 10 * x + 100 * c + 1000 * a + 10_000 * b + 0.5 * rng.random()

    caller = Caller(place, "strategy", compiled=False)
    assert not caller.is_compiled
    expected = 54321 + 0.5 * np.random.default_rng(1).random()
    assert caller(1.0, 2.0, 3.0, 4.0, 5.0, ...) == expected
    caller.rng = np.random.default_rng(2)  # another run
    assert caller(1.0, 2.0, 3.0, 4.0, 5.0, ...) == 54321 + 0.5 * np.random.default_rng(2).random()


@pytest.mark.parametrize("result", [None, "1", 1j, np.zeros(2)], ids=repr)
def test_what_is_no_number_is_an_error_of_the_strategy(result):
    """In ctypes it would be a message on stderr, and the run would go on with what is in memory."""
    caller = Caller(lambda u, x, c, a, b, rng: result, "strategy", compiled=False)
    assert caller(2.0, 0.5, 0.5, 0.0, 1.0, ...) == 0.0
    assert [type(error) for error in caller.errors] == [TypeError]
    assert caller.failed.value == 1


def test_arrays_are_those_of_the_core():
    def exchange(u, x, c, a, b, rng):
        u[:] = x + 10 * c + 100 * a + 1000 * b

    u, ones = np.zeros(3), np.ones(3)
    Caller(exchange, "whole", compiled=False)(u, ones, 2 * ones, 3 * ones, 4 * ones, ..., 3)
    assert u.tolist() == [4321.0] * 3


def test_a_mutation_is_called_for_each_component_with_K_if_it_takes_it():
    parents = [np.array([10.0**k, 2 * 10.0**k]) for k in range(7)]

    def all_of_them(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
        return x + x_best + x_r1 + x_r2 + x_r3 + x_r4 + x_r5 + F

    def with_K(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F, K):
        return x_r5 + K

    for function, expected in ((all_of_them, [1111111.5, 2222222.5]), (with_K, [1e6 + 0.25, 2e6 + 0.25])):
        v = np.zeros(2)
        Caller(function, "mutation", compiled=False)(*parents, 0.5, 0.25, v, 2)
        assert v.tolist() == expected


def test_what_an_adaptation_learns_is_the_core_s_and_its_cell_is_returned():
    def learn(F_Cr, gain, memory, cell):
        memory[:, cell] = F_Cr[:, gain.argmax()]
        return np.int64(cell + 1)

    F_Cr, gain, memory = np.arange(8.0).reshape(2, 4), np.array([0.0, 2.0, 1.0]), np.zeros((2, 3))
    caller = Caller(learn, "learn", compiled=False)
    assert caller(F_Cr, 4, gain, 3, memory, 3, 1) == 2
    assert memory.tolist() == [[0, 1, 0], [0, 5, 0]]


@pytest.mark.parametrize(
    ("function", "role"),
    [
        (ref.not_target, "donors"),
        (ref.exponential, "crossover"),
        (ref.sample_shade, "sample"),
        (ref.mirror, "strategy"),
    ],
)
def test_a_function_of_debox_gives_through_c_what_it_gives_in_python(function, role):
    called, python = Caller(function, role, compiled=False), Caller(function, role, compiled=False)

    def direct(*args):
        shapes = {"sample": lambda i, memory, cells, rng, F_Cr, N: (i, memory, rng, F_Cr)}
        shapes["donors"] = lambda N, target, best, rng, k, r: (N, target, best, rng, r)
        shapes["crossover"] = lambda x, v, Cr, rng, u, n: (x, v, Cr, rng, u)
        chosen = shapes.get(role, lambda *args: args)(*args)
        return function(*(direct.rng if arg is Ellipsis else arg for arg in chosen))

    direct.rng, direct.failed = python.rng, python.failed
    assert call(role, called) == call(role, direct)


def test_a_division_by_zero_is_infinite_as_in_compiled_code():
    def divides(u, x, c, a, b, rng):
        return u / (x - x)

    caller = Caller(divides, "strategy", compiled=False)
    assert caller(1.0, 2.0, 3.0, 4.0, 5.0, ...) == np.inf
    assert (caller.errors, caller.failed.value) == ([], 0)


@pytest.mark.parametrize("error", [ValueError("mine"), KeyboardInterrupt(), SystemExit(3)])
def test_an_exception_is_kept_and_python_is_not_called_again(error):
    calls = []

    def fails(u, x, c, a, b, rng):
        calls.append(u)
        raise error

    caller = Caller(fails, "strategy", compiled=False)
    for _ in range(3):
        caller(1.0, 2.0, 3.0, 4.0, 5.0, ...)
    assert calls == [1.0]
    assert caller.errors == [error]
    assert caller.failed.value == 1


def test_what_is_not_a_number_is_an_error():
    caller = Caller(lambda u, x, c, a, b, rng: None, "strategy", compiled=False)
    caller(1.0, 2.0, 3.0, 4.0, 5.0, ...)
    assert [type(error) for error in caller.errors] == [TypeError]


def test_without_numba_python_is_called(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert not Caller(find("strategy", "mirror").function, "strategy", compiled=True).is_compiled
