"""A page of the atlas drawn with matplotlib."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from debox.figures.data.atlas import AtlasPage
from debox.figures.draw.edpois import WITHIN
from debox.figures.draw.edpois import draw_in as draw_panel
from debox.figures.draw.panel_grid import EDGES, panel_grid
from debox.figures.draw.style import BLUE, COLOURS, GREY, legend_below, thin

MARKS = 0.6  # their size


def draw_page(figure: Figure, record: AtlasPage) -> None:
    """Panels in rows and columns, F named at the left and Cr below."""
    left, right, below, above = EDGES
    legend_below(figure, bars_and_marks(), 5)
    axes = panel_grid(figure, len(record.rows), len(record.rows[0]), (left, right, below, above + 0.1), (0.1, 0.25))
    figure.suptitle(record.title, size="medium", y=0.99)
    for i, (row, panels) in enumerate(zip(axes, record.rows, strict=True)):
        for j, (ax, panel) in enumerate(zip(row, panels, strict=True)):
            draw_panel(ax, panel, left=j == 0, bottom=i == len(axes) - 1, marks=MARKS)


def bars_and_marks() -> list[Line2D | Patch]:
    """The legend: what the colours of bars, the circles and the crosses are."""
    bars = [Patch(color=COLOURS[name], lw=0, label=f"all in {within}") for name, within in WITHIN.items()]
    bars += [Patch(color=COLOURS["violet"], lw=0, label="all other cases")]
    circle: dict[str, Any] = {"marker": "o", "ms": 3, "mfc": "none", "mec": BLUE, "mew": thin()}
    return [
        *bars,
        Line2D([], [], ls="", label="(Cr, F/2)", **circle),
        Line2D([], [], ls="", marker="x", color=GREY, ms=4, mew=thin(), label="no runs"),
    ]
