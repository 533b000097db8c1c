"""Objectives that raise, or return what is no number or of another shape."""

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


def test_nothing_but_nan_is_no_success():
    with pytest.warns(RuntimeWarning, match="NaN"):
        result = minimize(lambda x: np.nan, BOUNDS, budget=100, rng=1)
    assert (result.success, result.n_nan, result.nfev) == (False, 100, 100)
    assert np.isnan(result.fun)


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


class TakesNoNotes(ValueError):
    __notes__ = ()


def test_an_error_that_takes_no_note_is_still_the_error():
    def f(x):
        raise TakesNoNotes("the cause")

    with pytest.raises(TakesNoNotes, match="the cause"):
        minimize(f, [(0, 1)] * 3, budget=60)
