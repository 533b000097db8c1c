import numpy as np
import pytest
from walled import verdicts

import debox
from debox.optimize.walls import DRIFTING, FREE, ON_THE_BOUND


@pytest.mark.parametrize("seed", range(5))
def test_a_variable_that_polish_puts_on_a_bound_is_on_it(seed):
    """The population need not have followed."""

    def rosenbrock(x):
        return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()

    result = debox.minimize(rosenbrock, [(-1, 0.8)] * 5, budget=1000, rng=seed)
    on = np.flatnonzero(result.x == 0.8)
    assert on.size, "the minimum is at 1, beyond"
    assert result.walls.on() == on.tolist()
    assert "x[0]" in str(result.walls)


def test_an_angle_is_on_a_bound_on_the_wrong_side_and_free_once_it_is_periodic():
    def cost(x):
        return x[1] ** 2 + 1 - np.cos(x[0] - 3.1)

    plain = [debox.minimize(cost, [(-np.pi, np.pi), (-1, 2)], budget=1000, rng=seed) for seed in range(20)]
    wrong = [result for result in plain if result.x[0] < 0]
    assert wrong
    assert all(result.walls.verdict[0] == ON_THE_BOUND for result in wrong)
    circle = [debox.Periodic(-np.pi, np.pi), (-1, 2)]
    for seed in range(20):
        result = debox.minimize(cost, circle, budget=1000, rng=seed)
        assert result.walls.verdict == (FREE, FREE)
        assert result.walls.wraps.tolist() == result.wraps.tolist()


@pytest.mark.parametrize("strategy", ["mirror", "saturation", "midpoint-target"])
@pytest.mark.parametrize("place", [1.3, 1.01, -0.2])
def test_an_optimum_beyond_a_bound_is_on_it(place, strategy):
    first, others = verdicts(place, strategy=strategy)
    assert first == [ON_THE_BOUND] * 20
    assert others == [FREE] * 80


@pytest.mark.parametrize("strategy", ["mirror", "saturation", "toroidal"])
@pytest.mark.parametrize("place", [0.05, 0.5])
def test_an_optimum_inside_is_free(place, strategy):
    first, others = verdicts(place, strategy=strategy)
    assert first == [FREE] * 20
    assert others == [FREE] * 80


def test_an_optimum_a_thousandth_inside_is_free_in_the_end_and_drifting_before():
    """The control of those above: no verdict but by what happens late."""
    assert verdicts(0.999, budget=5000)[0] == [FREE] * 20
    soon = verdicts(0.999)[0]
    assert ON_THE_BOUND not in soon
    assert soon.count(DRIFTING) >= 10
