"""EDPOIS of one measurement: runs per tenth of POIS, in the colour of its distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from debox.figures.entry import COLUMN

SIZE = (COLUMN, 2.6)


@dataclass(frozen=True)
class PoisHistogram:
    """The distribution of POIS over the runs of one configuration."""

    title: str
    footer: str
    counts: tuple[int, ...]  # runs in [0, 0.1], (0.1, 0.2], …, (0.9, 1]
    colour: str  # teal, orange or violet
    mean: float

    @property
    def runs(self) -> int:
        """How many runs it shows."""
        return sum(self.counts)


def pois_histogram(measurement: Any) -> PoisHistogram:
    """The record of what `debox.measure` returns."""
    budget = f"{measurement.budget:,}".replace(",", " ")
    return PoisHistogram(
        title=str(measurement.config),
        footer=f"f0, n = {measurement.n}, budget {budget}, {len(measurement.pois)} runs, seed {measurement.seed}",
        counts=tuple(measurement.histogram().tolist()),
        colour=measurement.colour(),
        mean=measurement.mean(),
    )
