"""An interaction of two factors drawn with matplotlib: as lines and as a map."""

from __future__ import annotations

from math import floor, log10

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from debox.figures.data.factor_interaction import Interaction
from debox.figures.draw.style import legend_below

CROWD = 6  # levels whose names have room side by side
DARK = 0.6  # of the largest number on the map: from here on, text on it is white


def draw_page(figure: Figure, record: Interaction) -> None:
    """Lines at the left, the map at the right."""
    left, right = figure.subplots(1, 2)
    draw_lines(left, record)
    draw_map(right, record)
    handles = [Line2D([], [], color="black", label="mean"), Line2D([], [], color="black", ls=":", label="additive")]
    legend_below(figure, handles, 2)


def draw_lines(ax: Axes, record: Interaction) -> Axes:
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


def draw_map(ax: Axes, record: Interaction) -> Axes:
    """What the interaction adds at each pair of levels: orange above, violet below what is additive."""
    component = np.array(record.component)
    most = abs(component).max() or 1.0
    digits = max(1 - floor(log10(most)), 0)  # two that matter of the largest
    ax.imshow(component, cmap="PuOr_r", vmin=-most, vmax=most, aspect="auto")
    if record.first in ("N", "F", "Cr"):
        ax.invert_yaxis()  # numbers grow upward, as in other figures
    for (row, column), added in np.ndenumerate(component):
        number = f"{round(added, digits) + 0.0:+.{digits}f}"
        colour = "white" if abs(added) > DARK * most else "black"
        ax.text(column, row, number, ha="center", va="center", size="x-small", color=colour)
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
