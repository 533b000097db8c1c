"""The error bar: by hand, and its rates of false alarms where nothing differs."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from debox.analysis.estimate import discoveries, jackknife, sign_tests


def mean(values):
    return values.mean(-1)


def test_the_error_of_a_mean_of_as_many_runs_as_groups_is_the_textbook_one():
    values = np.array([0.1, 0.4, 0.2, 0.2, 0.9, 0.3, 0.5, 0.6, 0.1, 0.7])
    found = jackknife(mean, values)
    assert found.value == pytest.approx(0.4)
    assert found.error == pytest.approx(values.std(ddof=1) / np.sqrt(10))
    assert found.freedom == 9
    expected = ttest_1samp(values, 0.2, alternative="greater")
    assert found.p_above(0.2) == pytest.approx(expected.pvalue)
    assert found.p_below(0.2) == pytest.approx(1 - expected.pvalue)
    low, high = found.interval()
    assert (low, high) == pytest.approx(tuple(ttest_1samp(values, 0).confidence_interval()))


def test_groups_are_made_by_run_number():
    """Of 20 runs the k-th and the (k + 10)-th make a group: their means are the numbers that vary."""
    values = np.random.default_rng(5).random((3, 20))
    pairs = (values[:, :10] + values[:, 10:]) / 2
    np.testing.assert_allclose(jackknife(mean, values).error, pairs.std(-1, ddof=1) / np.sqrt(10))


def test_fewer_runs_than_groups_make_groups_of_one():
    found = jackknife(mean, np.array([0.1, 0.4, 0.7]))
    assert (found.freedom, float(found.error)) == (2, pytest.approx(0.3 / np.sqrt(3)))
    with pytest.raises(ValueError, match="at least 2 runs of every configuration, got 1"):
        jackknife(mean, np.ones((4, 1)))


def test_discoveries_are_those_of_benjamini_and_hochberg():
    """By hand, m = 5, α = .05: limits .01, .02, .03, .04, .05; the largest p below its limit is the third."""
    p = np.array([0.9, 0.029, 0.001, 0.02, 0.045])
    assert discoveries(p).tolist() == [False, True, True, True, False]
    assert discoveries(np.array([0.9, np.nan, 0.001])).tolist() == [False, False, True]


def test_the_sign_tests_count_runs_on_either_side():
    """Of 5 runs all are at least .4: (1/2)^5; three are at most .5: P(X ≥ 3) = 1/2 of a fair coin."""
    values = np.array([0.4, 0.5, 0.5, 0.6, 0.7])
    assert sign_tests(values, 0.4) == pytest.approx((1 / 32, 31 / 32))
    assert sign_tests(values, 0.5) == pytest.approx((6 / 32, 0.5))


LAWS = {
    "normal": lambda rng, shape: rng.normal(0.5, 0.05, shape),
    "skewed": lambda rng, shape: 0.45 + rng.exponential(0.05, shape),
    "two values": lambda rng, shape: 0.4 + 0.2 * (rng.random(shape) < 0.3),
}
STATISTICS = {
    "difference of means": lambda x: x[:, 1].mean(-1) - x[:, 0].mean(-1),
    "difference of standard deviations": lambda x: x[:, 1].std(-1, ddof=1) - x[:, 0].std(-1, ddof=1),
}


@pytest.mark.parametrize("runs", [12, 50])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("of", STATISTICS)
def test_where_nothing_differs_few_differences_are_seen(of, law, runs):
    """3000 cells: a rate of .08 lies 7 standard errors above .05; of medians it is larger, which is the control."""
    values = LAWS[law](np.random.default_rng([runs, len(law)]), (3000, 2, runs))
    found = jackknife(STATISTICS[of], values)
    few_values = law == "two values" and runs == 12  # of which half and half have a jackknife error of their sd of 0
    for p in (found.p_above(), found.p_below()):
        assert 0.005 < (p < 0.05).mean() < 0.08
        assert discoveries(p).mean() < (0.01 if few_values else 0.001)


def test_the_jackknife_is_too_liberal_for_medians_and_sign_tests_are_not():
    """The rates that the module speaks of, and why medians have tests of their own."""
    values = np.random.default_rng(7).normal(0.5, 0.05, (3000, 50))
    found = jackknife(lambda x: np.median(x, -1), values)
    assert (found.p_above(0.5) < 0.05).mean() > 0.08
    assert all((p < 0.05).mean() < 0.05 for p in sign_tests(values, 0.5))


def test_the_jackknife_is_too_liberal_for_ranges_of_several_means():
    values = np.random.default_rng(8).normal(0.5, 0.05, (3000, 4, 50))
    values[:, :2] += 0.05  # two of four means are at the margin
    found = jackknife(lambda x: np.ptp(x.mean(-1), axis=1), values)
    assert (found.p_above(0.05) < 0.05).mean() > 0.08
