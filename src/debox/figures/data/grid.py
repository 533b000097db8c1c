"""Grid: the cells of one panel, a cell per F and Cr, whatever a cell shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from debox.analysis.summary import missing_runs


class WithRuns(Protocol):
    @property
    def runs(self) -> int:
        """How many runs a cell shows."""


CellType = TypeVar("CellType", bound=WithRuns)


@dataclass(frozen=True)
class Grid(Generic[CellType]):
    """The cells of one panel, row by row of F, rising, and Cr rising in each row."""

    title: str
    planned: int  # runs per cell
    F: tuple[float, ...]
    Cr: tuple[float, ...]
    cells: tuple[CellType, ...]

    @property
    def note(self) -> str:
        """What is missing, ``30 of 50 runs``; empty if nothing is."""
        return missing_runs((cell.runs for cell in self.cells), self.planned)
