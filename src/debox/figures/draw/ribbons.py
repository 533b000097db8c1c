"""Ribbons drawn with matplotlib: a band for half of the runs and one for nine tenths, the median, the exact curve."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from debox.analysis import names
from debox.analysis.old_runs import with_adaptation
from debox.figures.data.ribbons import Plot, Ribbon, Ribbons
from debox.figures.draw.style import legend_below, thin, title_with_note
from debox.figures.draw.tiles import Floats, Tiles, range_around, round_ticks

LOOKS = (
    ("#0072b2", "o"),
    ("#d55e00", "s"),
    ("#009e73", "^"),
    ("#cc79a7", "D"),
)  # the colour-blind can tell them apart, also in grey
DASHES = (0, (3, 1.5))
MISSING = -0.04  # where a cross stands for missing runs: below POIS = 0


def draw_page(figure: Figure, record: Ribbons) -> None:
    """A row of plots per strategy, a column per value of what is fixed."""
    ax = figure.add_subplot()
    draw_in(ax, record)
    Ns = [ribbon.N for ribbon in record.rows[0][0].ribbons] if record.rows and record.rows[0] else []
    marks = medians_and_bands(Ns)[:-1] if record.omission else medians_and_bands(Ns)
    legend_below(figure, marks, len(marks))


def draw_in(ax: Axes, record: Ribbons) -> Axes:
    """All plots in one Axes."""
    x = record.rows[0][0].ribbons[0].x if record.rows and record.rows[0] else ()
    tiles = Tiles(max(map(len, record.rows), default=0), len(record.rows), range_around(x), (-0.08, 1.08))
    for row, plots in enumerate(record.rows):
        for column, plot in enumerate(plots):
            draw_plot(ax, tiles, column, row, plot)
    strategies = [names.short("strategy", plots[0].strategy) for plots in record.rows if plots]
    tiles.outline(ax)
    tiles.ticks(ax, round_ticks(x), (0, 0.5, 1))
    tiles.titles(ax, [f"{record.fixed}={plot.fixed:g}" for plot in record.rows[0]] if record.rows else [], strategies)
    ax.set(xlabel=record.against, ylabel="POIS")
    ax.set_title(title_with_note(with_adaptation(record.variant, record.adaptation), record.note), pad=16)
    return ax


def draw_plot(ax: Axes, tiles: Tiles, column: int, row: int, plot: Plot) -> None:
    """One plot: the ribbons of all N, a cross over it if there is no run at all."""
    if not any(count for ribbon in plot.ribbons for count in ribbon.runs):
        tiles.crosses(ax, [(column, row)])
    one_curve = curves_agree(plot.ribbons)
    for k, ribbon in enumerate(plot.ribbons):
        colour, marker = LOOKS[k % len(LOOKS)]
        draw_ribbon(ax, tiles, column, row, ribbon, colour, marker)
        curve = tiles.at(column, row, ribbon.theory_x, ribbon.theory)
        ax.plot(*curve, color="black" if one_curve else colour, lw=1.5 * thin(), ls=DASHES)


def curves_agree(ribbons: tuple[Ribbon, ...]) -> bool:
    """Do the curves of all N fall together?"""
    curves = np.array([ribbon.theory for ribbon in ribbons])
    return bool((np.ptp(curves, axis=0) < 0.01).all())


def draw_ribbon(ax: Axes, tiles: Tiles, column: int, row: int, ribbon: Ribbon, colour: str, marker: str) -> None:
    """Bands and median; a small cross below where runs are missing."""
    curves = [tiles.at(column, row, ribbon.x, quantile) for quantile in ribbon.quantiles]
    (x, low), (_, lower), (_, median), (_, upper), (_, high) = curves
    for bottom, top, alpha in ((low, high, 0.18), (lower, upper, 0.3)):
        band = PolyCollection(stretches(x, bottom, top), facecolors=colour, alpha=alpha, linewidths=0)
        ax.add_collection(band, autolim=False)  # half the time of fill_between
    ax.plot(x, median, color=colour, lw=1.5 * thin(), marker=marker, ms=2.5 * thin() ** 0.5, mew=0)
    missing = [value for value, count in zip(ribbon.x, ribbon.runs, strict=True) if count == 0]
    ax.plot(*tiles.at(column, row, missing, np.full(len(missing), MISSING)), "x", color=colour, ms=2.5, mew=thin())


def stretches(x: Floats, low: Floats, high: Floats) -> list[Floats]:
    """The outlines between low and high, one for each stretch without a gap."""
    gaps = np.flatnonzero(np.isnan(low))
    parts = [part[~np.isnan(low[part])] for part in np.split(np.arange(len(x)), gaps)]
    return [
        np.column_stack([np.append(x[part], x[part][::-1]), np.append(low[part], high[part][::-1])])
        for part in parts
        if len(part) > 1
    ]


def medians_and_bands(Ns: list[int]) -> list[Line2D | Patch]:
    """The legend: what the lines and bands are; the exact curve is the last."""
    grey = "0.3"
    medians: list[Line2D | Patch] = [
        Line2D([], [], color=colour, marker=marker, ms=3, mew=0, lw=1.5 * thin(), label=f"median, N={N}")
        for N, (colour, marker) in zip(Ns, LOOKS * len(Ns), strict=False)
    ]
    bands = [
        Patch(color=grey, alpha=alpha, label=label) for alpha, label in ((0.5, "25–75 %"), (0.25, "5–95 % of runs"))
    ]
    theory = Line2D([], [], color=grey, lw=1.5 * thin(), ls=DASHES, label="exact, if generation 1 lasted")
    return [*medians, *bands, theory]
