"""Page: one figure before it is drawn, free of matplotlib; and which part of the runs it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.analysis.names import Panel
from debox.analysis.runs import Runs
from debox.figures.style import Figure, empty_figure, legend_below
from debox.operators import SLOTS
from debox.study.fields import ADAPTATION, AXES

COLUMN = 3.5  # inches: the width of a journal's column
PAGE = (7.2, 9.7)  # inches: what a journal's page holds
NO_RUNS = "no runs"
Floats = NDArray[np.float64]
Numbers = dict[str, NDArray[Any]]  # arrays of one dimension first, then arrays with an axis for each of the former


@dataclass(frozen=True, eq=False)
class Page:
    """A figure's name, what it shows, and the functions that compute its numbers and draw it, with their arguments."""

    name: str  # of its file, without suffix; may hold a folder: panels/DE-rand-1-exp-sat-N5
    caption: str  # one sentence
    size: tuple[float, float]  # inches, on paper
    numbers: Callable[..., Numbers]  # numbers(*arguments)
    draw: Any = None  # draw(ax, *arguments), if one Axes is enough
    arguments: tuple[Any, ...] = ()
    draw_page: Callable[..., object] | None = None  # draw_page(figure, *arguments), of several Axes
    legend: Callable[[], Sequence[Any]] | None = None  # what its marks are, below a figure of one Axes
    legend_columns: int = 3
    runs: Runs | None = None  # that it shows
    obstacle: str = ""  # why it cannot be drawn: NO_RUNS, or what else these runs lack
    omission: str = ""  # what is left out of it, and why
    footer: str | None = None  # below the figure; by default what all its runs share

    @property
    def alt_text(self) -> str:
        """The text for those who do not see the figure."""
        return f"{self.caption} {self.runs.caption}." if self.runs else self.caption

    def figure(self, style: str = "paper", *, in_pyplot: bool = False) -> Figure:
        """The whole figure, with its key and a footer about the runs; call it within `in_style(style)`."""
        footer = self.footer or (self.runs.caption if self.runs else "")
        figure = empty_figure(self.size, style, footer, in_pyplot=in_pyplot)
        if self.draw_page:
            self.draw_page(figure, *self.arguments)
        else:
            self.draw(figure.add_subplot(), *self.arguments)
        if self.legend:
            legend_below(figure, self.legend(), self.legend_columns)
        if self.runs and self.runs.adapts:
            for axis in (axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)):
                axis.label.set_text(self.runs.say_starting_values(axis.label.get_text()))
        return figure


def file_name(*parts: str) -> str:
    """The name of a file, of these parts but for empty ones; a / in the name of an operator makes no folder."""
    return "-".join(filter(None, parts)).replace("/", "-")


def adaptations_of(runs: Runs) -> tuple[str, ...]:
    """The adaptations that have pages of their own: each of several, or nothing."""
    return runs.axes.get(ADAPTATION, ("",))


def panels_of(runs: Runs) -> Iterator[Panel]:
    """All panels, planned or with runs, ordered by mutation, crossover, strategy, N and adaptation."""
    levels = [runs.axes[name] for name in AXES[:-2]]
    return (Panel(*values) for values in product(*levels, adaptations_of(runs)))


def part_of(runs: Runs, **levels: Any) -> Runs:
    """The runs at these levels, an empty name meaning all: ``part_of(runs, mutation="rand/1", adaptation="")``.

    Its axes are those of AXES. A level that the runs do not have gives a part without runs.
    """
    wanted = {name: level for name, level in levels.items() if level != ""}
    if all(level in runs.axes[name] for name, level in wanted.items()):
        return runs.take(**wanted).require_one()
    axes = {name: (wanted[name],) if name in wanted else runs.axes[name] for name in AXES}
    return replace(runs, axes=axes, index=np.full((*map(len, axes.values()), runs.planned), -1, np.int32))


def axes_of(runs: Runs, *axes: str) -> Numbers:
    """The levels of these factors as arrays."""
    return {name: np.array(runs.axes[name], object if name in SLOTS else None) for name in axes}


def obstacle(runs: Runs, further: str = "") -> str:
    """Why a page of these runs cannot be drawn: that there are none, or the further reason; empty if there is none."""
    return further if (runs.index >= 0).any() else NO_RUNS
