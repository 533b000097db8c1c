"""Factors in ink: bars with intervals, and an interaction as lines and as a map."""

from __future__ import annotations

from math import floor, log10

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from debox.analysis.factors.result import HEADS
from debox.figures.data.factors import Interaction, Shares
from debox.figures.draw.style import ORANGE, TEAL, VIOLET, legend_below, thin

BAR = 0.26  # height of one of three bars
COLOURS = {"first": VIOLET, "total": TEAL, "shapley": ORANGE}
CROWD = 6  # levels whose names have room side by side
DARK = 0.6  # of the largest number on the map: from here on, text on it is white


def shares(figure: Figure, record: Shares) -> None:
    """Bars of all factors, and what they are."""
    shares_in(figure.add_subplot(), record)
    legend_below(figure, [Patch(facecolor=COLOURS[kind], label=HEADS[kind]) for kind in HEADS], len(HEADS))


def shares_in(ax: Axes, record: Shares) -> Axes:
    """Three bars per factor, the first one on top, each with its interval and its number."""
    names = [f"{one.name} ({one.levels})" for one in record.factors]
    for k, kind in enumerate(HEADS):
        found = [getattr(one, kind) for one in record.factors]
        y = np.arange(len(found)) + (k - 1) * BAR
        ax.barh(y, [100 * np.nan_to_num(share.value) for share in found], BAR, color=COLOURS[kind])
        for at, share in zip(y, found, strict=True):
            ends = np.array([share.value, share.low, share.high])
            if np.isfinite(ends).all():
                ax.plot(100 * ends[1:], [at, at], color="black", lw=2 * thin(), marker="|", ms=3, mew=2 * thin())
            label = f" {100 * share.value:.1f}" if np.isfinite(ends).all() else " unknown"
            ax.text(100 * max(np.nan_to_num(ends, posinf=0, neginf=0)), at, label, va="center", size="x-small")
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.margins(x=0.1)
    ax.axvline(0, color="black", lw=thin())
    ax.set(xlabel="share of the variance between configurations, in %", title=record.title)
    return ax


def interaction(figure: Figure, record: Interaction) -> None:
    """Lines at the left, the map at the right."""
    left, right = figure.subplots(1, 2)
    lines_in(left, record)
    map_in(right, record)
    handles = [Line2D([], [], color="black", label="mean"), Line2D([], [], color="black", ls=":", label="additive")]
    legend_below(figure, handles, 2)


def lines_in(ax: Axes, record: Interaction) -> Axes:
    """A line per level of the first factor against the second; dotted: were there no interaction."""
    x = range(len(record.second_levels))
    colours = colormaps["viridis"](np.linspace(0, 0.85, len(record.first_levels)))
    for level, means, additive, colour in zip(record.first_levels, record.means, record.additive, colours, strict=True):
        ax.plot(x, means, color=colour, marker=".", label=f"{record.first} {level}")
        ax.plot(x, additive, color=colour, ls=":")
    name_levels(ax, record)
    ax.set(ylabel=record.title)
    ax.legend(frameon=False, fontsize="small")
    return ax


def map_in(ax: Axes, record: Interaction) -> Axes:
    """What the interaction adds at each pair of levels: orange above, violet below what is additive."""
    component = np.array(record.component)
    most = abs(component).max() or 1.0
    digits = max(1 - floor(log10(most)), 0)  # two that matter of the largest
    ax.imshow(component, cmap="PuOr_r", vmin=-most, vmax=most, aspect="auto")
    for (row, column), added in np.ndenumerate(component):
        look = "white" if abs(added) > DARK * most else "black"
        ax.text(
            column,
            row,
            f"{round(added, digits) + 0.0:+.{digits}f}",
            ha="center",
            va="center",
            size="x-small",
            color=look,
        )
    name_levels(ax, record)
    ax.set_yticks(range(len(record.first_levels)), record.first_levels)
    ax.set(ylabel=record.first)
    ax.set_title(f"{record.first} × {record.second} adds ({record.share.percent()} of the variance)")
    return ax


def name_levels(ax: Axes, record: Interaction) -> None:
    """The levels of the second factor from left to right, upright if they are many."""
    many = len(record.second_levels) > CROWD
    ax.set_xticks(range(len(record.second_levels)), record.second_levels, rotation=90 if many else 0)
    ax.set(xlabel=record.second)
