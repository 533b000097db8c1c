"""The one error bar of debox: a jackknife over groups of runs. Cells are fixed, runs are random.

A statistic of the runs of some cells is computed from all runs and with each of ten groups of runs left out; how much
the latter differ is its standard error (Quenouille, Tukey). Tests of many cells are corrected by Benjamini and
Hochberg, so that at most a share ALPHA of the cells that are said to differ does not. A cell is shown to agree with a
statement, is shown to disagree, or stays open.

The jackknife is too liberal for medians and for the range of several means (`tests/analysis/test_estimate.py`
measures its rates): medians get exact sign tests, equality of several means goes by pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

ALPHA = 0.05
GROUPS = 10
SMALLEST_ERROR = 1e-9  # of numbers that do not vary over the runs
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Estimate:
    """Numbers with their standard errors, and the degrees of freedom of these."""

    value: Floats
    error: Floats
    freedom: int | Floats

    def p_above(self, edge: float | Floats = 0.0) -> Floats:
        """p-values of "at most the edge": small where the number is shown to be above it."""
        from scipy.special import stdtr  # of Student's t

        return np.asarray(stdtr(self.freedom, (edge - self.value) / np.maximum(self.error, SMALLEST_ERROR)))

    def p_below(self, edge: float | Floats = 0.0) -> Floats:
        """p-values of "at least the edge"."""
        return Estimate(-self.value, self.error, self.freedom).p_above(-np.asarray(edge))

    def interval(self, confidence: float = 1 - ALPHA) -> tuple[Floats, Floats]:
        """The ends of the intervals of Student's t."""
        from scipy.special import stdtrit

        half = stdtrit(self.freedom, (1 + confidence) / 2) * self.error
        return self.value - half, self.value + half


def jackknife(statistic: Callable[[Floats], Any], values: Floats) -> Estimate:
    """The statistic of all runs, the last axis of `values`, and its standard error from leaving out groups of them."""
    runs = values.shape[-1]
    if runs < 2:
        raise ValueError(f"an error bar needs at least 2 runs of every configuration, got {runs}")
    groups = min(GROUPS, runs)
    group = np.arange(runs) % groups
    without = np.stack([np.asarray(statistic(values[..., group != k]), np.float64) for k in range(groups)])
    return Estimate(np.asarray(statistic(values), np.float64), np.sqrt((groups - 1) * without.var(0)), groups - 1)


def discoveries(p: Floats) -> Flags:
    """Which of these hypotheses are rejected if at most a share ALPHA of the rejected may be true."""
    from scipy.stats import false_discovery_control

    tested = np.isfinite(p)
    found = np.zeros(p.shape, np.bool_)
    if tested.any():
        found[tested] = false_discovery_control(np.clip(p[tested], 0, 1)) <= ALPHA
    return found


def sign_tests(values: Floats, edge: float) -> tuple[Floats, Floats]:
    """Exact p-values of "the median is below the edge" and of "it is above", for each cell."""
    from scipy.stats import binom

    runs = values.shape[-1]
    above, below = (values >= edge).sum(-1), (values <= edge).sum(-1)
    return binom.sf(above - 1, runs, 0.5), binom.sf(below - 1, runs, 0.5)
