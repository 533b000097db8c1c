"""Operators of users that fail in a run: the original error, no crash, and the same random numbers at the next try."""

import ctypes
import importlib.util
import signal
import sys
import threading

import numpy as np
import pytest
from comparisons import assert_same_result

import debox
from debox import loop
from debox.travel import is_of_operator

BOUNDS = [(-1.0, 1.0)] * 3


@pytest.fixture(params=["Numba", "ctypes"], autouse=True)
def way(request, monkeypatch):
    if request.param == "ctypes":
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)


def cost(x):
    return float(x @ x)


def test_a_donor_that_nobody_has_is_an_error():
    @debox.donors("strange-at-21")
    def strange(N, target, best, rng, r):
        """0, 1, 2, …, but for N = 21, which no check tries"""
        for k in range(r.size):
            r[k] = k
        if N == 21:
            r[0] = 2**30

    with pytest.raises(ValueError, match="donors 'strange-at-21' drew an index that is not below N = 21"):
        debox.minimize(cost, BOUNDS, "DE/rand/1/bin", N=21, donors="strange-at-21", budget=200, rng=1)
    text = "DE/rand/1/bin sat, N=21, F=0.5, Cr=0.9, donors=strange-at-21"
    with pytest.raises(ValueError, match="not below N = 21") as caught:
        debox.measure(text, n=3, budget=200, runs=1, engine="plain")
    assert is_of_operator(caught.value)


def test_a_strategy_that_raises_raises_the_same_again():
    @debox.strategy("picky")
    def picky(u, x, c, a, b, rng):
        """x, but in [-1, 1], which no check tries, an error for points far outside"""
        if a == -1.0 and b == 1.0 and u > 1.5:
            raise KeyError("picky")
        return x

    optimizer, done = debox.Optimizer(BOUNDS, "DE/rand/1/bin", N=21, F=0.9, strategy="picky", budget=2000, rng=1), []
    for _ in range(2):
        with pytest.raises(KeyError, match="picky"):
            optimizer.run(cost)
        done.append((optimizer.nfev, optimizer.rng.bit_generator.state))
    assert done[0] == done[1]


@pytest.mark.filterwarnings("ignore:Numba cannot compile")
def test_the_hook_of_lost_errors_is_left_alone_in_threads():
    hook, seen = sys.unraisablehook, set()

    @debox.strategy("watchful")
    def watchful(u, x, c, a, b, rng):
        """x"""
        seen.add(sys.unraisablehook)
        return x

    arguments = {"strategy": "watchful", "N": 20, "budget": 200, "rng": 1}
    thread = threading.Thread(target=debox.minimize, args=(cost, BOUNDS, "DE/rand/1/bin"), kwargs=arguments)
    thread.start()
    thread.join()
    assert seen == {hook}


@pytest.mark.filterwarnings("ignore:the C core")
@pytest.mark.parametrize("has_core", [True, False])
@pytest.mark.parametrize("error", [KeyError("third"), KeyboardInterrupt("third")])
def test_a_generation_whose_learn_raises_is_as_before_and_goes_on_to_the_same_end(error, has_core, monkeypatch):
    if not has_core:
        monkeypatch.setattr(loop, "_core", None)
    calls = []

    def learn(F_Cr, gain, memory, cell):
        """F = 0.9 F, and an error in the third generation of 13 trials, which no check tries"""
        memory[0, 0] *= 0.9
        if gain.size == 13 and calls.append(cell) is None and len(calls) == 3:
            raise error
        return cell

    @debox.adaptation("lazy", learn=learn)
    def lazy(i, memory, rng, F_Cr):
        """F and Cr of the memory"""
        F_Cr[0, i], F_Cr[1, i] = memory[0, 0], memory[1, 0]

    interrupted, undisturbed = (
        debox.Optimizer(BOUNDS, "DE/rand/1/bin", adaptation=lazy, N=13, budget=130, rng=1) for _ in range(2)
    )
    for _ in range(3):
        interrupted.tell(X := interrupted.ask(), (X * X).sum(axis=1))
    X = interrupted.ask()
    with pytest.raises(type(error), match="third"):
        interrupted.tell(X, (X * X).sum(axis=1))
    assert interrupted.nfev == 39
    assert np.array_equal(interrupted.ask(), X)
    for optimizer in (interrupted, undisturbed):
        optimizer.run(lambda x: (x * x).sum())
    assert_same_result(interrupted.result, undisturbed.result)


def test_a_ctrl_c_just_before_an_operator_begins_ends_the_run(monkeypatch):
    """The core calls raise(N), which is SIGINT for N = 2, in place of a donor rule: ctypes enters Python with it."""

    @debox.mutation("still/0", uses_target=True, base="target")
    def still(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
        """v = x"""
        return x

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    optimizer = debox.Optimizer(BOUNDS, "DE/still/0/bin", N=2, donors="distinct", budget=20, rng=1)
    optimizer.tell(optimizer.ask(), [1.0, 2.0])
    run, state = optimizer._loop.run, optimizer.rng.bit_generator.state
    own, run.donors = run.donors, ctypes.cast(ctypes.CDLL(None)["raise"], ctypes.c_void_p).value
    assert run.N == signal.SIGINT
    with pytest.raises(KeyboardInterrupt):
        optimizer.ask()
    assert (optimizer.rng.bit_generator.state, run.trials) == (state, 0)
    run.donors = own
    assert optimizer.ask().shape == (2, 3)


def test_a_column_beyond_the_memory_stands_for_its_last_one():
    seen = []

    def learn(F_Cr, gain, memory, cell):
        """M stays"""
        if gain.size <= 7:  # as in the checks
            return cell
        seen.append(cell)
        return 10**6 if len(seen) < 3 else -5

    @debox.adaptation("far", learn=learn, memory=2)
    def sample(i, memory, rng, F_Cr):
        """F and Cr are those of the first pair"""
        F_Cr[:, i] = memory[:, 0]

    debox.minimize(lambda x: float(x @ x), [(-1, 1)] * 2, "DE/rand/1/bin", adaptation=sample, N=9, budget=45, rng=1)
    assert seen == [0, 1, 1, 0]
