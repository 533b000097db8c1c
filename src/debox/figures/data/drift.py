"""How far POIS drifts from the first to the last third of a run, all configurations on one page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from debox.analysis import thirds
from debox.analysis.old_runs import Runs
from debox.figures.data.mosaic import Mosaic, places
from debox.figures.entry import PAGE, Entry

SIZE = PAGE
DESCRIPTION = "POIS within the last third of a run minus POIS within the first, as a coloured cell:"


class Drift(Mosaic[float]):
    """The median drift of every configuration, NaN without runs."""


def entries(runs: Runs) -> Iterator[Entry]:
    """One page."""
    yield entry(runs)


def entry(runs: Runs) -> Entry:
    """The page of all configurations."""
    text = f"{DESCRIPTION} {places(runs)}."
    return Entry("drift", text, SIZE, drift, tuple(runs.panels()), further_obstacle=thirds.obstacle)


def drift(runs: Runs) -> Drift:
    """POIS within the last third of a run minus POIS within the first, for every configuration at its place."""
    return Drift.of(runs, partial(thirds.drift, thirds.require_thirds(runs)))
