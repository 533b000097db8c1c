"""The paper's own figures, the atlas of all panels, and every panel alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from debox.figures.data import pages as data
from debox.figures.data.edpois import edpois_panel
from debox.figures.data.runs import Panel, Runs
from debox.figures.draw import pages as draw
from debox.figures.sheet import COLUMN, PAGE, Sheet

HISTOGRAMS = "ten-bin histograms of POIS over the runs, one rectangle per F (upward) and Cr (to the right)"


def paper(runs: Runs) -> Iterator[Sheet]:
    """The figures of the paper, in its order."""
    for name, panels in data.COMPARISONS.items():
        titles = "; ".join(panel.title for panel in panels)
        shows = f"EDPOIS of {titles}: {HISTOGRAMS}."
        yield Sheet(name, shows, (PAGE[0], 3.7), partial(data.comparison, name=name), draw.comparison)


def atlas(runs: Runs) -> Iterator[Sheet]:
    """All panels, a page per N."""
    for N in runs.axes["N"]:
        shows = f"EDPOIS of all configurations with N={N}, a panel per mutation, crossover and strategy: {HISTOGRAMS}."
        yield Sheet(f"atlas-N{N}", shows, PAGE, partial(data.atlas_page, N=N), draw.atlas_page)


def panels(runs: Runs) -> Iterator[Sheet]:
    """One sheet per panel."""
    for panel in runs.panels():
        shows = f"EDPOIS of {panel.title}: {HISTOGRAMS}."
        yield Sheet(f"panels/{file_name(panel)}", shows, (COLUMN, 4.2), partial(edpois_panel, panel=panel), draw.panel)


def file_name(panel: Panel) -> str:
    """``DE-rand-1-exp-sat-N5``"""
    return re.sub(r"[/ ]", "-", f"{panel.name} N{panel.N}")
