"""Figures from Python: each function draws into the Axes you give, or into a new one, and returns it.

``debox.plot.edpois(table, "DE/rand/1/exp sat", N=5).figure.savefig("panel.pdf")``
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from debox import check, registry
from debox.figures.data import edpois as panels
from debox.figures.data import key, strategies, threshold
from debox.figures.data.runs import Panel, Runs, Table

if TYPE_CHECKING:
    from debox.figures.draw.style import Axes

__all__ = ["edpois", "reading_key", "sketch_3d", "strategy", "thresholds"]


def edpois(
    table: Table, panel: str, N: int, ax: Axes | None = None, *, study: Mapping[str, Any] | None = None, **where: Any
) -> Axes:
    """The EDPOIS panel of ``panel``, such as "DE/rand/1/exp sat": a histogram of POIS over the runs for each F and Cr.

    table: column name → array, a row per run (`debox.open_store(path).table()`, a pandas DataFrame)
    study: what was planned, so that missing runs show (`debox.open_store(path).study`)
    where: of several n, budget, donors, … the one to show, such as n=30
    """
    from debox.figures.draw.edpois import edpois_panel

    return edpois_panel(_axes(ax, (3.5, 4.2)), panels.edpois_panel(Runs.of(table, study, where), Panel.of(panel, N)))


def strategy(name: str, ax: Axes | None = None) -> Axes:
    """What a strategy (saturation, toroidal, mirror) makes of a component x; the densities of COTN's random values."""
    from debox.figures.draw.strategies import cotn_densities, strategy_graph

    record = strategies.strategies()
    graphs = {graph.name: graph for graph in record.graphs}
    found = check.choice("strategy", registry.find("strategy", name).name, [*graphs, record.COTN.name])
    ax = _axes(ax, (1.75, 1.6))
    return strategy_graph(ax, graphs[found]) if found in graphs else cotn_densities(ax, record.COTN)


def thresholds(dimensions: Sequence[int] = threshold.DIMENSIONS, ax: Axes | None = None) -> Axes:
    """p_max(t, n) = 1 − (1 − t)^(1/n) against t for some n, the smallest first."""
    from debox.figures.draw.threshold import thresholds

    return thresholds(_axes(ax, (3.5, 2.6)), threshold.thresholds(sorted(dimensions)))


def reading_key(ax: Axes | None = None) -> Axes:
    """How to read an EDPOIS panel."""
    from debox.figures.draw.key import reading_key

    return reading_key(_axes(ax, (5.0, 4.3)), key.key())


def sketch_3d(ax: Axes | None = None) -> Axes:
    """The histograms of a panel, upright on the plane of F and Cr."""
    from debox.figures.draw.sketch import upright

    return upright(_axes(ax, (5.0, 2.3)), key.sketch())


def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """The given Axes, or a new one, alone in its figure."""
    from debox.figures.draw.style import empty_figure

    return empty_figure(size).add_subplot() if ax is None else ax
