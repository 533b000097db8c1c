"""POIS over a run's life: so far at 1/3, 2/3 and the end of the budget, and within each third."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from debox.figures.data.first_generation import shared
from debox.figures.data.grid import Grid
from debox.figures.data.mosaic import Mosaic, mosaic
from debox.figures.data.runs import Panel, Runs
from debox.figures.data.summary import HIGH, LOW

SO_FAR = ("pois_at_third", "pois_at_two_thirds", "pois")  # columns
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Cell:
    """One configuration: medians of POIS so far, and quantiles of POIS within each third; empty without runs."""

    F: float
    Cr: float
    runs: int = 0
    so_far: tuple[float, ...] = ()
    low: tuple[float, ...] = ()
    within: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


LifePanel = Grid[Cell]


def within_thirds(so_far: Floats, budget: int) -> Floats:
    """POIS within each third of a run, (runs, 3), from POIS so far at the ends of the thirds, (runs, 3)."""
    # Checkpoints lie at whole evaluations: what was counted between two of them, over what was evaluated there.
    ends = np.array([0, max(1, round(budget / 3)), max(1, round(budget * 2 / 3)), budget])
    infeasible = np.round(so_far * ends[1:])
    counted: Floats = np.diff(infeasible, axis=1, prepend=0)
    return counted / np.maximum(np.diff(ends), 1)


def lacking(runs: Runs) -> str:
    """What a run's life needs and the table lacks; empty if nothing."""
    missing = [name for name in SO_FAR if name not in runs.table or np.isnan(runs.table[name]).any()]
    why = "POIS over a run's life needs the checkpoints 1/3 and 2/3"
    return f"{why}: the table has no column {', '.join(missing)}" if missing else ""


def so_far(runs: Runs, panel: Panel, F: float, Cr: float) -> Floats:
    """POIS so far at 1/3, 2/3 and the end, a row per run."""
    if lacks := lacking(runs):
        raise ValueError(lacks)
    return np.column_stack([runs.values(panel, F, Cr, name) for name in SO_FAR])


def cell(runs: Runs, panel: Panel, F: float, Cr: float) -> Cell:
    """The life of one configuration's runs."""
    found = so_far(runs, panel, F, Cr)
    if len(found) == 0:
        return Cell(F, Cr)
    thirds = within_thirds(found, shared(runs, "budget"))
    low, median, high = (tuple(row) for row in np.quantile(thirds, (LOW, 0.5, HIGH), axis=0).tolist())
    return Cell(F, Cr, len(found), tuple(np.median(found, axis=0).tolist()), low, median, high)


def life_panel(runs: Runs, panel: Panel) -> LifePanel:
    """The record of one panel; a configuration without runs is an empty cell."""
    F, Cr = runs.axes["F"], runs.axes["Cr"]
    return LifePanel(panel.title, runs.planned, F, Cr, tuple(cell(runs, panel, f, cr) for f in F for cr in Cr))


def drift(runs: Runs) -> Mosaic[float]:
    """Median over the runs of POIS within the last third minus POIS within the first; NaN where no run is."""

    def value(panel: Panel, F: float, Cr: float) -> float:
        found = so_far(runs, panel, F, Cr)
        if len(found) == 0:
            return np.nan
        thirds = within_thirds(found, shared(runs, "budget"))
        return float(np.median(thirds[:, 2] - thirds[:, 0]))

    return mosaic(runs, value)
