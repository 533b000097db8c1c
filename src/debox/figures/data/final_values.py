"""The final values of several strategies on one function, run by run, with medians and their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from debox.figures.entry import COLUMN

if TYPE_CHECKING:
    from debox.optimize.compare import Comparison  # which needs the loop, and drawing does not

ROW = 0.24  # inches per strategy


@dataclass(frozen=True)
class Row:
    """The runs of one strategy."""

    strategy: str
    values: tuple[float, ...]  # run k of all rows has the same seed
    median: float
    interval: tuple[float, float]
    pois: float  # the median
    verdict: str  # best, worse or nothing


@dataclass(frozen=True)
class FinalValues:
    """A row per strategy, the best first."""

    rows: tuple[Row, ...]
    title: str
    confidence: float
    is_log: bool  # all values are positive numbers, and they span more than a factor of 10

    @property
    def size(self) -> tuple[float, float]:
        """Inches, on paper."""
        return COLUMN, 1.1 + ROW * len(self.rows)


def final_values(comparison: Comparison) -> FinalValues:
    """The record of a comparison."""
    rows = []
    for name in comparison.order:
        k = comparison.strategies.index(name)
        low, high = comparison.intervals[k].tolist()
        rows.append(
            Row(
                strategy=name,
                values=tuple(comparison.values[k].tolist()),
                median=float(comparison.medians[k]),
                interval=(low, high),
                pois=float(sorted(comparison.pois[k].tolist())[len(comparison.seeds) // 2]),
                verdict="best" if name == comparison.best else "worse" if name in comparison.worse else "",
            )
        )
    least, most = float(comparison.values.min()), float(comparison.values.max())
    title = f"{comparison.variant}, {len(comparison.seeds)} runs of {int(comparison.evaluations.max()):,} evaluations"
    return FinalValues(tuple(rows), title, comparison.confidence, is_log=0 < 10 * least < most)
