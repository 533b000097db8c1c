"""All strategies drawn with matplotlib: a grid of small graphs."""

from __future__ import annotations

from math import ceil

from matplotlib.figure import Figure

from debox.figures.data.strategies import Strategies
from debox.figures.draw.strategy import draw_in as draw_strategy


def draw_page(figure: Figure, record: Strategies) -> None:
    """A graph each, row by row."""
    rows = ceil(len(record.graphs) / record.columns)
    axes = figure.subplots(rows, record.columns, squeeze=False).ravel()
    for ax, graph in zip(axes, record.graphs, strict=False):
        draw_strategy(ax, graph)
    for ax in axes[len(record.graphs) :]:
        ax.set_axis_off()
