"""The atlas: all panels, a page per crossover and N."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

from debox.analysis.runs import Panel, Runs
from debox.figures.data.edpois import HISTOGRAMS, EdpoisPanel, edpois_panel
from debox.figures.entry import PAGE, Entry


@dataclass(frozen=True)
class AtlasPage:
    """Panels in rows, as they stand on a page."""

    title: str
    rows: tuple[tuple[EdpoisPanel, ...], ...]


def entries(runs: Runs) -> Iterator[Entry]:
    """A page per crossover and N."""
    for crossover, N in product(runs.axes["crossover"], runs.axes["N"]):
        text = f"EDPOIS of every mutation and strategy with {crossover} crossover and N={N}: {HISTOGRAMS}."
        panels = tuple(panel for panel in runs.panels() if (panel.crossover, panel.N) == (crossover, N))
        yield Entry(f"atlas-{crossover}-N{N}", text, PAGE, partial(atlas_page, crossover=crossover, N=N), panels)


def atlas_page(runs: Runs, crossover: str, N: int) -> AtlasPage:
    """All panels of one crossover and N: a row per mutation, a column per strategy."""
    rows = tuple(
        tuple(edpois_panel(runs, Panel(mutation, crossover, strategy, N)) for strategy in runs.axes["strategy"])
        for mutation in runs.axes["mutation"]
    )
    return AtlasPage(f"EDPOIS, {crossover} crossover, N={N}", rows)
