"""Where POIS falls at the last step of Cr, in made-up studies whose means are known."""

from itertools import product

import numpy as np
import pytest

from debox.analysis.last_step import LastStep
from debox.analysis.runs import Runs

NOISE = np.array([-0.01, 0.0, 0.0, 0.01])  # around the mean: variance 2e-4 / 3
STEPS = [[[0.1, 0.4, 0.3], [0.1, 0.2, 0.9]], [[0.9, 0.4, 0.36], [0.9, 0.8, 0.2]]]  # falls: 0.1, none, too small, 0.6


def last_step(made, means, noise=1.0):
    """means: strategy × F × Cr; budget 1005, so that 1000 trials make shares exact."""
    levels = product(("mirror", "saturation"), (0.5, 1.5), (0.5, 0.755, 0.99))
    keys = [("rand/1", "bin", strategy, 5, F, Cr) for strategy, F, Cr in levels]
    shares = np.ravel(means)[:, None] + noise * np.array([NOISE if k % 2 else np.roll(NOISE, 1) for k in range(12)])
    return LastStep.of(Runs.of(made(dict(zip(keys, np.round(1000 * shares) / 1005, strict=True)), budget=1005)))


def test_falls_are_those_of_the_last_step_by_more_than_half_a_bin(made):
    step = last_step(made, STEPS)
    assert step.Cr == (0.755, 0.99)
    assert step.falls.ravel().tolist() == [True, False, False, True]
    assert step.before.ravel() == pytest.approx([0.4, 0.2, 0.4, 0.8])
    assert step.after.ravel() == pytest.approx([0.3, 0.9, 0.36, 0.2])
    assert step.change.value.ravel() == pytest.approx([-0.1, 0.7, -0.04, -0.6])
    assert step.share_falling("strategy") == {"mirror": 0.5, "saturation": 0.5}
    assert step.share_falling("N") == {5: 0.5}


def test_a_fall_that_chance_may_make_is_none(made):
    """With noise of ±0.1 the standard error of a difference is 0.058: a fall by 0.1 says nothing, one by 0.6 does."""
    found = last_step(made, np.clip(STEPS, 0.2, 0.8), noise=10.0)
    assert found.falls.ravel().tolist() == [False, False, False, True]
    assert found.share_falling("F") == {0.5: 0.5, 1.5: 0.5}  # as estimated


def test_falls_are_corrected_for_all_steps_of_Cr(made):
    """Each of 19 rows falls at the last step with p = .0325: with as many steps before, that rise, it is .065."""
    noise = np.array([-3, -1, 0, 1, 3, -2, 0, 2, -1, 1]) / 100
    error = noise.std(ddof=1) / np.sqrt(10)
    means = {Cr: 0.5 - (0.05 + 2.1 * error) * (Cr == 0.99) for Cr in (0.755, 0.99)}  # t = 2.1 with 9 df: p = .0325
    keys = [("rand/1", "bin", "mirror", 5, F / 10, Cr) for F in range(1, 20) for Cr in (0.5, *means)]
    shares = {key: means.get(key[-1], 0.2) + noise * (key[-1] == 0.99) for key in keys}
    two = {key: share for key, share in shares.items() if key[-1] in means}
    found = [
        LastStep.of(
            Runs.of(made({key: np.round(1e6 * share) / (10**6 + 5) for key, share in some.items()}, budget=10**6 + 5))
        )
        for some in (shares, two)
    ]
    assert [one.falls.all() for one in found] == [False, True]
