"""How small a component's chance must be for a point to be feasible: p_max(t, n) = 1 − (1 − t)^(1/n)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from debox.analysis.old_runs import Runs
from debox.f0.theory import p_max
from debox.figures.entry import COLUMN, Entry

SIZE = (COLUMN, 2.6)
DIMENSIONS = (10, 30, 100, 500)
DESCRIPTION = (
    "The largest chance p_max of a component to leave the box such that a point does with chance t at most, against t, "
    "for n = 10, 30, 100 and 500: it falls nearly as t/n."
)


@dataclass(frozen=True)
class Curve:
    """p_max against t for one n."""

    n: int
    t: tuple[float, ...]
    p: tuple[float, ...]


@dataclass(frozen=True)
class Thresholds:
    """A curve per n."""

    curves: tuple[Curve, ...]


def entries(runs: Runs) -> Iterator[Entry]:
    """One figure, the same for all runs."""
    yield Entry("threshold", DESCRIPTION, SIZE, lambda runs: thresholds())


def thresholds(dimensions: Sequence[int] = DIMENSIONS, samples: int = 121) -> Thresholds:
    """A curve per n, from t = 0.001 to 1, evenly in log t, and then ever closer to 1, where it is steep."""
    t = (*np.logspace(-3, -0.01, samples).tolist(), 0.99, 0.999, 0.9999, 0.99999, 1.0)
    return Thresholds(tuple(Curve(n, t, tuple(p_max(value, n) for value in t)) for n in dimensions))
