"""Panels side by side in ink."""

from __future__ import annotations

from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from debox.figures.data.edpois import EdpoisPanel
from debox.figures.data.pages import Page
from debox.figures.draw.edpois import edpois_panel
from debox.figures.draw.key import WITHIN
from debox.figures.draw.style import BLUE, COLOURS, GREY, legend_below, room, thin

ATLAS = 0.6  # size of its marks
EDGES = (0.5, 0.08, 0.34, 0.37)  # inches on paper: what F at the left, nothing at the right, Cr and a title need


def panel(figure: Figure, record: EdpoisPanel) -> None:
    """One panel, alone."""
    edpois_panel(grid(figure, 1, 1, EDGES, (0, 0))[0][0], record)


def comparison(figure: Figure, page: Page) -> None:
    """Panels in one row, F named at the left."""
    for k, (ax, record) in enumerate(
        zip(grid(figure, 1, len(page.rows[0]), EDGES, (0.12, 0))[0], page.rows[0], strict=True)
    ):
        edpois_panel(ax, record, left=k == 0)


def atlas_page(figure: Figure, page: Page) -> None:
    """Panels in rows and columns, F named at the left and Cr below."""
    left, right, below, above = EDGES
    legend_below(figure, key(), 5)
    axes = grid(figure, len(page.rows), len(page.rows[0]), (left, right, below, above + 0.1), (0.1, 0.25))
    figure.suptitle(page.title, size="medium", y=0.99)
    for i, (row, records) in enumerate(zip(axes, page.rows, strict=True)):
        for j, (ax, record) in enumerate(zip(row, records, strict=True)):
            edpois_panel(ax, record, left=j == 0, bottom=i == len(axes) - 1, marks=ATLAS)


def key() -> list[Line2D | Patch]:
    """What the colours and the circles are."""
    bars = [Patch(color=COLOURS[name], lw=0, label=f"all in {within}") for name, within in WITHIN.items()]
    bars += [Patch(color=COLOURS["violet"], lw=0, label="all other cases")]
    circle: dict[str, Any] = {"marker": "o", "ms": 3, "mfc": "none", "mec": BLUE, "mew": thin()}
    return [
        *bars,
        Line2D([], [], ls="", label="(Cr, F/2)", **circle),
        Line2D([], [], ls="", marker="x", color=GREY, ms=4, mew=thin(), label="no runs"),
    ]


def grid(
    figure: Figure, rows: int, columns: int, edges: tuple[float, float, float, float], gaps: tuple[float, float]
) -> list[list[Axes]]:
    """Equal Axes in rows and columns, edges and gaps in inches: layouts that measure all text take longer than ink."""
    strip = room(figure)[1]
    figure.set_layout_engine("none")
    scale = matplotlib.rcParams["font.size"] / 7
    width, height = (inches / scale for inches in figure.get_size_inches())
    left, right, below, above = edges
    below += strip * height
    w = (width - left - right - (columns - 1) * gaps[0]) / columns
    h = (height - below - above - (rows - 1) * gaps[1]) / rows
    return [
        [
            figure.add_axes(
                (
                    (left + j * (w + gaps[0])) / width,
                    (height - above - h - i * (h + gaps[1])) / height,
                    w / width,
                    h / height,
                )
            )
            for j in range(columns)
        ]
        for i in range(rows)
    ]
