"""Walls: what happened at the bounds of each variable in a run of `debox.minimize`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from debox.figures.page import COLUMN, Numbers, Page
from debox.figures.style import GREY, ORANGE, TEAL, VIOLET, Axes, thin
from debox.figures.tiles import rectangle

ROW = 0.22  # inches per variable
MOST = 20  # variables that are shown
OUTSIDE = 0.6  # the length of the longest bar, in widths of the range
DIGITS = 0.4  # room for a number beyond a bar
HEIGHT = 0.5  # of a bar, as a share of its row
NEAR = 0.05  # a smaller share of the population near a bound is not worth a number


LOUD = {"on the bound": ORANGE, "drifting": VIOLET}
CAPTION = "What happened at the bounds: per variable its range, x within it, and violations of either bound."


def page(result: Mapping[str, Any]) -> Page:
    """The figure of a result of `debox.minimize`."""
    size = COLUMN, 1.3 + ROW * len(numbers(result)["name"])
    return Page("walls", CAPTION, size, numbers, draw, (result,), legend=legend)


def numbers(result: Mapping[str, Any]) -> Numbers:
    """Of the variables that are not fixed, in their order: name, place of x between the bounds, violations, verdict.

    Of many, the MOST that are not free or have most violations. `early` and `late` (violations) and `near` (share of
    the final population within 1 % of the range) have a column for the lower bound and one for the upper.
    """
    walls = result["walls"]
    both = {name: [getattr(walls, f"{side}_{name}") for side in ("lower", "upper")] for name in ("early", "late")}
    both["near"] = [walls.near_lower, walls.near_upper]
    found = {name: np.transpose(columns) for name, columns in both.items()}
    found |= {"name": np.array(walls.names, object), "place": np.array(walls.distance_lower)}
    found["verdict"] = np.array(walls.verdict, object)
    violations = (found["early"] + found["late"]).sum(1)
    shown = np.flatnonzero(found["verdict"] != "fixed")
    first = np.lexsort((-violations[shown], found["verdict"][shown] == "free"))[:MOST]
    return {name: column[shown[np.sort(first)]] for name, column in found.items()}


def draw(ax: Axes, result: Mapping[str, Any]) -> Axes:
    """A row per variable, the first at the top: its range from bound to bound, x within, violations on either side."""
    from matplotlib.collections import LineCollection, PolyCollection

    found = numbers(result)
    rows, violations = range(len(found["name"])), found["early"] + found["late"]
    most = violations.max(0, initial=0)
    scale = OUTSIDE / max(*most, 1)
    early, late = [], []
    for place, verdict in enumerate(found["verdict"]):
        low, high = place - HEIGHT / 2, place + HEIGHT / 2
        for bound, sign in ((0, -1), (1, 1)):
            first, end = (bound + sign * scale * one[place, bound] for one in (found["early"], violations))
            early += [rectangle(bound, first, low, high)] * bool(found["early"][place, bound])
            late += [rectangle(first, end, low, high)] * bool(found["late"][place, bound])
            label_side(ax, place, bound, end, violations[place, bound], found["near"][place, bound])
        ax.plot([found["place"][place]], [place], "o", color="black", markersize=6 * thin(), zorder=3)
        at: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "va": "center"}
        ax.annotate(verdict, (1, place), (4, 0), size="small", color=LOUD.get(verdict, "0.35"), **at)
    ranges = [[(0, place), (1, place)] for place in rows]
    ax.add_collection(LineCollection(ranges, colors=GREY, linewidths=2 * thin()))
    ax.add_collection(PolyCollection(early, facecolors=TEAL, linewidths=0))
    ax.add_collection(PolyCollection(late, facecolors=VIOLET, linewidths=0))
    for bound in (0, 1):
        ax.axvline(bound, color="black", linewidth=thin(), zorder=0)
    left, right = (scale * longest + (DIGITS if longest else 0.05) for longest in most)
    ax.set(xlim=(-left, 1 + right), ylim=(len(rows) - 0.4, -0.6))
    ax.set_xticks([0, 1], ["lower\nbound", "upper\nbound"])
    ax.set_yticks(rows, found["name"])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    if (found["near"] >= NEAR).any():
        ax.set_xlabel("%: final population within 1 % of the range from the bound", size="small", color="0.35")
    more = sum(verdict != "fixed" for verdict in result["walls"].verdict) - len(rows)
    ax.set_title("violations of the bounds" + (f"\n({more} variables with fewer are not shown)" if more else ""))
    return ax


def label_side(ax: Axes, place: int, bound: int, end: float, violations: int, near: float) -> None:
    """The number of violations beyond the bar, and the share of the population near the bound, within the range."""
    sign, outward, inward = (1, "left", "right") if bound else (-1, "right", "left")
    look: dict[str, Any] = {"textcoords": "offset points"}
    if violations:
        ax.annotate(f"{violations:,}", (end, place), (2 * sign, 0), ha=outward, va="center", size="small", **look)
    if near >= NEAR:
        look |= {"color": "0.35", "va": "bottom", "size": "x-small"}
        ax.annotate(f"{100 * near:.0f} %", (bound, place), (-5 * sign, 4), ha=inward, **look)


def legend() -> list[Any]:
    """What bars and dots are."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    return [
        Patch(color=TEAL, lw=0, label="violations, early"),
        Patch(color=VIOLET, lw=0, label="violations, late"),
        Line2D([], [], marker="o", ls="", color="black", markersize=6 * thin(), label="x"),
    ]
