"""f0, and two engines that run a configuration on it: `plain` does Algorithm 1, `fast` gives results of the same law.

Both work in the unit box and scale the best point to the given one: in exact arithmetic the box makes no difference on
f0, but in another box a + (b − a) may round to more than b, and points on a bound, as saturation makes them, have
mutants that count as infeasible by a rounding error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from debox import jit
from debox.assemble import assemble, loop_for
from debox.box import Box
from debox.config import Config
from debox.de import adaptive, algorithm
from debox.de.algorithm import ACCEPTED, INFEASIBLE, Tally
from debox.f0.fast import clock
from debox.jit import kernel


@kernel
def f0(x, rng):  # type: ignore[no-untyped-def]
    """f0(x) = U(0,1), a fresh one for every evaluation"""
    return rng.random()


class Outcome(NamedTuple):
    """The numbers of one run."""

    infeasible: int
    infeasible_at: NDArray[np.int64]
    accepted: int
    best_f: float
    best_x: NDArray[np.float64]


class Engine(Protocol):
    """Does the runs of one configuration, one after the other, each in steps."""

    bounds: Box  # of P: the unit box
    tally: Tally

    @property
    def P(self) -> NDArray[np.float64]:
        """The population."""

    def begin(self, rng: np.random.Generator) -> None:
        """Start a run with a fresh population."""

    def advance(self, until: int) -> None:
        """Continue the run until it has done `until` evaluations."""

    def outcome(self) -> Outcome:
        """The numbers of the run so far."""


class Plain:
    """Algorithm 1, evaluation by evaluation."""

    def __init__(self, config: Config, box: Box, budget: int, marks: NDArray[np.int64]) -> None:
        self.box, self.bounds, self.N, self.marks = box, Box.unit(box.n), config.N, marks
        self.leaves_outside = config.operators.strategy.leaves_outside
        self.config, self.de = config, assemble(config, self.bounds, budget=budget)
        self.f0 = jit.pointer(f0, "objective")
        self.begin(np.random.default_rng(0))
        self._run = jit.bind(loop_for(config, algorithm.run), *self._arguments(budget))

    def begin(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self._P, self.f = self.bounds.sample(self.N, rng), np.empty(self.N)
        if self.config.adapts:
            adaptive.restart(self.de.adaptation, self.config.F, self.config.Cr)
            self._P = adaptive.with_room_for_archive(self.de.adaptation, self._P)
        self.tally = Tally.empty(self.marks, self.bounds.n)

    def _arguments(self, until: int) -> tuple[Any, ...]:
        return (self.f0, self.de, self._P, self.f, until, np.nan, self.rng, self.tally)

    @property
    def P(self) -> NDArray[np.float64]:
        return adaptive.population_of(self.de.adaptation, self._P) if self.config.adapts else self._P

    def advance(self, until: int) -> None:
        self._run(*self._arguments(until))

    def outcome(self) -> Outcome:
        return _outcome(self)


class Fast:
    """Results of the same law as those of Algorithm 1, in a hundredth of the time."""

    def __init__(self, config: Config, box: Box, budget: int, marks: NDArray[np.int64]) -> None:
        self.box, self.bounds, self.N, self.marks, self.budget = box, Box.unit(box.n), config.N, marks, budget
        self.leaves_outside = False
        self.tables = clock.prepare(config, box.n)  # refuses what this engine cannot do
        self.de = assemble(config, self.bounds)
        self.begin(np.random.default_rng(0))
        self._advance = jit.bind(loop_for(config, clock.advance), *self._arguments(budget))

    def begin(self, rng: np.random.Generator) -> None:
        self.rng, N = rng, self.N
        self.P, self.f = self.bounds.sample(N, rng), rng.random(N)
        lanes = self.tables[0].lanes
        lanes[:] = rng.integers(0, 2**64, lanes.shape, np.uint64)
        self.tally = Tally.empty(self.marks, self.bounds.n)
        self.state = clock.State(
            P=self.P,
            f=self.f,
            clock=np.zeros(N, np.int64),
            tally=self.tally,
            trials=np.empty_like(self.P),
            accepting=np.zeros(N, np.bool_),
            infeasible=np.zeros(N, np.bool_),
        )

    def _arguments(self, until: int) -> tuple[Any, ...]:
        return (self.de, self.state, *self.tables, until, self.budget, self.rng)

    def advance(self, until: int) -> None:
        self._advance(*self._arguments(until))

    def outcome(self) -> Outcome:
        return _outcome(self)


ENGINES: dict[str, Callable[[Config, Box, int, NDArray[np.int64]], Engine]] = {"plain": Plain, "fast": Fast}


def _outcome(engine: Plain | Fast) -> Outcome:
    best, (counts, _, infeasible_at, _) = algorithm.best_of(engine.f), engine.tally
    x = engine.box.scaled(engine.P[best], clip=not engine.leaves_outside)
    return Outcome(int(counts[INFEASIBLE]), infeasible_at, int(counts[ACCEPTED]), float(engine.f[best]), x)
