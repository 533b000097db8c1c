"""The overview drawn with matplotlib: median, spread and camps of POIS of all configurations on one page."""

from __future__ import annotations

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from debox.analysis.scale import ENDS, TICKS, logit_like
from debox.analysis.summary import Summary
from debox.figures.data.overview import Overview
from debox.figures.draw.mosaic import Colour, cells, draw_mosaic, draw_scale
from debox.figures.draw.style import legend_below, readable_colour_on, thin

COLOURS = colormaps["viridis"]  # perceptually uniform, safe for the colour-blind, rising lightness: works in grey too
SMALLEST_BAR = 0.1  # a smaller spread is not marked: its bar would be a dot


def draw_page(figure: Figure, record: Overview) -> None:
    """All configurations, and what the marks are."""
    draw_in(figure.add_subplot(), record)
    legend_below(figure, marks(), 3)


def draw_in(ax: Axes, record: Overview) -> Axes:
    """Colour: median POIS; a bar for the spread, a cell's height being POIS 0 to 1; two dots: the medians of camps."""
    draw_mosaic(ax, record, colour)
    marked = [(x + 0.5, y, cell, readable_colour_on(rgba)) for (x, y), cell in cells(record) if (rgba := colour(cell))]
    bars = [(x, y, cell, contrast) for x, y, cell, contrast in marked if cell.high - cell.low >= SMALLEST_BAR]
    lines = LineCollection([[(x, y + cell.low), (x, y + cell.high)] for x, y, cell, _ in bars], capstyle="butt")
    lines.set(colors=[contrast for *_, contrast in bars], linewidths=1.4 * thin())
    ax.add_collection(lines)
    dots = [(x, y + camp, contrast) for x, y, cell, contrast in marked for camp in cell.camps]
    ax.scatter([x for x, _, _ in dots], [y for _, y, _ in dots], s=9 * thin(), c=[c for *_, c in dots], lw=0, zorder=3)
    colours = ScalarMappable(Normalize(-ENDS, ENDS), COLOURS)
    bar = draw_scale(ax, colours, "median POIS of the runs")
    bar.set_ticks(logit_like(TICKS).tolist(), labels=[f"{tick:g}" for tick in TICKS])
    return ax


def colour(cell: Summary) -> Colour | None:
    """The colour of the median; none without runs."""
    return COLOURS((float(logit_like(cell.median)) / ENDS + 1) / 2) if cell.runs else None


def marks() -> list[Line2D]:
    """The legend: what the bars, dots and crosses are."""
    labels = {
        "|": "5 to 95 % of the runs (cell height: POIS 0 to 1)",
        "$:$": "two camps of runs (bimodal)",
        "x": "no runs",
    }
    return [Line2D([], [], ls="", marker=marker, color="black", ms=5, label=label) for marker, label in labels.items()]
