"""The last step of Cr drawn with matplotlib: dots and a diagonal."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from debox.analysis.names import short
from debox.figures.data.last_step import LastStep, Step
from debox.figures.draw.style import GREY, legend_below, thin

# Okabe and Ito's colours, which the colour-blind tell apart, and a shape each; they repeat after the last one.
COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*", "h", "d")


def look(place: int) -> dict[str, Any]:
    """Colour and shape of the strategy at a place."""
    return {"color": COLOURS[place % len(COLOURS)], "marker": MARKERS[place % len(MARKERS)]}


def draw_page(figure: Figure, record: LastStep) -> None:
    """A square for each N, side by side, and which mark is which strategy."""
    squares = figure.subplots(1, len(record.columns), sharex=True, sharey=True, squeeze=False)[0]
    for ax, column in zip(squares, record.columns, strict=True):
        draw_square(ax, column, record)
    squares[0].set_ylabel(f"mean POIS at Cr = {record.Cr[1]:g}")
    names = [short("strategy", name) for name in record.strategies]
    marks = [Line2D([], [], ls="", ms=4, label=name, **look(k)) for k, name in enumerate(names)]
    legend_below(figure, marks, min(len(marks), 3 * len(record.columns)))


def draw_square(ax: Axes, column: Step, record: LastStep) -> None:
    """The dots of one N; those that fall are filled and on top, as the title says."""
    ax.plot([0, 1], [0, 1], color=GREY, lw=thin(), zorder=1)
    for k in range(len(record.strategies)):
        for falls in (False, True):
            chosen = (column.strategy == k) & (column.falls == falls)
            fill: dict[str, Any] = {} if falls else {"markerfacecolor": "none", "alpha": 0.35}
            size = 3.2 if falls else 2.2
            ax.plot(
                column.before[chosen],
                column.after[chosen],
                ls="",
                ms=size,
                mew=thin(),
                zorder=2 + falls,
                **look(k),
                **fill,
            )
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xticks=(0, 0.5, 1), yticks=(0, 0.5, 1), aspect="equal")
    ax.set_xlabel(f"mean POIS at Cr = {record.Cr[0]:g}")
    ax.set_title(f"N = {column.N}: {column.falling} of {len(column.falls)} fall (filled)")
