"""Compare: the final values of several strategies on one function, run by run, with medians and their intervals."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from debox.figures.page import COLUMN, Numbers, Page
from debox.figures.style import GREY, ORANGE, TEAL, VIOLET, Axes, thin

if TYPE_CHECKING:
    from debox.optimize.compare import Comparison  # which needs the loop, and drawing does not

ROW = 0.24  # inches per strategy
SPREAD = 0.5  # of the dots of a row, upward; those of one seed have the same height within their rows
DOTS = {  # colour and meaning, by the verdict on a strategy
    "best": (TEAL, "a run of the best strategy"),
    "": (GREY, "not worse beyond chance"),
    "worse": (ORANGE, "worse beyond chance"),
}
CAPTION = "Final values of {}: a dot per run, medians with their intervals, the best strategy at the top."


def page(comparison: Comparison) -> Page:
    """The figure of what `debox.compare` returns."""
    size = COLUMN, 1.1 + ROW * len(comparison.strategies)
    caption, key = CAPTION.format(comparison.variant), partial(legend, comparison)
    return Page("compare", caption, size, numbers, draw, (comparison,), legend=key, legend_columns=2)


def numbers(comparison: Comparison) -> Numbers:
    """Of each strategy, the best first: its final values, their median and its interval, median POIS, best or worse."""
    order = [comparison.strategies.index(name) for name in comparison.order]
    verdict = ["best" if name == comparison.best else "worse" * (name in comparison.worse) for name in comparison.order]
    return {
        "strategy": np.array(comparison.order, object),
        "values": comparison.values[order],  # run k of all strategies has the same seed
        "median": comparison.medians[order],
        "interval": comparison.intervals[order],
        "pois": np.sort(comparison.pois[order])[:, len(comparison.seeds) // 2],
        "verdict": np.array(verdict, object),
    }


def draw(ax: Axes, comparison: Comparison) -> Axes:
    """A row per strategy, the best at the top: a dot per run, a bar for the interval, a stroke for the median.

    The axis is logarithmic where all values are positive and span more than a factor of 10; infinite ones are left out.
    """
    from matplotlib.collections import LineCollection
    from matplotlib.ticker import MaxNLocator

    found, runs = numbers(comparison), len(comparison.seeds)
    rows = range(len(found["strategy"]))
    for place in rows:
        heights = [place + SPREAD * (k / max(runs - 1, 1) - 0.5) for k in range(runs)]
        colour, _ = DOTS[found["verdict"][place]]
        ax.scatter(found["values"][place], heights, s=(5 * thin()) ** 2, color=colour, linewidths=0)
        if np.isfinite(found["interval"][place]).all():
            bar = [(end, place) for end in found["interval"][place]]
            ax.add_collection(LineCollection([bar], colors=VIOLET, linewidths=2 * thin()))
        stroke: dict[str, Any] = {"marker": "|", "markersize": 14 * thin(), "markeredgewidth": 3 * thin()}
        ax.plot([found["median"][place]], [place], color=VIOLET, **stroke)
    least, most = found["values"].min(), found["values"].max()
    if 0 < 10 * least < most:
        ax.set_xscale("log")
    else:
        ax.ticklabel_format(axis="x", useOffset=False)
        ax.xaxis.set_major_locator(MaxNLocator(3))
    ax.set_yticks(rows, found["strategy"])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("best value of a run")
    ax.set_title(f"{comparison.variant}, {runs} runs of {comparison.evaluations.max():,} evaluations")
    pois = ax.secondary_yaxis("right")
    pois.set_yticks(rows, [f"{value:.2f}" for value in found["pois"]])
    pois.tick_params(length=0, labelcolor="0.35")
    pois.spines["right"].set_visible(False)
    ax.annotate("POIS", (1, 1), (3, 0), "axes fraction", "offset points", va="bottom", color="0.35")
    return ax


def legend(comparison: Comparison) -> list[Any]:
    """What dots, colours and bars are."""
    from matplotlib.lines import Line2D

    bar = Line2D([], [], color=VIOLET, lw=2 * thin(), label=f"median, {100 * comparison.confidence:.0f} % interval")
    bar.set(marker="|", markersize=10 * thin(), markeredgewidth=3 * thin())
    dot: dict[str, Any] = {"marker": "o", "ls": "", "markersize": 5 * thin(), "markeredgewidth": 0}
    there = numbers(comparison)["verdict"]
    return [bar, *(Line2D([], [], color=DOTS[one][0], label=DOTS[one][1], **dot) for one in DOTS if one in there)]
