"""The EDPOIS panel: for every F and Cr the runs per tenth of POIS, and a colour.

The page "What debox computes and draws, exactly" defines it in §4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from debox import edpois
from debox.analysis.old_runs import Panel, Runs
from debox.figures.data.grid import Grid
from debox.figures.entry import COLUMN, Entry

SIZE = (COLUMN, 4.2)
HISTOGRAMS = "ten-bin histograms of POIS over the runs, one rectangle per F (upward) and Cr (to the right)"


@dataclass(frozen=True)
class Cell:
    """One small rectangle; without runs it has no counts and no colour."""

    F: float
    Cr: float
    counts: tuple[int, ...] = ()  # runs in [0, 0.1], (0.1, 0.2], …, (0.9, 1]
    colour: str = ""  # teal, orange or violet

    @property
    def runs(self) -> int:
        """How many runs it shows."""
        return sum(self.counts)


class EdpoisPanel(Grid[Cell]):
    """A histogram and its colour for every F and Cr of one panel."""


def entries(runs: Runs) -> Iterator[Entry]:
    """Every panel alone."""
    return map(entry, runs.panels())


def entry(panel: Panel) -> Entry:
    """One panel alone."""
    text = f"EDPOIS of {panel.title}: {HISTOGRAMS}."
    return Entry(f"panels/{file_name(panel)}", text, SIZE, partial(edpois_panel, panel=panel), (panel,))


def file_name(panel: Panel) -> str:
    """``DE-rand-1-exp-sat-N5``, or ``DE-rand-1-exp-sat-SHADE-N5``"""
    return re.sub(r"[/ ]", "-", f"{panel.name} N{panel.N}".replace(",", ""))


def cell(F: float, Cr: float, pois: NDArray[np.float64]) -> Cell:
    """The runs of one configuration as a rectangle shows them."""
    if len(pois) == 0:
        return Cell(F, Cr)
    return Cell(F, Cr, tuple(edpois.histogram(pois).tolist()), edpois.colour(pois))


def edpois_panel(runs: Runs, panel: Panel) -> EdpoisPanel:
    """The record of one panel; a configuration without runs is an empty cell."""
    F, Cr = runs.axes["F"], runs.axes["Cr"]
    cells = tuple(cell(f, cr, runs.values(panel, f, cr)) for f in F for cr in Cr)
    return EdpoisPanel(panel.title, runs.planned, F, Cr, cells)
