"""How a run ends before its budget: Ctrl-C, an error of the objective, the time limit; and errors that count as NaN."""

import importlib
import multiprocessing
import pickle
import time
from contextlib import suppress

import numpy as np
import pytest
from comparisons import assert_same_result
from objectives import BOUNDS, RUNS, squares

import debox
from debox import Optimizer, minimize
from debox.operators import bridge
from debox.optimize.objective import Failure

CLASSIC = "DE/rand/1/bin"  # its populations do not shrink
OPTIONS = {"variant": CLASSIC, "N": 10, "budget": 100, "rng": 1}


class Raises:
    """The squares of a point, but for one call, which raises."""

    def __init__(self, error, call):
        self.error, self.call, self.calls = error, call, []

    def __call__(self, x):
        self.calls.append(x.tolist())
        if len(self.calls) == self.call:
            x[:] = 0
            raise self.error
        return squares(x)


def best_after(evaluations):
    """The result of an undisturbed run after so many evaluations."""
    return minimize(squares, BOUNDS, callback=lambda now: now.nfev >= evaluations, **OPTIONS)


def assert_is_the_undisturbed_result(result, evaluations, status, message):
    expected = best_after(evaluations)
    assert (result.status, result.success, result.message) == (status, False, message)
    assert expected.nfev == evaluations
    assert_same_result({**result, "status": 2, "message": expected.message}, expected)


# Ctrl-C.


@pytest.mark.parametrize("call", [11, 38, 100])
def test_an_interrupt_returns_the_best_of_the_generations_before(call):
    result = minimize(Raises(KeyboardInterrupt(), call), BOUNDS, **OPTIONS)
    done = (call - 1) // 10 * 10
    assert_is_the_undisturbed_result(result, done, 5, f"interrupted after {done} of 100 evaluations")


def test_an_interrupt_of_the_callback_or_of_an_operator_returns_the_best_too(monkeypatch):
    monkeypatch.setattr(bridge, "compile_once", lambda *_: None)  # Numba would try, at length, and fail

    def interrupts(now):
        if now.nfev == 30:
            raise KeyboardInterrupt

    result = minimize(squares, BOUNDS, callback=interrupts, **OPTIONS)
    assert_is_the_undisturbed_result(result, 30, 5, "interrupted after 30 of 100 evaluations")
    evaluations = []

    @debox.mutation("interrupted/1", donors=3)
    def interrupted(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
        """v = x_r1 + F (x_r2 − x_r3)"""
        if len(evaluations) == 30:
            raise KeyboardInterrupt
        return x_r1 + F * (x_r2 - x_r3)

    result = minimize(lambda x: evaluations.append(x) or squares(x), BOUNDS, mutation=interrupted, **OPTIONS)
    assert_is_the_undisturbed_result(result, 30, 5, "interrupted after 30 of 100 evaluations")


def test_an_interrupt_raises_before_a_generation_is_done_and_where_that_is_asked_for():
    with pytest.raises(KeyboardInterrupt) as caught:
        minimize(Raises(KeyboardInterrupt(), 10), BOUNDS, **OPTIONS)
    assert caught.value.result.nfev == 0
    with pytest.raises(KeyboardInterrupt) as caught:
        minimize(Raises(KeyboardInterrupt(), 38), BOUNDS, on_interrupt="raise", **OPTIONS)
    assert_is_the_undisturbed_result(caught.value.result, 30, 3, "not finished: 30 of 100 evaluations done")
    with pytest.raises(KeyboardInterrupt):
        debox.compare(Raises(KeyboardInterrupt(), 38), BOUNDS, ["mirror", "saturation"], budget=100, runs=2)


def test_a_second_interrupt_raises():
    fun = Raises(KeyboardInterrupt(), 38)

    def map_interrupted_twice(function, points):
        try:
            return [function(x) for x in points]
        except KeyboardInterrupt:
            raise KeyboardInterrupt  # while the first one is handled  # noqa: B904

    with pytest.raises(KeyboardInterrupt):
        minimize(fun, BOUNDS, workers=map_interrupted_twice, **OPTIONS)


def test_an_interrupt_after_the_end_changes_nothing():
    expected = minimize(squares, BOUNDS, **OPTIONS)

    def interrupts(now):
        if now.nfev == 100:
            raise KeyboardInterrupt

    assert_same_result(minimize(squares, BOUNDS, callback=interrupts, **OPTIONS), expected)


# Errors.


@pytest.mark.parametrize("options", RUNS.values(), ids=RUNS)
def test_an_error_carries_the_result_so_far(options):
    fun, seen = Raises(ArithmeticError("enough"), 58), []
    with pytest.raises(ArithmeticError, match=r"^enough") as caught:
        minimize(fun, BOUNDS, callback=seen.append, **options)
    assert len(seen) >= 1
    result = caught.value.result
    assert_same_result({name: result[name] for name in result if name != "walls"}, seen[-1])
    assert caught.value.__notes__ == [
        f"debox: the objective was called with x = {fun.calls[-1]}",
        f"debox: {seen[-1].nfev} evaluations were done in the generations before; "
        f"the best of them is error.result, f = {seen[-1].fun:.6g}",
    ]


def test_an_error_in_the_first_generation_has_no_evaluations_and_one_of_the_callback_has_its_own():
    with pytest.raises(ArithmeticError) as caught:
        minimize(Raises(ArithmeticError("enough"), 10), BOUNDS, **OPTIONS)
    assert (caught.value.result.nfev, len(caught.value.__notes__)) == (0, 1)
    with pytest.raises(KeyError) as caught:
        minimize(squares, BOUNDS, callback=lambda now: {}[now.nfev] if now.nfev == 20 else None, **OPTIONS)
    assert caught.value.result.nfev == 20


class Closed(Exception):
    @property
    def result(self):
        """Of the user's own."""


def test_an_error_that_takes_no_attributes_passes_as_it_is():
    with pytest.raises(Closed):
        minimize(Raises(Closed(), 38), BOUNDS, **OPTIONS)


# Errors that count as NaN.


def fails_beyond(x):
    if x[0] > 0.5:
        raise ZeroDivisionError("beyond")
    return squares(x)


def nan_beyond(x):
    return np.nan if x[0] > 0.5 else squares(x)


def fails_vectorised(X):
    if (X[0] > 0.5).any():
        X[:] = 9
        raise ZeroDivisionError("beyond")
    return squares(X)


def thread_map(fun, points):
    return map(fun, pickle.loads(pickle.dumps(points)))


@pytest.mark.parametrize(
    ("fun", "options"),
    [
        (fails_beyond, {}),
        (fails_beyond, {"workers": 2}),
        (fails_beyond, {"workers": lambda fun, points: [pickle.loads(pickle.dumps(fun(x))) for x in points]}),
        (fails_vectorised, {"vectorized": True}),
        (
            lambda params: fails_beyond(list(params.values())),
            {"bounds": dict(zip("abc", BOUNDS, strict=True)), "named": 1},
        ),
    ],
    ids=["one by one", "processes", "map", "vectorised", "named"],
)
def test_errors_that_count_as_nan_are_counted_and_the_run_is_that_with_nan(fun, options):
    options = {"bounds": BOUNDS, "N": 10, "budget": 200, "rng": 1} | options
    options["named"] = isinstance(options["bounds"], dict)
    with pytest.warns(RuntimeWarning, match="returned NaN"):
        expected = minimize(nan_beyond, BOUNDS, N=10, budget=200, rng=1)
    with pytest.warns(RuntimeWarning) as caught:
        result = minimize(fun, on_error="nan", **options)
    x = next(x for x in Optimizer(BOUNDS, N=10, budget=200, rng=1).ask() if x[0] > 0.5)
    first = f"ZeroDivisionError: beyond at x = {x.tolist()}"
    assert [(str(warning.message), warning.filename) for warning in caught] == [
        (f"the objective raised {first}: counts as NaN, as on_error='nan' says", __file__)
    ]
    assert 10 < result.n_errors == result.n_nan == expected.n_nan
    assert result.first_error == first
    assert result.message == f"{expected.message}; the objective raised {result.n_errors} times, first {first}"
    for name in ("x", "fun", "population", "population_energies", "nfev", "success"):
        np.testing.assert_array_equal(result[name], expected[name])


def test_nan_beside_errors_is_counted_and_warned_of_for_itself():
    def both(x):
        return fails_beyond(x) if x[0] > 0 else np.nan

    with pytest.warns(RuntimeWarning) as caught:
        result = minimize(both, BOUNDS, on_error="nan", N=10, budget=100, rng=1)
    assert len(caught) == 2
    assert 0 < result.n_errors < result.n_nan


def test_without_an_error_there_is_nothing_to_say():
    result = minimize(squares, BOUNDS, on_error="nan", **OPTIONS)
    expected = minimize(squares, BOUNDS, **OPTIONS)
    assert (result.pop("n_errors"), result.pop("first_error")) == (0, "")
    assert_same_result(result, expected)


@pytest.mark.parametrize("vectorized", [False, True])
def test_what_is_no_number_or_an_interrupt_is_no_error_of_the_objective(vectorized):
    with pytest.raises(ValueError, match=r"^the objective must return (a number|numbers), got 'low'"):
        minimize(lambda x: "low", BOUNDS, on_error="nan", vectorized=vectorized, **OPTIONS)
    raises = Raises(KeyboardInterrupt(), 4)
    assert minimize(lambda x: raises(x), BOUNDS, on_error="nan", vectorized=True, **OPTIONS).status == 5


def test_the_value_of_an_error_is_a_nan_that_can_be_sent_with_its_words():
    failure = Failure("nan")
    failure.error = "beyond"
    copy = pickle.loads(pickle.dumps(failure))
    assert (type(copy), copy.error, np.isnan(copy)) == (Failure, "beyond", True)


# The time limit.


@pytest.fixture
def clock(monkeypatch):
    """A clock that moves as the test says, in place of the one that `minimize` reads."""

    class Clock:
        now = 1000.0

        def sleep(self, seconds):
            self.now += seconds

    clock = Clock()
    monkeypatch.setattr(importlib.import_module("debox.optimize.minimize"), "monotonic", lambda: clock.now)
    return clock


@pytest.mark.parametrize(
    ("limit", "generations"),
    [(1, 1), (4.99, 1), (9.9, 1), (10.1, 2), (15.1, 3), (49.9, 9)],  # a generation takes 5 s
)
def test_no_generation_begins_that_would_probably_end_after_the_time_limit(clock, limit, generations):
    result = minimize(lambda x: clock.sleep(0.5) or squares(x), BOUNDS, time_limit=limit, **OPTIONS)
    done = 10 * generations
    said = f"the time limit ended the run after {done} of 100 evaluations"
    assert_is_the_undisturbed_result(result, done, 6, said)


def test_a_run_that_ends_in_time_does_not_know_of_the_limit(clock):
    expected = minimize(squares, BOUNDS, **OPTIONS)
    slow = {"fun": lambda x: clock.sleep(0.5) or squares(x), "bounds": BOUNDS}
    assert_same_result(minimize(time_limit=60, **slow, **OPTIONS), expected)
    assert_same_result(minimize(time_limit=50.1, **slow, **OPTIONS), expected)
    reached = minimize(time_limit=6, target=1e9, **slow, **OPTIONS)
    assert (reached.status, reached.nfev) == (1, 10)


@pytest.mark.parametrize("workers", [2])
def test_processes_end_with_an_error_an_interrupt_and_the_time_limit(workers):
    def ends(**options):
        with suppress(ZeroDivisionError):
            minimize(options.pop("fun", squares), BOUNDS, workers=workers, **OPTIONS | {"budget": 10**6}, **options)
        return multiprocessing.active_children()

    assert ends(fun=fails_beyond) == []
    assert ends(time_limit=0.01) == []
    assert ends(callback=lambda now: suppress_nothing(KeyboardInterrupt)) == []


def test_an_error_does_not_wait_for_points_that_other_processes_evaluate():
    first = Optimizer(BOUNDS, **OPTIONS).ask()[0]

    def fails_or_takes_a_minute(x):
        if (x == first).all():
            time.sleep(0.5)  # the other process has begun by then
            raise ZeroDivisionError
        time.sleep(60)

    begin = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        minimize(fails_or_takes_a_minute, BOUNDS, workers=2, **OPTIONS)
    assert time.monotonic() - begin < 30
    assert multiprocessing.active_children() == []


def suppress_nothing(error):
    raise error


@pytest.mark.filterwarnings("ignore:the objective raised")
def test_a_message_counts_the_errors():
    def fails(times):
        calls = []
        return lambda x: calls.append(x) or (1 / 0 if len(calls) <= times else x[0])

    for times, told in (
        (1, "; the objective raised once: ZeroDiv"),
        (2, "; the objective raised 2 times, first ZeroDiv"),
    ):
        assert told in minimize(fails(times), BOUNDS, budget=50, on_error="nan").message
