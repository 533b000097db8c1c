"""What happened at the bounds, drawn with matplotlib: the range of each variable, and violations outside of it."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from debox.figures.data.walls import Row, Side, Walls
from debox.figures.draw.shapes import Polyline, rectangle
from debox.figures.draw.style import GREY, ORANGE, TEAL, VIOLET, legend_below, thin

OUTSIDE = 0.6  # the length of the longest bar, in widths of the range
DIGITS = 0.4  # room for a number beyond a bar
HEIGHT = 0.5  # of a bar, as a share of its row
NEAR = 0.05  # a smaller share of the population near a bound is not worth a number
LOUD = {"on the bound": ORANGE, "drifting": VIOLET}


def draw_page(figure: Figure, record: Walls) -> None:
    """All variables with their key."""
    draw_in(figure.add_subplot(), record)
    legend_below(figure, key(), 3)


def draw_in(ax: Axes, record: Walls) -> Axes:
    """A row per variable, the first at the top: its range from bound to bound, x within, violations on either side."""
    scale = OUTSIDE / max(*record.most, 1)
    early, late, ranges = list[Polyline](), list[Polyline](), list[Polyline]()
    for place, row in enumerate(record.rows):
        ranges.append([(0, place), (1, place)])
        for bound, sign, side in ((0, -1, row.lower), (1, 1, row.upper)):
            first, end = bound + sign * scale * side.early, bound + sign * scale * side.violations
            early += [rectangle(bound, first, place - HEIGHT / 2, place + HEIGHT / 2)] if side.early else []
            late += [rectangle(first, end, place - HEIGHT / 2, place + HEIGHT / 2)] if side.late else []
            label_side(ax, place, bound, sign, side, end)
        ax.plot([row.place], [place], "o", color="black", markersize=6 * thin(), zorder=3)
        draw_verdict(ax, place, row)
    ax.add_collection(LineCollection(ranges, colors=GREY, linewidths=2 * thin()))
    ax.add_collection(PolyCollection(early, facecolors=TEAL, linewidths=0))
    ax.add_collection(PolyCollection(late, facecolors=VIOLET, linewidths=0))
    for bound in (0, 1):
        ax.axvline(bound, color="black", linewidth=thin(), zorder=0)
    label_axes(ax, record)
    return ax


def label_side(ax: Axes, place: int, bound: int, sign: int, side: Side, end: float) -> None:
    """The number of violations beyond the bar, and the share of the population near the bound, within the range."""
    look: dict[str, Any] = {"va": "center", "size": "small", "textcoords": "offset points"}
    outward, inward = ("right", "left") if sign < 0 else ("left", "right")
    if side.violations:
        ax.annotate(f"{side.violations:,}", (end, place), (2 * sign, 0), ha=outward, **look)
    if side.near >= NEAR:
        text, at = f"{100 * side.near:.0f} %", (-5 * sign, 4)
        ax.annotate(text, (bound, place), at, ha=inward, color="0.35", **look | {"va": "bottom", "size": "x-small"})


def draw_verdict(ax: Axes, place: int, row: Row) -> None:
    """At the right edge."""
    look: dict[str, Any] = {"va": "center", "size": "small", "color": LOUD.get(row.verdict, "0.35")}
    ax.annotate(row.verdict, (1, place), (4, 0), xycoords=("axes fraction", "data"), textcoords="offset points", **look)


def label_axes(ax: Axes, record: Walls) -> None:
    """Names at the left, bounds below."""
    left, right = (OUTSIDE * most / max(*record.most, 1) + (DIGITS if most else 0.05) for most in record.most)
    ax.set(xlim=(-left, 1 + right), ylim=(len(record.rows) - 0.4, -0.6))
    ax.set_xticks([0, 1], ["lower\nbound", "upper\nbound"])
    ax.set_yticks(range(len(record.rows)), [row.name for row in record.rows])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    if any(side.near >= NEAR for row in record.rows for side in (row.lower, row.upper)):
        ax.set_xlabel("%: final population within 1 % of the range from the bound", size="small", color="0.35")
    more = record.variables - len(record.rows)
    ax.set_title("violations of the bounds" + (f"\n({more} variables with fewer are not shown)" if more else ""))


def key() -> list[Line2D | Patch]:
    """What bars and dots are."""
    return [
        Patch(color=TEAL, lw=0, label="violations, early"),
        Patch(color=VIOLET, lw=0, label="violations, late"),
        Line2D([], [], marker="o", ls="", color="black", markersize=6 * thin(), label="x"),
    ]
