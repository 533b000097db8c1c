"""POIS over a run's life: so far at 1/3, 2/3 and the end of the budget, and within each third."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from debox.analysis import thirds
from debox.analysis.runs import Panel, Runs
from debox.analysis.summary import HIGH, LOW
from debox.figures.data.grid import Grid
from debox.figures.data.mosaic import Mosaic, mosaic


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


def cell(runs: Runs, panel: Panel, F: float, Cr: float) -> Cell:
    """The life of one configuration's runs."""
    found = thirds.so_far(runs, panel, F, Cr)
    if len(found) == 0:
        return Cell(F, Cr)
    each = thirds.within_thirds(found, runs.common("budget"))
    low, median, high = (tuple(row) for row in np.quantile(each, (LOW, 0.5, HIGH), axis=0).tolist())
    return Cell(F, Cr, len(found), tuple(np.median(found, axis=0).tolist()), low, median, high)


def life_panel(runs: Runs, panel: Panel) -> LifePanel:
    """The record of one panel; a configuration without runs is an empty cell."""
    F, Cr = runs.axes["F"], runs.axes["Cr"]
    return LifePanel(panel.title, runs.planned, F, Cr, tuple(cell(runs, panel, f, cr) for f in F for cr in Cr))


def drift(runs: Runs) -> Mosaic[float]:
    """How far POIS drifts from the first to the last third of a run, for every configuration at its place."""
    return mosaic(runs, partial(thirds.drift, runs))
