"""Evaluating an objective at many points: one by one, vectorised, through a map, or in processes."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache, partial
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check
from debox.optimize.variables import Space
from debox.travel import add_note, portable, warn_user

Floats = NDArray[np.float64]
Evaluate = Callable[[Floats], Any]  # points (S, n), of which the objective gets copies, to S values

WORKERS = "an integer ≥ 1, -1 for all cores or a map-like callable"  # that may evaluate
RETRIES = 3  # how often one generation may lose its processes before the run gives up


class Objective:
    """fun(x, *args) at points, one by one; picklable when `fun` and `args` are."""

    def __init__(self, fun: Callable[..., Any], args: tuple[Any, ...], errors_are_nan: bool = False) -> None:
        self.fun, self.args, self.errors_are_nan, self.process = fun, args, errors_are_nan, os.getpid()

    def __call__(self, x: Floats) -> float:
        return self.at(x[np.newaxis])[0]

    def at(self, points: Floats) -> list[float]:
        """The values of these points; fun gets rows of a copy, into which it may write."""
        fun, args, values = self.fun, self.args, list[float]()
        try:
            for x in points.copy():
                try:
                    value = fun(x, *args)
                except Exception as own:
                    if not self.errors_are_nan:
                        raise
                    value = Failure("nan")
                    value.error = f"{type(own).__name__}: {own}"
                values.append(value if isinstance(value, float) else as_number(value))
            return values
        except BaseException as raised:
            where = f"x = {points[min(len(values), len(points) - 1)].tolist()}"  # Ctrl-C may come after the last
            if isinstance(raised, Exception):
                explain(raised, fun, where)
            if os.getpid() == self.process:
                raise
            error = portable(raised, f"the objective raised, at {where}, an error that cannot be pickled: ")
        raise error

    def at_once(self, points: Floats) -> Floats:
        """The same by one call of a compiled loop; `fun` is compiled with Numba."""
        f = np.empty(len(points))
        try:
            compiled_loop(self.fun)(points.copy(), f, self.args)
        except Exception as error:
            explain(error, self.fun, f"{len(points)} points of a generation")
            raise
        return f


class Failure(float):
    """NaN, as the value of a point at which the objective raised an error; `error` is that in words."""

    error = ""


class Errors:
    """Errors of the objective that count as NaN: how many, and the first one in words; a warning tells of that."""

    def __init__(self, count: int = 0, first: str = "") -> None:
        self.count, self.first = count, first

    def counted(self, values: Any, X: Floats) -> Any:
        """The values of these points, whose Failures are counted."""
        failures = [i for i, value in enumerate(values) if type(value) is Failure]
        if failures and not self.count:
            self.first = f"{values[failures[0]].error} at x = {X[failures[0]].tolist()}"
            warn_user(f"the objective raised {self.first}: counts as NaN, as on_error='nan' says", RuntimeWarning)
        self.count += len(failures)
        return values


def as_number(returned: Any) -> float:
    """What an objective returned, as a float."""
    if returned is None:
        raise ValueError("the objective must return a number, got None: does it end without return?")
    value = check.floats(returned, "the objective must return a number")
    if value.size != 1:
        raise ValueError(f"the objective must return a number, got an array of shape {value.shape}")
    return float(value.item())


class Vectorised:
    """fun(X, *args) of a whole generation: it gets the points (S, n) as columns, (n, S), and returns their values.

    With as many points as variables, a function that takes rows for points would go unnoticed. Then the first
    generation is passed in two calls, of unequal size where there are more than two points: the shapes of results tell.
    Where errors are counted, the points of a call that raises one are passed one by one.
    """

    def __init__(self, fun: Callable[..., Any], args: tuple[Any, ...], errors: Errors | None = None) -> None:
        self.fun, self.args, self.errors, self.called = fun, args, errors, False

    def __call__(self, X: Floats) -> Any:
        S, n = X.shape
        if n == S > 1 and not self.called:
            self.called, first = True, S // 2 + (S > 2)
            return np.concatenate([self(X[:first]), self(X[first:])])
        self.called = True
        try:
            try:
                values = self.fun(X.copy().T, *self.args)
            except Exception:
                if self.errors is None:
                    raise
                one = Objective(lambda x: self.fun(x[:, np.newaxis], *self.args), (), errors_are_nan=True)
                values = self.errors.counted(one.at(X), X)
            values = check.floats(values, "the objective must return numbers")
            if values.shape != (S,):
                got = f"the objective got an array of shape (n, S) = {X.T.shape}, one column per point"
                raise ValueError(f"{got}, and must return S = {S} values, got shape {values.shape}")
            return values
        except Exception as error:
            explain(error, self.fun, f"{S} points, an array of shape {X.T.shape}")
            raise


def explain(error: Exception, fun: Callable[..., Any], where: str) -> None:
    """Add to an error where the objective raised it; raise a ValueError if Numba could not compile the objective."""
    if any(kind.__module__ == "numba.core.errors" for kind in type(error).__mro__):
        from debox.operators.bridge import in_a_line

        about = f"Numba cannot compile the objective {getattr(fun, '__name__', fun)!r} with its args"
        raise ValueError(f"{about}: {in_a_line(error)}") from error
    add_note(error, f"the objective was called with {where}")


def is_compiled(fun: object) -> bool:
    """Is it a function that its owner compiled with Numba?"""
    return type(fun).__module__.startswith("numba.") and hasattr(fun, "py_func")  # it may be half imported elsewhere


@lru_cache(maxsize=32)
def compiled_loop(fun: Any) -> Any:
    """evaluate(X, f, args): f_i = fun(x_i, *args), compiled once for args of the same types."""

    def evaluate(X, f, args):  # type: ignore[no-untyped-def]
        for i in range(f.size):
            f[i] = fun(X[i], *args)

    return sys.modules["numba"].njit(nogil=True, error_model="numpy")(evaluate)


def by_name(fun: Callable[..., Any], space: Space, x: Floats, *args: Any) -> Any:
    """fun(params, *args) of a point."""
    return fun(space.params(x), *args)


@contextmanager
def evaluator(
    fun: Callable[..., Any],
    args: tuple[Any, ...],
    vectorized: bool,
    workers: int | Callable[..., Any],
    space: Space | None = None,
    errors: Errors | None = None,
) -> Iterator[Evaluate]:
    """A function from points (S, n) to values (S,).

    With a space, `fun` gets points as dicts of its names. With `errors`, those of `fun` are counted there, not raised.
    """
    if not callable(fun):
        raise ValueError(f"fun must be callable, got {fun!r}")
    if space is not None:
        if not space.names:
            raise ValueError("named=True needs bounds with names: a dict of them")
        fun = partial(by_name, fun, space)
    objective = Objective(fun, args, errors_are_nan=errors is not None)
    counted = (lambda values, X: values) if errors is None else errors.counted
    processes = 1 if callable(workers) else check.workers(workers, WORKERS)
    if vectorized:
        if callable(workers) or processes > 1:
            warn_user("vectorized=True evaluates a generation in one call: workers is ignored", UserWarning)
        yield Vectorised(fun, args, errors)
    elif callable(workers):
        yield lambda X: check.values(counted(list(workers(objective, X.copy())), X), len(X))
    elif processes > 1:
        with Processes(objective, processes) as pool:
            yield lambda X: counted(pool(X), X)
    elif errors is not None:
        yield lambda X: counted(objective.at(X), X)
    else:  # in a compiled loop compiled functions have no values: args that have some are passed point by point
        yield objective.at_once if is_compiled(fun) and not any(map(is_compiled, args)) else objective.at


class Processes(AbstractContextManager["Processes"]):
    """A pool of processes that outlives the death of one: lost points are evaluated again by a new pool."""

    def __init__(self, objective: Objective, processes: int) -> None:
        from multiprocessing import get_start_method  # 15 ms, which most runs save

        self.objective, self.processes, method = objective, processes, get_start_method()
        self._start()
        if method == "fork":
            return
        try:
            pickle.dumps(objective)
        except Exception as error:
            raise ValueError(f"fun must be picklable to run in other processes: {error}") from None
        try:  # do processes start, each of which runs from the top the script that starts it?
            self.pool.submit(int).result()
        except BrokenExecutor:
            self.pool.shutdown()
            each = f"workers={processes} starts processes by {method!r}, each of which"
            what = "runs your script again: calls that start processes must stand under  if __name__ == '__main__':"
            if not hasattr(sys.modules["__main__"], "__file__"):  # a notebook, or another interactive session
                what = "has nothing that you define here: fun must be in a module, which they can import"
            raise RuntimeError(f"{each} {what}") from None

    def _start(self) -> None:
        from concurrent.futures import ProcessPoolExecutor

        self.pool = ProcessPoolExecutor(self.processes, initializer=_start_process, initargs=(self.objective,))

    def __call__(self, X: Floats) -> list[float]:
        values: list[float] = []  # of the first points
        chunks = np.array_split(X, min(self.processes, len(X)))
        for _ in range(RETRIES + 1):
            try:
                for future in [self.pool.submit(_evaluate, chunk) for chunk in chunks]:
                    values += future.result()
                return values
            except BrokenExecutor as error:
                cause = error
                chunks = np.array_split(X[len(values) :], len(X) - len(values))  # one by one, to find the culprit
                self.pool.shutdown()
                self._start()
        times = f"the processes evaluating the objective died {RETRIES + 1} times in a row"
        raise RuntimeError(f"{times}; the first point without a value: x = {X[len(values)].tolist()}") from cause

    def __exit__(self, error: type[BaseException] | None, *_: Any) -> None:
        if error is not None:  # or Ctrl-C: no value is needed any more
            for process in list((self.pool._processes or {}).values()):  # terminate_workers, from Python 3.14
                process.terminate()
        self.pool.shutdown(cancel_futures=True)  # without points that they have not begun


_objective: Objective  # of this process


def _start_process(objective: Objective) -> None:
    """Store the objective when a process starts, and leave its end to the process that started it."""
    global _objective
    _objective = objective
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # ends this process, as a handler of the caller's might not
    signal.signal(signal.SIGINT, lambda *_: None)  # the caller hears Ctrl-C, and programs that the objective starts do
    Thread(target=_end_with_the_caller, daemon=True).start()


def _end_with_the_caller() -> None:
    from multiprocessing import parent_process

    if caller := parent_process():
        caller.join()
        os._exit(1)


def _evaluate(X: Floats) -> list[float]:
    return _objective.at(X)
