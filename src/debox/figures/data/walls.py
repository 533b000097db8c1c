"""What happened at the bounds of each variable in a run of minimize."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from debox.figures.entry import COLUMN

ROW = 0.22  # inches per variable
MOST = 20  # variables that are shown


@dataclass(frozen=True)
class Side:
    """One bound of a variable."""

    early: int  # violations, early in the run
    late: int
    near: float  # share of the final population within 1 % of the range

    @property
    def violations(self) -> int:
        """Of the whole run."""
        return self.early + self.late


@dataclass(frozen=True)
class Row:
    """One variable."""

    name: str
    place: float  # of x between the bounds, 0 to 1
    lower: Side
    upper: Side
    verdict: str  # free, drifting or on the bound

    @property
    def violations(self) -> int:
        """At both bounds."""
        return self.lower.violations + self.upper.violations


@dataclass(frozen=True)
class Walls:
    """A row per variable that is not fixed, in their order; of many, those with most violations."""

    rows: tuple[Row, ...]
    variables: int

    @property
    def most(self) -> tuple[int, int]:
        """The most violations of one variable at its lower and at its upper bound."""
        lower, upper = ([getattr(row, side).violations for row in self.rows] for side in ("lower", "upper"))
        return max(lower, default=0), max(upper, default=0)

    @property
    def size(self) -> tuple[float, float]:
        """Inches, on paper."""
        return COLUMN, 1.3 + ROW * len(self.rows)


def walls(result: Mapping[str, Any]) -> Walls:
    """The record of a result of `minimize`."""
    found = result["walls"]
    rows = [
        Row(
            name=str(found.names[j]),
            place=float(found.distance_lower[j]),
            lower=Side(int(found.lower_early[j]), int(found.lower_late[j]), float(found.near_lower[j])),
            upper=Side(int(found.upper_early[j]), int(found.upper_late[j]), float(found.near_upper[j])),
            verdict=str(found.verdict[j]),
        )
        for j in range(len(found.names))
        if found.verdict[j] != "fixed"
    ]
    shown = sorted(range(len(rows)), key=lambda j: (rows[j].verdict == "free", -rows[j].violations))[:MOST]
    return Walls(tuple(rows[j] for j in sorted(shown)), len(rows))
