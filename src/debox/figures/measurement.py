"""Measurement: EDPOIS of one configuration, runs per tenth of POIS, as a rectangle of a panel with its axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from debox.edpois import BINS, COLOURS
from debox.figures.edpois import NOTCH
from debox.figures.page import COLUMN, Numbers, Page
from debox.figures.style import Axes, lines_of
from debox.figures.tiles import rectangle

SIZE = (COLUMN, 2.6)
LETTERS = 42  # of a line of the title


def page(m: Any) -> Page:
    """The figure of what `debox.measure` returns."""
    budget = f"{m.budget:,}".replace(",", " ")
    footer = f"f0, n = {m.n}, budget {budget}, {len(m.pois)} runs, seed {m.seed}"
    return Page("measurement", f"EDPOIS of {m.config}.", SIZE, numbers, draw, (m,), footer=footer)


def numbers(m: Any) -> Numbers:
    """Runs in [0, 0.1], (0.1, 0.2], …, (0.9, 1], by the upper ends."""
    return {"pois_up_to": np.arange(1, BINS + 1) / BINS, "runs": m.histogram()}


def draw(ax: Axes, m: Any) -> Axes:
    """POIS upward in ten bins, runs to the right, each bar with its number; a triangle at the mean."""
    from matplotlib.collections import PolyCollection
    from matplotlib.ticker import MaxNLocator

    counts, runs, colour = numbers(m)["runs"].tolist(), len(m.pois), m.colour()
    bars = []
    for k, count in enumerate(counts):
        low, high = k / BINS, (k + 1) / BINS
        notch = min(NOTCH * runs, count / 3) if colour == "orange" else 0  # as in a panel: orange differs in grey, too
        ends = [(0, (count - notch) / 2), ((count + notch) / 2, count)] if notch else [(0, count)]
        if count:
            bars += [rectangle(left, right, low, high) for left, right in ends]
            middle = count, (k + 0.5) / BINS
            ax.annotate(f"{count}", middle, (2, 0), textcoords="offset points", va="center", size="small")
    ax.add_collection(PolyCollection(bars, facecolors=COLOURS[colour], edgecolors="white", linewidths=0.3))
    ax.plot([0], [m.mean()], marker=">", color="black", markersize=4, clip_on=False, zorder=3)
    ax.set(xlim=(0, 1.08 * runs), ylim=(0, 1), yticks=[k / BINS for k in range(0, BINS + 1, 2)])
    ax.set(xlabel="runs", ylabel="POIS")
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    ax.set_title("\n".join([*lines_of(str(m.config), LETTERS), f"mean POIS {m.mean():.3f}"]))
    return ax
