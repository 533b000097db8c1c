"""Evaluating an objective at many points: one by one, vectorised, through a map, or in processes."""

from __future__ import annotations

import multiprocessing
import signal
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check
from debox.de import jit

Points = NDArray[np.float64]
Evaluate = Callable[[Points], NDArray[np.float64]]

RETRIES = 3  # how often one generation may lose its processes before the run gives up


class Objective:
    """f(x, *args) as a function of x alone; picklable when `fun` and `args` are."""

    def __init__(self, fun: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.fun, self.args = fun, args

    def __call__(self, x: Points) -> float:
        try:
            return number(self.fun(x.copy(), *self.args))  # a copy: it may write into it, and the note is still true
        except Exception as error:
            explain(error, self.fun, f"x = {x.tolist()}")
            raise


def number(returned: Any) -> float:
    """What an objective returned, as a float."""
    value = np.asarray(returned)
    if value.size != 1 or value.dtype.kind not in "fiub":
        got = f"an array of shape {value.shape}" if value.ndim else repr(returned)
        raise ValueError(f"the objective must return a number, got {got}")
    return float(value.item())


def vectorised(fun: Callable[..., Any], args: tuple[Any, ...], X: Points) -> NDArray[np.float64]:
    """The values of points (S, n) from one call with (n, S)."""
    try:
        return check.values(fun(X.T, *args), len(X))
    except Exception as error:
        explain(error, fun, f"{len(X)} points, an array of shape {X.T.shape}")
        raise


def explain(error: Exception, fun: Callable[..., Any], where: str) -> None:
    """Note on an error where the objective raised it; what Numba cannot compile is another error."""
    jit.refuse(error, fun)
    error.add_note(f"debox: the objective was called with {where}")


@contextmanager
def evaluator(
    fun: Callable[..., Any], args: tuple[Any, ...], vectorized: bool, workers: int | Callable[..., Any]
) -> Iterator[Evaluate]:
    """A function from points (S, n) to values (S,)."""
    objective = Objective(fun, args)
    processes = 1 if callable(workers) else check.workers(workers, "-1 for all cores, or a map-like callable")
    if vectorized:
        if callable(workers) or processes > 1:
            warnings.warn("vectorized=True evaluates a generation in one call: workers is ignored", stacklevel=4)
        yield lambda X: vectorised(fun, args, X)
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
        self.pool = ProcessPoolExecutor(self.processes, initializer=_remember, initargs=(self.objective,))

    def __call__(self, X: Points) -> NDArray[np.float64]:
        values: list[float] = []  # of the first points
        chunks = np.array_split(X, min(self.processes, len(X)))
        for _ in range(RETRIES + 1):
            try:
                for future in [self.pool.submit(_evaluate, chunk) for chunk in chunks]:
                    values += future.result()
                return np.array(values)
            except BrokenProcessPool as error:
                cause = error
                chunks = np.array_split(X[len(values) :], len(X) - len(values))  # one by one, to know which it is
                self.close()
                self._start()
        times = f"the processes evaluating the objective died {RETRIES + 1} times in a row"
        raise RuntimeError(f"{times}; the first point without a value: x = {X[len(values)].tolist()}") from cause

    def close(self) -> None:
        """End the processes; nothing more is asked of them."""
        self.pool.shutdown(wait=True, cancel_futures=True)


_objective: Objective | None = None


def _remember(objective: Objective) -> None:
    """What a process begins with; inheriting the caller's handler of SIGTERM would keep a broken pool from ending."""
    global _objective
    _objective = objective
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _evaluate(X: Points) -> list[float]:
    assert _objective is not None
    return [_objective(x) for x in X]
