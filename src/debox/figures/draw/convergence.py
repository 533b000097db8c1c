"""The course of a run drawn with matplotlib."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from debox.figures.data.convergence import Convergence, Curve
from debox.figures.draw.style import BLUE, TEAL, VIOLET


def draw_page(figure: Figure, record: Convergence) -> None:
    """Best value, spread and POIS, one above the other."""
    axes = figure.subplots(3, 1, sharex=True, height_ratios=[2, 1, 1])
    for ax, curve, colour in zip(axes, record.curves, (VIOLET, TEAL, BLUE), strict=True):
        draw_curve(ax, curve, colour)
    axes[-1].set_ylim(bottom=0)
    axes[-1].set_xlabel("evaluations")
    axes[0].set_title(record.title)
    figure.align_ylabels()


def draw_in(ax: Axes, record: Convergence) -> Axes:
    """The best value alone."""
    draw_curve(ax, record.fun, VIOLET)
    ax.set_xlabel("evaluations")
    ax.set_title(record.title)
    return ax


def draw_curve(ax: Axes, curve: Curve, colour: str) -> None:
    """Stairs: a value holds until the next one is known."""
    ax.step(curve.evaluations, curve.values, where="post", color=colour)
    if curve.is_log:
        ax.set_yscale("log")
    else:
        ax.yaxis.set_major_locator(MaxNLocator(4))
    ax.set_xlim(left=0)
    ax.set_ylabel(curve.label.replace(" so ", "\nso "))
