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

import numba
import numpy as np
import pandas
import pytest

from debox import check
from debox.optimize import objective
from debox.optimize.objective import Objective, Processes, evaluator

X = np.arange(12.0).reshape(6, 2)
VALUES = [1.0, 13.0, 41.0, 85.0, 145.0, 221.0]  # 0² + 1², 2² + 3², …, 10² + 11²


def squares(x, scale=1.0):
    return scale * (x[0] ** 2 + x[1] ** 2)


def dies_once(x, folder):
    """Kills its own process, the first time for each value of x[0]."""
    with suppress(FileExistsError):
        os.close(os.open(folder / str(x[0]), os.O_CREAT | os.O_EXCL))
        os.kill(os.getpid(), signal.SIGKILL)
    return squares(x)


def dies(x):
    os.kill(os.getpid(), signal.SIGKILL)


class Unusual(Exception):
    """An exception that pickle cannot bring back."""

    def __init__(self, one, two):
        super().__init__(f"{one} {two}")


def unusual(x):
    raise Unusual("very", "unusual")


def fails(x):
    raise ZeroDivisionError(f"at {x[0]}")


def unknown(x):
    return not_defined(x)  # noqa: F821


def evaluate(fun, args=(), vectorized=False, workers=1):
    with evaluator(fun, args, vectorized, workers) as values:
        return values(X)


def thread_map(fun, points):
    with ThreadPoolExecutor(2) as pool:
        return pool.map(fun, points)


@pytest.mark.parametrize("workers", [1, 2, 5, 9, -1, map, thread_map])
def test_the_values_are_those_of_the_points_in_their_order(workers):
    np.testing.assert_array_equal(evaluate(squares, workers=workers), VALUES)
    np.testing.assert_array_equal(evaluate(squares, args=(2.0,), workers=workers), 2 * np.array(VALUES))


def test_a_pool_of_processes_serves_as_workers():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        np.testing.assert_array_equal(evaluate(squares, workers=pool.map), VALUES)


def test_a_vectorised_objective_gets_variables_by_points():
    seen = []

    def vectorised(Z, scale):
        seen.append(Z.shape)
        return squares(Z, scale)

    np.testing.assert_array_equal(evaluate(vectorised, (3.0,), vectorized=True), 3 * np.array(VALUES))
    assert seen == [(2, 6)]


@pytest.mark.parametrize(
    "value",
    [
        3,
        3.0,
        np.float32(3),
        np.longdouble(3),
        np.array(3.0),
        np.array([3.0]),
        np.array([[3.0]]),
        np.array([3], object),
        True,
        10**30,
        Decimal(3),
        Fraction(1, 3),
        np.ma.array(3.0),
    ],
    ids=repr,
)
def test_a_number_in_any_dress_is_a_value(value):
    result = Objective(lambda x: value, ())(X[0])
    assert result == float(np.squeeze(value))
    assert type(result) is float


NO_NUMBERS = [
    None,
    [],
    [1, 2],
    np.zeros((2, 2)),
    "low",
    "3",
    b"3",
    1j,
    1 + 0j,
    {},
    np.datetime64("2020-01-01"),
    10**400,
]
NO_NUMBERS += [np.ma.masked, np.ma.array(3, mask=True), pandas.NA, pandas.NaT, np.array([None])]


@pytest.mark.parametrize("value", NO_NUMBERS, ids=lambda value: repr(value)[:50])
def test_what_is_not_a_number_is_an_error_that_shows_it(value):
    with pytest.raises(ValueError, match=r"^the objective must return a number, got"):
        evaluate(lambda x: value)


@pytest.mark.parametrize(
    ("values", "shape"), [(np.zeros(5), r"\(5,\)"), (np.zeros((6, 1)), r"\(6, 1\)"), (np.zeros((1, 6)), r"\(1, 6\)")]
)
def test_a_vectorised_return_of_another_shape_is_an_error(values, shape):
    with pytest.raises(ValueError, match=rf"shape \(n, S\) = \(2, 6\), .* S = 6 values, got shape {shape}"):
        evaluate(lambda Z: values, vectorized=True)


def test_a_map_that_loses_points_is_an_error():
    with pytest.raises(ValueError, match=r"must give 6 values, one per point, got shape \(5,\)"):
        evaluate(squares, workers=lambda fun, points: map(fun, points[1:]))


@pytest.mark.parametrize("workers", [0, -2, 1.5, "two", None, True])
@pytest.mark.parametrize("vectorized", [False, True])
def test_wrong_workers_are_an_error_that_says_what_is_allowed(workers, vectorized):
    with pytest.raises(
        ValueError, match=f"workers must be .*-1 for all cores or a map-like callable, got {workers!r}$"
    ):
        evaluate(squares, workers=workers, vectorized=vectorized)


def test_minus_one_means_all_cores():
    assert check.workers(-1) == os.cpu_count()
    assert check.workers(np.int64(3)) == 3


@pytest.mark.parametrize("workers", [1, 2, map])
def test_an_error_in_the_objective_passes_through_with_a_note_of_the_point(workers):
    with pytest.raises(ZeroDivisionError, match=r"at 0\.0") as caught:
        evaluate(fails, workers=workers)
    assert caught.value.__notes__ == ["debox: the objective was called with x = [0.0, 1.0]"]


def test_an_error_in_a_vectorised_objective_passes_through_with_a_note_of_the_shape():
    with pytest.raises(ZeroDivisionError) as caught:
        evaluate(fails, vectorized=True)
    assert caught.value.__notes__ == ["debox: the objective was called with 6 points, an array of shape (2, 6)"]


def test_the_point_noted_is_the_one_given_whatever_the_objective_wrote_into_it():
    def scribbles(x):
        x[:] = 9
        raise ArithmeticError

    with pytest.raises(ArithmeticError) as caught:
        evaluate(scribbles)
    assert caught.value.__notes__ == ["debox: the objective was called with x = [0.0, 1.0]"]


def test_a_compiled_objective_called_point_by_point_is_refused_in_the_same_words():
    with pytest.raises(ValueError, match=r"^Numba cannot compile the objective 'unknown' .*not_defined"):
        evaluate(numba.njit(unknown))


def test_a_closure_is_evaluated_in_processes_that_inherit_it_and_else_refused():
    offset = 5.0
    if multiprocessing.get_start_method() == "fork":
        values = evaluate(lambda x: squares(x) + offset, workers=2)
        np.testing.assert_array_equal(values, np.array(VALUES) + 5.0)
    else:
        with pytest.raises(Exception, match="pickle"):
            evaluate(lambda x: squares(x) + offset, workers=2)


def test_a_process_that_is_killed_is_replaced_and_no_value_is_lost(tmp_path):
    for x in X[[0, 2, 3, 4, 5]]:  # only the second point kills: its process has done work by then
        (tmp_path / str(x[0])).touch()
    np.testing.assert_array_equal(evaluate(dies_once, (tmp_path,), workers=2), VALUES)
    assert (tmp_path / "2.0").exists(), "the process did die"


def test_one_death_in_every_call_is_not_a_death_in_a_row(tmp_path):
    pool = Processes(Objective(dies_once, (tmp_path,)), 2)
    try:
        for k in range(objective.RETRIES + 2):
            np.testing.assert_array_equal(pool(np.array([[k, 1.0], [k, 2.0]])), [k**2 + 1, k**2 + 4])
    finally:
        pool.close()


def test_an_objective_that_always_kills_its_process_ends_in_a_clear_error():
    with pytest.raises(RuntimeError, match=f"processes evaluating the objective died {objective.RETRIES + 1} times"):
        evaluate(dies, workers=2)


def dies_at_2(x):
    return dies(x) if x[0] == 2.0 else squares(x)


def test_the_error_names_the_point_whose_evaluation_kills():
    pool = Processes(Objective(dies_at_2, ()), 1)  # one process: the values before it have arrived
    try:
        with pytest.raises(RuntimeError, match=r"; the first point without a value: x = \[2\.0, 3\.0\]$"):
            pool(X)
    finally:
        pool.close()


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


class Final(BaseException):
    """Not an Exception, and pickle cannot bring it back."""

    def __init__(self, one, two):
        super().__init__(f"{one} {two}")


def refuses(x):
    raise Refuses("very unusual")


def local(x):
    class Unusual(Exception):
        pass

    raise Unusual("very unusual")


def disguised(x):
    raise Disguised("very unusual")


def mute(x):
    raise Mute


def final(x):
    raise Final("very", "unusual")


NO_PICKLES = {unusual: "Unusual", refuses: "Refuses", local: "Unusual", disguised: "Disguised", final: "Final"}


@contextmanager
def pool_map():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        yield lambda fun, points: pool.map_async(fun, points).get(timeout=60)


@pytest.mark.parametrize("fun", NO_PICKLES, ids=lambda fun: fun.__name__)
@pytest.mark.parametrize("workers", [lambda: nullcontext(2), pool_map], ids=["processes", "a pool's map"])
def test_an_error_that_cannot_be_pickled_is_told_in_words_with_the_point_and_the_traceback(fun, workers):
    with workers() as parallel, pytest.raises(RuntimeError) as caught:
        evaluate(fun, workers=parallel)
    message = str(caught.value)
    points = "|".join(re.escape(str(x)) for x in X.tolist())  # which is first is up to the processes
    raised = rf"the objective raised, at x = ({points}), an error that cannot be pickled: "
    assert re.match(rf"{raised}\S*{NO_PICKLES[fun]}: very unusual", message)
    assert "\nTraceback" in message
    assert f"in {fun.__name__}\n    raise " in message


def test_an_error_without_words_is_told_by_its_name():
    with pytest.raises(RuntimeError, match=r"the objective raised, .*: \S*Mute: <exception str\(\) failed>"):
        evaluate(mute, workers=2)


@pytest.mark.parametrize("workers", [1, map])
def test_an_error_raised_in_this_process_stays_what_it_is(workers):
    with pytest.raises(Unusual) as caught:
        evaluate(unusual, workers=workers)
    assert caught.value.__notes__ == ["debox: the objective was called with x = [0.0, 1.0]"]


def leaves(x):
    sys.exit(3)


@pytest.fixture(autouse=True)
def _plain_pickle(monkeypatch):
    """Where a test before loaded Dask, it made pickle treat every exception in another way."""
    for kind in (Unusual, Final, SystemExit):
        monkeypatch.delitem(copyreg.dispatch_table, kind, raising=False)


def interrupts(x):
    raise KeyboardInterrupt


@pytest.mark.parametrize("workers", [1, 2])
def test_an_objective_that_leaves_ends_the_run_as_if_called_here(workers):
    with pytest.raises(SystemExit) as caught:
        evaluate(leaves, workers=workers)
    assert caught.value.code == 3
    with pytest.raises(KeyboardInterrupt):
        evaluate(interrupts, workers=workers)


def handler_of_sigterm(x):
    return float(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)


def test_processes_do_not_inherit_a_handler_of_sigterm():
    """With which a pool ends its processes: one that is caught, and then waits for a lock, is waited for forever."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        assert np.all(evaluate(handler_of_sigterm, workers=2) == 1)
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
