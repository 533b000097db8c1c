"""Interpolation along one axis: by hand, and against SciPy's own PCHIP."""

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from debox.analysis.predict import splines

X, Y = np.array([0.0, 1.0, 2.0]), np.array([[0.0], [1.0], [4.0]])


def test_the_nearest_of_two_equally_near_is_the_smaller():
    assert splines.nearest(X, Y, np.array([0.4, 0.5, 0.6, 2.0])).ravel().tolist() == [0, 0, 1, 4]


def test_lines_join_neighbours():
    assert splines.linear(X, Y, np.array([0.0, 0.5, 1.5, 2.0])).ravel().tolist() == [0, 0.5, 2.5, 4]


def test_slopes_are_those_computed_by_hand():
    """Chords have slopes 1 and 3: inside 6 ÷ (3/1 + 3/3); ends (3·1 − 1·3)/2 and (3·3 − 1·1)/2."""
    assert splines.slopes(X, Y).ravel().tolist() == [0, 1.5, 4]


def test_a_monotone_spline_is_hermites_cubic():
    """At the middle: (y₀ + y₁)/2 + (d₀ − d₁)/8."""
    assert splines.monotone(X, Y, np.array([0.5, 1.5])).ravel().tolist() == [0.5 - 1.5 / 8, 2.5 + (1.5 - 4) / 8]


def test_where_data_turn_the_spline_is_flat():
    assert splines.slopes(X, np.array([[0.0], [1.0], [0.0]])).ravel()[1] == 0


@pytest.mark.parametrize("seed", range(5))
def test_monotone_splines_are_scipys(seed):
    rng = np.random.default_rng(seed)
    x, y = np.sort(rng.random(7)), rng.normal(size=(7, 3, 2)).cumsum(axis=0)
    y[2] = y[3]  # a chord without slope
    at = np.concatenate([x, rng.uniform(x[0], x[-1], 20)])
    np.testing.assert_allclose(splines.monotone(x, y, at), PchipInterpolator(x, y)(at), rtol=1e-12, atol=1e-13)


def test_two_points_are_joined_by_a_line():
    assert splines.monotone(X[:2], Y[:2], np.array([0.25])).tolist() == [[0.25]]


def test_a_place_at_the_last_level_belongs_to_the_last_step():
    k, t = splines.place(X, np.array([0.0, 1.0, 1.25, 2.0]))
    assert (k.tolist(), t.tolist()) == ([0, 1, 1, 1], [0, 0, 0.25, 1])
