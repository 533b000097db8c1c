"""The last step of Cr: mean POIS of every configuration at the two largest Cr, and where it falls: the collapse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.analysis import cube
from debox.analysis.claims.estimate import mean
from debox.analysis.claims.properties import falling_steps
from debox.analysis.cube import Cube, Floats
from debox.analysis.old_runs import Runs


class Fall(NamedTuple):
    """The last step of Cr in one row of the study, and the mean share of infeasible trials before and after it."""

    mutation: str
    crossover: str
    strategy: str
    N: int
    F: float
    before: float
    after: float
    before_error: float  # standard errors
    after_error: float

    @property
    def depth(self) -> float:
        """By how much the mean falls."""
        return self.before - self.after

    @property
    def name(self) -> str:
        """``DE/rand/1/bin mirror, N=5, F=0.7``"""
        return f"DE/{self.mutation}/{self.crossover} {self.strategy}, N={self.N}, F={self.F:g}"


@dataclass(frozen=True, eq=False)
class LastStep:
    """Mean shares of infeasible trials at the two largest Cr; arrays have an axis for each factor but Cr.

    falls: where the mean falls by more than `rules.FALL`, beyond chance among all steps of Cr: what the claims about
    the collapse count
    """

    axes: Mapping[str, tuple[Any, ...]]
    Cr: tuple[float, float]
    before: Floats
    after: Floats
    before_error: Floats  # standard errors
    after_error: Floats
    falls: NDArray[np.bool_]

    @classmethod
    def of(cls, study: Cube) -> LastStep:
        """The last step of a study with at least two Cr."""
        axes = {name: levels for name, levels in study.axes.items() if name != "Cr"}
        means = mean(study)
        value, error = (array[..., -2:] for array in (means.value, np.sqrt(means.variance)))
        arrays = (value[..., 0], value[..., 1], error[..., 0], error[..., 1])
        return cls(axes, study.axes["Cr"][-2:], *arrays, falling_steps(study)[..., -1])

    def rows(self) -> Iterator[tuple[Fall, bool]]:
        """Every configuration but its Cr, in the order of the axes, and whether it falls."""
        for at in np.ndindex(self.falls.shape):
            cell = [levels[k] for levels, k in zip(self.axes.values(), at, strict=True)]
            arrays = (self.before, self.after, self.before_error, self.after_error)
            yield Fall(*cell, *(float(array[at]) for array in arrays)), bool(self.falls[at])

    def share_falling(self, factor: str) -> dict[Any, float]:
        """For each level of a factor the share of configurations that fall."""
        by_level = np.moveaxis(self.falls, list(self.axes).index(factor), 0)
        return {level: float(some.mean()) for level, some in zip(self.axes[factor], by_level, strict=True)}

    def deepest(self) -> tuple[dict[str, Any], float, float]:
        """Of the configurations that fall, the one that falls most: its factors, its means before and after."""
        depth = np.where(self.falls, self.before - self.after, -np.inf)
        at = np.unravel_index(np.argmax(depth), depth.shape)
        key = {name: levels[k] for (name, levels), k in zip(self.axes.items(), at, strict=True)}
        return key, float(self.before[at]), float(self.after[at])


def last_steps(study: Cube) -> list[Fall]:
    """The last step of Cr in every row of the study, whether it falls or not, in the order of the cube's axes."""
    return [step for step, _ in LastStep.of(study).rows()]


def falls(study: Cube) -> list[Fall]:
    """The last steps of Cr that fall by more than `rules.FALL` and beyond chance: what the claims call a collapse."""
    return [step for step, falling in LastStep.of(study).rows() if falling]


def obstacle(runs: Runs) -> str:
    """What the last step of Cr needs and these runs lack: a full design, two runs, two Cr; empty if nothing."""
    if reason := cube.obstacle(runs):
        return reason
    if len(runs.axes["Cr"]) < 2:
        return "the last step of Cr needs two values of Cr, this study has one"
    if min(map(len, runs.rows.values()), default=0) < 2:
        return "the last step of Cr needs at least 2 runs of every configuration, these have fewer"
    return ""
