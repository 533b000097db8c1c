"""Maps drawn with matplotlib: where POIS passes 0.5, 0.9 and 0.99 over F and Cr."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from debox.analysis import names
from debox.analysis.median_map import Map
from debox.analysis.old_runs import with_adaptation
from debox.analysis.scale import ENDS, logit_like
from debox.figures.data.contours import LEVELS, Contours
from debox.figures.draw.style import GREY, legend_below, thin, title_with_note
from debox.figures.draw.tiles import Tiles, range_around, round_ticks

BANDS = ("#f7f7f7", "#bfd3e6", "#8c96c6", "#6e016b")  # POIS below the first level, …, above the last: darker and darker
NAMES = ("below 0.5", "0.5 to 0.9", "0.9 to 0.99", "0.99 and more")
STYLES = (":", "--", "-")
EDGES = [-ENDS - 1, *logit_like(LEVELS).tolist(), ENDS + 1]


def draw_page(figure: Figure, record: Contours) -> None:
    """A row of maps per strategy, a column per crossover and N."""
    draw_in(figure.add_subplot(), record)
    legend_below(figure, bands_and_lines(), len(BANDS))


def draw_in(ax: Axes, record: Contours) -> Axes:
    """All maps in one Axes."""
    first = record.rows[0] if record.rows else ()
    F, Cr = (first[0].F, first[0].Cr) if first else ((), ())
    tiles = Tiles(len(first), len(record.rows), range_around(Cr), range_around(F))
    for row, maps in enumerate(record.rows):
        for column, map_ in enumerate(maps):
            draw_map(ax, tiles, column, row, map_)
    tiles.outline(ax)
    tiles.ticks(ax, round_ticks(Cr), round_ticks(F))
    strategies = [names.short("strategy", maps[0].panel.strategy) for maps in record.rows if maps]
    tiles.titles(ax, [f"{map_.panel.crossover}, N={map_.panel.N}" for map_ in first], strategies)
    ax.set(xlabel="Cr", ylabel="F")
    name = with_adaptation(f"DE/{names.short('mutation', record.mutation)}", record.adaptation)
    ax.set_title(title_with_note(name, record.note), pad=16)
    return ax


def draw_map(ax: Axes, tiles: Tiles, column: int, row: int, map_: Map) -> None:
    """Bands and lines between the cells that were measured, a dot at each of them, a cross where runs are missing."""
    height = np.ma.masked_invalid(logit_like(map_.median))
    Cr, F = np.meshgrid(map_.Cr, map_.F)
    x, y = tiles.at(column, row, Cr, F)
    if min(height.shape) > 1 and height.count():
        ax.contourf(x, y, height, EDGES, colors=BANDS)
        ax.contour(x, y, height, EDGES[1:-1], colors="black", linewidths=2 * thin(), linestyles=STYLES)
    band = np.searchsorted(EDGES[1:-1], height.compressed(), side="right")
    measured = ~np.ma.getmaskarray(height)
    dots = ax.scatter(x[measured], y[measured], s=4 * thin(), c=[BANDS[k] for k in band], zorder=3)
    dots.set(edgecolors="black", linewidths=0.3 * thin())
    ax.plot(x[~measured], y[~measured], "x", color=GREY, ms=3, mew=thin())
    if not measured.any():
        tiles.crosses(ax, [(column, row)])


def bands_and_lines() -> list[Line2D | Patch]:
    """The legend: what the bands and lines are: each line below the band that ends at it."""
    bands = [
        Patch(facecolor=band, edgecolor="black", lw=thin(), label=name) for band, name in zip(BANDS, NAMES, strict=True)
    ]
    lines = [
        Line2D([], [], color="black", lw=2 * thin(), ls=style, label=f"median POIS = {level:g}")
        for level, style in zip(LEVELS, STYLES, strict=True)
    ]
    return [mark for both in zip_longest(bands, lines) for mark in both if mark is not None]
