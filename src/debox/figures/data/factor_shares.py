"""How much each factor makes of the differences between configurations: its shares of their variance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from debox.analysis.factors import HEADS, STATISTICS, Factors, Share, factors
from debox.analysis.factors import obstacle as factors_obstacle
from debox.analysis.old_runs import Runs
from debox.analysis.runs import Runs as DenseRuns
from debox.figures.entry import Entry

SIZE = (5.0, 3.4)
DESCRIPTION = (
    "What drives mean POIS: three bars with intervals for each factor, its share of the variance between "
    "configurations alone, with interactions, and with interactions divided evenly (Shapley)."
)


@dataclass(frozen=True)
class OneFactor:
    """Three shares of one factor."""

    name: str
    levels: int
    first: Share
    total: Share
    shapley: Share


@dataclass(frozen=True)
class FactorShares:
    """The shares of all factors, the largest total share first."""

    title: str  # what is decomposed
    factors: tuple[OneFactor, ...]


def entries(runs: Runs) -> Iterator[Entry]:
    """One figure, of mean POIS."""
    yield Entry("factors-shares", DESCRIPTION, SIZE, shares_of_runs, tuple(runs.panels()), further_obstacle=obstacle)


def shares_of_runs(runs: Runs) -> FactorShares:
    """The shares of mean POIS of these runs."""
    return factor_shares(factors(DenseRuns.of(runs.table)))


def factor_shares(found: Factors) -> FactorShares:
    """The record of a factor analysis."""
    every = [
        OneFactor(name, len(levels), *(getattr(found, kind)[name] for kind in HEADS))
        for name, levels in found.axes.items()
    ]
    ordered = sorted(every, key=lambda one: -np.nan_to_num(one.total.value))
    return FactorShares(STATISTICS[found.of].title, tuple(ordered))


def obstacle(runs: Runs) -> str:
    """What a comparison of factors needs and these runs lack; empty if nothing."""
    return factors_obstacle(DenseRuns.of(runs.table))
