"""Objectives in processes of their own: the same values, whoever dies; errors that arrive."""

import copyreg
import multiprocessing
import os
import re
import signal
import sys
from contextlib import contextmanager, nullcontext, suppress

import numpy as np
import pytest
from comparisons import assert_same_result
from objectives import BOUNDS, RUNS
from objectives import squares as shifted_squares

from debox import check, minimize
from debox.optimize import objective
from debox.optimize.objective import Objective, Processes, evaluator

X = np.arange(12.0).reshape(6, 2)
VALUES = np.array([1.0, 13.0, 41.0, 85.0, 145.0, 221.0])  # 0² + 1², 2² + 3², …, 10² + 11²


def squares(x, scale=1.0):
    return scale * (x[0] ** 2 + x[1] ** 2)


def evaluate(fun, args=(), workers=2):
    with evaluator(fun, args, False, workers) as values:
        return values(X)


@contextmanager
def pool_map():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        yield lambda fun, points: pool.map_async(fun, points).get(timeout=60)


@pytest.mark.parametrize("workers", [2, 5, 9, -1])
def test_the_values_are_those_of_the_points_in_their_order(workers):
    np.testing.assert_array_equal(evaluate(squares, (2.0,), workers), 2 * VALUES)


def test_a_pool_serves_as_workers_and_minus_one_means_all_cores():
    with pool_map() as parallel:
        np.testing.assert_array_equal(evaluate(squares, workers=parallel), VALUES)
    assert (check.workers(-1), check.workers(np.int64(3))) == (os.cpu_count(), 3)


@pytest.mark.parametrize("name", ["target", "penalty", "L-SHADE"])
def test_a_run_in_processes_is_the_same_run(name):
    expected = minimize(shifted_squares, BOUNDS, **RUNS[name])
    assert_same_result(minimize(shifted_squares, BOUNDS, workers=2, **RUNS[name]), expected)


def test_a_closure_is_evaluated_in_processes_that_inherit_it_and_else_refused(monkeypatch):
    offset = 5.0
    np.testing.assert_array_equal(evaluate(lambda x: squares(x) + offset), VALUES + 5.0)
    monkeypatch.setattr(multiprocessing, "get_start_method", lambda: "spawn")
    with pytest.raises(Exception, match="pickle"):
        evaluate(lambda x: squares(x) + offset)


def dies_once(x, folder):
    """Kills its own process, the first time for each value of x[0]."""
    with suppress(FileExistsError):
        os.close(os.open(folder / str(x[0]), os.O_CREAT | os.O_EXCL))
        os.kill(os.getpid(), signal.SIGKILL)
    return squares(x)


def dies_at_2(x):
    return os.kill(os.getpid(), signal.SIGKILL) if x[0] == 2.0 else squares(x)


@pytest.fixture
def pool():
    """pool(fun, args, processes): its processes are ended after the test."""
    pools = []
    yield lambda fun, args, processes: pools.append(Processes(Objective(fun, args), processes)) or pools[-1]
    for one in pools:
        one.close()


def test_a_process_that_is_killed_is_replaced_and_no_value_is_lost(tmp_path):
    for x in X[[0, 2, 3, 4, 5]]:  # only the second point kills: its process has done work by then
        (tmp_path / str(x[0])).touch()
    np.testing.assert_array_equal(evaluate(dies_once, (tmp_path,)), VALUES)
    assert (tmp_path / "2.0").exists(), "the process did die"


def test_one_death_in_every_call_is_not_a_death_in_a_row(tmp_path, pool):
    values = pool(dies_once, (tmp_path,), 2)
    for k in range(objective.RETRIES + 2):
        np.testing.assert_array_equal(values(np.array([[k, 1.0], [k, 2.0]])), [k**2 + 1, k**2 + 4])


def test_an_objective_that_always_kills_its_process_ends_in_an_error_that_names_the_point(pool):
    died = f"^the processes evaluating the objective died {objective.RETRIES + 1} times in a row"
    with pytest.raises(RuntimeError, match=rf"{died}; the first point without a value: x = \[2\.0, 3\.0\]$"):
        pool(dies_at_2, (), 1)(X)  # one process: the values before it have arrived


def fails(x):
    raise ZeroDivisionError(f"at {x[0]}")


def test_an_error_in_the_objective_passes_through_with_a_note_of_the_point():
    with pytest.raises(ZeroDivisionError, match=r"at 0\.0") as caught:
        evaluate(fails)
    assert caught.value.__notes__ == ["debox: the objective was called with x = [0.0, 1.0]"]


class Unusual(Exception):
    """An exception that pickle cannot bring back."""

    def __init__(self, one, two):
        super().__init__(f"{one} {two}")


class Final(BaseException):
    """Not an Exception, and pickle cannot bring it back."""

    def __init__(self, one, two):
        super().__init__(f"{one} {two}")


class Refuses(Exception):
    """An exception that cannot be pickled."""

    def __reduce__(self):
        raise TypeError("no pickle, please")


class Disguised(Exception):
    """An exception that pickle brings back as something else."""

    def __reduce__(self):
        return (str, ("not an error at all",))


class Mute(Refuses):
    """An exception that can be neither pickled nor shown."""

    def __str__(self):
        raise ValueError("no words")


def unusual(x):
    raise Unusual("very", "unusual")


def final(x):
    raise Final("very", "unusual")


def refuses(x):
    raise Refuses("very unusual")


def disguised(x):
    raise Disguised("very unusual")


def mute(x):
    raise Mute


@pytest.fixture(autouse=True)
def _plain_pickle(monkeypatch):
    """Where a test before loaded Dask, it made pickle treat every exception in another way."""
    for kind in (Unusual, Final, SystemExit):
        monkeypatch.delitem(copyreg.dispatch_table, kind, raising=False)


@pytest.mark.parametrize("workers", [lambda: nullcontext(2), pool_map], ids=["processes", "a pool's map"])
@pytest.mark.parametrize("fun", [unusual, final, refuses, disguised, mute], ids=lambda fun: fun.__name__)
def test_an_error_that_cannot_be_pickled_is_told_in_words_with_the_point_and_the_traceback(fun, workers):
    with workers() as parallel, pytest.raises(RuntimeError) as caught:
        evaluate(fun, workers=parallel)
    message, words = str(caught.value), r"<exception str\(\) failed>" if fun is mute else "very unusual"
    points = "|".join(re.escape(str(x)) for x in X.tolist())  # which is first is up to the processes
    raised = rf"the objective raised, at x = ({points}), an error that cannot be pickled: "
    assert re.match(rf"{raised}\S*{fun.__name__.capitalize()}: {words}", message)
    assert f"in {fun.__name__}\n    raise " in message


def leaves(x):
    sys.exit(3)


def interrupts(x):
    raise KeyboardInterrupt


def test_an_objective_that_leaves_ends_the_run_as_if_called_here():
    with pytest.raises(SystemExit) as caught:
        evaluate(leaves)
    assert caught.value.code == 3
    with pytest.raises(KeyboardInterrupt):
        evaluate(interrupts)


def has_no_handler_of_sigterm(x):
    return float(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)


def test_processes_do_not_inherit_a_handler_of_sigterm():
    """With which a pool ends its processes: one that is caught, and then waits for a lock, is waited for forever."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        assert np.all(evaluate(has_no_handler_of_sigterm) == 1)
    finally:
        signal.signal(signal.SIGTERM, before)


def test_no_process_outlives_the_evaluation():
    def children():
        return {child.pid for child in multiprocessing.active_children()}

    before = children()
    with evaluator(squares, (), False, 2) as values:
        values(X)
        during = children() - before
    assert during
    assert not during & children()
