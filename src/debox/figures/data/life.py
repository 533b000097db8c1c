"""POIS over a run's life: so far at 1/3, 2/3 and the end of the budget, and within each third."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from debox.analysis import thirds
from debox.analysis.old_runs import Panel, Runs
from debox.figures.data.grid import Grid
from debox.figures.entry import COLUMN, Entry

SIZE = (COLUMN, 4.6)
PAPERS_PANEL = Panel.of("DE/rand/1/exp sat", 5)  # in which the paper shows the collapse at the largest Cr


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


class LifePanel(Grid[Cell]):
    """The lives of the runs of one panel, for every F and Cr."""


def entries(runs: Runs) -> Iterator[Entry]:
    """One panel."""
    yield entry(panel_to_show(runs))


def entry(panel: Panel) -> Entry:
    """The figure of this panel."""
    text = (
        f"POIS of {panel.title} within each third of a run, median and 5 to 95 % of the runs, and POIS so far, one "
        "rectangle per F (upward) and Cr (to the right)."
    )
    return Entry("life", text, SIZE, partial(life_panel, panel=panel), (panel,), further_obstacle=thirds.obstacle)


def panel_to_show(runs: Runs) -> Panel:
    """The paper's panel, with fixed F and Cr if runs have several adaptations, or else the first that has runs."""
    papers = PAPERS_PANEL._replace(adaptation="fixed" if "adaptation" in runs.axes else "")
    return next((panel for panel in (papers, *runs.panels()) if panel in runs.panels_with_runs), papers)


def cell(runs: Runs, panel: Panel, F: float, Cr: float) -> Cell:
    """The life of one configuration's runs."""
    return Cell(F, Cr, *thirds.summarise_life(runs, panel, F, Cr))


def life_panel(runs: Runs, panel: Panel) -> LifePanel:
    """The record of one panel; a configuration without runs is an empty cell."""
    F, Cr = thirds.require_thirds(runs).axes["F"], runs.axes["Cr"]
    return LifePanel(panel.title, runs.planned, F, Cr, tuple(cell(runs, panel, f, cr) for f in F for cr in Cr))
