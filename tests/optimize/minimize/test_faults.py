"""Objectives that raise, or return what is no number or of another shape."""

import re

import numba
import numpy as np
import pytest
from objectives import BOUNDS

from debox import minimize


def rows_for_points(X):
    """An objective that takes the rows of X for points."""
    return (X**2).sum(axis=1)


@pytest.mark.parametrize(
    ("N", "n", "S"), [(5, 5, 3), (4, 4, 3), (3, 3, 2), (8, 8, 5), (8, 3, 8), (3, 8, 3)], ids=lambda value: str(value)
)
def test_a_vectorised_objective_that_takes_rows_for_points_is_told_so(N, n, S):
    shapes = rf"\(n, S\) = \({n}, {S}\), one column per point, and must return S = {S} values, got shape \({n},\)"
    with pytest.raises(ValueError, match=f"^the objective got an array of shape {shapes}"):
        minimize(rows_for_points, [(-1, 1)] * n, N=N, budget=10 * N, vectorized=True, rng=1)


def test_a_wrong_shape_in_the_last_generation_only_is_an_error():
    shapes = r"\(n, S\) = \(3, 5\), one column per point, and must return S = 5 values, got shape \(10,\)"
    with pytest.raises(ValueError, match=shapes) as caught:
        minimize(lambda X: np.zeros(10), BOUNDS, N=10, budget=25, vectorized=True, rng=1)
    assert "debox: 20 evaluations were done in the generations before" in caught.value.__notes__


def masked_result(x):
    return np.ma.masked


def masked_results(X):
    return np.ma.array(X[0], mask=X[0] > 0)


@pytest.mark.parametrize(
    ("fun", "options"),
    [(masked_result, {}), (masked_result, {"workers": 2}), (masked_results, {"vectorized": True})],
    ids=["python", "processes", "vectorised"],
)
def test_a_masked_value_is_an_error(fun, options):
    with pytest.raises(ValueError, match=r"(?s)the objective must return .*: masked values are no numbers"):
        minimize(fun, BOUNDS, budget=100, rng=1, **options)


def sometimes_nan(x):
    return np.nan if x[0] > 0 else x[0] + x[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fun", "options"),
    [
        (sometimes_nan, {}),
        (numba.njit(sometimes_nan), {}),
        (sometimes_nan, {"workers": 2}),
        (lambda X: np.where(X[0] > 0, np.nan, X[0] + X[1]), {"vectorized": True}),
    ],
    ids=["python", "compiled", "processes", "vectorised"],
)
def test_nan_is_worse_than_anything_and_one_warning_points_at_the_call(fun, options):
    with pytest.warns(RuntimeWarning, match="NaN") as caught:
        result = minimize(fun, BOUNDS, budget=2000, rng=1, **options)
    assert [warning.filename for warning in caught] == [__file__]
    assert 0 < result.n_nan < 2000
    np.testing.assert_allclose(result.x[:2], [-1, 0.25], atol=0.02)
    assert result.success


def test_nothing_but_nan_is_no_success():
    with pytest.warns(RuntimeWarning, match="NaN"):
        result = minimize(lambda x: np.nan, BOUNDS, budget=100, rng=1)
    assert (result.success, result.n_nan, result.nfev) == (False, 100, 100)
    assert np.isnan(result.fun)


def raises(x):
    if x[0] < 2.0:  # always, in this box
        raise ArithmeticError("no value here")
    return x[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fun", "options"),
    [
        (raises, {}),
        (numba.njit(raises), {}),
        (numba.njit(raises), {"callback": print}),
        (raises, {"workers": 2}),
        (lambda X: raises(X[:, 0]), {"vectorized": True}),
    ],
    ids=["python", "compiled", "compiled, watched", "processes", "vectorised"],
)
def test_an_error_in_the_objective_passes_through(fun, options):
    with pytest.raises(ArithmeticError, match="no value here"):
        minimize(fun, BOUNDS, budget=100, rng=1, **options)


def raises_in_a_corner(x):
    if x[0] > 0.9:
        raise ArithmeticError
    return -x[0]  # leads there


def test_an_error_in_the_objective_notes_the_point_and_how_far_the_run_was():
    init = np.full((5, 3), 0.5)
    with pytest.raises(ArithmeticError) as caught:
        minimize(raises_in_a_corner, BOUNDS, init=[*init, [0.95, 0.5, 1.0]], budget=100)
    point, done = caught.value.__notes__
    assert point == "debox: the objective was called with x = [0.95, 0.5, 1.0]"
    assert done == "debox: 0 evaluations were done in the generations before"


@pytest.mark.slow
def test_an_error_in_a_compiled_run_notes_how_far_it_was_and_how_to_learn_more():
    notes, init = [], np.random.default_rng(1).uniform([-1, 0.25, -3], [0.5, 2, 4], (30, 3))
    for options in ({}, {"callback": lambda _: None}):
        with pytest.raises(ArithmeticError) as caught:
            minimize(numba.njit(raises_in_a_corner), BOUNDS, init=init, budget=900, rng=1, **options)
        notes.append(caught.value.__notes__)
    (done, hint), (point, same_done) = notes
    assert done == same_done
    evaluations = int(done.split()[1])
    assert evaluations > 0
    assert evaluations % 30 == 0
    assert "callback or disp" in hint
    assert re.search(r"x = \[(0\.9\d+|1\.0), ", point)


class TakesNoNotes(ValueError):
    __notes__ = ()


def test_an_error_that_takes_no_note_is_still_the_error():
    def f(x):
        raise TakesNoNotes("the cause")

    with pytest.raises(TakesNoNotes, match="the cause"):
        minimize(f, [(0, 1)] * 3, budget=60)
