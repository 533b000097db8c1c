"""Intervals hold the true share about as often as they say."""

import numpy as np
import pytest
from benchmarks import factors as synthetic
from true_shares import COVERED, assert_held

from debox.analysis.factors.analyse import remove_noise
from debox.analysis.factors.cells import mean
from debox.analysis.factors.intervals import forms, interval


@pytest.mark.parametrize(("of", "law", "runs"), COVERED[::2])
def test_intervals_hold_the_true_shares(of, law, runs):
    """The mean, and one of the two whose noise is removed by halves of the runs; tests/law has both."""
    assert_held(of, law, runs)


def test_bootstrap_percentiles_do_not_hold_the_share_of_a_factor_without_any():
    """The control: drawn again, runs have noise twice, of which once is removed."""
    found = synthetic.percentile_coverage("normal", 10, 20, rounds=100)
    total_of_the_first_factor = found[3]
    assert total_of_the_first_factor < 0.3


FALSE_ALARM_RATE = 0.05


def test_the_variance_of_noise_alone_holds_zero():
    """All cells alike, in 400 studies: intervals of the variance miss 0 in 5 %, in more than 9 % with chance 0.0005."""
    rng, misses, estimates = np.random.default_rng(7), 0, []
    weights = np.array([0.0] + [1.0] * 7)
    for _ in range(400):
        found = mean(rng.normal(size=(2, 3, 4, 5)))
        (form,) = forms(found, [weights], remove_noise(found), relative=False)
        low, high = interval(form, 1 - FALSE_ALARM_RATE)
        misses += not low <= 0 <= high
        estimates.append(form.a / found.mean_noise)
    assert misses <= 36
    error = np.std(estimates) / 20
    assert abs(np.mean(estimates)) < 4 * error  # unbiased: fails with chance 0.00006
    assert np.mean(estimates) + 23 / 24 > 4 * error  # the control: what noise adds, were it not removed
