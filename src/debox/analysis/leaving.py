"""How often configurations leave the box: in all, by factor, and from which F on; a scale for POIS."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from debox.analysis.runs import Runs

HALF, NEARLY_ALL, EXTREME = 0.5, 0.99, 0.999
LOW, HIGH, WIDE = 0.05, 0.95, 0.1  # the spread is from the 5 % to the 95 % quantile; wide if larger than a bin
ENDS = 3  # where 1 lies on the scale of `logit_like`; 0 lies at −3
TICKS = (0, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1)
Floats = NDArray[np.float64]


class Counts(NamedTuple):
    """How many configurations have runs, the median of their medians, and the shares of them with a property."""

    configurations: int
    median: float
    half: float  # whose median POIS is at least 0.5
    nearly_all: float  # … at least 0.99
    always_outside: float  # all of whose runs have POIS ≥ 0.999
    never_outside: float  # all of whose runs have POIS ≤ 0.001
    wide: float  # 5 to 95 % of whose runs span more than 0.1


NOTHING = Counts(0, *[np.nan] * 6)


def quantiles(values: Floats, levels: Sequence[float]) -> Floats:
    """The quantiles of the runs, the last axis of `values`; NaN is a missing run, of all of which there are none."""
    if not np.isnan(values).any():
        return np.asarray(np.quantile(values, levels, axis=-1))
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):  # of configurations without runs
        return np.asarray(np.nanquantile(values, levels, axis=-1))


def count(runs: Runs) -> Counts:
    """The counts over all configurations with runs."""
    pois = runs["pois"][runs.counts > 0]
    if not len(pois):
        return NOTHING
    low, median, high = quantiles(pois, (LOW, 0.5, HIGH))
    least, most = np.nanmin(pois, axis=-1), np.nanmax(pois, axis=-1)
    shares = (median >= HALF, median >= NEARLY_ALL, least >= EXTREME, most <= 1 - EXTREME, high - low > WIDE)
    return Counts(len(pois), float(np.median(median)), *(float(share.mean()) for share in shares))


def count_by(runs: Runs, factor: str) -> dict[Any, Counts]:
    """The counts for each level of a factor."""
    return {level: count(runs.take(**{factor: level})) for level in runs.axes[factor]}


def count_up_to(runs: Runs, F: float) -> Counts:
    """The counts over all configurations with at most this F."""
    levels = tuple(level for level in runs.axes["F"] if level <= F)
    return count(runs.take(F=levels)) if levels else NOTHING


def F_reaching(F: Sequence[float], medians: Sequence[float]) -> float | None:
    """The smallest F at which medians reach HALF, by straight lines on the scale of the maps.

    None if it never does, NaN if that is not known.
    """
    reached = [f for f, median in zip(F, medians, strict=True) if median >= HALF]
    if not reached and not np.isnan(medians).any():
        return None
    return min([*crossings(F, medians, HALF), *reached], default=np.nan)


def logit_like(pois: ArrayLike) -> Floats:
    """½ log₁₀((p + ε)/(1 − p + ε)) + 2p − 1, ε ≈ 10⁻⁴: a scale that tells 0, 0.001, 0.01 … 0.99, 0.999 and 1 apart"""
    p = np.asarray(pois, dtype=np.float64)
    epsilon = 1 / (10.0**4 - 1)  # makes the logarithm −4 at 0 and 4 at 1
    return np.asarray(np.log10((p + epsilon) / (1 - p + epsilon)) / 2 + 2 * p - 1)


def crossings(x: Sequence[float], y: Sequence[float], level: float) -> list[float]:
    """Where y passes a level, up or down: straight lines between the points on the logit-like scale."""
    above = logit_like(y) - logit_like(level)
    return [
        float(x[k] + (x[k + 1] - x[k]) * above[k] / (above[k] - above[k + 1]))
        for k in range(len(x) - 1)
        if (above[k] < 0 <= above[k + 1]) or (above[k + 1] < 0 <= above[k])
    ]
