"""Panels side by side: the paper's comparisons, and the atlas of all panels."""

from __future__ import annotations

from dataclasses import dataclass

from debox.analysis.runs import Panel, Runs
from debox.figures.data.edpois import EdpoisPanel, edpois_panel

COMPARISONS = {
    "population-sizes": [Panel.of("DE/curr-to-best/1/bin sat", N) for N in (5, 20, 100)],
    "mutations": [Panel.of(f"DE/{mutation}/exp sat", 5) for mutation in ("best/1", "rand/1", "rand/2")],
    "crossovers": [
        Panel.of(f"DE/{name}", 5) for name in ("best/1/bin sat", "best/1/exp sat", "rand/1/bin tor", "rand/1/exp tor")
    ],
    "strategies-compared": [Panel.of(f"DE/rand/1/exp {strategy}", 5) for strategy in ("COTN", "mirr", "sat")],
}


@dataclass(frozen=True)
class Page:
    """Panels in rows, as they stand on a page."""

    title: str
    rows: tuple[tuple[EdpoisPanel, ...], ...]


def comparison(runs: Runs, name: str) -> Page:
    """One of the paper's comparisons: its panels in one row."""
    return Page("", (tuple(edpois_panel(runs, panel) for panel in COMPARISONS[name]),))


def atlas_page(runs: Runs, crossover: str, N: int) -> Page:
    """All panels of one crossover and N: a row per mutation, a column per strategy."""
    rows = tuple(
        tuple(edpois_panel(runs, Panel(mutation, crossover, strategy, N)) for strategy in runs.axes["strategy"])
        for mutation in runs.axes["mutation"]
    )
    return Page(f"EDPOIS, {crossover} crossover, N={N}", rows)
