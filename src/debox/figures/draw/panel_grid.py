"""Axes for panels: equal ones in rows and columns, with room for their F, Cr and titles."""

from __future__ import annotations

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from debox.figures.draw.style import free_area

EDGES = (0.5, 0.08, 0.34, 0.37)  # inches on paper: what F at the left, nothing at the right, Cr and a title need


def panel_grid(
    figure: Figure, rows: int, columns: int, edges: tuple[float, float, float, float], gaps: tuple[float, float]
) -> list[list[Axes]]:
    """Equal Axes in rows and columns, edges and gaps in inches; measuring all text would take longer than drawing."""
    strip = free_area(figure)[1]
    figure.set_layout_engine("none")
    scale = matplotlib.rcParams["font.size"] / 7
    width, height = (inches / scale for inches in figure.get_size_inches())
    left, right, below, above = edges
    below += strip * height
    w = (width - left - right - (columns - 1) * gaps[0]) / columns
    h = (height - below - above - (rows - 1) * gaps[1]) / rows

    def place(row: int, column: int) -> tuple[float, float, float, float]:
        x, y = left + column * (w + gaps[0]), height - above - h - row * (h + gaps[1])
        return x / width, y / height, w / width, h / height

    return [[figure.add_axes(place(row, column)) for column in range(columns)] for row in range(rows)]
