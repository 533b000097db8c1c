"""Ways of interpolating between the cells of a grid; METHODS names them, CHOSEN is the one that `predict` uses.

Each takes a grid and values of F and Cr, and returns sorted counts: `[i, j, k]` is the k-th smallest number of
infeasible trials that it expects of as many runs as the grid has, at (F[i], Cr[j]). All interpolate quantile functions,
level by level: between a cell at 0.2 and one at 0.8 lies one at 0.5, not half of each.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from debox.analysis.predict import splines
from debox.analysis.predict.gaussian import gaussian_process
from debox.analysis.predict.grid import Floats, Grid, from_logit

Along = Callable[[Floats, Floats, Floats], Floats]
Method = Callable[[Grid, Floats, Floats], Floats]


def stretch_F(F: Floats) -> Floats:
    """log(F + 0.2): POIS changes quickly where F is small"""
    return np.asarray(np.log(F + 0.2))


def stretch_Cr(Cr: Floats, n: int) -> Floats:
    """−log(1 + 1/n − Cr): nearly the logarithm of the number of components that exp exchanges, 1 to n"""
    return np.asarray(-np.log(1 + 1 / n - Cr))


def tensor(along: Along, grid: Grid, values: Floats, F: Floats, Cr: Floats) -> Floats:
    """Interpolate along Cr, then along F, both stretched."""
    columns = along(stretch_Cr(grid.Cr, grid.dimension), values.swapaxes(0, 1), stretch_Cr(Cr, grid.dimension))
    return along(stretch_F(grid.F), columns.swapaxes(0, 1), stretch_F(F))


def plain(along: Along) -> Method:
    """Interpolate counts along Cr, then along F, both as they are."""

    def method(grid: Grid, F: Floats, Cr: Floats) -> Floats:
        columns = along(grid.Cr, grid.counts.swapaxes(0, 1), Cr)
        return np.sort(along(grid.F, columns.swapaxes(0, 1), F), axis=-1)

    return method


def on_logits(grid: Grid, F: Floats, Cr: Floats) -> Floats:
    """Monotone splines of logits, F and Cr stretched."""
    return np.sort(from_logit(tensor(splines.monotone, grid, grid.logits, F, Cr), grid.trials), axis=-1)


def from_theory(grid: Grid, F: Floats, Cr: Floats) -> Floats:
    """Monotone splines of how far logits are from those of generation 1, which are known exactly everywhere."""
    logits = tensor(splines.monotone, grid, grid.deviation, F, Cr) + grid.baseline(F, Cr)[..., None]
    return np.sort(from_logit(logits, grid.trials), axis=-1)


def gaussian(grid: Grid, F: Floats, Cr: Floats) -> Floats:
    """A Gaussian process of how far logits are from those of generation 1, the noise of every cell known."""
    known = stretch_F(grid.F), stretch_Cr(grid.Cr, grid.dimension)
    wanted = stretch_F(F), stretch_Cr(Cr, grid.dimension)
    logits = gaussian_process(known, grid.deviation, wanted) + grid.baseline(F, Cr)[..., None]
    return np.sort(from_logit(logits, grid.trials), axis=-1)


METHODS: dict[str, Method] = {
    "nearest": plain(splines.nearest),
    "bilinear": plain(splines.linear),
    "splines": plain(splines.monotone),
    "splines of logits": on_logits,
    "splines from theory": from_theory,
    "Gaussian process from theory": gaussian,
}
CHOSEN = "splines from theory"
