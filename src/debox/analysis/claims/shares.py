"""Tests of how much of the variance of cell means a factor explains, alone or with its interactions.

The design is full factorial, so the variance of the cells' means splits exactly. Alone: the variance of the factor's
marginal means. In total: the mean variance along the factor's axis, everything else being equal. Sampling adds to both;
what it adds is known from the spread of the runs and is subtracted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from debox.analysis.claims.estimate import mean
from debox.analysis.claims.finding import Finding
from debox.analysis.claims.levels import NotTestableError, require_several
from debox.analysis.claims.statistics import LEAST_P
from debox.analysis.cube import Cube
from debox.study.fields import AXES

ROUNDS = 200  # of the parametric bootstrap of the cells' means
Floats = NDArray[np.float64]


def alone(means: Floats, noise: Floats, axis: int) -> Floats:
    """The variance of a factor's marginal means, sampling variance removed; of each study along leading axes."""
    factors = range(-len(AXES), 0)
    others = tuple(k for k in factors if k != factors[axis])
    levels = noise.shape[axis]
    sampling = noise.mean() / (noise.size / levels)  # the variance of a marginal mean
    return np.asarray(means.mean(others).var(-1) - sampling * (1 - 1 / levels))


def total(means: Floats, noise: Floats, axis: int) -> Floats:
    """The mean variance along a factor's axis, sampling variance removed."""
    factors = range(-len(AXES), 0)
    varies = means.var(factors[axis]).mean(tuple(factors[1:]))
    return np.asarray(varies - noise.mean() * (1 - 1 / noise.shape[axis]))


def whole(means: Floats, noise: Floats) -> Floats:
    """The variance of all cells' means, sampling variance removed."""
    return np.asarray(means.var(tuple(range(-len(AXES), 0))) - noise.mean() * (1 - 1 / noise.size))


@dataclass(frozen=True)
class Explains:
    """The share of the variance that a factor explains is below, or at least, a bound.

    factor: its name; "any": the largest of all; "interactions": what no factor explains alone
    """

    factor: str
    below: float | None = None
    least: float | None = None
    interactions: bool = False

    @property
    def statistic(self) -> str:
        """What is computed."""
        how = "in total" if self.interactions else "alone"
        what = "all interactions explain" if self.factor == "interactions" else f"{self.factor} explains {how}"
        what = "the strongest factor explains alone" if self.factor == "any" else what
        return f"share of the variance of cell means that {what}, sampling noise removed; bootstrap of the means"

    @property
    def criterion(self) -> str:
        """When the study agrees."""
        bound = f"below {self.below:g}" if self.below is not None else f"at least {self.least:g}"
        return f"the share is {bound}"

    def find(self, cube: Cube, promised: float) -> Finding:
        """The share, and how far it is from the bound in standard errors."""
        from scipy.stats import norm

        if self.factor in AXES:
            require_several(cube, self.factor)
        cells, rng = mean(cube), np.random.default_rng(0)
        draws = cells.value + np.sqrt(cells.variance) * rng.standard_normal((ROUNDS, *cells.value.shape))
        least = float(whole(cells.value, cells.variance)) - 1.96 * float(whole(draws, 2 * cells.variance).std())
        if cells.value.size < 2 or not least > 0:
            raise NotTestableError(
                "the means of the cells do not differ beyond chance: there is no variance to explain"
            )
        share = float(self._share(cells.value, cells.variance))
        error = float(self._share(draws, 2 * cells.variance).std())
        bound, way = (self.below, -1) if self.below is not None else (self.least or 0.0, 1)
        p = max(float(norm.sf(way * (share - bound) / max(error, 1e-12))), LEAST_P)
        agree = float(way * (share - bound) > 0)
        interval = (
            f"{round(share, 4) + 0.0:.1%} ± {1.96 * error:.1%} of the variance of cell means; the bound is {bound:.0%}"
        )
        evidence = f"{self._subject(cells.value, cells.variance)} {interval}"
        return Finding(share, "share of variance", p, p, 1, agree, 1 - agree, evidence)

    def _share(self, means: Floats, noise: Floats) -> Floats:
        every = np.array([alone(means, noise, axis) / whole(means, noise) for axis in range(len(AXES))])
        if self.factor == "interactions":
            return np.asarray(1 - every.sum(0))
        if self.factor == "any":
            return np.asarray(every.max(0))
        axis = AXES.index(self.factor)
        return np.asarray(total(means, noise, axis) / whole(means, noise) if self.interactions else every[axis])

    def _subject(self, means: Floats, noise: Floats) -> str:
        """Who explains, as the beginning of a sentence."""
        if self.factor == "interactions":
            return "all interactions together explain"
        if self.factor == "any":
            strongest = max(AXES, key=lambda name: float(alone(means, noise, AXES.index(name))))
            return f"the strongest factor, {strongest}, explains alone"
        return f"{self.factor} explains {'in total' if self.interactions else 'alone'}"
