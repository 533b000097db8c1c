"""Factor shares: how much each factor makes of the differences between configurations, in mean POIS.

It needs the same number of runs of all combinations of levels, and two factors with several levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from debox.analysis.factors import HEADS, STATISTICS, factors
from debox.analysis.factors import obstacle as why_no_factors
from debox.analysis.runs import Runs
from debox.figures.page import Numbers, Page, obstacle
from debox.figures.style import ORANGE, TEAL, VIOLET, Axes, thin

SIZE = (5.0, 3.4)
CAPTION = (
    "What drives mean POIS: three bars with intervals for each factor, its share of the variance between "
    "configurations alone, with interactions, and with interactions divided evenly (Shapley)."
)
BAR = 0.26  # height of one of three bars
COLOURS = {"first": VIOLET, "total": TEAL, "shapley": ORANGE}


def pages(runs: Runs) -> Iterator[Page]:
    """One figure."""
    reason = obstacle(runs, why_no_factors(runs))
    yield Page("factors-shares", CAPTION, SIZE, numbers, draw, (runs,), legend=legend, runs=runs, obstacle=reason)


def numbers(runs: Runs) -> Numbers:
    """The shares of each factor with several levels and the ends of their intervals, the largest total share first."""
    found = factors(runs)
    several = (name for name, levels in found.axes.items() if len(levels) > 1)
    names = sorted(several, key=lambda name: -np.nan_to_num(found.total[name].value))
    columns: Numbers = {
        "factor": np.array(names, object),
        "levels": np.array([len(found.axes[name]) for name in names]),
    }
    for kind, shares in found.shares().items():
        value, low, high = np.transpose([shares[name] for name in names])
        columns |= {kind: value, f"{kind}_low": low, f"{kind}_high": high}
    return columns


def draw(ax: Axes, runs: Runs) -> Axes:
    """Three bars per factor, the first one on top, each with its interval and its number if they are known."""
    found = numbers(runs)
    rows = np.arange(len(found["factor"]))
    for k, kind in enumerate(HEADS):
        value, low, high = (100 * found[name] for name in (kind, f"{kind}_low", f"{kind}_high"))
        ax.barh(rows + (k - 1) * BAR, np.nan_to_num(value), BAR, color=COLOURS[kind])
        for y, share, start, end in zip(rows + (k - 1) * BAR, value, low, high, strict=True):
            known = np.isfinite([share, start, end]).all()
            if known:
                ax.plot([start, end], [y, y], color="black", lw=2 * thin(), marker="|", ms=3, mew=2 * thin())
            right = max(np.nan_to_num([share, start, end], posinf=0, neginf=0))
            ax.text(right, y, f" {share:.1f}" if known else " unknown", va="center", size="x-small")
    ax.set_yticks(rows, [f"{name} ({levels})" for name, levels in zip(found["factor"], found["levels"], strict=True)])
    ax.invert_yaxis()
    ax.margins(x=0.1)
    ax.axvline(0, color="black", lw=thin())
    ax.set(xlabel="share of the variance between configurations, in %", title=STATISTICS["mean"].title)
    return ax


def legend() -> list[Any]:
    """What the bars are."""
    from matplotlib.patches import Patch

    return [Patch(facecolor=COLOURS[kind], label=label) for kind, label in HEADS.items()]
