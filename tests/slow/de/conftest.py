"""What several tests of the algorithm share: scripted random numbers, and Algorithm 1 as plain Python."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from debox import Box, Config, jit
from debox.assemble import assemble, loop_for
from debox.config import per_variable
from debox.de import algorithm
from debox.de.algorithm import Tally


class Scripted:
    """Stands in for a Generator: gives the prescribed numbers in their order and fails when asked for more."""

    def __init__(self, random=(), normal=()):
        self.left = {"random": list(random), "normal": list(normal)}

    def random(self):
        return self.left["random"].pop(0)

    def standard_normal(self):
        return self.left["normal"].pop(0)


class Outcome(NamedTuple):
    P: Any
    f: Any
    counts: Any
    infeasible_at: Any
    violations: Any
    generations: int


def plain(text, bounds, strategies=None):
    """The operators of a configuration as plain Python functions, in a box."""
    with jit.interpreted():
        found = None if strategies is None else per_variable(strategies, len(bounds))
        return assemble(Config(text), Box.of(bounds), found)


def other_loop(text):
    """Algorithm 1 with the kernels of a configuration; most have the same"""
    return loop_for(Config(text), algorithm.run)


def simulate(de, fun, P, budget, rng=None, marks=(), target=np.nan, run=None):
    """Algorithm 1, interpreted, from a copy of P; `run` for a configuration with an `other_loop`."""
    run = run or other_loop("DE/rand/1/bin sat, N=3, F=0.5, Cr=0.5")
    P = np.array(P, dtype=np.float64)
    f = np.full(len(P), np.nan)
    tally = Tally.empty(np.array(marks, np.int64), P.shape[1])
    generations = run(fun, de, P, f, budget, target, rng, tally)
    return Outcome(P, f, tally.counts, tally.infeasible_at, tally.violations, generations)


@pytest.fixture(scope="session", name="scripted")
def _scripted():
    return Scripted


@pytest.fixture(scope="session", name="plain")
def _plain():
    return plain


@pytest.fixture(scope="session", name="other_loop")
def _other_loop():
    return other_loop


@pytest.fixture(scope="session", name="simulate")
def _simulate():
    return simulate
