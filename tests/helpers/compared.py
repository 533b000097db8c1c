"""Comparisons of strategies: of a simple objective, or of values made by hand."""

import numpy as np

from debox.optimize.compare import Comparison

BOX = [(0, 1), (0, 1)]


def corner(x):
    """Its minimum lies in the corner (0, 0)."""
    return x[0] + x[1]


def comparison(values, names=None, x=None):
    values = np.array(values, dtype=float)
    k, runs = values.shape
    return Comparison(
        strategies=tuple(names or "abcdefghij"[:k]),
        values=values,
        pois=np.full(values.shape, 0.25),
        evaluations=np.full(values.shape, 100),
        x=values[:, :, None].copy() if x is None else x,
        seeds=tuple(range(runs)),
        variant="debox",
    )
