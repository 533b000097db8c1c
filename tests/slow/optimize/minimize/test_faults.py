"""Objectives that raise, or return what is no number or of another shape."""

import re

import numba
import numpy as np
import pytest
from objectives import BOUNDS

from debox import minimize


def sometimes_nan(x):
    return np.nan if x[0] > 0 else x[0] + x[1]


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


def raises(x):
    if x[0] < 2.0:  # always, in this box
        raise ArithmeticError("no value here")
    return x[0]


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
