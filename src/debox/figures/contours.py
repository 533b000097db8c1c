"""Contours: where DE leaves the box. Lines of equal median POIS over F and Cr, a map per strategy, crossover and N."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product, zip_longest
from typing import Any

import numpy as np

from debox.analysis import names
from debox.analysis.leaving import ENDS, logit_like, quantiles
from debox.analysis.names import with_adaptation
from debox.analysis.runs import Runs
from debox.figures.page import PAGE, Numbers, Page, adaptations_of, axes_of, file_name, obstacle, part_of
from debox.figures.style import GREY, Axes, thin, title_with_note
from debox.figures.tiles import Tiles, range_around, round_ticks

LEVELS, STYLES = (0.5, 0.9, 0.99), (":", "--", "-")
BANDS = {"below 0.5": "#f7f7f7", "0.5 to 0.9": "#bfd3e6", "0.9 to 0.99": "#8c96c6", "0.99 and more": "#6e016b"}
EDGES = [-ENDS - 1, *logit_like(LEVELS).tolist(), ENDS + 1]
SIZE = PAGE
CAPTION = (
    "Where {} leaves the box: the lines median POIS = 0.5, 0.9 and 0.99 over Cr and F, a map per strategy "
    "(rows), crossover and N (columns)."
)
NEEDS = "lines over Cr and F need two values of each, this study has one "


def pages(runs: Runs) -> Iterator[Page]:
    """A page per mutation, and per adaptation, if there are several."""
    return (page(runs, *which) for which in product(runs.axes["mutation"], adaptations_of(runs)))


def page(runs: Runs, mutation: str, adaptation: str = "") -> Page:
    """The page of one mutation, and one adaptation, if there are several."""
    part = part_of(runs, mutation=mutation, adaptation=adaptation)
    few = [name for name in ("F", "Cr") if len(runs.axes[name]) < 2]
    short = names.short("mutation", mutation)
    return Page(
        file_name("contours", short, adaptation),
        CAPTION.format(with_adaptation(f"DE/{short}", adaptation)),
        SIZE,
        numbers,
        draw,
        (runs, mutation, adaptation),
        legend=legend,
        legend_columns=len(BANDS),
        runs=part,
        obstacle=obstacle(part, NEEDS + " and one ".join(few) if few else ""),
    )


def numbers(runs: Runs, mutation: str, adaptation: str = "") -> Numbers:
    """Median POIS of each configuration, and how many runs it is of."""
    part = part_of(runs, mutation=mutation, adaptation=adaptation)
    (median,) = quantiles(part["pois"][0], [0.5])
    return {**axes_of(part, "crossover", "strategy", "N", "F", "Cr"), "median": median, "runs": part.counts[0]}


def draw(ax: Axes, runs: Runs, mutation: str, adaptation: str = "") -> Axes:
    """All maps in one Axes, with a dot at each configuration that has runs and a cross where they are missing."""
    found = numbers(runs, mutation, adaptation)
    crossovers, strategies, Ns, F, Cr = (found[name] for name in ("crossover", "strategy", "N", "F", "Cr"))
    columns = list(product(range(len(crossovers)), range(len(Ns))))
    tiles = Tiles(len(columns), len(strategies), range_around(Cr), range_around(F))
    colours = list(BANDS.values())
    for row, (column, (i, k)) in product(range(len(strategies)), enumerate(columns)):
        height = np.ma.masked_invalid(logit_like(found["median"][i, row, k]))
        x, y = tiles.at(column, row, *np.meshgrid(Cr, F))
        if min(height.shape) > 1 and height.count():
            ax.contourf(x, y, height, EDGES, colors=colours)
            ax.contour(x, y, height, EDGES[1:-1], colors="black", linewidths=2 * thin(), linestyles=STYLES)
        band = np.searchsorted(EDGES[1:-1], height.compressed(), side="right")
        there = ~np.ma.getmaskarray(height)
        dots = ax.scatter(x[there], y[there], s=4 * thin(), c=[colours[one] for one in band], zorder=3)
        dots.set(edgecolors="black", linewidths=0.3 * thin())
        ax.plot(x[~there], y[~there], "x", color=GREY, ms=3, mew=thin())
        if not there.any():
            tiles.crosses(ax, [(column, row)])
    tiles.outline(ax)
    tiles.ticks(ax, round_ticks(Cr), round_ticks(F))
    titles = [f"{crossovers[i]}, N={Ns[k]:g}" for i, k in columns]
    tiles.titles(ax, titles, [names.short("strategy", name) for name in strategies])
    ax.set(xlabel="Cr", ylabel="F")
    name = with_adaptation(f"DE/{names.short('mutation', mutation)}", adaptation)
    note = part_of(runs, mutation=mutation, adaptation=adaptation).missing
    ax.set_title(title_with_note(name, note), pad=16)
    return ax


def legend() -> list[Any]:
    """Bands, and each line below the band that ends at it."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    bands = [Patch(facecolor=band, edgecolor="black", lw=thin(), label=name) for name, band in BANDS.items()]
    lines = [
        Line2D([], [], color="black", lw=2 * thin(), ls=style, label=f"median POIS = {level:g}")
        for level, style in zip(LEVELS, STYLES, strict=True)
    ]
    return [mark for both in zip_longest(bands, lines) for mark in both if mark is not None]
