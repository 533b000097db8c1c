"""The drawing of a record, chosen by its type: a class of `figures.data.NAME` is drawn by `figures.draw.NAME`.

A module that draws has one or both of

- ``draw_in(ax, record)``, which draws into one Axes and returns it;
- ``draw_page(figure, record)``, which fills an empty figure and adds a legend where the marks need one.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from debox.analysis.old_runs import Runs
from debox.figures.draw.style import Axes, Figure, empty_figure
from debox.figures.entry import Entry


def drawing_of(record: Any) -> Any:
    """The module that draws records of this type."""
    return import_module(type(record).__module__.replace(".figures.data.", ".figures.draw."))


def draw_in(ax: Axes, record: Any) -> Axes:
    """Draw a record into given Axes."""
    axes: Axes = drawing_of(record).draw_in(ax, record)
    return axes


def draw_page(figure: Figure, record: Any) -> None:
    """Fill an empty figure with a record; call it within `in_style`."""
    drawing = drawing_of(record)
    if hasattr(drawing, "draw_page"):
        drawing.draw_page(figure, record)
    else:
        drawing.draw_in(figure.add_subplot(), record)


def figure_of(entry: Entry, runs: Runs, style: str = "paper", record: Any = None, *, in_pyplot: bool = False) -> Figure:
    """The figure of an entry of the catalogue, whose record may be there already; call it within `in_style(style)`."""
    figure = empty_figure(entry.size, style, entry.footer(runs), in_pyplot=in_pyplot)
    draw_page(figure, entry.record(runs) if record is None else record)
    adapts = any(panel.adaptation != "fixed" for panel in entry.panels)
    for axis in (axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis) if adapts):
        axis.label.set_text(runs.say_starting_values(axis.label.get_text()))
    return figure
