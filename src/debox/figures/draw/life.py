"""A run's life drawn with matplotlib: stairs of POIS within each third, a line for POIS so far."""

from __future__ import annotations

from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from debox.analysis.thirds import THIRDS
from debox.figures.data.life import Cell, LifePanel
from debox.figures.draw.shapes import Polyline, rectangle
from debox.figures.draw.style import BLUE, TEAL, VIOLET, legend_below, thin, title_with_note
from debox.figures.draw.tiles import GAP, Tiles

STRETCHES = tuple(pairwise((0.0, *THIRDS, 1.0)))  # of a run


def draw_page(figure: Figure, record: LifePanel) -> None:
    """One panel with its key."""
    draw_in(figure.add_subplot(), record)
    legend_below(figure, stairs_and_bands(), 3)


def draw_in(ax: Axes, record: LifePanel) -> Axes:
    """Rectangles at their place (Cr to the right, F upward); in each, the run from left to right and POIS upward."""
    tiles = Tiles(len(record.Cr), len(record.F), (0, 1), (-0.06, 1.06))
    width = max(len(record.Cr), 1)
    places = [(k % width, len(record.F) - 1 - k // width, cell) for k, cell in enumerate(record.cells)]
    lives = [(column, row, cell) for column, row, cell in places if cell.runs]
    bands = [line_in_tile(tiles, column, row, band) for column, row, cell in lives for band in spread(cell)]
    stairs = [line_in_tile(tiles, column, row, step) for column, row, cell in lives for step in steps(cell)]
    so_far = [line_in_tile(tiles, column, row, ends(cell)) for column, row, cell in lives]
    ax.add_collection(PolyCollection(bands, facecolors=TEAL, linewidths=0, alpha=0.6))
    ax.add_collection(LineCollection(stairs, colors=VIOLET, linewidths=2 * thin()))
    ax.add_collection(LineCollection(so_far, colors=BLUE, linewidths=1.2 * thin(), linestyles=[(0, (1, 1))]))
    tiles.crosses(ax, [(column, row) for column, row, cell in places if not cell.runs])
    tiles.outline(ax)
    label_axes(ax, record)
    return ax


def line_in_tile(tiles: Tiles, column: int, row: int, places: Polyline) -> Polyline:
    """A line through places of a tile, in the coordinates of the Axes."""
    x, y = zip(*places, strict=True)
    return list(zip(*(values.tolist() for values in tiles.at(column, row, x, y)), strict=True))


def spread(cell: Cell) -> list[Polyline]:
    """Per third, a rectangle from the 5 % to the 95 % quantile."""
    thirds = zip(STRETCHES, cell.low, cell.high, strict=True)
    return [rectangle(start, end, low, high) for (start, end), low, high in thirds]


def steps(cell: Cell) -> list[Polyline]:
    """Per third, a line at the median."""
    return [[(start, y), (end, y)] for (start, end), y in zip(STRETCHES, cell.within, strict=True)]


def ends(cell: Cell) -> Polyline:
    """POIS so far at the ends of the thirds."""
    return [(end, y) for (_, end), y in zip(STRETCHES, cell.so_far, strict=True)]


def label_axes(ax: Axes, record: LifePanel) -> None:
    """F and Cr of each row and column, outside; nothing inside."""
    ax.set_xticks([k + (1 - GAP) / 2 for k in range(len(record.Cr))], [f"{Cr:g}" for Cr in record.Cr])
    ax.set_yticks([k + (1 - GAP) / 2 for k in range(len(record.F))], [f"{F:g}" for F in record.F])
    ax.tick_params(length=0, pad=1)
    ax.set(ylabel="F")
    ax.set_xlabel("Cr (in each rectangle: time →, POIS 0 to 1 ↑)", size="small")
    ax.set_title(title_with_note(record.title, record.note))


def stairs_and_bands() -> list[Line2D | Patch]:
    """The legend: what the lines and rectangles are."""
    return [
        Line2D([], [], color=VIOLET, lw=2 * thin(), label="median in a third"),
        Patch(color=TEAL, alpha=0.6, lw=0, label="5–95 % of runs"),
        Line2D([], [], color=BLUE, lw=1.2 * thin(), ls=(0, (1, 1)), label="median so far"),
    ]
