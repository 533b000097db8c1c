"""Where a little more crossover keeps DE inside: mean POIS at the largest Cr against that at the one below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.analysis import last_step as steps
from debox.analysis.old_runs import Runs
from debox.analysis.runs import Runs as Arrays
from debox.figures.entry import Entry

HEIGHT, WIDTH, MOST_COLUMNS = 3.2, 2.4, 4  # inches; of N, the smallest that fit on a page
DESCRIPTION = (
    "The last step of Cr: a dot for each configuration, its mean POIS at the largest Cr against that at the one below, "
    "per population size; dots below the diagonal fall, and filled ones do so by more than 0.05, beyond chance."
)


@dataclass(frozen=True, eq=False)
class Step:
    """The configurations of one N: a dot and a strategy each."""

    N: int
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    falls: NDArray[np.bool_]
    strategy: NDArray[np.int64]  # its place among all strategies

    @property
    def falling(self) -> int:
        """How many fall."""
        return int(self.falls.sum())


@dataclass(frozen=True, eq=False)
class LastStep:
    """A column for each N, the same strategies in all."""

    Cr: tuple[float, float]
    strategies: tuple[str, ...]
    columns: tuple[Step, ...]


def entries(runs: Runs) -> Iterator[Entry]:
    """One figure."""
    size = (WIDTH * min(len(runs.axes["N"]), MOST_COLUMNS) or WIDTH, HEIGHT)
    yield Entry("last-step", DESCRIPTION, size, last_step, tuple(runs.panels()), further_obstacle=obstacle)


def obstacle(runs: Runs) -> str:
    """What these runs lack; empty if nothing."""
    return steps.obstacle(Arrays.of(runs.table))


def last_step(runs: Runs) -> LastStep:
    """The record of these runs."""
    found = steps.LastStep.of(Arrays.of(runs.table))
    names = list(found.axes)
    place = np.indices(found.before.shape)[names.index("strategy")]

    def of_N(k: int, N: int) -> Step:
        arrays: tuple[NDArray[Any], ...] = (found.before, found.after, found.falls, place)
        return Step(N, *(array.take(k, axis=names.index("N")).ravel() for array in arrays))

    columns = tuple(of_N(k, N) for k, N in enumerate(found.axes["N"][:MOST_COLUMNS]))
    return LastStep(found.Cr, found.axes["strategy"], columns)
