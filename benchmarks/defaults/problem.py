"""A problem with a known minimum in a box, and the recorder through which every solver sees it."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

GOAL = 1e-8  # errors up to here are the same
ROUNDOFF = 1e-9  # of the width of a box: what lies so far outside is put on its wall


class Problem(NamedTuple):
    """fun(x, *data) has its least value in the box at `optimiser`; variables marked `periodic` end where they begin."""

    name: str
    fun: Callable[..., float]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    optimiser: NDArray[np.float64]
    data: tuple[NDArray[np.float64], ...] = ()
    periodic: tuple[bool, ...] = ()
    least: float | None = None  # fun(optimiser, *data), if not given

    @property
    def n(self) -> int:
        """How many variables it has."""
        return self.low.size

    @property
    def bounds(self) -> list[tuple[float, float]]:
        """A pair per variable, as every library takes them."""
        return list(zip(self.low.tolist(), self.high.tolist(), strict=True))

    @property
    def minimum(self) -> float:
        """The least value in the box."""
        return self.fun(self.optimiser, *self.data) if self.least is None else self.least


def rotation(n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """An orthogonal matrix, uniform among all."""
    Q, R = np.linalg.qr(rng.standard_normal((n, n)))
    return np.ascontiguousarray(Q * np.sign(np.diag(R)))


class Stop(Exception):
    """Ends a solver that asks for another value when the budget is spent or the goal is reached."""


class Recorder:
    """The objective that a solver gets: counts evaluations, keeps the best value, and gives none beyond the budget.

    Solvers that compute a point on a wall may miss it by rounding: such a point is put on the wall. A point outside
    the box is an error, else leaving it could win.
    """

    def __init__(self, problem: Problem, budget: int) -> None:
        self.problem, self.budget = problem, budget
        self.evaluations, self.best, self.has_stopped = 0, np.inf, False
        self.minimum = problem.minimum
        self.x = np.empty(problem.n)

    @property
    def error(self) -> float:
        """How far the best value is above the minimum."""
        return self.best - self.minimum

    def __call__(self, x: ArrayLike) -> float:
        """The value at a point of the box."""
        if self.evaluations >= self.budget or self.error <= GOAL:
            self.has_stopped = True
            raise Stop
        self.x[:] = x
        if not enter(self.x, self.problem.low, self.problem.high):
            raise ValueError(f"{self.problem.name} was asked for a value outside its box: x = {x}")
        self.evaluations += 1
        value = float(self.problem.fun(self.x, *self.problem.data))
        if value < self.best:
            self.best = value
        return value


@numba.njit(cache=True)
def enter(x: Any, low: Any, high: Any) -> bool:
    """Put a point that lies outside by rounding on the wall; returns whether it is in the box then."""
    for i in range(x.size):
        margin = ROUNDOFF * (high[i] - low[i])
        if not low[i] - margin <= x[i] <= high[i] + margin:
            return False
        x[i] = min(max(x[i], low[i]), high[i])
    return True
