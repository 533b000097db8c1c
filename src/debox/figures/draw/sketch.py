"""The 3-D sketch drawn with matplotlib: histograms upright at their F and Cr, in oblique view."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from debox.edpois import BINS
from debox.figures.data.sketch import Sketch
from debox.figures.draw.shapes import rectangle
from debox.figures.draw.style import BLUE, VIOLET, thin

F_STEP = (0.75, 0.5)  # one step of F on the page; one of Cr is (1, 0)
HEIGHT, LENGTH = 0.95, 0.8  # of POIS = 1, of all runs


def draw_in(ax: Axes, record: Sketch) -> Axes:
    """The plane of Cr and F, then the histograms, the farthest first."""
    plane(ax, len(record.rows), len(record.rows[0]))
    for row in reversed(range(len(record.rows))):
        for column, cell in enumerate(record.rows[row]):
            histogram(ax, place(column, row), [count / record.planned for count in cell.counts])
    scale(ax, place(0, 0))
    ax.set(aspect="equal", xlim=(-1.25, 5.0), ylim=(-0.65, 2.1))
    ax.set_axis_off()
    return ax


def place(column: float, row: float) -> tuple[float, float]:
    """Where (Cr, F) lies on the page."""
    return column + F_STEP[0] * row, F_STEP[1] * row


def plane(ax: Axes, rows: int, columns: int) -> None:
    """The grid on the floor; Cr along its near edge, F along its right one."""
    left, right, near, far = -0.6, columns, -0.8, rows - 0.6
    for row in range(rows):
        line(ax, place(left, row), place(right, row))
        label(ax, place(right, row), f"$F_{row + 1}$", (6, -4))
    for column in range(columns):
        line(ax, place(column, near), place(column, far))
        label(ax, place(column, near), f"$Cr_{column + 1}$", (0, -9))
    for start, end in ((place(left, near), place(right, near)), (place(right, near), place(right, far))):
        ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": BLUE, "shrinkA": 0, "shrinkB": 0})


def line(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    ax.plot(*zip(start, end, strict=True), color=BLUE, linewidth=thin(), linestyle=(0, (1, 2)))


def label(ax: Axes, at: tuple[float, float], text: str, offset: tuple[float, float]) -> None:
    ax.annotate(text, at, offset, textcoords="offset points", color=BLUE, ha="center")


def histogram(ax: Axes, foot: tuple[float, float], shares: list[float]) -> None:
    """Bars to the right of an upright axis, a blue circle at its foot."""
    x, y = foot
    step = HEIGHT / BINS
    bars = [
        rectangle(x, x + LENGTH * share, y + k * step, y + (k + 1) * step) for k, share in enumerate(shares) if share
    ]
    ax.add_collection(PolyCollection(bars, facecolors=VIOLET, edgecolors="white", linewidths=0.3 * thin(), zorder=2))
    ax.plot([x, x], [y, y + 1.08 * HEIGHT], color="black", linewidth=1.5 * thin(), zorder=2.1)
    ax.plot([x], [y], marker="o", markersize=3.5, mfc="white", mec=BLUE, zorder=2.2)


def scale(ax: Axes, foot: tuple[float, float]) -> None:
    """POIS 0, 0.5 and 1 on the nearest upright axis."""
    for pois in (0.0, 0.5, 1.0):
        at = (foot[0], foot[1] + HEIGHT * pois)
        ax.plot([at[0] - 0.04, at[0]], [at[1]] * 2, color="black", linewidth=thin())
        ax.annotate(f"{pois:g}", at, (-5, 0), textcoords="offset points", ha="right", va="center", size="small")
    top = (foot[0], foot[1] + HEIGHT * 1.08)
    ax.annotate("POIS", top, (0, 3), textcoords="offset points", ha="center", size="small")
