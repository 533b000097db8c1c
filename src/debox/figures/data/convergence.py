"""How a run of minimize converged: best value, spread of the population and POIS against evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.figures.entry import COLUMN

SIZE = (COLUMN, 3.6)
NAMES = ("evaluations", "fun", "spread", "pois")


@dataclass(frozen=True)
class Curve:
    """A quantity along the run; numbers that are not finite, and zeros on a log axis, are left out."""

    label: str
    evaluations: tuple[float, ...]
    values: tuple[float, ...]
    is_log: bool


@dataclass(frozen=True)
class Convergence:
    """The curves of one run: best value, spread, POIS."""

    title: str
    fun: Curve
    spread: Curve
    pois: Curve

    @property
    def curves(self) -> tuple[Curve, ...]:
        """From the top down."""
        return self.fun, self.spread, self.pois


def convergence(result: Mapping[str, Any]) -> Convergence:
    """The record of a result of `minimize`."""
    history = result["history"]
    evaluations, fun, spread, pois = (np.asarray(getattr(history, name), dtype=float) for name in NAMES)
    title = f"f = {result['fun']:.6g} after {result['nfev']:,} evaluations, POIS {result['pois']:.3f}"
    return Convergence(
        title,
        curve("best value", evaluations, fun, is_log=is_wide(fun)),
        curve("spread", evaluations, spread, is_log=is_wide(spread)),
        curve("POIS so far", evaluations, pois, is_log=False),
    )


def is_wide(values: NDArray[np.float64]) -> bool:
    """Whether there are only numbers ≥ 0, and those > 0 span a factor of 10 or more: a log axis shows them."""
    finite = values[np.isfinite(values)]
    positive = finite[finite > 0]
    return bool((finite >= 0).all() and positive.size and positive.max() >= 10 * positive.min())


def curve(label: str, evaluations: NDArray[np.float64], values: NDArray[np.float64], is_log: bool) -> Curve:
    """The points that can be shown."""
    shown = np.isfinite(values) & ((values > 0) | (not is_log))
    return Curve(label, tuple(evaluations[shown].tolist()), tuple(values[shown].tolist()), is_log)
