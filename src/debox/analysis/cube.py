"""Cube: the runs of a full factorial study as one array, an axis per factor and a last one for the runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.analysis.old_runs import Runs

MOST_CELLS = 10**6  # of a full design: its runs are held in one array
NAMED = 5  # how many incomplete configurations an error names
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Cube:
    """POIS of every configuration and run; `axes` holds the values of each factor, in the order of the array's axes."""

    axes: Mapping[str, tuple[Any, ...]]
    pois: Floats  # mutation × crossover × strategy × N (× adaptation, if runs differ in it) × F × Cr × run
    budget: int
    dimension: int
    planned: int = 0  # runs of every configuration; 0: as many as there are
    donors: str = "distinct"  # the rule by which all runs choose donors
    adaptation: str = "fixed"  # how F and Cr adapt in all runs; empty if it is one of the axes

    @classmethod
    def of(cls, runs: Runs, levels: Mapping[str, tuple[Any, ...]] | None = None) -> Cube:
        """The cube of these runs; configurations without runs or with fewer than others are refused by name.

        A study may be short of planned runs if all its configurations are alike: `runs_in_words` says so.
        levels: of some factors, those that are looked at; what others lack does not matter
        """
        axes = {**runs.axes, **(levels or {})}
        if reason := obstacle(runs.require_runs(), axes):
            raise ValueError(reason)
        rows = np.stack([runs.rows[key] for key in product(*axes.values())])
        shape = (*map(len, axes.values()), rows.shape[-1])
        pois = np.asarray(runs.table["pois"][rows], np.float64).reshape(shape)
        budget, dimension = int(runs.common("budget")), int(runs.common("dimension"))
        donors, every = str(runs.common("donors", "distinct")), runs.adaptations
        return cls(axes, pois, budget, dimension, runs.planned, donors, every[0] if len(every) == 1 else "")

    @property
    def runs(self) -> int:
        """Runs of every configuration."""
        return int(self.pois.shape[-1])

    @property
    def runs_in_words(self) -> str:
        """``50 runs``, or ``30 of 50 planned runs``"""
        return runs_in_words(self.runs, self.planned)

    @property
    def infeasible(self) -> Floats:
        """How many trials of each run were infeasible."""
        return np.round(self.pois * self.budget)

    @property
    def trials(self) -> Floats:
        """How many trials a run of each configuration has: all evaluations but those of the initial population.

        Its shape is that of `pois` with length 1 in all axes but that of N.
        """
        N = np.array(self.axes["N"], np.float64)
        return (self.budget - N).reshape([-1 if name == "N" else 1 for name in (*self.axes, "run")])

    @property
    def share(self) -> Floats:
        """Infeasible trials ÷ trials, which can be 1 for every N; POIS itself is at most 1 − N/budget."""
        return self.infeasible / self.trials

    @property
    def logit(self) -> Floats:
        """log(p ÷ (1 − p)) of p = (infeasible + ½) ÷ (trials + 1), finite also where none or all are infeasible."""
        p = (self.infeasible + 0.5) / (self.trials + 1)
        return np.asarray(np.log(p) - np.log1p(-p))

    def take(self, **wanted: Any) -> Cube:
        """The part of the cube with these values: ``cube.take(crossover="bin", N=(5, 20))``."""
        axes, pois = dict(self.axes), self.pois
        for name, value in wanted.items():
            if name not in axes:
                raise ValueError(f"unknown factor {name!r}; choose from {', '.join(axes)}")
            values = value if isinstance(value, list | tuple) else (value,)
            if absent := [one for one in values if one not in axes[name]]:
                there = ", ".join(map(str, axes[name]))
                raise ValueError(f"{name} must be one of {there}, got {absent[0]!r}")
            pois = pois.take([axes[name].index(one) for one in values], axis=list(axes).index(name))
            axes[name] = tuple(values)
        return replace(self, axes=axes, pois=pois)


def obstacle(runs: Runs, levels: Mapping[str, tuple[Any, ...]] | None = None) -> str:
    """What a cube of these levels needs and the runs lack: columns, trials, or configurations; empty if nothing."""
    axes = levels or runs.axes
    if absent := [name for name in ("budget", "dimension") if name not in runs.table]:
        return f"the table has no column {', '.join(absent)}, which this needs"
    budget, N = runs.common("budget", 0), max(axes["N"], default=0)
    if runs.rows and budget <= N:
        return f"budget must be larger than N, else a run has no trials; it is {budget}, N is {N}"
    if (cells := prod(map(len, axes.values()))) > MOST_CELLS:
        return f"a full design of these levels has {cells:,} configurations, more than {MOST_CELLS:,}; name some levels"
    counts = {key: len(runs.rows.get(key, ())) for key in product(*axes.values())}
    most = max(counts.values(), default=0)
    if levels and not most:
        return f"no configuration of these levels has runs: {', '.join(map(format_cell, list(counts)[:NAMED]))}"
    fewer = [f"{format_cell(key)}: {count}" for key, count in counts.items() if count != most]
    more = f"; and {len(fewer) - NAMED} more" if len(fewer) > NAMED else ""
    why = f"every configuration needs the same {most} runs, these have fewer"
    if fewer:
        return f"{why}: {'; '.join(fewer[:NAMED])}{more}"
    return _repeated_run(runs, counts) or impossible_pois(runs, counts, budget)


def _repeated_run(runs: Runs, keys: Iterable[tuple[Any, ...]]) -> str:
    """A run that is there twice, which would count as two; empty if there is none, or if runs have no numbers."""
    if "run" not in runs.table:
        return ""
    for key in keys:
        numbers = np.sort(runs.table["run"][runs.rows.get(key, [])])
        if len(repeated := numbers[1:][numbers[1:] == numbers[:-1]]):
            return f"run {repeated[0]} of {format_cell(key)} is there more than once"
    return ""


def impossible_pois(runs: Runs, keys: Iterable[tuple[Any, ...]], budget: int) -> str:
    """A run with fewer than no infeasible trials, or more than it has trials, or NaN; empty if there is none."""
    pois, N = (np.asarray(runs.table[name], np.float64) for name in ("pois", "N"))
    counts = np.round(pois * budget)
    rows = np.concatenate([np.zeros(0, np.int64), *(runs.rows[key] for key in keys if key in runs.rows)])
    impossible = rows[~((counts[rows] >= 0) & (counts[rows] <= budget - N[rows]))]
    if not len(impossible):
        return ""
    row = impossible[0]
    key = tuple(runs.table[name][row] for name in runs.axes)
    limit = f"pois must be from 0 to 1 − N/budget = {1 - N[row] / budget:g}, for the first population is feasible"
    return f"{limit}; {format_cell(key)} has {pois[row]:g}"


def runs_in_words(runs: int, planned: int) -> str:
    """``50 runs``, or ``30 of 50 planned runs``"""
    return f"{runs} of {planned} planned runs" if runs < planned else f"{runs} run{'s' * (runs != 1)}"


def format_cell(key: tuple[Any, ...]) -> str:
    """A configuration by its factors: ``rand/1/bin mirror, N=5, F=0.5, Cr=0.5``, or ``…, N=5, JADE, F=0.5, …``"""
    mutation, crossover, strategy, N, *adaptation, F, Cr = key
    return ", ".join([f"{mutation}/{crossover} {strategy}, N={N}", *adaptation, f"F={F:g}, Cr={Cr:g}"])
