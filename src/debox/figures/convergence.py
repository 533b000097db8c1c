"""Convergence: best value, spread of the population and POIS of one run of `debox.minimize` against evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from debox.figures.page import COLUMN, Floats, Numbers, Page
from debox.figures.style import BLUE, TEAL, VIOLET, Axes, Figure

SIZE = (COLUMN, 3.6)
CURVES = {"fun": ("best value", VIOLET), "spread": ("spread", TEAL), "pois": ("POIS\nso far", BLUE)}


def page(result: Mapping[str, Any]) -> Page:
    """The figure of a result of `debox.minimize`."""
    return Page("convergence", title(result), SIZE, numbers, draw, (result,), draw_page)


def title(result: Mapping[str, Any]) -> str:
    """``f = 2.5e-08 after 10,000 evaluations, POIS 0.400``"""
    return f"f = {result['fun']:.6g} after {result['nfev']:,} evaluations, POIS {result['pois']:.3f}"


def numbers(result: Mapping[str, Any]) -> Numbers:
    """The history of the run."""
    return {name: np.asarray(getattr(result["history"], name), np.float64) for name in ("evaluations", *CURVES)}


def draw_page(figure: Figure, result: Mapping[str, Any]) -> None:
    """Best value, spread and POIS, one above the other."""
    axes = figure.subplots(3, 1, sharex=True, height_ratios=[2, 1, 1])
    for ax, name in zip(axes, CURVES, strict=True):
        draw_curve(ax, name, result)
    axes[-1].set_ylim(bottom=0)
    axes[-1].set_xlabel("evaluations")
    axes[0].set_title(title(result))
    figure.align_ylabels()


def draw(ax: Axes, result: Mapping[str, Any]) -> Axes:
    """The best value alone."""
    draw_curve(ax, "fun", result)
    ax.set_xlabel("evaluations")
    ax.set_title(title(result))
    return ax


def draw_curve(ax: Axes, name: str, result: Mapping[str, Any]) -> None:
    """Stairs: a value holds until the next one is known. What is not finite is left out, on a log axis also zeros."""
    from matplotlib.ticker import MaxNLocator

    found, (label, colour) = numbers(result), CURVES[name]
    is_log = name != "pois" and spans_decades(found[name])
    shown = np.isfinite(found[name]) & ((found[name] > 0) | (not is_log))
    ax.step(found["evaluations"][shown], found[name][shown], where="post", color=colour)
    if is_log:
        ax.set_yscale("log")
    else:
        ax.yaxis.set_major_locator(MaxNLocator(4))
    ax.set_xlim(left=0)
    ax.set_ylabel(label)


def spans_decades(values: Floats) -> bool:
    """Are all finite numbers ≥ 0, and do those > 0 span a factor of 10 or more?"""
    finite = values[np.isfinite(values)]
    positive = finite[finite > 0]
    return bool((finite >= 0).all() and positive.size and positive.max() >= 10 * positive.min())
