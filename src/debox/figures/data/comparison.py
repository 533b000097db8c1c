"""The paper's comparisons: panels side by side that differ in one factor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from debox.analysis.old_runs import Panel, Runs
from debox.figures.data.edpois import HISTOGRAMS, EdpoisPanel, edpois_panel
from debox.figures.entry import PAGE, Entry

SIZE = (PAGE[0], 3.7)
COMPARISONS = {
    "population-sizes": tuple(Panel.of("DE/curr-to-best/1/bin sat", N) for N in (5, 20, 100)),
    "mutations": tuple(Panel.of(f"DE/{mutation}/exp sat", 5) for mutation in ("best/1", "rand/1", "rand/2")),
    "crossovers": tuple(
        Panel.of(f"DE/{name}", 5) for name in ("best/1/bin sat", "best/1/exp sat", "rand/1/bin tor", "rand/1/exp tor")
    ),
    "strategies-compared": tuple(Panel.of(f"DE/rand/1/exp {strategy}", 5) for strategy in ("COTN", "mirr", "sat")),
}


@dataclass(frozen=True)
class Comparison:
    """Panels in one row."""

    panels: tuple[EdpoisPanel, ...]


def entries(runs: Runs) -> Iterator[Entry]:
    """A figure per comparison, also for those without runs."""
    for name in COMPARISONS:
        panels = panels_of(runs, name)
        text = f"EDPOIS of {'; '.join(panel.title for panel in panels)}: {HISTOGRAMS}."
        yield Entry(name, text, SIZE, partial(comparison, name=name), panels)


def comparison(runs: Runs, name: str) -> Comparison:
    """One of the paper's comparisons; a panel without runs has empty cells."""
    return Comparison(tuple(edpois_panel(runs, panel) for panel in panels_of(runs, name)))


def panels_of(runs: Runs, name: str) -> tuple[Panel, ...]:
    """The panels of a comparison; among runs with several adaptations those with fixed F and Cr, as the paper's."""
    adaptation = "fixed" if "adaptation" in runs.axes else ""
    return tuple(panel._replace(adaptation=adaptation) for panel in COMPARISONS[name])
