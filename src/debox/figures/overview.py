"""Overview: median and spread of POIS of all configurations on one page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from debox.analysis.leaving import ENDS, HIGH, LOW, TICKS, logit_like, quantiles
from debox.analysis.runs import Runs
from debox.figures.mosaic import Mosaic, draw_scale, places
from debox.figures.page import PAGE, Numbers, Page, axes_of, obstacle
from debox.figures.style import Axes, readable_colour_on, thin

CAPTION = "Median POIS of every configuration as a coloured cell, and a bar for the spread over the runs: {}."
COLOURS = "viridis"  # perceptually uniform, safe for the colour-blind, rising lightness: works in grey too
SMALLEST_BAR = 0.1  # a smaller spread is not marked: its bar would be a dot


def pages(runs: Runs) -> Iterator[Page]:
    """The page of all configurations."""
    what = CAPTION.format(places(runs))
    yield Page("overview", what, PAGE, numbers, draw, (runs,), legend=legend, runs=runs, obstacle=obstacle(runs))


def numbers(runs: Runs) -> Numbers:
    """Median, 5 % and 95 % quantile of POIS over the runs of each configuration, NaN without runs."""
    found = dict(zip(("low", "median", "high"), quantiles(runs["pois"], (LOW, 0.5, HIGH)), strict=True))
    return {**axes_of(runs, *runs.axes), **found, "runs": runs.counts}


def draw(ax: Axes, runs: Runs) -> Axes:
    """Colour: median POIS; a bar for the spread, a cell's height being POIS 0 to 1."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.collections import LineCollection
    from matplotlib.colors import Normalize

    mosaic, found, colours = Mosaic(runs), numbers(runs), colormaps[COLOURS]
    low, median, high = (mosaic.arrange(found[name]) for name in ("low", "median", "high"))
    shades = (logit_like(median) / ENDS + 1) / 2
    mosaic.draw(ax, shades, colours)
    wide = high - low >= SMALLEST_BAR
    x, y = mosaic.x[wide] + 0.5, mosaic.y[wide]
    bars = [[(a, b + c), (a, b + d)] for a, b, c, d in zip(x, y, low[wide], high[wide], strict=True)]
    ink = [readable_colour_on(rgba) for rgba in colours(shades[wide])]
    ax.add_collection(LineCollection(bars, capstyle="butt", colors=ink, linewidths=1.4 * thin()))
    bar = draw_scale(ax, ScalarMappable(Normalize(-ENDS, ENDS), colours), "median POIS of the runs")
    bar.set_ticks(logit_like(TICKS).tolist(), labels=[f"{tick:g}" for tick in TICKS])
    return ax


def legend() -> list[Any]:
    """What the bars and crosses are."""
    from matplotlib.lines import Line2D

    labels = {"|": "5 to 95 % of the runs (cell height: POIS 0 to 1)", "x": "no runs"}
    return [Line2D([], [], ls="", marker=marker, color="black", ms=5, label=label) for marker, label in labels.items()]
