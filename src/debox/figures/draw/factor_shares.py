"""Shares of factors drawn with matplotlib: bars with intervals."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from debox.analysis.factors import HEADS, Share
from debox.figures.data.factor_shares import FactorShares
from debox.figures.draw.style import ORANGE, TEAL, VIOLET, legend_below, thin

BAR = 0.26  # height of one of three bars
COLOURS = {"first": VIOLET, "total": TEAL, "shapley": ORANGE}


def draw_page(figure: Figure, record: FactorShares) -> None:
    """Bars of all factors, and what they are."""
    draw_in(figure.add_subplot(), record)
    legend_below(figure, [Patch(facecolor=COLOURS[kind], label=HEADS[kind]) for kind in HEADS], len(HEADS))


def draw_in(ax: Axes, record: FactorShares) -> Axes:
    """Three bars per factor, the first one on top, each with its interval and its number."""
    for k, kind in enumerate(HEADS):
        shares = [getattr(one, kind) for one in record.factors]
        y = np.arange(len(shares)) + (k - 1) * BAR
        ax.barh(y, [100 * np.nan_to_num(share.value) for share in shares], BAR, color=COLOURS[kind])
        for at, share in zip(y, shares, strict=True):
            draw_interval(ax, at, share)
    ax.set_yticks(range(len(record.factors)), [f"{one.name} ({one.levels})" for one in record.factors])
    ax.invert_yaxis()
    ax.margins(x=0.1)
    ax.axvline(0, color="black", lw=thin())
    ax.set(xlabel="share of the variance between configurations, in %", title=record.title)
    return ax


def draw_interval(ax: Axes, y: float, share: Share) -> None:
    """From low to high, and the number to the right of it; nothing but a word for what is unknown."""
    known = np.isfinite(share).all()
    if known:
        ends = [100 * share.low, 100 * share.high]
        ax.plot(ends, [y, y], color="black", lw=2 * thin(), marker="|", ms=3, mew=2 * thin())
    right = 100 * max(np.nan_to_num(share, posinf=0, neginf=0))
    ax.text(right, y, f" {100 * share.value:.1f}" if known else " unknown", va="center", size="x-small")
