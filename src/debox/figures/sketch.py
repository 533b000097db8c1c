"""What a panel lays flat: nine histograms, made up, standing upright on the plane of F and Cr, in oblique view."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from debox.analysis.runs import Runs
from debox.edpois import BINS
from debox.figures.page import Numbers, Page
from debox.figures.style import BLUE, VIOLET, Axes, thin
from debox.figures.tiles import rectangle

SIZE = (5.0, 2.3)
CAPTION = "Histograms of POIS standing upright at the crossings of F and Cr, which a panel lays flat into rectangles."
RUNS = 50
UPRIGHT = (  # runs per tenth of POIS, from 0 upward; rows are F, columns Cr, both rising
    ((44, 6), (21, 26, 3), (8, 22, 15, 5)),
    ((0, 9, 31, 10), (0, 0, 12, 28, 10), (0, 2, 6, 11, 17, 14)),
    ((0, 0, 0, 0, 13, 30, 7), (0, 0, 0, 0, 0, 4, 20, 26), (3, 0, 0, 0, 0, 0, 2, 5, 9, 31)),
)
F_STEP = (0.75, 0.5)  # one step of F on the page; one of Cr is (1, 0)
Point = tuple[float, float]
HEIGHT, LENGTH = 0.95, 0.8  # of POIS = 1, of all runs


def pages(runs: Runs | None = None) -> Iterator[Page]:
    """One page, the same for all runs."""
    yield Page("sketch-3d", CAPTION, SIZE, numbers, draw)


def numbers() -> Numbers:
    """Runs per tenth of POIS for three F and three Cr, which are numbered."""
    counts = [[(*runs, *[0] * (BINS - len(runs))) for runs in row] for row in UPRIGHT]
    return {"F": np.arange(3), "Cr": np.arange(3), "up_to": np.arange(1, BINS + 1) / BINS, "runs": np.array(counts)}


def draw(ax: Axes) -> Axes:
    """The plane of Cr and F, then the histograms, the farthest first."""
    counts = numbers()["runs"]
    rows, columns, _ = counts.shape
    draw_plane(ax, rows, columns)
    for row, column in product(reversed(range(rows)), range(columns)):
        draw_histogram(ax, place(column, row), (counts[row, column] / RUNS).tolist())
    draw_scale(ax, place(0, 0))
    ax.set(aspect="equal", xlim=(-1.25, 5.0), ylim=(-0.65, 2.1))
    ax.set_axis_off()
    return ax


def place(column: float, row: float) -> Point:
    """Where (Cr, F) lies on the page."""
    return column + F_STEP[0] * row, F_STEP[1] * row


def draw_plane(ax: Axes, rows: int, columns: int) -> None:
    """The grid on the floor; Cr along its near edge, F along its right one."""
    left, right, near, far = -0.6, columns, -0.8, rows - 0.6
    lines: list[tuple[Point, Point, Point, str, Point]] = []
    lines += [((left, row), (right, row), (right, row), f"$F_{row + 1}$", (6, -4)) for row in range(rows)]
    lines += [((k, near), (k, far), (k, near), f"$Cr_{k + 1}$", (0, -9)) for k in range(columns)]
    for start, end, at, name, offset in lines:
        ends = zip(place(*start), place(*end), strict=True)
        ax.plot(*ends, color=BLUE, linewidth=thin(), linestyle=(0, (1, 2)))
        ax.annotate(name, place(*at), offset, textcoords="offset points", color=BLUE, ha="center")
    arrow = {"arrowstyle": "->", "color": BLUE, "shrinkA": 0, "shrinkB": 0}
    corner = place(right, near)
    ax.annotate("", corner, place(left, near), arrowprops=arrow)
    ax.annotate("", place(right, far), corner, arrowprops=arrow)


def draw_histogram(ax: Axes, foot: Point, shares: list[float]) -> None:
    """Bars to the right of an upright axis, a blue circle at its foot."""
    from matplotlib.collections import PolyCollection

    x, y = foot
    step = HEIGHT / BINS
    bars = [
        rectangle(x, x + LENGTH * share, y + k * step, y + (k + 1) * step) for k, share in enumerate(shares) if share
    ]
    ax.add_collection(PolyCollection(bars, facecolors=VIOLET, edgecolors="white", linewidths=0.3 * thin(), zorder=2))
    ax.plot([x, x], [y, y + 1.08 * HEIGHT], color="black", linewidth=1.5 * thin(), zorder=2.1)
    ax.plot([x], [y], marker="o", markersize=3.5, mfc="white", mec=BLUE, zorder=2.2)


def draw_scale(ax: Axes, foot: Point) -> None:
    """POIS 0, 0.5 and 1 on the nearest upright axis."""
    x, y = foot
    for pois in (0.0, 0.5, 1.0):
        at = (x, y + HEIGHT * pois)
        ax.plot([x - 0.04, x], [at[1]] * 2, color="black", linewidth=thin())
        ax.annotate(f"{pois:g}", at, (-5, 0), textcoords="offset points", ha="right", va="center", size="small")
    ax.annotate("POIS", (x, y + HEIGHT * 1.08), (0, 3), textcoords="offset points", ha="center", size="small")
