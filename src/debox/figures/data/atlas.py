"""The atlas: all panels, a page per crossover and N."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

from debox.analysis.old_runs import Panel, Runs, with_adaptation
from debox.figures.data.edpois import HISTOGRAMS, EdpoisPanel, edpois_panel
from debox.figures.entry import PAGE, Entry, file_name


@dataclass(frozen=True)
class AtlasPage:
    """Panels in rows, as they stand on a page."""

    title: str
    rows: tuple[tuple[EdpoisPanel, ...], ...]


def entries(runs: Runs) -> Iterator[Entry]:
    """A page per crossover and N, and per adaptation, if there are several."""
    for crossover, adaptation, N in product(runs.axes["crossover"], runs.panel_adaptations, runs.axes["N"]):
        settings = with_adaptation(f"{crossover} crossover", adaptation)
        text = f"EDPOIS of every mutation and strategy with {settings} and N={N}: {HISTOGRAMS}."
        key = (crossover, adaptation, N)
        panels = tuple(panel for panel in runs.panels() if (panel.crossover, panel.adaptation, panel.N) == key)
        record = partial(atlas_page, crossover=crossover, N=N, adaptation=adaptation)
        yield Entry(file_name("atlas", crossover, adaptation, f"N{N}"), text, PAGE, record, panels)


def atlas_page(runs: Runs, crossover: str, N: int, adaptation: str = "") -> AtlasPage:
    """All panels of one crossover, N and adaptation: a row per mutation, a column per strategy."""
    axes = runs.axes
    rows = tuple(
        tuple(edpois_panel(runs, Panel(mutation, crossover, strategy, N, adaptation)) for strategy in axes["strategy"])
        for mutation in axes["mutation"]
    )
    return AtlasPage(f"EDPOIS, {with_adaptation(f'{crossover} crossover', adaptation)}, N={N}", rows)
