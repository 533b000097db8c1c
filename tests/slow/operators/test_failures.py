"""Operators of users that fail in a run: the original error, no crash, and the same random numbers at the next try."""

import importlib.util

import numpy as np
import pytest

import debox

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
    with pytest.raises(ValueError, match="not below N = 21"):
        debox.measure(text, n=3, budget=200, runs=1, engine="plain")


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


def test_a_learn_that_raises_has_its_error_and_the_values_are_taken():
    def learn(F_Cr, gain, memory, cell):
        """nothing, but an error for 13 trials, which no check tries"""
        if gain.size == 13:
            raise KeyError("thirteen")
        return cell

    @debox.adaptation("lazy", learn=learn)
    def lazy(i, memory, rng, F_Cr):
        """F and Cr of the memory"""
        F_Cr[0, i], F_Cr[1, i] = memory[0, 0], memory[1, 0]

    optimizer = debox.Optimizer(BOUNDS, "DE/rand/1/bin", adaptation="lazy", N=13, budget=130, rng=1)
    for nfev in (13, 26, 39):
        X = optimizer.ask()
        if nfev == 13:
            optimizer.tell(X, np.ones(13))
        else:
            with pytest.raises(KeyError, match="thirteen"):
                optimizer.tell(X, np.ones(13))
        assert optimizer.nfev == nfev
