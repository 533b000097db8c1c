"""Where POIS falls at the last step of Cr, in made-up studies whose means are known."""

import numpy as np
import pytest

from debox.analysis.collapse import LastStep, falls, last_steps, obstacle
from debox.analysis.cube import Cube
from debox.analysis.old_runs import Runs

AXES = {
    "mutation": ("rand/1",),
    "crossover": ("bin",),
    "strategy": ("mirror", "saturation"),
    "N": (5,),
    "F": (0.5, 1.5),
    "Cr": (0.5, 0.755, 0.99),
}
RUNS = np.array([-0.01, 0.0, 0.0, 0.01])  # around the mean: variance 2e-4 / 3


def cube(means, noise=1.0):
    """means: strategy × F × Cr; budget 1005, so that 1000 trials make shares exact."""
    share = np.asarray(means, float)[None, None, :, None, :, :, None] + noise * RUNS
    return Cube(AXES, np.round(1000 * share) / 1005, 1005, 30)


STEPS = [[[0.1, 0.4, 0.3], [0.1, 0.2, 0.9]], [[0.9, 0.4, 0.36], [0.9, 0.8, 0.2]]]  # falls: 0.1, none, too small, 0.6


def test_falls_are_those_of_the_last_step_by_more_than_half_a_bin():
    found = falls(cube(STEPS))
    assert [(fall.strategy, fall.F) for fall in found] == [("mirror", 0.5), ("saturation", 1.5)]
    assert [fall.depth for fall in found] == pytest.approx([0.1, 0.6])
    assert found[0].name == "DE/rand/1/bin mirror, N=5, F=0.5"


def test_every_row_has_a_last_step_with_its_means_and_standard_errors():
    steps = last_steps(cube(STEPS))
    assert [(step.before, step.after) for step in steps] == [
        pytest.approx(pair) for pair in [(0.4, 0.3), (0.2, 0.9), (0.4, 0.36), (0.8, 0.2)]
    ]
    assert steps[0].before_error == pytest.approx((2e-4 / 3 / 4) ** 0.5)
    assert steps[0].after_error == pytest.approx((2e-4 / 3 / 4) ** 0.5)


def test_a_fall_that_chance_may_make_is_none():
    """With noise of ±0.2 the standard error of a difference is 0.11: a fall by 0.1 says nothing, one by 0.6 does."""
    assert [fall.strategy for fall in falls(cube(np.clip(STEPS, 0.2, 0.8), noise=20.0))] == ["saturation"]


def test_falls_are_counted_by_factor_and_the_deepest_is_named():
    step = LastStep.of(cube(STEPS))
    assert step.Cr == (0.755, 0.99)
    assert step.falls.ravel().tolist() == [True, False, False, True]
    assert step.share_falling("strategy") == {"mirror": 0.5, "saturation": 0.5}
    assert step.share_falling("N") == {5: 0.5}
    key, before, after = step.deepest()
    assert (key["strategy"], key["F"], "Cr" in key) == ("saturation", 1.5, False)
    assert (before, after) == pytest.approx((0.8, 0.2))


def test_what_runs_lack_for_a_last_step_is_said(made):
    full = {(F, Cr): [0.1, 0.2] for F in (0.5, 1.5) for Cr in (0.1, 0.9)}
    assert obstacle(Runs.of(made(full))) == ""
    assert "these have fewer" in obstacle(Runs.of(made({key: pois for key, pois in full.items() if key != (0.5, 0.1)})))
    assert "needs two values of Cr, this study has one" in obstacle(Runs.of(made({(0.5, 0.1): [0.1, 0.2]})))
    assert "needs at least 2 runs" in obstacle(Runs.of(made({(0.5, 0.1): [0.1], (0.5, 0.2): [0.2]})))
    assert "pois must be from 0 to" in obstacle(Runs.of(made({key: [1.0, 0.2] for key in full})))


def test_the_deepest_is_one_that_falls_beyond_chance():
    """Saturation at F = 1.5 falls from 0.9 to 0.2 on average, but its runs differ by more than that."""
    noise = np.array([[1.0, 1.0], [1.0, 60.0]])
    means = np.array([[[0.1, 0.6, 0.3], [0.1, 0.2, 0.9]], [[0.9, 0.4, 0.36], [0.9, 0.9, 0.2]]])
    share = np.clip(means[..., None] + noise[:, :, None, None] * RUNS, 0, 1)[None, None, :, None]
    step = LastStep.of(Cube(AXES, np.round(1000 * share) / 1005, 1005, 30))
    assert step.falls.ravel().tolist() == [True, False, False, False]
    assert step.deepest()[0]["strategy"] == "mirror"
