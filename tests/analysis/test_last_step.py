"""The last step of Cr on means that are known."""

import pytest

from debox.analysis.cube import Cube
from debox.analysis.last_step import LastStep, obstacle
from debox.analysis.runs import Runs

SAT, TOR = ("rand/1", "exp", "saturation", 5), ("rand/1", "exp", "toroidal", 5)


def around(mean):
    """Four runs of this mean, alike but for a little noise."""
    return [mean - 0.001, mean, mean, mean + 0.001]


CELLS = {
    (*SAT, 0.5, 0.1): around(0.2), (*SAT, 0.5, 0.7): around(0.6), (*SAT, 0.5, 0.99): around(0.3),  # falls by 0.3
    (*SAT, 1.5, 0.1): around(0.2), (*SAT, 1.5, 0.7): around(0.6), (*SAT, 1.5, 0.99): around(0.57),  # by too little
    (*TOR, 0.5, 0.1): around(0.8), (*TOR, 0.5, 0.7): around(0.4), (*TOR, 0.5, 0.99): around(0.5),  # before the last
    (*TOR, 1.5, 0.1): around(0.2), (*TOR, 1.5, 0.7): around(0.6), (*TOR, 1.5, 0.99): around(0.7),
}  # fmt: skip


@pytest.fixture
def runs(made):
    return Runs.of(made(CELLS, budget=100_005))


def test_means_of_the_two_largest_Cr_are_shares_of_trials(runs):
    step = LastStep.of(Cube.of(runs))
    assert step.Cr == (0.7, 0.99)
    trials = 100_005 / 100_000  # POIS counts the five of the initial population
    assert step.before.ravel().tolist() == pytest.approx(
        [0.6 * trials, 0.6 * trials, 0.4 * trials, 0.6 * trials], abs=1e-5
    )
    assert step.after.ravel().tolist() == pytest.approx(
        [0.3 * trials, 0.57 * trials, 0.5 * trials, 0.7 * trials], abs=1e-5
    )


def test_a_fall_is_of_the_last_step_and_of_more_than_half_a_tenth(runs):
    step = LastStep.of(Cube.of(runs))
    assert step.falls.ravel().tolist() == [True, False, False, False]
    assert step.share_falling("strategy") == {"saturation": 0.5, "toroidal": 0}
    assert step.share_falling("F") == {0.5: 0.5, 1.5: 0}
    key, before, after = step.deepest()
    assert (key["strategy"], key["F"], "Cr" in key) == ("saturation", 0.5, False)
    assert (before, after) == pytest.approx((0.6, 0.3), abs=1e-4)


def test_a_fall_within_chance_is_none(made):
    """Means 0.6 and 0.5, but runs differ by 0.6: the standard error of the difference is 0.24."""
    noisy = {(0.5, 0.7): [0.3, 0.3, 0.9, 0.9], (0.5, 0.99): [0.2, 0.2, 0.8, 0.8]}
    assert not LastStep.of(Cube.of(Runs.of(made(noisy)))).falls.any()


def test_what_runs_lack_is_said(made, runs):
    assert obstacle(runs) == ""
    assert "these have fewer" in obstacle(Runs.of(made({k: v for k, v in CELLS.items() if k != (*SAT, 0.5, 0.1)})))
    assert "needs two values of Cr, this study has one" in obstacle(Runs.of(made({(0.5, 0.1): [0.1, 0.2]})))
    assert "needs at least 2 runs" in obstacle(Runs.of(made({(0.5, 0.1): [0.1], (0.5, 0.2): [0.2]})))
