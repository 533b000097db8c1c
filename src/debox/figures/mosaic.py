"""Mosaic: all configurations of a study on one page, a coloured cell each. The overview and the drift are mosaics.

A mini-grid of F (upward) and Cr (to the right) for each mutation and N (columns), crossover and strategy (rows).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate, pairwise, product
from statistics import mean
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from debox.analysis.names import short, with_adaptation
from debox.analysis.runs import Runs
from debox.figures.page import Floats, adaptations_of
from debox.figures.style import GREY, Axes, font_size, thin

if TYPE_CHECKING:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colorbar import Colorbar
    from matplotlib.colors import Colormap

BETWEEN, BETWEEN_GROUPS = 0.9, 2.4  # space between mini-grids and between groups of them, in cells
ABOVE = 4  # letters' heights: the title stands above the names of the columns
MOST_UPRIGHT = 14  # names of rows that are written upwards; of more rows each is too low for its name
MOST_ON_A_LINE = 5  # mutations whose names stand side by side on one line
LETTER = 0.55  # the width of a letter, in heights


def places(runs: Runs) -> str:
    """Where the cells of these runs lie, in words."""
    groups = "crossover, adaptation and" if "adaptation" in runs.axes else "crossover and"
    return f"a grid of F (upward) and Cr (to the right) per mutation and N (columns), {groups} strategy (rows)"


class Mosaic:
    """Where the configurations of some runs lie on the page: `x`, `y` are the lower left corners of their cells.

    Arrays have an axis for rows of mini-grids from the top, one for columns, one for F and one for Cr.
    """

    def __init__(self, runs: Runs) -> None:
        axes, self.runs = runs.axes, runs
        groups = product(axes["crossover"], adaptations_of(runs))
        self.rows = [(with_adaptation(*group), strategy) for group in groups for strategy in axes["strategy"]]
        self.columns = list(product(axes["mutation"], axes["N"]))
        self.F, self.Cr = axes["F"], axes["Cr"]
        self.lefts = starts([mutation for mutation, _ in self.columns], len(self.Cr))
        self.tops = [-start for start in starts([group for group, _ in self.rows], len(self.F))]
        self.right = max(self.lefts, default=0) + len(self.Cr)
        self.bottom = min(self.tops, default=0) - len(self.F)
        shape = len(self.rows), len(self.columns), len(self.F), len(self.Cr)
        self.x, self.y = np.empty(shape), np.empty(shape)
        self.x[:] = np.reshape(self.lefts, (1, -1, 1, 1)) + np.arange(len(self.Cr))
        self.y[:] = np.reshape(self.tops, (-1, 1, 1, 1)) - len(self.F) + np.arange(len(self.F))[:, None]

    def arrange(self, values: NDArray[Any]) -> NDArray[Any]:
        """A value of every configuration at its place on the page."""
        adaptation = ["adaptation"] * ("adaptation" in self.runs.axes)
        order = ("crossover", *adaptation, "strategy", "mutation", "N", "F", "Cr")
        return self.runs.arrange(values, *order).reshape(self.x.shape)

    def draw(self, ax: Axes, shades: Floats, colours: Colormap) -> None:
        """All cells in the colours of their shades, 0 to 1, a cross where one is NaN; names, and what is missing."""
        from matplotlib.collections import LineCollection, PathCollection
        from matplotlib.path import Path

        x, y, shade = self.x.ravel(), self.y.ravel(), shades.ravel()
        corners = np.stack([x, y, x + 1, y, x + 1, y + 1, x, y + 1], axis=-1).reshape(-1, 4, 2)
        there = ~np.isnan(shade)
        squares: defaultdict[tuple[float, ...], list[Floats]] = defaultdict(
            list
        )  # a path per colour: a third of the bytes
        for rgba, square in zip(colours(shade[there]).tolist(), corners[there], strict=True):
            squares[tuple(rgba)].append(square)
        paths = [Path.make_compound_path_from_polys(np.array(same)) for same in squares.values()]
        look: dict[str, Any] = {"edgecolors": "face", "linewidths": 0.3, "clip_on": False}
        ax.add_collection(PathCollection(paths, facecolors=list(squares), **look))
        crosses = [square[line] for square in corners[~there] for line in ([0, 1, 2, 3, 0], [0, 2], [3, 1])]
        ax.add_collection(LineCollection(crosses, colors=GREY, linewidths=0.5 * thin()))
        lines = 1 + any("\n" in name for name in self._column_names().values())
        ax.set_title(self.runs.missing, pad=(ABOVE + 1.2 * (lines - 1)) * font_size())
        self._name_columns(ax)
        self._name_rows(ax)
        self._name_cells(ax)
        ax.set(xlim=(-0.5, self.right + 0.5), ylim=(self.bottom - 0.5, 0.5), xticks=[], yticks=[])
        ax.spines[:].set_visible(False)

    def _column_names(self) -> dict[str, str]:
        """What is written above each mutation: DE/curr-to-best/1, on two lines if there are many mutations."""
        written = {name: f"DE/{short('mutation', name)}" for name, _ in self.columns}
        if len(written) <= MOST_ON_A_LINE:
            return written
        return {name: text.replace("-to-", "-\nto-") for name, text in written.items()}

    def _name_columns(self, ax: Axes) -> None:
        """N above each column, the mutation above its N."""
        centres = [x + len(self.Cr) / 2 for x in self.lefts]
        for x, (_, N) in zip(centres, self.columns, strict=True):
            write(ax, f"N={N}", (x, 0), (0, 0.5), ha="center", va="bottom", size="small")
        for name, written in self._column_names().items():
            middle = mean(x for x, (mutation, _) in zip(centres, self.columns, strict=True) if mutation == name)
            write(ax, written, (middle, 0), (0, 2.2), ha="center", va="bottom", weight="bold")

    def _name_rows(self, ax: Axes) -> None:
        """The strategy at the left of each row, the crossover at the left of its strategies."""
        centres = [y - len(self.F) / 2 for y in self.tops]
        names = [short("strategy", strategy) for _, strategy in self.rows]
        upright = len(names) <= MOST_UPRIGHT
        for y, name in zip(centres, names, strict=True):
            write(ax, name, (0, y), (-0.8, 0), ha="right", va="center", rotation=90 if upright else 0, size="small")
        before = -2.8 if upright else -1.8 - LETTER * max(map(len, names))
        for name in dict.fromkeys(group for group, _ in self.rows):
            middle = mean(y for y, (group, _) in zip(centres, self.rows, strict=True) if group == name)
            write(ax, name, (0, middle), (before, 0), ha="right", va="center", rotation=90, weight="bold")

    def _name_cells(self, ax: Axes) -> None:
        """What a mini-grid's columns and rows are, once, at the lower right one."""
        corner = self.right, self.bottom
        Cr, F = (f"{values[0]:g} → {values[-1]:g}" for values in (self.Cr, self.F))
        write(ax, f"Cr {Cr}", corner, (0, -0.5), ha="right", va="top", size="small")
        write(ax, f"F {F}", corner, (0.5, 0), ha="left", va="bottom", rotation=90, size="small")


def starts(groups: Sequence[str], size: int) -> list[float]:
    """Where things of one size begin, one after the other, with more space between groups."""
    steps = [size + (BETWEEN if a == b else BETWEEN_GROUPS) for a, b in pairwise(groups)]
    return list(accumulate(steps, initial=0.0))[: len(groups)]


def write(ax: Axes, text: str, place: tuple[float, float], by: tuple[float, float], **look: Any) -> None:
    """Write text at a place, moved by an offset in heights of letters."""
    ax.annotate(text, place, by, textcoords="offset fontsize", **look)


def draw_scale(ax: Axes, colours: ScalarMappable, label: str, **look: Any) -> Colorbar:
    """The colours and what they stand for, below the Axes; as vectors, where matplotlib would embed an image."""
    bar: Colorbar = ax.figure.colorbar(colours, ax=ax, location="bottom", shrink=0.6, aspect=50, pad=0.02, **look)
    solids: Any = bar.solids
    solids.set(rasterized=False, edgecolor="face")  # edges: else there are hairlines between the colours
    bar.set_label(label)
    bar.outline.set(linewidth=thin())
    return bar
