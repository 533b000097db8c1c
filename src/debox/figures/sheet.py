"""Sheet: one figure before it is drawn. A new one is yielded by a function (see `paper`) that `make` lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from debox.analysis.runs import Panel, Runs
from debox.figures.draw.style import Figure, empty_figure

COLUMN = 3.5  # inches: the width of a journal's column
NO_RUNS = "no runs"
PAGE = (7.2, 9.7)  # inches: what a journal's page holds


def lacking(runs: Runs, panels: Iterable[Panel]) -> str:
    """What a figure of these panels lacks, if there is no run of any of them."""
    return "" if runs.any_of(panels) else NO_RUNS


@dataclass(frozen=True)
class Sheet:
    """A figure's name and alt text, how its record comes from the runs, and how ink comes from the record."""

    name: str  # of its file, without suffix; may hold a folder: panels/DE-rand-1-exp-sat-N5
    shows: str  # one sentence
    size: tuple[float, float]  # inches, on paper
    data: Callable[[Runs], Any]
    draw: Callable[[Figure, Any], None]  # into an empty figure of that size, with constrained layout
    told: str = ""  # what all its runs have in common, below the figure; empty if it shows no runs
    lacks: str = ""  # why it cannot be drawn: NO_RUNS, or what else the runs do not have
    without: str = ""  # what is left out of it

    @property
    def alt(self) -> str:
        """The alt text."""
        return f"{self.shows} {self.told}." if self.told else self.shows

    def drawn(self, runs: Runs, style: str = "paper") -> Figure:
        """The figure; call it within `in_style(style)`."""
        figure = empty_figure(self.size, style, self.told)
        self.draw(figure, self.data(runs))
        return figure
