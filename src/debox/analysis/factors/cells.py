"""Cells: a statistic of the runs of every configuration, and how much it varies because runs are random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from debox.analysis.cube import Cube
from debox.analysis.factors.decompose import Floats

SPLITS, SEED = 20, 0  # into halves, and where their random order begins
POINTS = 25  # of a quantile curve, at most

Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Cells:
    """The estimates t_c of every cell, J numbers each, and their noise: an unbiased estimate of their covariance.

    Cells are independent, E t_c = θ_c and E noise_c = Cov t_c: so t_c t_cᵀ − noise_c is unbiased for θ_c θ_cᵀ.
    """

    estimate: Floats  # levels of each factor × J
    noise: Floats  # levels of each factor × J × J; single entries may be negative

    @property
    def levels(self) -> tuple[int, ...]:
        """How many levels each factor has."""
        return self.estimate.shape[:-1]

    @property
    def mean_noise(self) -> float:
        """The noise of one number, on average over cells and numbers."""
        return float(np.trace(self.noise, axis1=-2, axis2=-1).mean() / self.estimate.shape[-1])


def mean(values: Floats) -> Cells:
    """t = x̄ with noise s²/R"""
    runs = values.shape[-1]
    check_runs(runs, 2, "mean")
    noise = values.var(axis=-1, ddof=1) / runs
    return Cells(values.mean(axis=-1)[..., None], noise[..., None, None])


def by_halves(values: Floats, statistic: Statistic) -> Cells:
    """t = average of (t_A + t_B)/2 and noise = t tᵀ − average of t_A t_Bᵀ over splits of the runs into halves A and B.

    Halves share no run, so E t_A t_Bᵀ = θ θᵀ where θ is the expectation of the statistic of R/2 runs: that is what is
    estimated, and no statistic of all runs has such an estimate of its square without bias. The splits are the same for
    all cells.
    """
    runs, rng = values.shape[-1], np.random.default_rng(SEED)
    estimate, products = np.zeros(()), np.zeros(())
    for _ in range(SPLITS):
        order, half = rng.permutation(runs), runs // 2
        A, B = (statistic(values.take(some, axis=-1)) for some in (order[:half], order[half : 2 * half]))
        estimate = estimate + (A + B) / (2 * SPLITS)
        products = products + A[..., :, None] * B[..., None, :] / SPLITS
    products = (products + np.swapaxes(products, -1, -2)) / 2
    return Cells(estimate, estimate[..., :, None] * estimate[..., None, :] - products)


def spread(values: Floats) -> Cells:
    """The standard deviation of half of the runs."""
    check_runs(values.shape[-1], 4, "spread")
    return by_halves(values, lambda half: half.std(axis=-1, ddof=1)[..., None])


def quantiles(values: Floats) -> Cells:
    """The quantile function of half of the runs, whose mean squared difference is the Wasserstein-2 distance squared.

    The quantile function of R/2 runs is a staircase of their order statistics; more than 25 steps are averaged into 25.
    """
    check_runs(values.shape[-1], 4, "quantiles")
    return by_halves(values, curve)


def curve(runs: Floats) -> Floats:
    """The quantile function of the runs, averaged over each of at most POINTS equal parts of the probabilities."""
    ordered, count = np.sort(runs, axis=-1), runs.shape[-1]
    if count <= POINTS:
        return ordered
    steps, parts = np.arange(count)[:, None] / count, np.arange(POINTS) / POINTS
    overlap = np.minimum(steps + 1 / count, parts + 1 / POINTS) - np.maximum(steps, parts)
    return np.asarray(ordered @ (POINTS * np.maximum(overlap, 0)))


def check_runs(runs: int, least: int, of: str) -> None:
    """Refuse studies whose runs do not show how much they vary."""
    if runs < least:
        raise ValueError(f"of={of!r} needs at least {least} runs of every configuration, these have {runs}")


STATISTICS: dict[str, Callable[[Cube], Cells]] = {
    "mean": lambda cube: mean(cube.pois),
    "logit": lambda cube: mean(cube.logit),
    "spread": lambda cube: spread(cube.pois),
    "quantiles": lambda cube: quantiles(cube.pois),
}
