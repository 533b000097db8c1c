"""All configurations on one page: median, spread and camps of POIS."""

from __future__ import annotations

from collections.abc import Iterator

from debox.analysis.old_runs import Runs
from debox.analysis.summary import Summary, summary
from debox.figures.data.mosaic import Mosaic, places
from debox.figures.entry import PAGE, Entry

SIZE = PAGE
DESCRIPTION = (
    "Median POIS of every configuration as a coloured cell, a bar for the spread over the runs and two dots where "
    "they fall into two camps:"
)


class Overview(Mosaic[Summary]):
    """A summary of the runs of every configuration."""


def entries(runs: Runs) -> Iterator[Entry]:
    """One page."""
    yield entry(runs)


def entry(runs: Runs) -> Entry:
    """The page of all configurations."""
    return Entry("overview", f"{DESCRIPTION} {places(runs)}.", SIZE, overview, tuple(runs.panels()))


def overview(runs: Runs) -> Overview:
    """Median, spread and camps of POIS of every configuration."""
    return Overview.of(runs, lambda panel, F, Cr: summary(runs.values(panel, F, Cr)))
