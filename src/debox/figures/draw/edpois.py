"""EDPOIS panels drawn with matplotlib: one Axes, one collection per kind of mark; fifty Axes take ten times as long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure

from debox.edpois import BINS
from debox.figures.data.edpois import Cell, EdpoisPanel
from debox.figures.draw.panel_grid import EDGES, panel_grid
from debox.figures.draw.shapes import Polyline, diagonals, rectangle
from debox.figures.draw.style import BLUE, COLOURS, GREY, thin

GAP = 0.06  # between rectangles, as a share of their grid place
NOTCH = 0.06  # in orange bars, so that they differ from teal ones in grey too; a third of a bar at most
WITHIN = {"teal": "[0.999, 1] or [0, 0.001]", "orange": "[0.99, 0.999] or [0.001, 0.01]"}  # where all runs lie


def draw_page(figure: Figure, record: EdpoisPanel) -> None:
    """One panel, alone."""
    ((ax,),) = panel_grid(figure, 1, 1, EDGES, (0, 0))
    draw_in(ax, record)


def draw_in(ax: Axes, record: EdpoisPanel, left: bool = True, bottom: bool = True, marks: float = 1.0) -> Axes:
    """Rectangles at their place (Cr to the right, F upward), histograms, blue circles; a cross where no run is.

    left, bottom: name the rows' F, the columns' Cr     marks: size of lines, circles and letters
    """
    places = list(zip(places_of(record), record.cells, strict=True))
    bars = [(bar, COLOURS[cell.colour]) for place, cell in places for bar in bars_of(place, cell, record.planned)]
    frames, line = [box(place) for place, _ in places], marks * thin()
    crosses = [line for place, cell in places if not cell.runs for line in diagonals(box(place))]
    ax.add_collection(PolyCollection(frames, facecolors="none", edgecolors="black", linewidths=line))
    ax.add_collection(LineCollection(crosses, colors=GREY, linewidths=line))
    ax.add_collection(PolyCollection([bar for bar, _ in bars], facecolors=[colour for _, colour in bars], linewidths=0))
    circles(ax, [(*place, cell) for place, cell in places if cell.runs], marks)
    ax.set(xlim=(-GAP, len(record.Cr) + GAP), ylim=(-GAP, len(record.F) + GAP))
    letters = matplotlib.rcParams["font.size"] * min(marks, 1)
    ax.set_title("\n".join(filter(None, (record.title, record.note))), size=letters)
    label_axes(ax, record, left, bottom, letters)
    return ax


def places_of(record: EdpoisPanel) -> list[tuple[float, float]]:
    """The lower left corner of each cell's grid place."""
    return [(float(column), float(row)) for row in range(len(record.F)) for column in range(len(record.Cr))]


def point_in(x: float, y: float, u: float, v: float) -> tuple[float, float]:
    """The point (u, v) ∈ [0, 1]² of the rectangle at the grid place (x, y)."""
    return x + GAP + (1 - 2 * GAP) * u, y + GAP + (1 - 2 * GAP) * v


def box(place: tuple[float, float], left: float = 0, right: float = 1, low: float = 0, high: float = 1) -> Polyline:
    """A part of the rectangle at a grid place, by shares; by default the whole."""
    return [point_in(*place, u, v) for u, v in rectangle(left, right, low, high)]


def bars_of(place: tuple[float, float], cell: Cell, planned: int) -> Iterator[Polyline]:
    """A horizontal bar per tenth of POIS, its length the share of the planned runs; an orange one has a notch."""
    for k, count in enumerate(cell.counts):
        share = count / planned
        pieces = [(0.0, share)]
        if cell.colour == "orange":
            notch = min(NOTCH, share / 3)
            pieces = [(0.0, (share - notch) / 2), ((share + notch) / 2, share)]
        if count:
            yield from (box(place, left, right, k / BINS, (k + 1) / BINS) for left, right in pieces)


def circles(ax: Axes, cells: list[tuple[float, float, Cell]], marks: float) -> None:
    """Layer 2: a blue circle at (Cr, F/2) of the rectangle."""
    x, y = zip(*(point_in(x, y, cell.Cr, cell.F / 2) for x, y, cell in cells), strict=True) if cells else ((), ())
    look: dict[str, Any] = {"facecolors": "none", "edgecolors": BLUE, "linewidths": marks * thin()}
    ax.scatter(x, y, s=(4 * marks * thin()) ** 2, zorder=3, clip_on=False, **look)


def label_axes(ax: Axes, record: EdpoisPanel, left: bool, bottom: bool, letters: float) -> None:
    """F and Cr of each row and column, outside; nothing inside."""
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, labelsize=letters, pad=1)
    ax.set(xticks=[], yticks=[])
    if bottom:
        ax.set_xticks([k + 0.5 for k in range(len(record.Cr))], [f"{Cr:g}" for Cr in record.Cr])
        ax.set_xlabel("Cr", size=letters)
    if left:
        ax.set_yticks([k + 0.5 for k in range(len(record.F))], [f"{F:g}" for F in record.F])
        ax.set_ylabel("F", size=letters)
