"""Where does DE leave the box? Maps of the median POIS over F and Cr, to draw the lines POIS = 0.5, 0.9, 0.99 on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from debox.figures.data import names
from debox.figures.data.runs import Panel, Runs
from debox.figures.data.scale import logit_like
from debox.figures.data.summary import missing

LEVELS = (0.5, 0.9, 0.99)


@dataclass(frozen=True)
class Map:
    """Median POIS on the grid of F and Cr, NaN where no run is."""

    panel: Panel
    F: tuple[float, ...]
    Cr: tuple[float, ...]
    median: tuple[tuple[float, ...], ...]  # median[row of F][column of Cr]

    def crossings(self, level: float) -> tuple[tuple[float, float], ...]:
        """The points (F, Cr), Cr being one of the grid, at which the median passes a level; NaN is never passed."""
        columns = zip(*self.median, strict=True)
        return tuple(
            (F, Cr) for Cr, column in zip(self.Cr, columns, strict=True) for F in passes(self.F, column, level)
        )


@dataclass(frozen=True)
class Maps:
    """A row of maps per strategy, a column per crossover and N."""

    mutation: str
    rows: tuple[tuple[Map, ...], ...]
    note: str = ""  # what is missing, ``30 of 50 runs``


def maps(runs: Runs, mutation: str) -> Maps:
    """The maps of one mutation."""
    name, axes = names.among(runs.axes["mutation"], "mutation", mutation), runs.axes
    rows = tuple(
        tuple(
            median_map(runs, Panel(name, crossover, strategy, N)) for crossover in axes["crossover"] for N in axes["N"]
        )
        for strategy in axes["strategy"]
    )
    cells = [(map_.panel, F, Cr) for row in rows for map_ in row for F in axes["F"] for Cr in axes["Cr"]]
    return Maps(name, rows, missing((len(runs.values(*cell)) for cell in cells), runs.planned))


def median_map(runs: Runs, panel: Panel) -> Map:
    """The map of one panel."""
    F, Cr = runs.axes["F"], runs.axes["Cr"]

    def median(F: float, Cr: float) -> float:
        pois = runs.values(panel, F, Cr)
        return float(np.median(pois)) if len(pois) else np.nan

    return Map(panel, F, Cr, tuple(tuple(median(f, cr) for cr in Cr) for f in F))


def passes(x: tuple[float, ...], y: tuple[float, ...], level: float) -> list[float]:
    """Where y passes a level, up or down: straight lines between the points on the logit-like scale."""
    above = logit_like(y) - logit_like(level)
    return [
        float(x[k] + (x[k + 1] - x[k]) * above[k] / (above[k] - above[k + 1]))
        for k in range(len(x) - 1)
        if (above[k] < 0 <= above[k + 1]) or (above[k + 1] < 0 <= above[k])
    ]
