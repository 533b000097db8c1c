"""The two engines that run a configuration on f0, and the runs of a configuration, for `measure` and `debox run`.

f0(x) is a fresh U(0,1) for every evaluation. `plain` executes Algorithm 1, `fast` gives results of the same law. Both
work in the unit box and scale the best point to the given box. In exact arithmetic the box makes no difference on f0.
In floating point a + (b − a) may round to more than b: mutants of points on a bound would be infeasible by rounding.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.box import Box
from debox.config import Config, Operators, marks
from debox.f0.tables import Tables, why_not_fast
from debox.loop import Loop, LostError
from debox.reference import ACCEPTED, EVALUATIONS, INFEASIBLE


class Run(NamedTuple):
    """The numbers of one run, the diagnostics recorded along it and its CPU time."""

    infeasible: int
    infeasible_at: NDArray[np.int64]
    accepted: int
    best_f: float
    best_x: NDArray[np.float64]
    diagnostics: Sequence[tuple[float, ...]] = ()
    seconds: float = 0.0


class Plain:
    """Algorithm 1, evaluation by evaluation: does the runs of one configuration, one after the other, each in steps."""

    def __init__(self, config: Config, box: Box, budget: int, marks: NDArray[np.int64]) -> None:
        self.config, self.N, self.budget = config, config.N, budget
        self.box, self.bounds = box, Box.unit(box.n)  # the box of the reported best point; that of P
        self.stop = threading.Event()  # once it is set, a run goes no further
        room, rng = np.zeros((config.N, box.n)), np.random.default_rng(0)
        self.loop = Loop(config, self.bounds, budget=budget, rng=rng, P=room, marks=marks)
        self.f = self.loop.f  # of the population; NaN for individuals that have left it
        self.counts = self.loop.counts  # of the run, at the places that reference.py names
        self.fast = 0  # the address of the tables of the other engine

    @property
    def P(self) -> NDArray[np.float64]:
        """The population."""
        return self.loop.population

    def begin(self, rng: np.random.Generator) -> None:
        """Start a run with a fresh population."""
        self.loop.restart(rng.random((self.N, self.bounds.n)), rng)

    def advance(self, until: int) -> None:
        """Continue the run until it has done `until` evaluations."""
        self.loop.advance_on_f0(until, self.stop.is_set, self.fast)

    def outcome(self) -> Run:
        """The numbers of the run so far."""
        best, at = self.loop.run.best, self.loop.infeasible_at.copy()
        x = self.box._scaled(self.P[best], clip=not self.config.operators.strategy.leaves_outside)
        return Run(int(self.counts[INFEASIBLE]), at, int(self.counts[ACCEPTED]), float(self.f[best]), x)


class Fast(Plain):
    """Runs of the same law, in a hundredth of the time."""

    def __init__(self, config: Config, box: Box, budget: int, marks: NDArray[np.int64]) -> None:
        self.tables = Tables(config, box.n)  # raises an error if this engine cannot run it
        super().__init__(config, box, budget, marks)
        self.fast = self.tables.address

    def begin(self, rng: np.random.Generator) -> None:
        super().begin(rng)
        lanes = self.tables.values["lanes"]
        self.loop.f[:] = rng.random(self.N)
        lanes[:] = rng.integers(0, 2**64, lanes.shape, np.uint64)


ENGINES: dict[str, Callable[[Config, Box, int, NDArray[np.int64]], Plain]] = {"plain": Plain, "fast": Fast}


def choose_engine(engine: str, operators: Operators, N: int, budget: int) -> str:
    """The engine that "auto" stands for: fast, unless it knows no law of the operators or generations are too few."""
    if engine != "auto":
        return engine
    return "plain" if why_not_fast(operators) or budget < 3 * N else "fast"


# Diagnostics of the population along a run.

POINTS = 50  # log-spaced


@dataclass(frozen=True, eq=False)
class Trace:
    """Diagnostics along the runs: rows are runs, columns the points in `evaluations`."""

    evaluations: NDArray[np.int64]
    infeasible: NDArray[np.int64]  # infeasible trials so far
    mean_sd: NDArray[np.float64]  # standard deviation within the population, mean over dimensions, in box widths
    zero_variance: NDArray[np.float64]  # share of dimensions in which all individuals agree
    on_bound: NDArray[np.float64]  # share of coordinates on a bound
    distinct: NDArray[np.int64]  # different individuals

    @classmethod
    def of(cls, runs: Sequence[Sequence[tuple[float, ...]]]) -> Trace:
        """From the rows of `follow`, for each of several runs."""
        evaluations, infeasible, sd, zero_variance, on_bound, distinct = np.moveaxis(np.array(runs), 2, 0)
        evaluations, infeasible, distinct = (count.astype(np.int64) for count in (evaluations[0], infeasible, distinct))
        return cls(evaluations, infeasible, sd, zero_variance, on_bound, distinct)


def log_spaced(N: int, budget: int) -> NDArray[np.int64]:
    """Log-spaced ends of generations from the initial population to the end of the budget."""
    generations = np.ceil(np.geomspace(N, budget, POINTS) / N).astype(np.int64)
    return np.unique(np.minimum(generations * N, budget))


def follow(engine: Plain) -> list[tuple[float, ...]]:
    """Advance an engine from point to point; a row of evaluations, infeasible trials and `diagnose` at each.

    If the population shrinks, generations may end beyond a point: the row is of their end, which is the same in all
    runs, and there is one row for each end.
    """
    rows: list[tuple[float, ...]] = []
    for evaluations in log_spaced(engine.N, engine.budget):
        engine.advance(int(evaluations))
        counts = engine.counts
        if not rows or counts[EVALUATIONS] > rows[-1][0]:
            rows.append((counts[EVALUATIONS], counts[INFEASIBLE], *diagnose(engine.P, engine.bounds)))
    return rows


def diagnose(P: NDArray[np.float64], box: Box) -> tuple[float, float, float, int]:
    """mean_sd, zero_variance, on_bound and distinct of one population."""
    sd = P.std(axis=0) / (box.upper - box.lower)
    agree = (P[0] == P).all(axis=0)
    on_bound = (box.lower == P) | (box.upper == P)
    return float(sd.mean()), float(agree.mean()), float(on_bound.mean()), len(np.unique(P, axis=0))


# The runs of one configuration.


@dataclass(frozen=True, eq=False)
class Setting:
    """All that the runs of a measurement share."""

    box: Box
    budget: int
    seed: int
    engine: str
    checkpoints: tuple[float, ...]
    trace: bool = False  # whether to record diagnostics of the population
    stop: threading.Event = field(default_factory=threading.Event)  # once it is set, no run goes further

    @property
    def marks(self) -> NDArray[np.int64]:
        """The checkpoints in evaluations."""
        return marks(self.budget, self.checkpoints)


def columns(runs: Sequence[Run], setting: Setting) -> dict[str, Any]:
    """The outcomes of these runs as arrays with a row for each run, infeasible trials as POIS."""
    infeasible, infeasible_at, accepted, best_f, best_x = map(np.array, zip(*(run[:5] for run in runs), strict=True))
    pois = {"pois": infeasible / setting.budget, "pois_at": infeasible_at / setting.marks}
    return {**pois, "accepted": accepted, "best_f": best_f, "best_x": best_x}


def do_runs(config: Config, setting: Setting, numbers: Iterable[int]) -> list[Run]:
    """The runs of these numbers; only those that are done when `setting.stop` is set."""
    try:
        engine, runs = engine_for(config, setting), []
        for number in numbers:
            run = _run(engine, config, setting, number)
            if setting.stop.is_set():  # it may have been cut short
                break
            runs.append(run)
        return runs
    except MemoryError as error:
        size = f"N = {config.N} in n = {setting.box.n} dimensions"
        raise MemoryError(f"no memory for a run with {size}: {error}") from None


def engine_for(config: Config, setting: Setting) -> Plain:
    """The engine of these runs."""
    name = choose_engine(setting.engine, config.operators, config.N, setting.budget)
    engine = ENGINES[name](config, setting.box, setting.budget, setting.marks)
    engine.stop = setting.stop
    return engine


def _run(engine: Plain, config: Config, setting: Setting, number: int) -> Run:
    start = time.thread_time()
    engine.begin(stream(setting.seed, config, number))
    try:
        diagnostics = follow(engine) if setting.trace else []
        engine.advance(setting.budget)
    except LostError:  # again, in Python, for the error
        engine.loop.set_operators(compiled=False)
        return _run(engine, config, setting, number)
    return engine.outcome()._replace(diagnostics=diagnostics, seconds=time.thread_time() - start)


def stream(seed: int, config: Config, run: int) -> np.random.Generator:
    """The random numbers of one run; they depend only on its address: seed, configuration and number."""
    key = int.from_bytes(hashlib.sha256(str(config).encode()).digest()[:8], "little")
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed, key, run])))
