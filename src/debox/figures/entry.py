"""Entry: one figure of the catalogue before it is drawn, free of matplotlib."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from debox.analysis.old_runs import Panel, Runs

COLUMN = 3.5  # inches: the width of a journal's column
PAGE = (7.2, 9.7)  # inches: what a journal's page holds
NO_RUNS = "no runs"


def file_name(*parts: str) -> str:
    """The name of a file, of these parts but for empty ones; a / in the name of an operator makes no folder."""
    return "-".join(filter(None, parts)).replace("/", "-")


@dataclass(frozen=True)
class Entry:
    """A figure's name, what it shows, what it needs, and how its record comes from the runs.

    How the record is drawn depends on its type alone: see `debox.figures.draw.by_type`.
    """

    name: str  # of its file, without suffix; may hold a folder: panels/DE-rand-1-exp-sat-N5
    description: str  # one sentence
    size: tuple[float, float]  # inches, on paper
    record: Callable[[Runs], Any]
    panels: tuple[Panel, ...] = ()  # whose runs it shows; one run of any of them is enough
    further_obstacle: Callable[[Runs], str] = lambda runs: ""  # what else these runs lack; empty if nothing
    omission: str = ""  # what is left out of it, and why

    def footer(self, runs: Runs) -> str:
        """What all its runs share, to stand below the figure; empty if it shows no runs."""
        return runs.caption if self.panels else ""

    def alt_text(self, runs: Runs) -> str:
        """The text for those who do not see the figure."""
        return f"{self.description} {self.footer(runs)}." if self.panels else self.description

    def obstacle(self, runs: Runs) -> str:
        """Why it cannot be drawn from these runs: NO_RUNS, or what else they do not have; empty if it can."""
        if self.panels and not runs.has_any_of(self.panels):
            return NO_RUNS
        return self.further_obstacle(runs)
