"""Diagnostics of the population along a run, at some 50 log-spaced points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from debox.box import Box
from debox.reference import EVALUATIONS, INFEASIBLE

if TYPE_CHECKING:
    from debox.f0.engines import Plain

POINTS = 50


@dataclass(frozen=True, eq=False)
class Trace:
    """Diagnostics along the runs: rows are runs, columns the points in `evaluations`."""

    evaluations: NDArray[np.int64]
    infeasible: NDArray[np.int64]  # infeasible trials so far
    mean_sd: NDArray[np.float64]  # standard deviation within the population, mean over dimensions, in box widths
    zero_variance: NDArray[np.float64]  # share of dimensions in which all individuals agree
    on_bound: NDArray[np.float64]  # share of coordinates on a bound
    distinct: NDArray[np.int64]  # different individuals

    def __post_init__(self) -> None:
        for field in fields(self):
            getattr(self, field.name).flags.writeable = False

    @classmethod
    def of(cls, runs: Sequence[Sequence[tuple[float, ...]]]) -> Trace:
        """From the rows of `follow`, for each of several runs."""
        evaluations, infeasible, sd, zero_variance, on_bound, distinct = np.moveaxis(np.array(runs), 2, 0)
        evaluations, infeasible, distinct = (count.astype(np.int64) for count in (evaluations[0], infeasible, distinct))
        return cls(evaluations, infeasible, sd, zero_variance, on_bound, distinct)


def log_spaced(N: int, budget: int) -> NDArray[np.int64]:
    """Log-spaced ends of generations from the initial population to the end of the budget."""
    generations = np.ceil(np.geomspace(N, budget, POINTS) / N).astype(np.int64)
    return np.unique(np.minimum(generations * N, budget))


def follow(engine: Plain, N: int, budget: int) -> list[tuple[float, ...]]:
    """Advance an engine from point to point; a row of evaluations, infeasible trials and `diagnose` at each.

    If the population shrinks, generations may end beyond a point: the row is of their end, which is the same in all
    runs, and there is one row for each end.
    """
    rows: list[tuple[float, ...]] = []
    for evaluations in log_spaced(N, budget):
        engine.advance(int(evaluations))
        counts = engine.counts
        if not rows or counts[EVALUATIONS] > rows[-1][0]:
            rows.append((counts[EVALUATIONS], counts[INFEASIBLE], *diagnose(engine.P, engine.bounds)))
    return rows


def diagnose(P: NDArray[np.float64], box: Box) -> tuple[float, float, float, int]:
    """mean_sd, zero_variance, on_bound and distinct of one population."""
    sd = P.std(axis=0) / (box.upper - box.lower)
    agree = (P[0] == P).all(axis=0)
    on_bound = (box.lower == P) | (box.upper == P)
    return float(sd.mean()), float(agree.mean()), float(on_bound.mean()), len(np.unique(P, axis=0))
