"""All panels of a study on one page: a column per mutation and N, a row per crossover and strategy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Generic, Self, TypeVar

from debox.analysis.old_runs import Panel, Runs, with_adaptation
from debox.analysis.summary import missing_runs

Value = TypeVar("Value")

PLACES = "a grid of F (upward) and Cr (to the right) per mutation and N (columns), crossover and strategy (rows)"


def places(runs: Runs) -> str:
    """Where the cells of these runs lie, in words."""
    return PLACES.replace("crossover and", "crossover, adaptation and") if "adaptation" in runs.axes else PLACES


@dataclass(frozen=True)
class Mosaic(Generic[Value]):
    """Mini-grids in rows and columns; each holds a value per cell, row by row of F, rising, and Cr rising in each."""

    columns: tuple[tuple[str, int], ...]  # (mutation, N)
    rows: tuple[tuple[str, str], ...]  # (group, strategy), from the top; a group is a crossover, or ``bin, SHADE``
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
        groups = tuple(product(axes["crossover"], runs.panel_adaptations))
        rows = tuple((with_adaptation(*group), strategy) for group in groups for strategy in axes["strategy"])
        cells = [(F, Cr) for F in axes["F"] for Cr in axes["Cr"]]
        grids = tuple(
            tuple(
                tuple(value(Panel(mutation, crossover, strategy, N, adaptation), *cell) for cell in cells)
                for mutation, N in columns
            )
            for crossover, adaptation in groups
            for strategy in axes["strategy"]
        )
        counts = (len(runs.values(panel, *cell)) for panel in runs.panels() for cell in cells)
        return cls(columns, rows, axes["F"], axes["Cr"], grids, runs.planned, missing_runs(counts, runs.planned))
