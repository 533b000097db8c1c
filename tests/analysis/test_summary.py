"""Median, spread and camps of samples made by hand; and how often one mode is taken for two."""

import numpy as np
import pytest

from debox.analysis.summary import Summary, camps, missing_runs, quantiles, summary


def test_median_and_spread_are_those_computed_by_hand():
    found = summary(np.arange(21) / 20)  # 0, 0.05, …, 1: the k-th of 21 is the quantile k/20
    assert found.runs == 21
    assert (found.low, found.median, found.high) == pytest.approx((0.05, 0.5, 0.95))
    assert found.camps == ()


def test_one_run_is_its_own_median_and_has_no_spread():
    assert summary(np.array([0.25])) == Summary(1, 0.25, 0.25, 0.25, ())


def test_no_run_has_no_median():
    found = summary(np.array([]))
    assert found.runs == 0
    assert np.isnan([found.low, found.median, found.high]).all()
    assert found.camps == ()


def test_quantiles_are_those_computed_by_hand_and_unknown_without_runs():
    assert quantiles(np.array([0.3, 0.1, 0.2]), (0, 0.25, 1)) == pytest.approx((0.1, 0.15, 0.3))
    assert np.isnan(quantiles(np.array([]), (0.25, 0.5))).tolist() == [True, True]


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        ([0.0] * 25 + [0.9] * 25, (0.0, 0.9)),
        ([0.9] * 25 + [0.0] * 25, (0.0, 0.9)),  # in any order
        ([0.0] * 40 + [1.0] * 10, (0.0, 1.0)),  # a fifth of the runs
        ([0.0] * 5 + [0.25] * 5, (0.0, 0.25)),
        ([0.1, 0.1, 0.2, 0.3, 0.3, 0.7, 0.7, 0.8, 0.9, 0.9], (0.2, 0.8)),  # gap 0.4 of a range of 0.8
    ],
)
def test_two_camps_are_found_with_their_medians(sample, expected):
    assert camps(np.array(sample)) == pytest.approx(expected)


@pytest.mark.parametrize(
    "sample",
    [
        [],
        [0.5],
        [0.0, 1.0],
        [0.3] * 50,
        [0.0] * 41 + [1.0] * 9,  # fewer than a fifth of the runs
        [0.0] * 4 + [1.0] * 4,  # fewer than five
        [0.0] * 25 + [0.09] * 25,  # a gap below 0.1
        [0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0],  # a gap of 0.2 in a range of 1
        np.linspace(0, 1, 50),
    ],
)
def test_one_camp_is_not_two(sample):
    assert camps(np.array(sample, dtype=float)) == ()


def rate(samples):
    return np.mean([bool(camps(sample)) for sample in samples])


def test_samples_of_two_modes_are_called_bimodal():
    """The control: modes ten standard deviations apart; true rate near 0.96, σ of the estimate 0.006."""
    rng = np.random.default_rng(6)
    modes = 0.3 + 0.4 * (rng.random((1000, 50)) < 0.5)
    assert rate(modes + 0.04 * rng.standard_normal(modes.shape)) > 0.9


@pytest.mark.parametrize(
    ("runs", "note"),
    [
        ([50, 50], ""),
        ([50, 30], "30 to 50 of 50 runs"),
        ([30, 30], "30 of 50 runs"),
        ([0, 50], "0 to 50 of 50 runs"),
        ([0, 0], "no runs"),
        ([], "nothing planned"),
    ],
)
def test_what_is_missing_is_said(runs, note):
    assert missing_runs(runs, 50) == note
