"""Cubes made by hand: a grid with every operator and few F and Cr, and the share of every cell and run by formula."""

import numpy as np
import pytest

from debox.analysis.cube import Cube
from debox.study.fields import AXES

GRID = {
    "mutation": ("best/1", "current-to-best/1", "rand/1", "rand/2"),
    "crossover": ("bin", "exp"),
    "strategy": ("COTN", "dismiss", "mirror", "saturation", "toroidal"),
    "N": (5, 20, 100),
    "F": (0.05, 0.5, 0.9, 1.5),
    "Cr": (0.05, 0.5, 0.99),
}


def of(share, **axes):
    """A cube with this share in every cell and run: share(mutation, crossover, strategy, N, F, Cr) gives the runs."""
    axes = {**GRID, **axes}
    shape = tuple(map(len, axes.values()))
    cells = [
        share(**dict(zip(AXES, key, strict=True)))
        for key in np.array(np.meshgrid(*axes.values(), indexing="ij"), object).reshape(6, -1).T
    ]
    runs = np.array(cells, float).reshape(*shape, -1)
    budget = 10_000
    trials = budget - np.array(axes["N"], float).reshape(1, 1, 1, -1, 1, 1, 1)
    return Cube(axes, np.round(runs * trials) / budget, budget, 30)


@pytest.fixture
def cube_of():
    return of
