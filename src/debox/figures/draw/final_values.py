"""Final values per strategy drawn with matplotlib: a dot per run, the median and its interval."""

from __future__ import annotations

from math import isfinite
from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from debox.figures.data.final_values import FinalValues, Row
from debox.figures.draw.style import GREY, ORANGE, TEAL, VIOLET, legend_below, thin

COLOURS = {"best": TEAL, "worse": ORANGE, "": GREY}
SPREAD = 0.5  # of the dots of a row, upward; those of one seed have the same height within their rows


def draw_page(figure: Figure, record: FinalValues) -> None:
    """All rows with their key."""
    draw_in(figure.add_subplot(), record)
    legend_below(figure, key(record), 2)


def draw_in(ax: Axes, record: FinalValues) -> Axes:
    """A row per strategy, the best at the top; f to the right."""
    for place, row in enumerate(record.rows):
        draw_row(ax, place, row)
    ax.set_xscale("log" if record.is_log else "linear")
    if not record.is_log:
        ax.ticklabel_format(axis="x", useOffset=False)
        ax.xaxis.set_major_locator(MaxNLocator(3))
    ax.set_yticks(range(len(record.rows)), [row.strategy for row in record.rows])
    ax.set_ylim(len(record.rows) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("best value of a run")
    ax.set_title(record.title)
    pois = ax.secondary_yaxis("right")
    pois.set_yticks(range(len(record.rows)), [f"{row.pois:.2f}" for row in record.rows])
    pois.tick_params(length=0, labelcolor="0.35")
    pois.spines["right"].set_visible(False)
    at: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    ax.annotate("POIS", (1, 1), (3, 0), **at, va="bottom", color="0.35")
    return ax


def draw_row(ax: Axes, place: int, row: Row) -> None:
    """Dots for the runs, a bar for the interval, a stroke for the median; infinite values are left out."""
    runs = len(row.values)
    heights = [place + SPREAD * (k / max(runs - 1, 1) - 0.5) for k in range(runs)]
    ax.scatter(row.values, heights, s=(5 * thin()) ** 2, color=COLOURS[row.verdict], linewidths=0)
    if all(map(isfinite, row.interval)):
        lines = [[(row.interval[0], place), (row.interval[1], place)]]
        ax.add_collection(LineCollection(lines, colors=VIOLET, linewidths=2 * thin()))
    ax.plot([row.median], [place], marker="|", markersize=14 * thin(), markeredgewidth=3 * thin(), color=VIOLET)


def key(record: FinalValues) -> list[Line2D]:
    """What dots, colours and bars are."""
    dot: dict[str, Any] = {"marker": "o", "ls": "", "markersize": 5 * thin(), "markeredgewidth": 0}
    names = {"best": "a run of the best strategy", "": "not worse beyond chance", "worse": "worse beyond chance"}
    bar = Line2D([], [], color=VIOLET, lw=2 * thin(), label=f"median, {100 * record.confidence:.0f} % interval")
    bar.set(marker="|", markersize=10 * thin(), markeredgewidth=3 * thin())
    shown = [verdict for verdict in names if any(row.verdict == verdict for row in record.rows)]
    return [bar, *(Line2D([], [], color=COLOURS[verdict], label=names[verdict], **dot) for verdict in shown)]
