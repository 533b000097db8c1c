"""Where POIS falls at the last step of Cr: the collapse, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from debox.analysis.claims.estimate import mean
from debox.analysis.claims.properties import falls_at_last
from debox.analysis.cube import Cube


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


def last_steps(cube: Cube) -> list[Fall]:
    """The last step of Cr in every row of the study, whether it falls or not, in the order of the cube's axes."""
    return [step for step, _ in _judged(cube)]


def falls(cube: Cube) -> list[Fall]:
    """The last steps of Cr that fall by more than `rules.FALL` and beyond chance: what the claims call a collapse."""
    return [step for step, falling in _judged(cube) if falling]


def _judged(cube: Cube) -> Iterator[tuple[Fall, bool]]:
    falling, means = falls_at_last(cube).has[..., 0], mean(cube)
    errors = np.sqrt(means.variance)
    rows = list(cube.axes.values())[:-1]
    for at in np.ndindex(falling.shape):
        cell = [values[k] for values, k in zip(rows, at, strict=True)]
        yield Fall(*cell, *means.value[at][-2:].tolist(), *errors[at][-2:].tolist()), bool(falling[at])
