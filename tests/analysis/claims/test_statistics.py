"""p-values against numbers computed by hand, and against what is true of p-values: small as rarely as they say."""

from math import comb

import numpy as np
import pytest

from debox.analysis.claims import statistics


def test_welch_is_students_t_for_two_samples():
    # x = 1, 2, 3 and y = 0, 0, 3: difference 1, variance 1/3 + 1 = 4/3, t = √3/2; scipy's ttest_ind is the other road
    from scipy.stats import ttest_ind

    x, y = np.array([1.0, 2, 3]), np.array([0.0, 0, 3])
    variances = np.array([x.var(ddof=1) / 3, y.var(ddof=1) / 3])
    assert variances.tolist() == pytest.approx([1 / 3, 1])
    freedom = variances.sum() ** 2 / (variances**2 / 2).sum()
    p = statistics.welch(1.0, variances.sum(), freedom)
    assert p == pytest.approx(ttest_ind(x, y, equal_var=False, alternative="greater").pvalue)


def test_equivalence_is_shown_within_and_never_beyond_the_margin():
    inside, border, outside = (statistics.equivalence(d, 1e-4, 50, 0.1) for d in (0.0, 0.1, -0.2))
    assert inside < 1e-10
    assert border == pytest.approx(0.5)  # half of all estimates lie on either side of the margin
    assert outside > 0.999
    assert statistics.equivalence(-0.05, 1e-4, 50, 0.1) == pytest.approx(statistics.equivalence(0.05, 1e-4, 50, 0.1))


def test_rejections_beyond_those_due_are_errors():
    # 10 cells, at least 80 % claimed: were it 7 only, an eighth rejection is an error of one of 3 cells: 1 − 0.95³
    assert statistics.rejections(8, 10, 0.8, 0.05) == pytest.approx(1 - 0.95**3)
    assert statistics.rejections(10, 10, 0.8, 0.05) == pytest.approx(0.05**3)
    assert statistics.rejections(7, 10, 0.8, 0.05) == 1


def test_a_share_of_cells_by_the_binomial_tail():
    assert statistics.at_least(10, 10, 0.5) == pytest.approx(0.5**10)
    assert statistics.at_least(9, 10, 0.5) == pytest.approx((10 + 1) / 2**10)
    assert statistics.at_least(5, 10, 0.5) == 1


def test_the_binomial_tail_bounds_cells_of_unequal_chances():
    """Half of the cells have the property for sure, the others with chance 0.6: expected share 0.8, the border."""
    rng, cells = np.random.default_rng(1), 100
    counts = 50 + rng.binomial(50, 0.6, 4000)
    alarms = np.mean([statistics.at_least(int(count), cells, 0.8) < 0.05 for count in counts])
    assert alarms <= 0.05  # this bound fails by chance in far less than 1 of 1000 seeds: the true rate is below 0.02


def test_the_sign_test_by_hand():
    assert statistics.sign(4, 0) == pytest.approx(1 / 16)
    assert statistics.sign(3, 1) == pytest.approx(5 / 16)


def test_holm_by_hand():
    # sorted 0.01, 0.02, 0.04 times 3, 2, 1; the last may not be below the one before
    assert statistics.holm([0.04, None, 0.01, 0.02]) == pytest.approx([0.04, None, 0.03, 0.04])
    assert statistics.holm([0.5, 0.6]) == [1.0, 1.0]
    assert statistics.holm([]) == []


def test_distances_by_hand():
    # Wasserstein-1 of {0, 1} and {2, 3}: each moves by 2; ∫(F − G)²: ¼ on [0, 1], 1 on [1, 2], ¼ on [2, 3]
    x, y = np.array([[0.0, 1.0]]), np.array([[2.0, 3.0]])
    assert statistics.distances(x, y, 99).observed.tolist() == pytest.approx([2.0])
    assert statistics.distances(x, y, 99, power=2).observed.tolist() == pytest.approx([1.5])


def test_the_permutation_null_by_hand():
    """Of the 6 ways to label 0, 1, 2, 3 two are apart by 2 (01|23), four by 1 (02|13: 1; 03|12: ½ + ½)."""
    found = statistics.distances(np.array([[0.0, 1.0]]), np.array([[2.0, 3.0]]), 6000)
    assert found.by_chance[0] == pytest.approx((2 * 2 + 4 * 1) / 6, abs=0.03)  # 4.9 standard errors
    assert found.p[0] == pytest.approx(2 / 6, abs=0.03)


def test_separate_samples_have_the_smallest_p():
    x = np.arange(10.0)[None]
    found = statistics.distances(x, x + 100, 200_000)
    assert found.p[0] == pytest.approx(2 / comb(20, 10), abs=3e-5)
    assert statistics.rounds_for(3000, 0.05) >= 3000 / 0.05


def test_equal_laws_are_told_apart_as_rarely_as_p_says():
    rng = np.random.default_rng(2)
    found = statistics.distances(rng.random((2000, 10)), rng.random((2000, 10)), 999)
    assert (found.p < 0.05).mean() == pytest.approx(0.05, abs=0.02)  # 4 standard errors
    assert found.observed.mean() == pytest.approx(found.by_chance.mean(), rel=0.05)


def test_constant_samples_do_not_differ():
    ones = np.ones((1, 5))
    found = statistics.distances(ones, ones, 99)
    assert (found.observed[0], found.p[0]) == (0, 1)


def test_numbers_differ_along_an_axis_by_the_F_ratio():
    # means 0, 1, 2 have variance 1; with sampling variances 0.1 F = 10, with 1 it is 1; F(2, 30) at 5 % is 3.3
    values, variances = np.array([[0.0, 1, 2]]), np.array([[0.1] * 3, [1.0] * 3])
    assert statistics.differ(np.repeat(values, 2, 0), variances, 10, 1).ravel().tolist() == [True, False]


def test_the_F_ratio_has_one_degree_of_freedom_less_than_levels():
    """Two levels are Student's t: F(1, 20) at 5 % is 2.086² = 4.35; F(2, 20) is 3.49 and would see the first, too."""
    halves = np.sqrt(np.array([[4.2], [4.5]]) / 2) * [-1, 1]  # variances 4.2 and 4.5, sampling variance 1
    assert statistics.differ(halves, np.ones((2, 2)), 10, 1).ravel().tolist() == [False, True]


def test_the_F_ratio_has_the_freedom_of_all_levels():
    """Two levels of 3 runs: F(1, 4) at 5 % is 7.71; F(1, 2) is 18.5 and would see neither."""
    halves = np.sqrt(np.array([[7.6], [7.8]]) / 2) * [-1, 1]
    assert statistics.differ(halves, np.ones((2, 2)), 2, 1).ravel().tolist() == [False, True]
