"""Evaluating an objective at many points: one by one, vectorised, through a map, or in processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check, jit
from debox.travel import add_note, portable

Floats = NDArray[np.float64]
Evaluate = Callable[[Floats], NDArray[np.float64]]

WORKERS = "an integer ≥ 1, -1 for all cores or a map-like callable"  # that may evaluate
RETRIES = 3  # how often one generation may lose its processes before the run gives up


class Objective:
    """f(x, *args) as a function of x alone; picklable when `fun` and `args` are."""

    def __init__(self, fun: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.fun, self.args, self.process = fun, args, os.getpid()

    def __call__(self, x: Floats) -> float:
        try:
            return as_number(self.fun(x.copy(), *self.args))  # a copy: fun may write into it
        except BaseException as raised:
            if isinstance(raised, Exception):
                explain(raised, self.fun, f"x = {x.tolist()}")
            if os.getpid() == self.process:
                raise
            message = f"the objective raised, at x = {x.tolist()}, an error that cannot be pickled: "
            error = portable(raised, message)
        raise error


def as_number(returned: Any) -> float:
    """What an objective returned, as a float."""
    if isinstance(returned, float):
        return float(returned)
    value = check.floats(returned, "the objective must return a number")
    if value.size != 1:
        raise ValueError(f"the objective must return a number, got an array of shape {value.shape}")
    return float(value.item())


class Vectorised:
    """fun(X, *args) of a whole generation: it gets the points (S, n) as columns, (n, S), and returns their values.

    With as many points as variables, a function that takes rows for points would go unnoticed. Then the first
    generation is passed in two calls, of unequal size where there are more than two points: the shapes of results tell.
    """

    def __init__(self, fun: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.fun, self.args, self.called = fun, args, False

    def __call__(self, X: Floats) -> NDArray[np.float64]:
        S, n = X.shape
        first = S // 2 + (S > 2) if n == S and not self.called else S
        self.called = True
        return np.concatenate([self._call(part) for part in (X[:first], X[first:]) if len(part)])

    def _call(self, X: Floats) -> NDArray[np.float64]:
        try:
            values = check.floats(self.fun(X.T, *self.args), "the objective must return numbers")
            if values.shape != (len(X),):
                got = f"the objective got an array of shape (n, S) = {X.T.shape}, one column per point"
                raise ValueError(f"{got}, and must return S = {len(X)} values, got shape {values.shape}")
            return values
        except Exception as error:
            explain(error, self.fun, f"{len(X)} points, an array of shape {X.T.shape}")
            raise


def explain(error: Exception, fun: Callable[..., Any], where: str) -> None:
    """Add to an error where the objective raised it; raise a ValueError if Numba could not compile the objective."""
    jit.raise_as_objective_error(error, fun)
    add_note(error, f"the objective was called with {where}")


@contextmanager
def evaluator(
    fun: Callable[..., Any], args: tuple[Any, ...], vectorized: bool, workers: int | Callable[..., Any]
) -> Iterator[Evaluate]:
    """A function from points (S, n) to values (S,)."""
    objective = Objective(fun, args)
    processes = 1 if callable(workers) else check.workers(workers, WORKERS)
    if vectorized:
        if callable(workers) or processes > 1:
            warnings.warn("vectorized=True evaluates a generation in one call: workers is ignored", stacklevel=4)
        yield Vectorised(fun, args)
    elif callable(workers):
        yield lambda X: check.values(list(workers(objective, X)), len(X))
    elif processes == 1:
        yield lambda X: np.array([objective(x) for x in X])
    else:
        pool = Processes(objective, processes)
        try:
            yield pool
        finally:
            pool.close()


class Processes:
    """A pool of processes that outlives the death of one: lost points are evaluated again by a new pool."""

    def __init__(self, objective: Objective, processes: int) -> None:
        self.objective, self.processes = objective, processes
        self._start()

    def _start(self) -> None:
        if multiprocessing.get_start_method() != "fork":
            check.picklable("fun", self.objective)
        self.pool = ProcessPoolExecutor(self.processes, initializer=_start_process, initargs=(self.objective,))

    def __call__(self, X: Floats) -> NDArray[np.float64]:
        values: list[float] = []  # of the first points
        chunks = np.array_split(X, min(self.processes, len(X)))
        for _ in range(RETRIES + 1):
            try:
                for future in [self.pool.submit(_evaluate, chunk) for chunk in chunks]:
                    values += future.result()
                return np.array(values)
            except BrokenProcessPool as error:
                cause = error
                chunks = np.array_split(X[len(values) :], len(X) - len(values))  # one by one, to find the culprit
                self.close()
                self._start()
        times = f"the processes evaluating the objective died {RETRIES + 1} times in a row"
        raise RuntimeError(f"{times}; the first point without a value: x = {X[len(values)].tolist()}") from cause

    def close(self) -> None:
        """End the processes, without waiting for points that they have not begun."""
        self.pool.shutdown(wait=True, cancel_futures=True)


_objective: Objective | None = None


def _start_process(objective: Objective) -> None:
    """Store the objective when a process starts; reset SIGTERM, since the caller's handler could keep it alive."""
    global _objective
    _objective = objective
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _evaluate(X: Floats) -> list[float]:
    assert _objective is not None
    return [_objective(x) for x in X]
