"""Objectives, boxes and operators by hand, for tests of Algorithm 1, whose loop takes its operators as arguments."""

import numpy as np
import pytest

from debox import operators

UNIT = [(0.0, 1.0)]
ROW = [[0.25], [0.5], [0.75], [1.0]]  # a population in it
NO_MARKS = np.zeros(0, np.int64)
each_strategy = pytest.mark.parametrize("strategy", operators.in_slot("strategy"), ids=lambda s: s.name)


def f0(x, rng):
    return rng.random()


class Falling:
    """Each value is smaller than all before: every trial is accepted. Remembers where it was called."""

    def __init__(self):
        self.calls = []

    def __call__(self, x, rng):
        self.calls.append(x.tolist())
        return -float(len(self.calls))


def watched(de):
    """The same operators, and a list that gets every trial as it was before repair"""
    trials = []

    def crossover(x, v, Cr, rng, u):
        de.crossover(x, v, Cr, rng, u)
        trials.append(u.copy())

    return de._replace(crossover=crossover), trials


def outside(trials, bounds):
    a, b = np.array(bounds).T
    return ~((a <= np.array(trials)) & (np.array(trials) <= b))


class Prescribed:
    """Operators whose draws are prescribed: each mutant in its turn; the components taken from it; donor 1"""

    def __init__(self, mutants, taken=None):
        self.mutants, self.taken, self.calls = [np.array(v) for v in mutants], taken, 0

    def mutation(self, P, target, best, r, F, K, v):
        v[:] = self.mutants[self.calls]
        self.calls += 1

    def crossover(self, x, v, Cr, rng, u):
        u[:] = np.where(self.taken, v, x) if self.taken else v

    def donors(self, N, target, best, rng, r):
        r[:] = 1

    def replace_in(self, de):
        return de._replace(mutation=self.mutation, crossover=self.crossover, donors=self.donors)
