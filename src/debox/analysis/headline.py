"""How many configurations leave the box how often: in all, by factor, and from which F on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from debox.analysis.median_map import find_crossings, median_map
from debox.analysis.old_runs import Panel, Runs
from debox.analysis.summary import CAMP_RUNS, Summary, summary

HALF, NEARLY_ALL, EXTREME = 0.5, 0.99, 0.999
RUNS_FOR_CAMPS = 2 * CAMP_RUNS  # fewer cannot form two camps


@dataclass(frozen=True)
class Counts:
    """How many configurations have each property; shares are of those that have runs."""

    configurations: int  # with runs
    median: float  # of their medians
    half: int  # whose median POIS is at least 0.5
    nearly_all: int  # … at least 0.99
    always_outside: int  # all of whose runs have POIS ≥ 0.999
    never_outside: int  # all of whose runs have POIS ≤ 0.001
    wide: int  # 5 to 95 % of whose runs span more than 0.1
    bimodal: int | None  # whose runs form two camps; None if no configuration has enough runs

    def share(self, name: str) -> float:
        """A count as a share of the configurations with runs."""
        return float(getattr(self, name)) / self.configurations if self.configurations else np.nan


@dataclass(frozen=True)
class ConfigurationSummary:
    """One configuration: its factors, its summary and the extremes of its runs."""

    factors: Mapping[str, Any]
    summary: Summary
    least: float
    most: float


def summarise(runs: Runs) -> list[ConfigurationSummary]:
    """A summary of each configuration with runs."""
    pois = runs.table["pois"]
    cells = [(dict(zip(runs.axes, key, strict=True)), pois[rows]) for key, rows in runs.rows.items()]
    return [
        ConfigurationSummary(key, summary(values), float(values.min()), float(values.max())) for key, values in cells
    ]


def counts(configurations: Iterable[ConfigurationSummary]) -> Counts:
    """How many of the configurations have each property."""
    summaries = list(configurations)
    enough = [one for one in summaries if one.summary.runs >= RUNS_FOR_CAMPS]
    medians = np.array([one.summary.median for one in summaries])
    return Counts(
        configurations=len(summaries),
        median=float(np.median(medians)) if summaries else np.nan,
        half=int((medians >= HALF).sum()),
        nearly_all=int((medians >= NEARLY_ALL).sum()),
        always_outside=sum(one.least >= EXTREME for one in summaries),
        never_outside=sum(one.most <= 1 - EXTREME for one in summaries),
        wide=sum(one.summary.high - one.summary.low > 0.1 for one in summaries),
        bimodal=sum(bool(one.summary.camps) for one in enough) if enough else None,
    )


def by_factor(runs: Runs, configurations: Iterable[ConfigurationSummary]) -> dict[str, dict[Any, Counts]]:
    """The counts for every value of every factor."""
    summaries = list(configurations)
    return {
        name: {value: counts(one for one in summaries if one.factors[name] == value) for value in runs.axes[name]}
        for name in runs.axes
    }


def count_configurations(runs: Runs) -> int:
    """How many configurations were planned, or have runs: the product of the factors' values."""
    return prod(map(len, runs.axes.values()))


def smallest_F_reaching(runs: Runs, panel: Panel, level: float = HALF) -> dict[float, float | None]:
    """For each Cr the smallest F at which the median POIS reaches a level; None if it never does, NaN if unknown."""
    map_ = median_map(runs, panel)
    columns = zip(map_.Cr, zip(*map_.median, strict=True), strict=True)
    return {Cr: find_F_reaching(map_.F, medians, level) for Cr, medians in columns}


def find_F_reaching(F: tuple[float, ...], medians: tuple[float, ...], level: float) -> float | None:
    """The smallest F at which the medians reach a level, by straight lines on the scale of the maps."""
    above = [f for f, median in zip(F, medians, strict=True) if median >= level]
    if not above and not np.isnan(medians).any():
        return None
    return min([*find_crossings(F, medians, level), *above], default=np.nan)
