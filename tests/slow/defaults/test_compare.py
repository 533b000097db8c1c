"""Who is first and who is within noise of it: on made-up errors, by hand, and beside SciPy."""

from math import erfc, sqrt

import numpy as np
import pytest
from benchmarks.defaults.compare import chance_of_difference, chance_of_greater, holm, leaders, worse

RNG = np.random.default_rng(1)
LOW, HIGH = np.arange(1.0, 16), np.arange(101.0, 116)


def test_fifteen_errors_all_greater_than_fifteen_others():
    """U = 225, its mean 112.5, its variance 225 · 31/12; half a step of continuity."""
    z = (225 - 112.5 - 0.5) / sqrt(225 * 31 / 12)
    assert chance_of_greater(HIGH, LOW) == pytest.approx(0.5 * erfc(z / sqrt(2)), rel=1e-12)
    assert chance_of_difference(LOW, HIGH) == pytest.approx(3.4e-6, rel=0.01)
    assert chance_of_greater(LOW, HIGH) > 0.999


def test_ties_count_half_and_lessen_the_variance():
    """a = 1 1 2, b = 1 2 2: U = 2 · ½ + 1 + 2 · ½ = 3, of 9; ties of 3 and 3: variance 9/12 · (7 − 48/30) = 4.05"""
    z = (3 - 4.5 - 0.5) / sqrt(4.05)
    found = chance_of_greater(np.array([1.0, 1, 2]), np.array([1.0, 2, 2]))
    assert found == pytest.approx(0.5 * erfc(z / sqrt(2)), rel=1e-12)


def test_errors_that_are_all_the_same_do_not_differ():
    assert chance_of_difference(np.ones(15), np.ones(15)) == 1


@pytest.mark.parametrize("digits", [0, 1, 9])
def test_chances_are_those_of_scipy(digits):
    from scipy.stats import mannwhitneyu

    a, b = RNG.normal(size=15).round(digits), RNG.normal(0.5, size=12).round(digits)
    assert chance_of_greater(a, b) == pytest.approx(
        mannwhitneyu(a, b, alternative="greater", method="asymptotic").pvalue
    )
    assert chance_of_difference(a, b) == pytest.approx(mannwhitneyu(a, b, method="asymptotic").pvalue)


def test_holms_correction_by_hand():
    """Sorted .01 .02 .03 .4, times 4 3 2 1: .04 .06 .06 (not less than the one before) .4"""
    assert holm([0.4, 0.01, 0.03, 0.02]) == pytest.approx([0.4, 0.04, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([]) == []


def test_a_solver_within_noise_leads_with_the_first_and_one_beyond_does_not():
    errors = {"first": LOW, "near": LOW + 1.0, "far": HIGH}
    assert leaders(errors) == {"first", "near"}


def test_errors_up_to_the_goal_are_the_same():
    solved = {"a": np.full(15, 1e-8), "b": np.linspace(-1e-14, 9e-9, 15), "c": np.full(15, 2e-8)}
    assert leaders(solved) == {"a", "b"}


def test_who_has_the_least_median_is_first_even_if_another_has_solved_more():
    """8 of 15 solved and 15 of 15: both medians are the goal."""
    assert leaders({"a": np.where(np.arange(15) < 8, 0.0, 1e9), "b": np.zeros(15)}) == {"a", "b"}


def test_a_difference_that_one_test_sees_is_noise_among_many_solvers():
    """p = 0.0127 alone; times 10, it is no difference."""
    shifted = LOW + 4.1
    assert 0.005 < chance_of_difference(LOW, shifted) < 0.05
    assert leaders({"first": LOW, "next": shifted}) == {"first"}
    crowd = {f"same {k}": LOW + 0.1 for k in range(9)}
    assert "next" in leaders({"first": LOW, "next": shifted, **crowd})


def test_worse_means_more_than_the_factor_and_beyond_chance():
    noise = np.linspace(0.9, 1.1, 15)
    pairs = {
        "three times": (3 * noise, noise),
        "1.8 times": (1.8 * noise, noise),
        "better": (noise, 3 * noise),
        "chance": (np.where(np.arange(15) < 8, 9.0, 0.1), noise),
        "both solved": (np.full(15, 9e-9), np.zeros(15)),
        "hardly solved": (np.full(15, 1.5e-8), np.zeros(15)),
        "not solved": (np.full(15, 3e-8), np.zeros(15)),
    }
    assert worse(pairs, 2.0) == ["three times", "not solved"]


def test_a_solver_like_the_others_is_seldom_said_to_be_beyond_noise():
    """In at most 5 % of worlds; of 200 at most 22 (false alarm below 2e-4). One that is e² times worse, in most."""
    worlds = RNG.lognormal(size=(200, 6, 15))

    def times_beyond():
        return sum("a" not in leaders(dict(zip("abcdef", world, strict=True))) for world in worlds)

    assert times_beyond() <= 22
    worlds[:, 0] *= np.exp(2)
    assert times_beyond() > 100
