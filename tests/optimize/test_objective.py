"""Objectives at many points: one by one, vectorised, through a map; and what counts as a number."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas
import pytest

from debox.optimize.objective import Objective, evaluator

X = np.arange(12.0).reshape(6, 2)
VALUES = [1.0, 13.0, 41.0, 85.0, 145.0, 221.0]  # 0² + 1², 2² + 3², …, 10² + 11²


def squares(x, scale=1.0):
    return scale * (x[0] ** 2 + x[1] ** 2)


def evaluate(fun, args=(), vectorized=False, workers=1):
    with evaluator(fun, args, vectorized, workers) as values:
        return values(X)


def thread_map(fun, points):
    with ThreadPoolExecutor(2) as pool:
        return pool.map(fun, points)


@pytest.mark.parametrize(
    "options", [{}, {"workers": map}, {"workers": thread_map}, {"vectorized": True}], ids=["one", "map", "threads", "all"]
)
def test_the_values_are_those_of_the_points_in_their_order(options):
    np.testing.assert_array_equal(evaluate(squares, **options), VALUES)
    np.testing.assert_array_equal(evaluate(squares, args=(2.0,), **options), 2 * np.array(VALUES))


NUMBERS = [3, 3.0, np.float32(3), np.longdouble(3), np.array(3.0), np.array([[3.0]]), np.array([3], object)]
NUMBERS += [True, 10**30, Decimal(3), Fraction(1, 3), np.ma.array(3.0)]


@pytest.mark.parametrize("value", NUMBERS, ids=repr)
def test_a_number_in_any_dress_is_a_value(value):
    result = Objective(lambda x: value, ())(X[0])
    assert result == float(np.squeeze(value))
    assert type(result) is float


NO_NUMBERS = [None, [], [1, 2], np.zeros((2, 2)), "low", "3", b"3", 1j, 1 + 0j, {}, np.datetime64("2020-01-01"), 10**400]
NO_NUMBERS += [np.ma.masked, np.ma.array(3, mask=True), pandas.NA, pandas.NaT, np.array([None])]


@pytest.mark.parametrize("value", NO_NUMBERS, ids=lambda value: repr(value)[:50])
def test_what_is_not_a_number_is_an_error_that_shows_it(value):
    with pytest.raises(ValueError, match=r"^the objective must return a number, got") as caught:
        evaluate(lambda x: value)
    assert caught.value.__notes__ == ["debox: the objective was called with x = [0.0, 1.0]"]


class Unusual(Exception):
    """An exception that pickle cannot bring back."""

    def __init__(self, one, two):
        super().__init__(f"{one} {two}")


def raises_unusually(x):
    x[:] = 9
    raise Unusual("very", "unusual")


@pytest.mark.parametrize(
    ("options", "called_with"),
    [
        ({}, "x = [0.0, 1.0]"),
        ({"workers": map}, "x = [0.0, 1.0]"),
        ({"vectorized": True}, "6 points, an array of shape (2, 6)"),
    ],
)
def test_an_error_in_this_process_stays_what_it_is_with_a_note_of_the_point(options, called_with):
    with pytest.raises(Unusual) as caught:
        evaluate(raises_unusually, **options)
    assert caught.value.__notes__ == [f"debox: the objective was called with {called_with}"]


@pytest.mark.parametrize("end", [SystemExit(3), KeyboardInterrupt(), GeneratorExit()], ids=repr)
def test_an_objective_that_leaves_ends_the_run_without_notes(end):
    def leaves(x):
        raise end

    with pytest.raises(type(end)) as caught:
        evaluate(leaves)
    assert not hasattr(caught.value, "__notes__")
