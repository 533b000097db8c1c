"""Figures from Python: each function draws into the Axes you give, or into a new one, and returns it.

``debox.plot.edpois(table, "DE/rand/1/exp sat", N=5).figure.savefig("panel.pdf")``
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from debox import check, registry
from debox.figures.data import contours as maps
from debox.figures.data import edpois as panels
from debox.figures.data import key, mosaic, strategies, threshold
from debox.figures.data import life as lives
from debox.figures.data import ribbons as lines
from debox.figures.data.runs import Panel, Runs, Table

if TYPE_CHECKING:
    from debox.figures.draw.style import Axes

__all__ = [
    "contours",
    "drift",
    "edpois",
    "life",
    "overview",
    "reading_key",
    "ribbons",
    "sketch_3d",
    "strategy",
    "thresholds",
]

Study = Mapping[str, Any] | None  # what was planned


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


def overview(table: Table, ax: Axes | None = None, *, study: Study = None, **where: Any) -> Axes:
    """All configurations on one page: colour for median POIS, a bar for the spread, two dots where runs form camps."""
    from debox.figures.draw.overview import overview_in

    return overview_in(_axes(ax, (7.2, 9.7)), mosaic.overview(Runs.of(table, study, where)))


def ribbons(
    table: Table, variant: str, against: str = "F", ax: Axes | None = None, *, study: Study = None, **where: Any
) -> Axes:
    """POIS against F for each Cr, or against Cr for each F: quantiles of the runs, and the exact curve of generation 1.

    variant: "DE/rand/1/exp" for all strategies, "DE/rand/1/exp sat" for one
    """
    from debox.figures.draw.ribbons import ribbons_in

    name, *strategies = variant.split()
    chosen = tuple(registry.find("strategy", strategy).name for strategy in strategies)
    record = lines.ribbons(Runs.of(table, study, where), name, against, chosen)
    return ribbons_in(_axes(ax, (7.2, 0.7 + 1.8 * len(record.rows))), record)


def contours(table: Table, mutation: str, ax: Axes | None = None, *, study: Study = None, **where: Any) -> Axes:
    """Where DE leaves the box: median POIS = 0.5, 0.9, 0.99 over F and Cr, a map per strategy, crossover and N."""
    from debox.figures.draw.contours import maps_in

    return maps_in(_axes(ax, (7.2, 9.7)), maps.maps(Runs.of(table, study, where), mutation))


def life(table: Table, panel: str, N: int, ax: Axes | None = None, *, study: Study = None, **where: Any) -> Axes:
    """POIS within each third of a run, and so far, for each F and Cr of ``panel``, such as "DE/rand/1/exp sat"."""
    from debox.figures.draw.life import life_panel

    return life_panel(_axes(ax, (3.5, 4.6)), lives.life_panel(Runs.of(table, study, where), Panel.of(panel, N)))


def drift(table: Table, ax: Axes | None = None, *, study: Study = None, **where: Any) -> Axes:
    """POIS within the last third of a run minus POIS within the first: all configurations on one page."""
    from debox.figures.draw.life import drift_in

    return drift_in(_axes(ax, (7.2, 9.7)), lives.drift(Runs.of(table, study, where)))


def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """The given Axes, or a new one, alone in its figure."""
    from debox.figures.draw.style import empty_figure

    return empty_figure(size).add_subplot() if ax is None else ax
