"""A mosaic drawn with matplotlib: all configurations on one page, a coloured cell each, in one Axes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from statistics import mean
from typing import Any, TypeVar

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colorbar import Colorbar
from matplotlib.path import Path

from debox.analysis import names
from debox.figures.data.mosaic import Mosaic
from debox.figures.draw.shapes import Polyline, diagonals, rectangle
from debox.figures.draw.style import GREY, thin

BETWEEN, BETWEEN_GROUPS = 0.9, 2.4  # space between mini-grids and between groups of them, in cells
ABOVE = 4  # letters' heights: the title stands above the names of the columns
MOST_UPRIGHT = 14  # names of rows that are written upwards; of more rows each is too low for its name
MOST_ON_A_LINE = 5  # mutations whose names stand side by side on one line
LETTER = 0.55  # the width of a letter, in heights

Value = TypeVar("Value")
Colour = tuple[float, float, float, float]


def draw_mosaic(ax: Axes, record: Mosaic[Value], colour: Callable[[Value], Colour | None]) -> None:
    """All cells in their colours, a cross where there is none, names of rows and columns, and what is missing."""
    coloured = [(place, colour(value)) for place, value in cells(record)]
    squares: defaultdict[Colour, list[Polyline]] = defaultdict(list)  # one path per colour: a third of the bytes
    for place, rgba in coloured:
        if rgba is not None:
            squares[rgba].append(square(*place))
    paths = [Path.make_compound_path_from_polys(np.array(same)) for same in squares.values()]
    ax.add_collection(PathCollection(paths, facecolors=list(squares), edgecolors="face", linewidths=0.3, clip_on=False))
    crosses = [line for (x, y), rgba in coloured if rgba is None for line in crossed_square(x, y)]
    ax.add_collection(LineCollection(crosses, colors=GREY, linewidths=0.5 * thin()))
    lines = 1 + any("\n" in name for name in column_names(record).values())
    ax.set_title(record.note, pad=(ABOVE + 1.2 * (lines - 1)) * matplotlib.rcParams["font.size"])
    name_columns(ax, record)
    name_rows(ax, record)
    name_cells(ax, record)
    ax.set(xlim=(-0.5, right(record) + 0.5), ylim=(bottom(record) - 0.5, 0.5), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)


def draw_scale(ax: Axes, colours: ScalarMappable, label: str, **look: Any) -> Colorbar:
    """The colours and what they stand for, below the Axes; as vectors, where matplotlib would embed an image."""
    bar: Colorbar = ax.figure.colorbar(colours, ax=ax, location="bottom", shrink=0.6, aspect=50, pad=0.02, **look)
    solids: Any = bar.solids
    solids.set(rasterized=False, edgecolor="face")  # edges: else there are hairlines between the colours
    bar.set_label(label)
    bar.outline.set(linewidth=thin())
    return bar


def cells(record: Mosaic[Value]) -> Iterator[tuple[tuple[float, float], Value]]:
    """The lower left corner of every cell, and its value; y = 0 is the top of the page."""
    width, height = len(record.Cr), len(record.F)
    for row, y in zip(record.grids, tops(record), strict=True):
        for grid, x in zip(row, lefts(record), strict=True):
            for k, value in enumerate(grid):
                yield (x + k % width, y - height + k // width), value


def lefts(record: Mosaic[Any]) -> list[float]:
    """The left edge of each column of mini-grids."""
    return starts([mutation for mutation, _ in record.columns], len(record.Cr))


def tops(record: Mosaic[Any]) -> list[float]:
    """The top edge of each row of mini-grids."""
    return [-start for start in starts([crossover for crossover, _ in record.rows], len(record.F))]


def starts(groups: Sequence[str], size: int) -> list[float]:
    """Where things of one size begin, one after the other, with more space between groups."""
    steps = [size + (BETWEEN if a == b else BETWEEN_GROUPS) for a, b in pairwise(groups)]
    return list(accumulate(steps, initial=0.0))[: len(groups)]


def right(record: Mosaic[Any]) -> float:
    """The right edge of the last column."""
    return max(lefts(record), default=0) + len(record.Cr)


def bottom(record: Mosaic[Any]) -> float:
    """The lower edge of the last row."""
    return min(tops(record), default=0) - len(record.F)


def square(x: float, y: float) -> Polyline:
    """The corners of the cell whose lower left corner is given."""
    return rectangle(x, x + 1, y, y + 1)


def crossed_square(x: float, y: float) -> list[Polyline]:
    """The frame of an empty cell, closed, and the cross in it."""
    corners = square(x, y)
    return [[*corners, corners[0]], *diagonals(corners)]


def name_columns(ax: Axes, record: Mosaic[Any]) -> None:
    """N above each column, the mutation above its N."""
    centres = [x + len(record.Cr) / 2 for x in lefts(record)]
    for x, (_, N) in zip(centres, record.columns, strict=True):
        write_beside(ax, f"N={N}", (x, 0), (0, 0.5), ha="center", va="bottom", size="small")
    for name, written in column_names(record).items():
        middle = mean(x for x, (mutation, _) in zip(centres, record.columns, strict=True) if mutation == name)
        write_beside(ax, written, (middle, 0), (0, 2.2), ha="center", va="bottom", weight="bold")


def column_names(record: Mosaic[Any]) -> dict[str, str]:
    """What is written above each mutation: DE/curr-to-best/1, on two lines if there are many mutations."""
    mutations = dict.fromkeys(mutation for mutation, _ in record.columns)
    written = {name: f"DE/{names.short('mutation', name)}" for name in mutations}
    if len(mutations) <= MOST_ON_A_LINE:
        return written
    return {name: text.replace("-to-", "-\nto-") for name, text in written.items()}


def name_rows(ax: Axes, record: Mosaic[Any]) -> None:
    """The strategy at the left of each row, the crossover at the left of its strategies."""
    centres, shorts = (
        [y - len(record.F) / 2 for y in tops(record)],
        [names.short("strategy", s) for _, s in record.rows],
    )
    upright = len(shorts) <= MOST_UPRIGHT
    for y, short in zip(centres, shorts, strict=True):
        rotation = 90 if upright else 0
        write_beside(ax, short, (0, y), (-0.8, 0), ha="right", va="center", rotation=rotation, size="small")
    before = -2.8 if upright else -1.8 - LETTER * max(map(len, shorts))
    for name in dict.fromkeys(crossover for crossover, _ in record.rows):
        middle = mean(y for y, (crossover, _) in zip(centres, record.rows, strict=True) if crossover == name)
        write_beside(ax, name, (0, middle), (before, 0), ha="right", va="center", rotation=90, weight="bold")


def name_cells(ax: Axes, record: Mosaic[Any]) -> None:
    """What a mini-grid's columns and rows are, once, at the lower right one."""
    if record.F and record.Cr and record.columns:
        corner = right(record), bottom(record)
        Cr, F = ([f"{values[0]:g}", f"{values[-1]:g}"] for values in (record.Cr, record.F))
        write_beside(ax, f"Cr {Cr[0]} → {Cr[1]}", corner, (0, -0.5), ha="right", va="top", size="small")
        write_beside(ax, f"F {F[0]} → {F[1]}", corner, (0.5, 0), ha="left", va="bottom", rotation=90, size="small")


def write_beside(ax: Axes, text: str, place: tuple[float, float], by: tuple[float, float], **look: Any) -> None:
    """Write text at a place, moved by an offset in heights of letters."""
    ax.annotate(text, place, by, textcoords="offset fontsize", **look)
