"""Factor interaction: how the two factors that interact most in mean POIS do so, as lines and as a map.

It needs the same number of runs of all combinations of levels, and two factors with several levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, log10
from typing import Any

import numpy as np

from debox.analysis.factors import STATISTICS, Factors, factors
from debox.analysis.factors import obstacle as why_no_factors
from debox.analysis.names import short
from debox.analysis.runs import Runs
from debox.figures.page import Floats, Numbers, Page, axes_of, obstacle
from debox.figures.style import Axes, Figure
from debox.operators import SLOTS

SIZE = (7.2, 2.8)
CAPTION = (
    "The two factors that interact most: mean POIS at their levels, over all levels of the other factors, as lines, "
    "dotted were there no interaction; and a map of what the interaction adds."
)
CROWD = 6  # levels whose names have room side by side
DARK = 0.6  # of the largest number on the map: from here on, text on it is white


def pages(runs: Runs) -> Iterator[Page]:
    """One figure."""
    yield Page(
        "factors-interaction",
        CAPTION,
        SIZE,
        numbers,
        arguments=(runs,),
        draw_page=draw_page,
        legend=legend,
        legend_columns=2,
        runs=runs,
        obstacle=obstacle(runs, why_no_factors(runs)),
    )


def numbers(runs: Runs) -> Numbers:
    """Means over all but two factors, that with fewer levels first, and what they were without an interaction."""
    return numbers_of(runs, factors(runs))


def numbers_of(runs: Runs, found: Factors) -> Numbers:
    """The numbers of the strongest pair of factors."""
    pair = found.strongest_pair
    additive = found.effects[()] + np.add.outer(*(found.effects[name,] for name in pair))
    arrays = {"mean": additive + found.effects[pair], "additive": additive}
    if additive.shape[0] > additive.shape[1]:
        pair, arrays = pair[::-1], {name: array.T for name, array in arrays.items()}
    return {**axes_of(runs, *pair), **arrays}


def draw_page(figure: Figure, runs: Runs) -> None:
    """Lines at the left, the map at the right."""
    analysis = factors(runs)
    (first, rows), (second, columns), *arrays = numbers_of(runs, analysis).items()
    names = {
        name: [short(name, level) if name in SLOTS else f"{level:g}" for level in levels]
        for name, levels in ((first, rows), (second, columns))
    }
    (_, mean), (_, additive) = arrays
    left, right = figure.subplots(1, 2)
    draw_lines(left, mean, additive, [f"{first} {level}" for level in names[first]])
    left.set(ylabel=STATISTICS["mean"].title)
    draw_map(right, mean - additive)
    if first not in SLOTS:
        right.invert_yaxis()  # numbers grow upward, as in other figures
    for ax in (left, right):
        many = len(columns) > CROWD
        ax.set_xticks(range(len(columns)), names[second], rotation=90 if many else 0)
        ax.set(xlabel=second)
    right.set_yticks(range(len(rows)), names[first])
    right.set(ylabel=first)
    share = analysis.components[analysis.strongest_pair]
    right.set_title(f"{first} × {second} adds ({share.percent()} of the variance)")


def draw_lines(ax: Axes, mean: Floats, additive: Floats, labels: list[str]) -> None:
    """A line per level of the first factor against the second; dotted: were there no interaction."""
    from matplotlib import colormaps

    colours = colormaps["viridis"](np.linspace(0, 0.85, len(mean)))
    for label, solid, dotted, colour in zip(labels, mean, additive, colours, strict=True):
        ax.plot(range(len(solid)), solid, color=colour, marker=".", label=label)
        ax.plot(range(len(solid)), dotted, color=colour, ls=":")
    ax.legend(frameon=False, fontsize="small")


def draw_map(ax: Axes, component: Floats) -> None:
    """What the interaction adds at each pair of levels: orange above, violet below what is additive."""
    most = abs(component).max() or 1.0
    digits = max(1 - floor(log10(most)), 0)  # two that matter of the largest
    ax.imshow(component, cmap="PuOr_r", vmin=-most, vmax=most, aspect="auto")
    for (row, column), added in np.ndenumerate(component):
        number = f"{round(added, digits) + 0.0:+.{digits}f}"
        colour = "white" if abs(added) > DARK * most else "black"
        ax.text(column, row, number, ha="center", va="center", size="x-small", color=colour)


def legend() -> list[Any]:
    """What the two kinds of lines are."""
    from matplotlib.lines import Line2D

    return [Line2D([], [], color="black", label="mean"), Line2D([], [], color="black", ls=":", label="additive")]
