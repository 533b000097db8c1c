"""Tiles: equal rectangles in rows and columns of one Axes, far faster than an Axes each; and crosses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from debox.figures.page import Floats
from debox.figures.style import GREY, Axes, thin

GAP = 0.07  # between tiles, as a share of a tile's place
MOST_UPRIGHT = 8  # rows of a page that have room for a name along their side
Range = tuple[float, float]
Polyline = list[tuple[float, float]]


@dataclass(frozen=True)
class Tiles:
    """All tiles have the same ranges of x and y; row 0 is at the top."""

    columns: int
    rows: int
    x: Range
    y: Range

    def at(self, column: int, row: int, x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
        """The points (x, y) of a tile, in the coordinates of the Axes."""
        u, v = (np.asarray(values) - low for values, (low, _) in ((x, self.x), (y, self.y)))
        across, up = u / (self.x[1] - self.x[0]), v / (self.y[1] - self.y[0])
        return column + (1 - GAP) * across, self.rows - 1 - row + (1 - GAP) * up

    def outline(self, ax: Axes) -> None:
        """The tiles' frames, and the limits of the Axes."""
        from matplotlib.collections import PolyCollection

        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (1 - GAP)
        places = [(column, row) for column in range(self.columns) for row in range(self.rows)]
        frames = [corners + place for place in places]
        look = PolyCollection(frames, facecolors="none", edgecolors="black", linewidths=thin(), zorder=4)
        ax.add_collection(look)
        ax.set(xlim=(-GAP / 4, self.columns - GAP * 0.75), ylim=(-GAP / 4, self.rows - GAP * 0.75))
        ax.spines[:].set_visible(False)

    def ticks(self, ax: Axes, x: Sequence[float], y: Sequence[float]) -> None:
        """Numbers at the lowest and at the leftmost tiles."""
        columns, rows = range(self.columns), range(self.rows)
        across = [float(self.at(column, 0, value, 0)[0]) for column in columns for value in x]
        up = [float(self.at(0, row, 0, value)[1]) for row in rows for value in y]
        ax.set_xticks(across, [f"{value:g}" for _ in columns for value in x])
        ax.set_yticks(up, [f"{value:g}" for _ in rows for value in y])
        ax.tick_params(labelsize="small", pad=1)

    def titles(self, ax: Axes, columns: Sequence[str], rows: Sequence[str]) -> None:
        """Names above the columns, and at the right of the rows: upright, or lying where many rows are low."""
        rotation = 270 if self.rows <= MOST_UPRIGHT else 0
        above = GAP / 2 * min(1, self.rows / 5)  # the tiles of few rows are high: a share of them would reach the title
        for column, name in enumerate(columns):
            ax.text(column + (1 - GAP) / 2, self.rows - GAP + above, name, ha="center", va="bottom")
        for row, name in enumerate(rows):
            x, y = self.columns - GAP / 2, self.rows - 1 - row + (1 - GAP) / 2
            ax.text(x, y, name, rotation=rotation, ha="left", va="center")

    def crosses(self, ax: Axes, places: Sequence[tuple[int, int]]) -> None:
        """A cross over each of the tiles (column, row): nothing to show."""
        from matplotlib.collections import LineCollection

        (left, right), (low, high) = self.x, self.y
        diagonals = [((left, right), (low, high)), ((left, right), (high, low))]
        lines = [np.column_stack(self.at(*place, *diagonal)) for place in places for diagonal in diagonals]
        ax.add_collection(LineCollection(lines, colors=GREY, linewidths=thin()))


def range_around(values: Iterable[float], share: float = 0.05) -> Range:
    """A range that holds the values with some room on both sides."""
    low, high = ends(values)
    room = share * (high - low) or 0.5
    return low - room, high + room


def round_ticks(values: Iterable[float]) -> list[float]:
    """A few round numbers within the range of the values; if it is a point, that."""
    from matplotlib.ticker import MaxNLocator

    low, high = ends(values)
    ticks = [round(float(tick), 9) for tick in MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)]
    return [tick for tick in ticks if low <= tick <= high] if low < high else [low]


def ends(values: Iterable[float]) -> Range:
    """The smallest and the largest value; 0 and 1 if there is none."""
    several = [float(value) for value in values] or [0.0, 1.0]
    return min(several), max(several)


def rectangle(left: float, right: float, low: float, high: float) -> Polyline:
    """The four corners, from the lower left one against the clock."""
    return [(left, low), (right, low), (right, high), (left, high)]


def diagonals(corners: Polyline) -> list[Polyline]:
    """The two lines of a cross over a rectangle: upward, then downward."""
    lower_left, lower_right, upper_right, upper_left = corners
    return [[lower_left, upper_right], [upper_left, lower_right]]
