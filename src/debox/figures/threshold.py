"""How small a component's chance must be for a point to be feasible: p_max(t, n) = 1 − (1 − t)^(1/n)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, degrees
from typing import Any

import numpy as np

from debox.analysis.runs import Runs
from debox.f0.theory import p_max
from debox.figures.page import COLUMN, Numbers, Page
from debox.figures.style import Axes, readable_colour_on

SIZE = (COLUMN, 2.6)
DIMENSIONS = (10, 30, 100, 500)
CAPTION = (
    "The largest chance p_max of a component to leave the box such that a point does with chance t at most, against t, "
    "for n = 10, 30, 100 and 500: it falls nearly as t/n."
)
T = (*np.logspace(-3, -0.01, 121).tolist(), 0.99, 0.999, 0.9999, 0.99999, 1.0)  # ever closer to 1, where it is steep
LABEL_AT = 0.4  # share of the curve where its name stands


def pages(runs: Runs | None = None) -> Iterator[Page]:
    """One page, the same for all runs."""
    yield page()


def page(dimensions: Sequence[int] = DIMENSIONS) -> Page:
    """The page with a curve for each n."""
    return Page("threshold", CAPTION, SIZE, numbers, draw, (dimensions,))


def numbers(dimensions: Sequence[int] = DIMENSIONS) -> Numbers:
    """p_max for each n, from t = 0.001 to 1."""
    p = np.array([[p_max(t, n) for t in T] for n in dimensions])
    return {"n": np.array(dimensions), "t": np.array(T), "p_max": p}


def draw(ax: Axes, dimensions: Sequence[int] = DIMENSIONS) -> Axes:
    """p_max against t, both in powers of ten, shaded below; every curve is named where it runs, just below it."""
    import matplotlib

    n, t, curves = numbers(dimensions).values()
    ax.set(xscale="log", yscale="log", xlim=(t[0], 1), ylim=(curves[-1, 0] / 4, 1))
    colours = matplotlib.colormaps["viridis"]([k / max(len(n) - 1, 1) for k in range(len(n))])
    k = int(LABEL_AT * len(t))
    for name, p, colour in zip(n, curves, colours, strict=True):
        ax.fill_between(t, p, 1e-9, color=colour, linewidth=0)
        ax.plot(t, p, color="black", linewidth=0.5 * matplotlib.rcParams["lines.linewidth"])
        slope = degrees(atan2(p[k + 1] - p[k], t[k + 1] - t[k]))
        look: dict[str, Any] = {"rotation": slope, "rotation_mode": "anchor", "transform_rotates_text": True}
        ax.text(t[k], 0.93 * p[k], f"n = {name}", color=readable_colour_on(colour), va="top", **look)
    ax.set(xlabel="t: chance of a point to be infeasible, at most", ylabel="$p_{max}$: chance of a component, at most")
    return ax
