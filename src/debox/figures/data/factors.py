"""Factors in figures: the share of each of them, and how the two that interact most do so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from debox import registry
from debox.analysis import names
from debox.analysis.factors import Factors, factors
from debox.analysis.factors.result import KINDS, Share
from debox.analysis.runs import Runs

LABELS = {
    "mean": "mean POIS",
    "logit": "mean logit of POIS",
    "spread": "standard deviation of POIS",
    "quantiles": "quantile function of POIS",
}


@dataclass(frozen=True)
class FactorShares:
    """Three shares of one factor."""

    name: str
    levels: int
    first: Share
    total: Share
    shapley: Share


@dataclass(frozen=True)
class Shares:
    """The shares of all factors, the largest total share first."""

    title: str  # what is decomposed
    factors: tuple[FactorShares, ...]


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


def shares_of_runs(runs: Runs, of: str = "mean") -> Shares:
    """The shares of these runs."""
    return shares(factors(runs, of))


def interaction_of_runs(runs: Runs, of: str = "mean") -> Interaction:
    """The strongest interaction of these runs."""
    return interaction(factors(runs, of))


def shares(found: Factors) -> Shares:
    """The record of a factor analysis."""
    every = [
        FactorShares(name, len(levels), *(getattr(found, kind)[name] for kind in KINDS))
        for name, levels in found.axes.items()
    ]
    ordered = sorted(every, key=lambda one: -np.nan_to_num(one.total.value))
    return Shares(LABELS[found.of], tuple(ordered))


def interaction(found: Factors, pair: tuple[str, str] | None = None) -> Interaction:
    """The record of the strongest pair of factors, or of this one (in the order of the study's factors)."""
    a, b = pair or found.strongest_pair
    additive = found.effects[()] + np.add.outer(found.effects[a,], found.effects[b,])
    means = additive + found.effects[a, b]
    if len(found.axes[a]) > len(found.axes[b]):
        a, b, additive, means = b, a, additive.T, means.T
    share = found.components[pair or found.strongest_pair]
    levels = (_written(a, found.axes[a]), _written(b, found.axes[b]))
    return Interaction(LABELS[found.of], a, b, *levels, _rows(means), _rows(additive), share)


def _written(name: str, levels: tuple[Any, ...]) -> tuple[str, ...]:
    if name in registry.SLOTS:
        return tuple(names.short(name, level) for level in levels)
    return tuple(f"{level:g}" for level in levels)


def _rows(table: Any) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in np.asarray(table).tolist())
