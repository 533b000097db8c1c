"""How good predictions are: distances to samples, and what leaving out rows and columns says of a method."""

from __future__ import annotations

import numpy as np

from debox.analysis.predict.grid import Floats, Grid
from debox.analysis.predict.methods import Method


def wasserstein(predicted: Floats, sample: Floats) -> Floats:
    """W₁ = mean |x₍ₖ₎ − y₍ₖ₎| of sorted runs, as many in both"""
    return np.asarray(np.abs(predicted - sample).mean(axis=-1))


def crps(predicted: Floats, sample: Floats) -> Floats:
    """mean |x − y| − ½ mean |x − x′|: the continuous ranked probability score, averaged over the runs y of a sample"""
    runs = predicted.shape[-1]
    apart = np.abs(predicted[..., :, None] - sample[..., None, :]).mean(axis=(-2, -1))
    weights = (2 * np.arange(1, runs + 1) - runs - 1) / runs**2  # Σ_{j,k} |x_j − x_k| / 2 of sorted x
    return np.asarray(apart - predicted @ weights)


def leave_rows_out(method: Method, grid: Grid) -> Floats:
    """W₁ in POIS of every cell of every row of F inside the grid, predicted from all other rows."""
    rows = [method(grid.without(F=i), grid.F[i : i + 1], grid.Cr)[0] for i in range(1, len(grid.F) - 1)]
    return wasserstein(np.array(rows), grid.counts[1:-1]) / grid.budget


def leave_columns_out(method: Method, grid: Grid) -> Floats:
    """The same of columns of Cr: a row for every column left out."""
    columns = [method(grid.without(Cr=j), grid.F, grid.Cr[j : j + 1])[:, 0] for j in range(1, len(grid.Cr) - 1)]
    return wasserstein(np.array(columns), grid.counts[:, 1:-1].swapaxes(0, 1)) / grid.budget
