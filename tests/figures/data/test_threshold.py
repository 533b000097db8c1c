import pytest

from debox.figures.data.threshold import thresholds


def test_there_is_a_curve_for_each_n_of_spec_4():
    assert [curve.n for curve in thresholds().curves] == [10, 30, 100, 500]


def test_for_500_dimensions_and_one_percent_it_is_2_in_100000():
    curve = next(curve for curve in thresholds(samples=301).curves if curve.n == 500)
    k = min(range(len(curve.t)), key=lambda k: abs(curve.t[k] - 0.01))
    assert curve.t[k] == pytest.approx(0.01, rel=0.02)
    assert curve.p[k] / curve.t[k] == pytest.approx(2.01e-3, rel=1e-3)  # the paper: 0.0000201 at t = 0.01


def test_in_one_dimension_it_is_t_itself():
    (curve,) = thresholds([1]).curves
    assert curve.p == pytest.approx(curve.t)


def test_a_point_of_components_at_the_threshold_leaves_with_probability_t():
    for curve in thresholds().curves:
        assert [1 - (1 - p) ** curve.n for p in curve.p] == pytest.approx(curve.t)


def test_curves_rise_to_certainty():
    for curve in thresholds().curves:
        assert list(curve.p) == sorted(curve.p)
        assert (curve.t[0], curve.t[-1], curve.p[-1]) == (pytest.approx(0.001), 1.0, 1.0)
