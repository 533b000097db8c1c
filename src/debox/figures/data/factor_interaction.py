"""How the two factors that interact most do so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from debox import operators
from debox.analysis import names
from debox.analysis.factors import STATISTICS, Factors, Share, factors
from debox.analysis.factors import obstacle as factors_obstacle
from debox.analysis.old_runs import Runs
from debox.analysis.runs import Runs as DenseRuns
from debox.figures.entry import Entry

SIZE = (7.2, 2.8)
DESCRIPTION = (
    "The two factors that interact most: mean POIS at their levels, over all levels of the other factors, as lines, "
    "dotted were there no interaction; and a map of what the interaction adds."
)


@dataclass(frozen=True)
class Interaction:
    """Means over everything but two factors, a row per level of the first; what each is were there no interaction."""

    title: str
    first: str  # the factor with fewer levels
    second: str
    first_levels: tuple[str, ...]
    second_levels: tuple[str, ...]
    means: tuple[tuple[float, ...], ...]
    additive: tuple[tuple[float, ...], ...]
    share: Share

    @property
    def component(self) -> tuple[tuple[float, ...], ...]:
        """What the interaction adds."""
        return _rows(np.subtract(self.means, self.additive))


def entries(runs: Runs) -> Iterator[Entry]:
    """One figure, of mean POIS."""
    yield Entry(
        "factors-interaction", DESCRIPTION, SIZE, interaction_of_runs, tuple(runs.panels()), further_obstacle=obstacle
    )


def interaction_of_runs(runs: Runs) -> Interaction:
    """The strongest interaction of two factors on mean POIS of these runs."""
    return interaction(factors(DenseRuns.of(runs.table)))


def interaction(found: Factors, pair: tuple[str, str] | None = None) -> Interaction:
    """The record of the strongest pair of factors, or of this one (in the order of the study's factors)."""
    a, b = pair or found.strongest_pair
    additive = found.effects[()] + np.add.outer(found.effects[a,], found.effects[b,])
    means, share = additive + found.effects[a, b], found.components[a, b]
    if len(found.axes[a]) > len(found.axes[b]):
        a, b, additive, means = b, a, additive.T, means.T
    levels = (_format_levels(a, found.axes[a]), _format_levels(b, found.axes[b]))
    return Interaction(STATISTICS[found.of].title, a, b, *levels, _rows(means), _rows(additive), share)


def _format_levels(name: str, levels: tuple[Any, ...]) -> tuple[str, ...]:
    if name in operators.SLOTS:
        return tuple(names.short(name, level) for level in levels)
    return tuple(f"{level:g}" for level in levels)


def _rows(table: Any) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in np.asarray(table).tolist())


def obstacle(runs: Runs) -> str:
    """What a comparison of factors needs and these runs lack; empty if nothing."""
    return factors_obstacle(DenseRuns.of(runs.table))
