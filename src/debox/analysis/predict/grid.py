"""Grid: the runs of one panel, sorted within each cell: quantile functions at the levels of F and Cr."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import fsum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from debox import operators
from debox.analysis.cube import Cube
from debox.analysis.first_generation import component_chances, why_no_curve
from debox.analysis.old_runs import Panel, Runs
from debox.f0 import theory

Floats = NDArray[np.float64]
Chance = Callable[[float, float], float]


@dataclass(frozen=True, eq=False)
class Grid:
    """Infeasible trials of every run of a panel: `counts[i, j, k]` is the k-th smallest of the cell (F[i], Cr[j]).

    A run has `trials` = budget − N trials. `chance(F, Cr)` is that of an infeasible trial of generation 1.
    """

    panel: Panel
    F: Floats
    Cr: Floats
    counts: Floats
    dimension: int
    budget: int
    chance: Chance
    options: str = ""  # settings other than the usual, as a configuration writes them

    @classmethod
    def of(cls, runs: Runs, panel: Panel) -> Grid:
        """The grid of a panel; a ValueError if cells have no or fewer runs than others, or there is no grid of them."""
        cube = Cube.of(runs)
        counts = np.sort(cube.infeasible.reshape(cube.infeasible.shape[-3:]), axis=-1)
        F, Cr = (np.array(cube.axes[name], np.float64) for name in ("F", "Cr"))
        for name, levels in (("F", F), ("Cr", Cr)):
            if len(levels) < 2:
                raise ValueError(f"a prediction needs at least 2 levels of {name}, the study has {levels[0]:g} alone")
        chance = first_generation_chance(runs, panel)
        return cls(panel, F, Cr, counts, cube.dimension, cube.budget, chance, runs.options)

    @property
    def trials(self) -> int:
        """How many trials a run has."""
        return self.budget - self.panel.N

    @property
    def runs(self) -> int:
        """Runs of every cell."""
        return int(self.counts.shape[-1])

    @cached_property
    def logits(self) -> Floats:
        """The counts on the scale of logits."""
        return to_logit(self.counts, self.trials)

    @cached_property
    def deviation(self) -> Floats:
        """How far logits are from those of generation 1."""
        return np.asarray(self.logits - self.baseline(self.F, self.Cr)[..., None])

    def without(self, F: int | None = None, Cr: int | None = None) -> Grid:
        """The grid without a row (of F) or a column (of Cr), by its number."""
        rows = np.delete(np.arange(len(self.F)), [] if F is None else F)
        columns = np.delete(np.arange(len(self.Cr)), [] if Cr is None else Cr)
        return replace(self, F=self.F[rows], Cr=self.Cr[columns], counts=self.counts[np.ix_(rows, columns)])

    def cell(self, F: float, Cr: float) -> Floats | None:
        """The runs of a configuration of the study, sorted; None between its levels."""
        row, column = np.flatnonzero(self.F == F), np.flatnonzero(self.Cr == Cr)
        return self.counts[row[0], column[0]] if len(row) and len(column) else None

    def baseline(self, F: Sequence[float] | Floats, Cr: Sequence[float] | Floats) -> Floats:
        """What generation 1 alone would give, on the scale of logits: a row for every F, a column for every Cr."""
        chances = [[self.chance(float(f), float(c)) for c in Cr] for f in F]
        return to_logit(np.array(chances) * self.trials, self.trials)


def first_generation_chance(runs: Runs, panel: Panel) -> Chance:
    """P(a trial of generation 1 is infeasible) as a function of F and Cr; ½ throughout where no formula is known."""
    if why_no_curve(runs, panel.mutation, panel.crossover):
        return lambda F, Cr: 0.5
    n, donors = runs.common("dimension"), runs.common("donors", "distinct")
    of_trial = theory.TRIAL_CHANCES[operators.find("crossover", panel.crossover).exchanges]

    @lru_cache(maxsize=1024)  # the same cells are asked for whenever one of them is left out
    def chance(F: float, Cr: float) -> float:
        ways = component_chances(panel.mutation, donors, panel.N, F)
        return fsum(weight * of_trial(p, Cr, n) for p, weight in ways)

    return chance


def to_logit(counts: ArrayLike, trials: int) -> Floats:
    """log((count + ½) ÷ (trials − count + ½)), finite also where none or all are infeasible"""
    count = np.asarray(counts, np.float64)
    return np.asarray(np.log((count + 0.5) / (trials - count + 0.5)))


def from_logit(logits: ArrayLike, trials: int) -> Floats:
    """(trials + 1) p − ½ with p = (1 + tanh(logit/2))/2, at least 0 and at most all trials"""
    p = (1 + np.tanh(np.asarray(logits, np.float64) / 2)) / 2
    return np.asarray(np.clip(p * (trials + 1) - 0.5, 0, trials))
