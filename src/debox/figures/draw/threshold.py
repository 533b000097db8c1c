"""The threshold figure drawn with matplotlib."""

from __future__ import annotations

from math import atan2, degrees
from typing import Any

import matplotlib
from matplotlib.axes import Axes

from debox.figures.data.threshold import Curve, Thresholds
from debox.figures.draw.style import readable_colour_on

LABEL_AT = 0.4  # share of the curve where its name stands


def draw_in(ax: Axes, record: Thresholds) -> Axes:
    """p_max against t, both in powers of ten, shaded below; every curve is named where it runs."""
    curves = record.curves
    ax.set(xscale="log", yscale="log", xlim=(curves[0].t[0], 1), ylim=(curves[-1].p[0] / 4, 1))
    colours = matplotlib.colormaps["viridis"]([k / max(len(curves) - 1, 1) for k in range(len(curves))])
    for curve, colour in zip(curves, colours, strict=True):
        ax.fill_between(curve.t, curve.p, 1e-9, color=colour, linewidth=0)
        ax.plot(curve.t, curve.p, color="black", linewidth=0.5 * matplotlib.rcParams["lines.linewidth"])
        name_curve(ax, curve, readable_colour_on(colour))
    ax.set(xlabel="t: chance of a point to be infeasible, at most", ylabel="$p_{max}$: chance of a component, at most")
    return ax


def name_curve(ax: Axes, curve: Curve, colour: str) -> None:
    """Its n, just below the curve and along it."""
    k = int(LABEL_AT * len(curve.t))
    slope = degrees(atan2(curve.p[k + 1] - curve.p[k], curve.t[k + 1] - curve.t[k]))
    look: dict[str, Any] = {"rotation": slope, "rotation_mode": "anchor", "transform_rotates_text": True}
    ax.text(curve.t[k], 0.93 * curve.p[k], f"n = {curve.n}", color=colour, va="top", **look)
