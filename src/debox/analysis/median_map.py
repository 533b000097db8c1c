"""The median POIS over F and Cr, and where it passes a level: where does DE leave the box?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from debox.analysis.old_runs import Panel, Runs
from debox.analysis.scale import logit_like


@dataclass(frozen=True)
class Map:
    """Median POIS on the grid of F and Cr, NaN where no run is."""

    panel: Panel
    F: tuple[float, ...]
    Cr: tuple[float, ...]
    median: tuple[tuple[float, ...], ...]  # median[row of F][column of Cr]

    def crossings(self, level: float) -> tuple[tuple[float, float], ...]:
        """The points (F, Cr), Cr being one of the grid, at which the median passes a level; none next to a NaN."""
        columns = zip(*self.median, strict=True)
        return tuple(
            (F, Cr) for Cr, column in zip(self.Cr, columns, strict=True) for F in find_crossings(self.F, column, level)
        )


def median_map(runs: Runs, panel: Panel) -> Map:
    """The map of one panel."""
    F, Cr = runs.axes["F"], runs.axes["Cr"]

    def median(F: float, Cr: float) -> float:
        pois = runs.values(panel, F, Cr)
        return float(np.median(pois)) if len(pois) else np.nan

    return Map(panel, F, Cr, tuple(tuple(median(f, cr) for cr in Cr) for f in F))


def find_crossings(x: tuple[float, ...], y: tuple[float, ...], level: float) -> list[float]:
    """Where y passes a level, up or down: straight lines between the points on the logit-like scale."""
    above = logit_like(y) - logit_like(level)
    return [
        float(x[k] + (x[k + 1] - x[k]) * above[k] / (above[k] - above[k + 1]))
        for k in range(len(x) - 1)
        if (above[k] < 0 <= above[k + 1]) or (above[k + 1] < 0 <= above[k])
    ]
