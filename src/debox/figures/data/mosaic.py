"""All panels of a study on one page: a column per mutation and N, a row per crossover and strategy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from debox.analysis.runs import Panel, Runs
from debox.analysis.summary import missing_runs

Value = TypeVar("Value")

PLACES = "a grid of F (upward) and Cr (to the right) per mutation and N (columns), crossover and strategy (rows)"


@dataclass(frozen=True)
class Mosaic(Generic[Value]):
    """Mini-grids in rows and columns; each holds a value per cell, row by row of F, rising, and Cr rising in each."""

    columns: tuple[tuple[str, int], ...]  # (mutation, N)
    rows: tuple[tuple[str, str], ...]  # (crossover, strategy), from the top
    F: tuple[float, ...]
    Cr: tuple[float, ...]
    grids: tuple[tuple[tuple[Value, ...], ...], ...]  # grids[row][column]
    planned: int  # runs per cell
    note: str = ""  # what is missing, ``30 of 50 runs``

    @classmethod
    def of(cls, runs: Runs, value: Callable[[Panel, float, float], Value]) -> Self:
        """The value of every configuration at its place."""
        axes = runs.axes
        columns = tuple((mutation, N) for mutation in axes["mutation"] for N in axes["N"])
        rows = tuple((crossover, strategy) for crossover in axes["crossover"] for strategy in axes["strategy"])
        cells = [(F, Cr) for F in axes["F"] for Cr in axes["Cr"]]
        grids = tuple(
            tuple(
                tuple(value(Panel(mutation, crossover, strategy, N), *cell) for cell in cells)
                for mutation, N in columns
            )
            for crossover, strategy in rows
        )
        counts = (len(runs.values(panel, *cell)) for panel in runs.panels() for cell in cells)
        return cls(columns, rows, axes["F"], axes["Cr"], grids, runs.planned, missing_runs(counts, runs.planned))
