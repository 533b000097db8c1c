"""Who is first and who is within noise of it: on made-up errors."""

import numpy as np
from reproduction.defaults import chance, leaders, worse

RNG = np.random.default_rng(1)
LOW, HIGH = np.arange(1.0, 16), np.arange(101.0, 116)


def test_errors_that_are_all_the_same_do_not_differ():
    assert chance(np.ones(15), np.ones(15)) == 1


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
    assert 0.005 < chance(LOW, shifted, "two-sided") < 0.05
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
