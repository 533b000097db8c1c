"""How small a component's chance must be for a point to be feasible: p_max(t, n) = 1 − (1 − t)^(1/n)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from debox.f0.theory import p_max

DIMENSIONS = (10, 30, 100, 500)


@dataclass(frozen=True)
class Threshold:
    """p_max against t for one n."""

    n: int
    t: tuple[float, ...]
    p: tuple[float, ...]


def thresholds(dimensions: Sequence[int] = DIMENSIONS, points: int = 121) -> tuple[Threshold, ...]:
    """A curve per n, from t = 0.001 to 1, evenly in log t, and then ever closer to 1, where it is steep."""
    t = (*np.logspace(-3, -0.01, points).tolist(), 0.99, 0.999, 0.9999, 0.99999, 1.0)
    return tuple(Threshold(n, t, tuple(p_max(value, n) for value in t)) for n in dimensions)
