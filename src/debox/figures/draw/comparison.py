"""Panels in one row, drawn with matplotlib."""

from __future__ import annotations

from matplotlib.figure import Figure

from debox.figures.data.comparison import Comparison
from debox.figures.draw.edpois import draw_in as draw_panel
from debox.figures.draw.panel_grid import EDGES, panel_grid


def draw_page(figure: Figure, record: Comparison) -> None:
    """F is named at the left only."""
    (axes,) = panel_grid(figure, 1, len(record.panels), EDGES, (0.12, 0))
    for k, (ax, panel) in enumerate(zip(axes, record.panels, strict=True)):
        draw_panel(ax, panel, left=k == 0)
