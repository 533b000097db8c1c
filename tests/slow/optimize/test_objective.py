"""Objectives at many points: one by one, vectorised, through a map, in processes; numbers and errors that come back."""

import copyreg
import multiprocessing
import os
import re
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas
import pytest

from debox.optimize.objective import Objective, Processes, evaluator

X = np.arange(12.0).reshape(6, 2)
VALUES = np.array([1.0, 13.0, 41.0, 85.0, 145.0, 221.0])  # 0² + 1², 2² + 3², …, 10² + 11²


def squares(x, scale=1.0):
    return scale * (x[0] ** 2 + x[1] ** 2)


def evaluate(fun, args=(), vectorized=False, workers=1):
    with evaluator(fun, args, vectorized, workers) as values:
        return values(X.copy())


def thread_map(fun, points):
    with ThreadPoolExecutor(2) as pool:  # no thread is left beside the forks of other tests
        return pool.map(fun, points)


@contextmanager
def pool_map():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        yield lambda fun, points: pool.map_async(fun, points).get(timeout=60)


@pytest.mark.parametrize("workers", [1, 2, 5, 9, -1, map, thread_map, "vectorised", "pool"])
def test_the_values_are_those_of_the_points_in_their_order(workers):
    with pool_map() if workers == "pool" else nullcontext(1 if workers == "vectorised" else workers) as given:
        values = evaluate(squares, (2.0,), workers == "vectorised", given)
    np.testing.assert_array_equal(values, 2 * VALUES)


NUMBERS = [3, 3.0, np.float32(3), np.longdouble(3), np.array(3.0), np.array([[3.0]]), np.array([3], object)]
NUMBERS += [True, 10**30, Decimal(3), Fraction(1, 3), np.ma.array(3.0)]


@pytest.mark.parametrize("value", NUMBERS, ids=repr)
def test_a_number_in_any_dress_is_a_value(value):
    result = Objective(lambda x: value, ())(X[0])
    assert result == float(np.squeeze(value))
    assert type(result) is float


NO_NUMBERS = [None, [], [1, 2], np.zeros((2, 2)), "low", "3", b"3", 1j, 1 + 0j, {}, np.datetime64("2020-01-01")]
NO_NUMBERS += [10**400, np.ma.masked, np.ma.array(3, mask=True), pandas.NA, pandas.NaT, np.array([None])]


@pytest.mark.parametrize("value", NO_NUMBERS, ids=lambda value: repr(value)[:50])
def test_what_is_not_a_number_is_an_error_that_shows_it(value):
    with pytest.raises(ValueError, match=r"^the objective must return a number, got") as caught:
        evaluate(lambda x: value)
    assert caught.value.__notes__ == ["debox: the objective was called with x = [0.0, 1.0]"]


# Errors.


class Unusual(Exception):
    """An exception that pickle cannot bring back."""

    def __init__(self, one, two):
        super().__init__(f"{one} {two}")


def unusual(x):
    raise Unusual("very", "unusual")


def raising(error):
    def fun(x):
        x[:] = 9
        raise error

    return fun


@pytest.fixture(autouse=True)
def _plain_pickle(monkeypatch):
    """Where a test before loaded Dask, it made pickle treat every exception in another way."""
    for kind in (Unusual, SystemExit):
        monkeypatch.delitem(copyreg.dispatch_table, kind, raising=False)


@pytest.mark.parametrize("workers", [1, 2, map, "vectorised"])
def test_an_error_of_the_objective_passes_through_with_a_note_of_the_point(workers):
    with pytest.raises(ZeroDivisionError) as caught:
        evaluate(
            raising(ZeroDivisionError()),
            vectorized=workers == "vectorised",
            workers=1 if workers == "vectorised" else workers,
        )
    point = "6 points, an array of shape (2, 6)" if workers == "vectorised" else "x = [0.0, 1.0]"
    assert caught.value.__notes__ == [f"debox: the objective was called with {point}"]


@pytest.mark.parametrize("workers", [lambda: nullcontext(2), pool_map], ids=["processes", "a pool's map"])
def test_an_error_that_cannot_be_pickled_comes_from_elsewhere_as_words_with_the_point_and_the_traceback(workers):
    with pytest.raises(Unusual):
        evaluate(unusual, workers=map)
    with workers() as parallel, pytest.raises(RuntimeError) as caught:
        evaluate(unusual, workers=parallel)
    points = "|".join(re.escape(str(x)) for x in X.tolist())  # which is first is up to the processes
    raised = rf"the objective raised, at x = ({points}), an error that cannot be pickled: "
    assert re.match(rf"{raised}\S*Unusual: very unusual", str(caught.value))
    assert "in unusual\n    raise " in str(caught.value)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_objective_that_leaves_ends_the_run_as_if_called_here(workers):
    with pytest.raises(SystemExit) as caught:
        evaluate(raising(SystemExit(3)), workers=workers)
    assert caught.value.code == 3
    with pytest.raises(KeyboardInterrupt) as caught:
        evaluate(raising(KeyboardInterrupt()), workers=workers)
    assert not hasattr(caught.value, "__notes__")


# Processes.


def test_a_closure_is_evaluated_in_processes_that_inherit_it_and_else_refused(monkeypatch):
    offset = 5.0
    np.testing.assert_array_equal(evaluate(lambda x: squares(x) + offset, workers=2), VALUES + 5.0)
    monkeypatch.setattr(multiprocessing, "get_start_method", lambda: "spawn")
    with pytest.raises(Exception, match="pickle"):
        evaluate(lambda x: squares(x) + offset, workers=2)


def dies_once(x, folder):
    """Kills its own process, the first time for each value of x[0]."""
    with suppress(FileExistsError):
        os.close(os.open(folder / str(x[0]), os.O_CREAT | os.O_EXCL))
        os.kill(os.getpid(), signal.SIGKILL)
    return squares(x)


def test_a_process_that_is_killed_is_replaced_and_no_value_is_lost(tmp_path):
    for x in X[[0, 2, 3, 4, 5]]:  # only the second point kills: its process has done work by then
        (tmp_path / str(x[0])).touch()
    np.testing.assert_array_equal(evaluate(dies_once, (tmp_path,), workers=2), VALUES)
    assert (tmp_path / "2.0").exists(), "the process did die"


def test_one_death_in_every_call_is_not_a_death_in_a_row(tmp_path):
    with Processes(Objective(dies_once, (tmp_path,)), 2) as values:
        for k in range(5):
            np.testing.assert_array_equal(values(np.array([[k, 1.0], [k, 2.0]])), [k**2 + 1, k**2 + 4])


def test_an_objective_that_always_kills_its_process_ends_in_an_error_that_names_the_point():
    died = "^the processes evaluating the objective died 4 times in a row"
    point = r"; the first point without a value: x = \[2\.0, 3\.0\]$"  # with one process those before have arrived
    dies = Objective(lambda x: os.kill(os.getpid(), signal.SIGKILL) if x[0] == 2.0 else squares(x), ())
    with Processes(dies, 1) as values, pytest.raises(RuntimeError, match=died + point):
        values(X)


def test_processes_inherit_no_handler_of_sigterm_and_do_not_outlive_the_evaluation():
    """With it a pool ends its processes: one that is caught, and then waits for a lock, is waited for forever."""
    before, children = signal.signal(signal.SIGTERM, lambda *_: sys.exit(1)), multiprocessing.active_children()
    try:
        with evaluator(lambda x: signal.getsignal(signal.SIGTERM) == signal.SIG_DFL, (), False, 2) as values:
            assert values(X) == [1.0] * 6
            assert len(multiprocessing.active_children()) == len(children) + 2
    finally:
        signal.signal(signal.SIGTERM, before)
    assert set(multiprocessing.active_children()) <= set(children)


def test_one_point_of_one_variable_is_not_divided():
    shapes = []
    with evaluator(lambda x: shapes.append(x.shape) or x[0], (), vectorized=True, workers=1) as values:
        assert values(np.ones((1, 1))).tolist() == [1.0]
    assert shapes == [(1, 1)]


def test_an_objective_that_new_processes_cannot_be_given_is_named(monkeypatch):
    monkeypatch.setattr(multiprocessing, "get_start_method", lambda: "spawn")
    with pytest.raises(ValueError, match=r"^fun must be picklable to run in other processes: .*lambda"):
        evaluate(lambda x: 0.0, workers=2)
