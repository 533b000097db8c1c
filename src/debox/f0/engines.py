"""The two engines of one configuration on f0: `plain` does Algorithm 1, `fast` does what has the same law."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from debox.assemble import assemble
from debox.box import Box
from debox.config import Config
from debox.de import algorithm, jit
from debox.de.algorithm import ACCEPTED, INFEASIBLE
from debox.f0 import fast
from debox.f0.function import f0
from debox.f0.prepare import prepare


class Outcome(NamedTuple):
    """What a run leaves."""

    infeasible: int
    infeasible_at: NDArray[np.int64]
    accepted: int
    best_f: float
    best_x: NDArray[np.float64]


class Engine(Protocol):
    """A run of one configuration, in steps."""

    P: NDArray[np.float64]
    bounds: Box  # where P lives
    counts: NDArray[np.int64]

    def begin(self, rng: np.random.Generator) -> None:
        """A fresh population."""

    def advance(self, until: int) -> None:
        """Go on until so many evaluations are done."""

    def outcome(self) -> Outcome:
        """What is known now."""


class Plain:
    """Algorithm 1, evaluation by evaluation, in the given box."""

    def __init__(self, config: Config, box: Box, budget: int, marks: NDArray[np.int64]) -> None:
        self.bounds, self.N, self.marks = box, config.N, marks
        self.de = assemble(config, box)
        self.f0 = jit.pointer(f0, "objective")
        self.begin(np.random.default_rng(0))
        self._run = jit.bind(algorithm.run, *self._arguments(budget))

    def begin(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.P, self.f = self.bounds.sample(self.N, rng), np.empty(self.N)
        self.counts, self.infeasible_at = np.zeros(5, np.int64), np.zeros(self.marks.size, np.int64)
        self.violations = np.zeros(self.bounds.n, np.int64)

    def _arguments(self, until: int) -> tuple[Any, ...]:
        tally = (self.counts, self.marks, self.infeasible_at, self.violations)
        return (self.f0, self.de, self.P, self.f, until, np.nan, self.rng, *tally)

    def advance(self, until: int) -> None:
        self._run(*self._arguments(until))

    def outcome(self) -> Outcome:
        return _outcome(self.counts, self.infeasible_at, self.f, self.P)


class Fast:
    """The fast engine, in the unit box; the best point is scaled to the given one (the law does not see the box)."""

    def __init__(self, config: Config, box: Box, budget: int, marks: NDArray[np.int64]) -> None:
        self.box, self.N, self.budget, self.marks = box, config.N, budget, marks
        self.bounds = Box(np.zeros(box.n), np.ones(box.n))
        self.de = assemble(config, self.bounds)
        self.tables = prepare(config, box.n)
        self.begin(np.random.default_rng(0))
        self._advance = jit.bind(fast.advance, *self._arguments(budget))

    def begin(self, rng: np.random.Generator) -> None:
        self.rng, N = rng, self.N
        self.P, self.f = self.bounds.sample(N, rng), rng.random(N)
        lanes = self.tables[0].lanes
        lanes[:] = rng.integers(0, 2**64, lanes.shape, np.uint64)
        self.counts, self.infeasible_at = np.zeros(5, np.int64), np.zeros(self.marks.size, np.int64)
        self.state = fast.State(
            P=self.P,
            f=self.f,
            clock=np.zeros(N, np.int64),
            counts=self.counts,
            marks=self.marks,
            infeasible_at=self.infeasible_at,
            trials=np.empty_like(self.P),
            accepting=np.zeros(N, np.bool_),
            infeasible=np.zeros(N, np.bool_),
            violations=np.zeros(self.box.n, np.int64),
        )

    def _arguments(self, until: int) -> tuple[Any, ...]:
        return (self.de, self.state, *self.tables, until, self.budget, self.rng)

    def advance(self, until: int) -> None:
        self._advance(*self._arguments(until))

    def outcome(self) -> Outcome:
        done = _outcome(self.counts, self.infeasible_at, self.f, self.P)
        return done._replace(best_x=self.box.scaled(done.best_x))


ENGINES: dict[str, Callable[[Config, Box, int, NDArray[np.int64]], Engine]] = {"plain": Plain, "fast": Fast}


def _outcome(counts: Any, infeasible_at: Any, f: Any, P: Any) -> Outcome:
    best = algorithm.best_of(f)
    return Outcome(int(counts[INFEASIBLE]), infeasible_at, int(counts[ACCEPTED]), float(f[best]), P[best].copy())
