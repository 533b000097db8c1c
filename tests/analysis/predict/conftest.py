"""Grids of made-up cells."""

import numpy as np
import pytest

from debox.analysis.old_runs import Panel
from debox.analysis.predict.grid import Grid, from_logit

PANEL = Panel("rand/1", "bin", "mirror", 5)
F, CR = np.array([0.1, 0.3, 0.6, 1.0, 1.5, 2.0]), np.array([0.1, 0.3, 0.6, 0.9])


@pytest.fixture
def grid_of():
    """grid_of(function): the counts of the cell (F, Cr) are function(F, Cr), sorted; theory says ½ everywhere."""

    def make(function, F=F, Cr=CR, budget=100_005, n=10, chance=lambda F, Cr: 0.5):
        counts = np.array([[np.sort(np.atleast_1d(function(f, c))) for c in Cr] for f in F], float)
        return Grid(PANEL, np.array(F), np.array(Cr), counts, n, budget, chance)

    return make


@pytest.fixture
def noisy():
    """noisy(seed): runs of every cell vary around a smooth surface of logits, which is returned too."""

    def make(seed, runs=20, spread=0.2, trials=100_000, bend=3.0):
        rng = np.random.default_rng(seed)
        a, b, c = rng.uniform(-1, 1, 3)

        def law(F, Cr):
            middle = a + bend * b * np.sin(F + 3 * Cr) + 2 * c * Cr
            return from_logit(rng.normal(middle, spread, runs), trials)

        return law

    return make
