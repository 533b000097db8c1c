"""Optimizers at the limits: boxes of any size, Ctrl-C at any moment, a kill during a save."""

import gc
import os
import random
import signal
import time
import warnings
from functools import partial
from types import SimpleNamespace

import numba
import numpy as np
import pytest
from benchmarks.torture import Child
from commands import fork_python
from objectives import BOUNDS, MUTATIONS, STRATEGIES, squares

import debox
from debox import Optimizer, minimize

PAIRS = [("rand/1", strategy) for strategy in STRATEGIES[:-1]] + [(mutation, "mirror") for mutation in MUTATIONS[1:]]


def happens(mutation, strategy, scale):
    bounds = [(-3.5 * scale, 3.5 * scale), (2.75 * scale, 3.5 * scale)]
    options = {"strategy": strategy, "F": 2, "Cr": 0.9, "N": 9, "budget": 300, "rng": 1}
    optimizer, values = Optimizer(bounds, f"DE/{mutation}/bin", **options), np.random.default_rng(2)
    while not optimizer.done:
        X = optimizer.ask()
        assert optimizer.box.contains(X).all()
        optimizer.tell(X, values.random(len(X)))
    return optimizer.result


@pytest.mark.parametrize("power", [1018, -1000])
def test_in_the_largest_box_and_in_a_tiny_one_the_same_happens_as_in_that_box_scaled(power):
    """By a power of two, which rounds nothing unless something overflows or vanishes; the next is no Box any more."""
    assert 2.0**power < 1e307 / 3.5
    for pair in PAIRS:
        ours, theirs = happens(*pair, 2.0**power), happens(*pair, 1.0)
        assert ours.n_infeasible == theirs.n_infeasible > 20, pair
        np.testing.assert_array_equal(ours.infeasible_per_dimension, theirs.infeasible_per_dimension, str(pair))
        np.testing.assert_array_equal(ours.population, theirs.population * 2.0**power, str(pair))


# Ctrl-C. Each run goes on for ever, and has run before, so that what is compiled is compiled.


def endless(fun, **options):
    options |= {"N": 8, "rng": 1, "on_interrupt": "raise"}
    minimize(fun, BOUNDS, budget=20, **options)
    return lambda: minimize(fun, BOUNDS, budget=2**60, **options)


def endless_with_strategy(name, function):
    """The core calls it in compiled code or, if Numba cannot compile it, in Python."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Numba cannot compile", RuntimeWarning)
        return endless(squares, variant="DE/rand/1/bin", strategy=debox.strategy(name)(function), F=2.0)


def to_target(u, x, c, a, b, rng):
    """x"""
    return SimpleNamespace(x=x).x


def halfway(u, x, c, a, b, rng):
    """(a + b)/2"""
    return (a + b) / 2


def endless_optimizer(goes_on):
    """It goes on after every interrupt; at its end it must be where an undisturbed one is, and another begins."""
    begin = partial(Optimizer, BOUNDS, "L-SHADE", N=12, budget=20_000, rng=1)
    runs = [begin(), begin()]
    runs[0].run(squares)

    def run():
        while True:
            goes_on(runs[1])
            for name in runs[0].result:
                np.testing.assert_array_equal(runs[0].result[name], runs[1].result[name], name)
            runs[1] = begin()

    return run


def ask_and_tell(optimizer):
    while not optimizer.done:
        X = optimizer.ask()
        optimizer.tell(X, [squares(x) for x in X])


ENDLESS = {
    "minimize, Python": lambda: endless(squares),
    "minimize, vectorised": lambda: endless(squares, vectorized=True),
    "minimize, Numba": lambda: endless(numba.njit(squares)),
    "strategy, Python": lambda: endless_with_strategy("to-target", to_target),
    "strategy, Numba": lambda: endless_with_strategy("halfway", halfway),
    "Optimizer, ask and tell": lambda: endless_optimizer(ask_and_tell),
    "Optimizer, run": lambda: endless_optimizer(lambda optimizer: optimizer.run(squares)),
}


def interrupt(kind, times):
    """Ctrl-C within 3 ms after a run begins; how many were heard. One that is lost is missed by the test's Child."""
    run, main, heard, (told, tell) = ENDLESS[kind](), os.getpid(), 0, os.pipe()
    gc.collect()  # what Numba could not compile: an interrupt while Python deletes Numba's types is lost there
    if os.fork() == 0:
        os.close(tell)
        chance = random.Random(times)
        while os.read(told, 1):
            time.sleep(chance.uniform(0, 3e-3))
            os.kill(main, signal.SIGINT)
        os._exit(0)
    for _ in range(times):
        try:
            os.write(tell, b".")
            run()
        except KeyboardInterrupt:
            heard += 1
    return heard


@pytest.mark.parametrize("kind", ENDLESS)
def test_ctrl_c_at_any_moment_is_heard_once_and_an_optimizer_goes_on_to_the_same_end(kind, tmp_path):
    assert Child(tmp_path, interrupt, kind, 12).result() == 12


SAVES_FOR_EVER = """
import sys
from debox import Optimizer
optimizer = Optimizer([(0, 1)] * 3, budget=10**9, rng=1)
while True:
    optimizer.tell(X := optimizer.ask(), X.sum(axis=1))
    optimizer.save(sys.argv[1])
    print(optimizer.nfev, flush=True)
"""


def test_a_process_killed_while_it_saves_leaves_the_old_file_or_the_new_one(tmp_path):
    for line in range(8, 12):
        process = fork_python(SAVES_FOR_EVER, tmp_path / "run", stderr=None)
        sizes = [int(process.stdout.readline()) for _ in range(line)]
        os.kill(process.pid, signal.SIGKILL)
        told = [*sizes, *map(int, process.communicate()[0].split())]
        assert Optimizer.load(tmp_path / "run").nfev - told[-1] in (0, told[1] - told[0])
