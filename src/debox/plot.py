"""Figures from Python: each function draws into the Axes you give, or makes a whole figure with its key, as
`debox figures` does; it returns the Axes.

``debox.plot.edpois("out/mine", "DE/rand/1/exp sat", N=5).figure.savefig("panel.pdf")``

`table` is a store (`debox.open_store`), its path, a pandas or polars DataFrame of its runs, or a mapping from column
names to arrays. Where runs have several dimensions, budgets, donors, … pass the one to show, such as
dimension=30, in short n=30.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from debox import check, registry
from debox.analysis import names
from debox.analysis.runs import Panel, Runs
from debox.design.study import Study as Design
from debox.figures.data import contours as maps
from debox.figures.data import edpois as panels
from debox.figures.data import key, mosaic, strategies, threshold
from debox.figures.data import life as lives
from debox.figures.data import ribbons as lines
from debox.store.read import Reader
from debox.store.store import open_store

if TYPE_CHECKING:
    from debox.figures.draw.style import Axes, Figure

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

Study = Design | Mapping[str, Any] | None  # what was planned
Source = Any  # see above
PAGE = (7.2, 9.7)  # inches


def edpois(
    table: Source, panel: str, N: int | None = None, ax: Axes | None = None, *, study: Study = None, **where: Any
) -> Axes:
    """The EDPOIS panel of "DE/rand/1/exp sat" with N=5, or of "DE/rand/1/exp sat, N=5".

    study: what was planned, so that missing runs show; a store knows it
    """
    from debox.figures.draw import edpois, pages

    runs = _runs(table, study, where)
    record = panels.edpois_panel(runs, _panel(runs, panel, N))
    return _drawn(ax, record, (3.5, 4.2), edpois.edpois_panel, pages.panel, runs)


def strategy(name: str, ax: Axes | None = None) -> Axes:
    """What a strategy (saturation, toroidal, mirror) makes of a component x; the densities of COTN's random values."""
    from debox.figures.draw.strategies import cotn_densities, strategy_graph

    record = strategies.strategies()
    graphs = {graph.name: graph for graph in record.graphs}
    found = check.choice("strategy", registry.find("strategy", name).name, [*graphs, record.COTN.name])
    if found in graphs:
        return _drawn(ax, graphs[found], (1.75, 1.6), strategy_graph)
    return _drawn(ax, record.COTN, (1.75, 1.6), cotn_densities)


def thresholds(dimensions: Sequence[int] = threshold.DIMENSIONS, ax: Axes | None = None) -> Axes:
    """p_max(t, n) = 1 − (1 − t)^(1/n) against t for some n, the smallest first."""
    from debox.figures.draw.threshold import thresholds

    return _drawn(ax, threshold.thresholds(sorted(dimensions)), (3.5, 2.6), thresholds)


def reading_key(ax: Axes | None = None, runs: int = key.RUNS) -> Axes:
    """How to read an EDPOIS panel of so many runs."""
    from debox.figures.draw.key import reading_key

    return _drawn(ax, key.key(check.integer("runs", runs, 1)), (5.0, 4.3), reading_key)


def sketch_3d(ax: Axes | None = None) -> Axes:
    """The histograms of a panel, upright on the plane of F and Cr."""
    from debox.figures.draw.sketch import upright

    return _drawn(ax, key.sketch(), (5.0, 2.3), upright)


def overview(table: Source, ax: Axes | None = None, *, study: Study = None, **where: Any) -> Axes:
    """All configurations on one page: colour for median POIS, a bar for the spread, two dots where runs form camps."""
    from debox.figures.draw import overview

    runs = _runs(table, study, where)
    return _drawn(ax, mosaic.overview(runs), PAGE, overview.overview_in, overview.overview, runs)


def ribbons(
    table: Source, variant: str, against: str = "F", ax: Axes | None = None, *, study: Study = None, **where: Any
) -> Axes:
    """POIS against F for each Cr, or against Cr for each F: quantiles of the runs, and the exact curve of generation 1.

    variant: "DE/rand/1/exp" for all strategies, "DE/rand/1/exp sat" for one
    """
    from debox.figures.draw import ribbons

    name, *strategies = variant.split()
    runs = _runs(table, study, where)
    chosen = tuple(names.among(runs.axes["strategy"], "strategy", strategy) for strategy in strategies)
    record = lines.ribbons(runs, name, against, chosen)
    size = (7.2, 0.7 + 1.8 * len(record.rows))
    return _drawn(ax, record, size, ribbons.ribbons_in, ribbons.ribbons, runs)


def contours(table: Source, mutation: str, ax: Axes | None = None, *, study: Study = None, **where: Any) -> Axes:
    """Where DE leaves the box: median POIS = 0.5, 0.9, 0.99 over F and Cr, a map per strategy, crossover and N.

    mutation: "rand/1" or "DE/rand/1"
    """
    from debox.figures.draw import contours

    runs = _runs(table, study, where)
    record = maps.maps(runs, mutation[3:] if mutation.upper().startswith("DE/") else mutation)
    return _drawn(ax, record, PAGE, contours.maps_in, contours.contours, runs)


def life(
    table: Source, panel: str, N: int | None = None, ax: Axes | None = None, *, study: Study = None, **where: Any
) -> Axes:
    """POIS within each third of a run, and so far, for each F and Cr of a panel, written as in `edpois`."""
    from debox.figures.draw import life

    runs = _runs(table, study, where)
    record = lives.life_panel(runs, _panel(runs, panel, N))
    return _drawn(ax, record, (3.5, 4.6), life.life_panel, life.panel, runs)


def drift(table: Source, ax: Axes | None = None, *, study: Study = None, **where: Any) -> Axes:
    """POIS within the last third of a run minus POIS within the first: all configurations on one page."""
    from debox.figures.draw import life

    runs = _runs(table, study, where)
    return _drawn(ax, lives.drift(runs), PAGE, life.drift_in, life.drift, runs)


def _runs(source: Source, study: Study, where: Mapping[str, Any]) -> Runs:
    """The runs of a store or its path, of a frame, or of a mapping."""
    found = open_store(source) if isinstance(source, str | PathLike) else source
    if isinstance(found, Reader):
        study, found = study or found.study, found.table()
    table = {name: found[name] for name in getattr(found, "columns", found)}
    planned = study if isinstance(study, Design | None) else Design.stored(study)
    return Runs.of(table, planned, where).some()


def _panel(runs: Runs, text: str, N: int | None) -> Panel:
    """The panel of this name, if it has runs."""
    alike = (one for one in runs.there if (text, N) in ((one.title, None), (one.title, one.N), (one.name, one.N)))
    panel = next(alike, None) or Panel.of(text, N)
    if panel not in runs.there:
        there = {name: sorted({getattr(one, name) for one in runs.there}) for name in Panel._fields}
        said = "; ".join(f"{name} {', '.join(map(str, values))}" for name, values in there.items())
        raise ValueError(f"there are no runs of {panel.title}; there are runs with {said}")
    return panel


def _drawn(
    ax: Axes | None,
    record: Any,
    size: tuple[float, float],
    into: Callable[[Axes, Any], Axes],
    whole: Callable[[Figure, Any], None] | None = None,
    runs: Runs | None = None,
) -> Axes:
    """Into the given Axes; or alone, as the command line draws it: with its key, and with a footer about the runs."""
    from debox.figures.draw.style import empty_figure, in_style

    if ax is not None:
        return into(ax, record)
    with in_style("paper"):
        figure = empty_figure(size, footer=runs.told if runs else "")
        if whole is None:
            return into(figure.add_subplot(), record)
        whole(figure, record)
        return figure.axes[0]
