"""The last step of Cr: mean POIS at the largest Cr against that at the one below, where more crossover keeps DE inside.

It needs two values of Cr and, of every configuration, the same number of runs, two or more.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from debox.analysis.last_step import FALL, LastStep
from debox.analysis.last_step import obstacle as why_no_last_step
from debox.analysis.names import short
from debox.analysis.runs import Runs
from debox.figures.page import Numbers, Page, axes_of, obstacle
from debox.figures.style import GREY, Figure, thin

HEIGHT, WIDTH, MOST_COLUMNS = 3.2, 2.4, 4  # inches; of N, the smallest that fit on a page
CAPTION = (
    "The last step of Cr: a dot for each configuration, its mean POIS at the largest Cr against that at the one below, "
    f"per population size; dots below the diagonal fall, and filled ones are shown to do so by more than {FALL}."
)
# Okabe and Ito's colours, which the colour-blind tell apart, and a shape each; they repeat after the last one.
COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*", "h", "d")


def pages(runs: Runs) -> Iterator[Page]:
    """One figure."""
    columns = min(len(runs.axes["N"]), MOST_COLUMNS)
    strategies = runs.axes["strategy"]
    yield Page(
        "last-step",
        CAPTION,
        (WIDTH * columns, HEIGHT),
        numbers,
        arguments=(runs,),
        draw_page=draw_page,
        legend=partial(legend, strategies),
        legend_columns=min(len(strategies), 3 * columns),
        runs=runs,
        obstacle=obstacle(runs, why_no_last_step(runs)),
    )


def numbers(runs: Runs) -> Numbers:
    """Mean shares of infeasible trials before and after the last step, and whether the fall is shown."""
    found = LastStep.of(runs)
    return {**axes_of(runs, *found.axes), "before": found.before, "after": found.after, "falls": found.falls}


def draw_page(figure: Figure, runs: Runs) -> None:
    """A square for each N, side by side: dots of all configurations, those that fall filled and on top."""
    found, (Cr, last_Cr) = numbers(runs), runs.axes["Cr"][-2:]
    at = [list(runs.axes).index(name) for name in ("N", "strategy")]
    before, after, falls = (np.moveaxis(found[name], at, (0, 1)) for name in ("before", "after", "falls"))
    squares = figure.subplots(1, min(len(before), MOST_COLUMNS), sharex=True, sharey=True, squeeze=False)[0]
    for n, ax in enumerate(squares):
        ax.plot([0, 1], [0, 1], color=GREY, lw=thin(), zorder=1)
        for k, strategy_falls in enumerate(falls[n]):
            for filled, size in ((False, 2.2), (True, 3.2)):
                chosen = strategy_falls == filled
                fill: dict[str, Any] = {} if filled else {"markerfacecolor": "none", "alpha": 0.35}
                fill |= {"ms": size, "mew": thin(), "zorder": 2 + filled}
                ax.plot(before[n, k][chosen], after[n, k][chosen], ls="", **look(k), **fill)
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xticks=(0, 0.5, 1), yticks=(0, 0.5, 1), aspect="equal")
        ax.set_xlabel(f"mean POIS at Cr = {Cr:g}")
        deep = (before[n] - after[n] > FALL).sum()
        shown = f"{falls[n].sum()} are shown to (filled)"
        ax.set_title(f"N = {runs.axes['N'][n]}: {deep} of {falls[n].size} fall by more than {FALL},\n{shown}")
    squares[0].set_ylabel(f"mean POIS at Cr = {last_Cr:g}")


def look(place: int) -> dict[str, Any]:
    """Colour and shape of the strategy at a place."""
    return {"color": COLOURS[place % len(COLOURS)], "marker": MARKERS[place % len(MARKERS)]}


def legend(strategies: tuple[str, ...]) -> list[Any]:
    """Which mark is which strategy."""
    from matplotlib.lines import Line2D

    names = [short("strategy", name) for name in strategies]
    return [Line2D([], [], ls="", ms=4, label=name, **look(k)) for k, name in enumerate(names)]
