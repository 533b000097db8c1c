"""Numbers of cells, estimated from their runs, with their sampling variance; contrasts of them.

Cells are fixed and their runs independent, so the variance of Σ wₖ xₖ over different cells is Σ wₖ² Var(xₖ), and its
degrees of freedom are Satterthwaite's, (Σ wₖ² Var(xₖ))² ÷ Σ (wₖ² Var(xₖ))² / (runs − 1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from debox.analysis.claims.levels import NotTestableError, Values
from debox.analysis.cube import Cube
from debox.study.fields import AXES

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Estimate:
    """A number per cell, the variance of each, and Σ (part of the variance)² ÷ (runs − 1), for degrees of freedom."""

    value: Floats  # an axis per factor
    variance: Floats
    quartic: Floats
    labels: Mapping[str, Values]  # of each axis

    @property
    def runs(self) -> int:
        """Runs of every cell, as long as no cells are combined."""
        return round(float(self.freedom.flat[0])) + 1

    @property
    def freedom(self) -> Floats:
        """Satterthwaite's degrees of freedom."""
        return self.variance**2 / self.quartic

    def at(self, factor: str, values: Values) -> Estimate:
        """The mean over these values of a factor, whose axis keeps length 1."""
        weights = np.array([value in values for value in self.labels[factor]], np.float64)
        return self.combine({factor: weights / weights.sum()}, {factor: ("+".join(map(_short, values)),)})

    def minus(self, other: Estimate, labels: Mapping[str, Values] | None = None) -> Estimate:
        """The difference to numbers of other cells."""
        return Estimate(
            self.value - other.value,
            self.variance + other.variance,
            self.quartic + other.quartic,
            {**self.labels, **(labels or {})},
        )

    def combine(self, weights: Mapping[str, Floats], labels: Mapping[str, Values]) -> Estimate:
        """Σ w x over one or several axes, which keep length 1."""

        def summed(array: Floats, power: int) -> Floats:
            for factor, w in weights.items():
                axis = AXES.index(factor)
                array = np.expand_dims(np.moveaxis(array, axis, -1) @ w**power, axis)
            return array

        sums = summed(self.value, 1), summed(self.variance, 2), summed(self.quartic, 4)
        return Estimate(*sums, {**self.labels, **labels})

    def weigh(self, weights: Floats, labels: Mapping[str, Values]) -> Estimate:
        """Σ w x over F and Cr at once, for weights that are no product: a table, F × Cr."""

        def summed(array: Floats, power: int) -> Floats:
            return np.asarray(np.einsum("...fc,fc->...", array, weights**power)[..., None, None])

        sums = summed(self.value, 1), summed(self.variance, 2), summed(self.quartic, 4)
        return Estimate(*sums, {**self.labels, **labels})

    def steps(self, factors: tuple[str, ...]) -> Estimate:
        """What changes from each value to the next: of one factor, or of several at once."""
        later = earlier = self
        for factor in factors:
            later, earlier = later._cut(factor, slice(1, None)), earlier._cut(factor, slice(None, -1))
        names = {name: _arrows(earlier.labels[name], later.labels[name]) for name in factors}
        return later.minus(earlier, names)

    def _cut(self, factor: str, which: slice) -> Estimate:
        index = tuple(which if name == factor else slice(None) for name in self.labels)
        arrays = (self.value[index], self.variance[index], self.quartic[index])
        return Estimate(*arrays, {**self.labels, factor: self.labels[factor][which]})

    def average(self) -> tuple[float, float, float]:
        """The mean over all cells, its variance and its degrees of freedom."""
        m = self.value.size
        variance = float(self.variance.sum()) / m**2
        return float(self.value.mean()), variance, variance**2 / (float(self.quartic.sum()) / m**4)

    def name(self, flat: int) -> str:
        """Which cell this is: ``rand/1/exp mirror, N=5→20, F=0.7, Cr=0.99``."""
        return cell_name(self.labels, self.value.shape, flat)


def cell_name(labels: Mapping[str, Values], shape: tuple[int, ...], flat: int) -> str:
    """The labels of a cell; axes that were summed over have the empty label and are left out."""
    index = np.unravel_index(flat, shape)
    at = {name: _short(labels[name][int(k)]) for name, k in zip(AXES, index, strict=True)}
    operators = [at[name] for name in ("mutation", "crossover") if at[name]]
    words = " ".join(word for word in ("/".join(operators), at["strategy"]) if word)
    return ", ".join([*([words] if words else []), *(f"{k}={at[k]}" for k in ("N", "F", "Cr") if at[k])])


def mean(cube: Cube) -> Estimate:
    """The mean share of infeasible trials."""
    _need_runs(cube, 2)
    share = cube.share
    return _estimate(cube, share.mean(-1), share.var(-1, ddof=1) / cube.runs)


def spread(cube: Cube) -> Estimate:
    """The standard deviation of the share over the runs; its variance by the jackknife."""
    _need_runs(cube, 3)
    share, R = cube.share, cube.runs
    centred = share - share.mean(-1, keepdims=True)
    squares = (centred**2).sum(-1, keepdims=True)
    left = squares - centred**2 * R / (R - 1)  # the sum of squares without one run
    sd = np.sqrt(np.maximum(left, 0) / (R - 2))
    variance = ((sd - sd.mean(-1, keepdims=True)) ** 2).sum(-1) * (R - 1) / R
    return _estimate(cube, share.std(-1, ddof=1), variance)


def quantile(cube: Cube, level: float) -> Estimate:
    """A quantile of the share over the runs, by Maritz and Jarrett: mean and variance of what the bootstrap draws."""
    from scipy.stats import beta

    _need_runs(cube, 2)
    R = cube.runs
    m = int(level * R + 0.5) or 1
    edges = beta.cdf(np.arange(R + 1) / R, m, R + 1 - m)
    weights, ordered = np.diff(edges), np.sort(cube.share, axis=-1)
    first = ordered @ weights
    return _estimate(cube, first, np.maximum(ordered**2 @ weights - first**2, 0))


def rise_with_F(cube: Cube) -> Estimate:
    """How fast the mean grows with F up to 1: the slope of a straight line through the cells of one Cr."""
    F = np.array(cube.axes["F"], np.float64)
    w = np.where(F <= 1, F, np.nan)
    if np.isfinite(w).sum() < 2:
        raise NotTestableError("needs several F of at most 1")
    w = np.nan_to_num(w - np.nanmean(w))
    return mean(cube).combine({"F": w / (w**2).sum()}, {"F": ("",)})


def _estimate(cube: Cube, value: Floats, variance: Floats) -> Estimate:
    least = (1 / cube.trials[..., 0]) ** 2 / cube.runs  # as if runs differed by a trial: no cell is known exactly
    variance = np.maximum(variance, least)
    return Estimate(value, variance, variance**2 / (cube.runs - 1), cube.axes)


def _need_runs(cube: Cube, least: int) -> None:
    if cube.runs < least:
        raise NotTestableError(f"needs at least {least} runs per configuration; the study has {cube.runs}")


def _arrows(earlier: Values, later: Values) -> Values:
    return tuple(f"{_short(a)}→{_short(b)}" for a, b in zip(earlier, later, strict=True))


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
