"""Statistics of small cells by hand; their noise is unbiased, which a wrong one is not."""

import numpy as np
import pytest

from debox.analysis.cube import Cube
from debox.analysis.factors import cells
from debox.analysis.factors.cells import STATISTICS, curve, mean, quantiles, spread
from debox.analysis.old_runs import Runs

MANY = 20_000  # cells of one law: sample means have standard errors below 1 % of what is estimated


def test_the_mean_of_a_cell_and_its_noise_by_hand():
    found = mean(np.array([[0.1, 0.3], [0.5, 0.5]]))
    assert found.estimate.tolist() == [[0.2], [0.5]]
    assert found.noise.ravel() == pytest.approx([0.02 / 2, 0])  # s² = 0.02
    assert found.mean_noise == pytest.approx(0.005)
    assert found.levels == (2,)


def test_runs_that_are_all_alike_have_no_noise():
    found = quantiles(np.full((3, 4), 0.25))
    assert found.estimate == pytest.approx(np.full((3, 2), 0.25))
    assert found.noise == pytest.approx(np.zeros((3, 2, 2)), abs=1e-15)


def test_the_mean_of_halves_is_the_mean_and_its_noise_nearly_that_of_the_mean(monkeypatch):
    """Over all splits, the average product of the halves' means is that of all pairs of runs: x̄² − s²/R."""
    monkeypatch.setattr(cells, "SPLITS", 4000)
    runs = np.array([[0.0, 0.1, 0.4, 0.9]])
    found = cells.by_halves(runs, lambda half: half.mean(axis=-1)[..., None])
    assert found.estimate == pytest.approx(mean(runs).estimate)
    assert found.noise == pytest.approx(mean(runs).noise, rel=0.05)


@pytest.mark.parametrize("statistic", [mean, spread, quantiles])
def test_noise_is_the_variance_of_the_estimate(statistic):
    """On average over cells of one law; 4 standard errors are 1 false alarm in 16 000, the control misses by more."""
    runs = np.random.default_rng(3).exponential(size=(MANY, 6))
    found = statistic(runs)
    J = found.estimate.shape[-1]
    deviation = found.estimate - found.estimate.mean(axis=0)
    squares = deviation[:, :, None] * deviation[:, None, :]
    error = np.std(squares - found.noise, axis=0) / np.sqrt(MANY)
    assert (abs(squares.mean(axis=0) - found.noise.mean(axis=0)) < 4 * error).all()
    assert (abs(squares.mean(axis=0) - 2 * found.noise.mean(axis=0)) > 4 * error)[range(J), range(J)].all()


def test_spread_is_that_of_half_of_the_runs():
    """E of the standard deviation of two normal runs is √(2/π), of four it would be 0.9213; standard error 0.003."""
    found = spread(np.random.default_rng(4).normal(size=(MANY, 4)))
    assert found.estimate.mean() == pytest.approx(np.sqrt(2 / np.pi), abs=0.015)


def test_a_curve_is_the_sorted_runs():
    assert curve(np.array([0.3, 0.1, 0.2])).tolist() == [0.1, 0.2, 0.3]


def test_a_long_curve_is_averaged_over_equal_parts_of_the_probabilities(monkeypatch):
    """Three runs, two parts: the middle run is half in each."""
    monkeypatch.setattr(cells, "POINTS", 2)
    assert curve(np.array([9.0, 3.0, 0.0])) == pytest.approx([(0 + 3 / 2) / 1.5, (3 / 2 + 9) / 1.5])


def test_the_distance_of_curves_is_wasserstein_2():
    """Of two samples of one size: sorted runs are matched."""
    x, y = np.array([0.0, 1.0, 5.0]), np.array([2.0, 2.0, 3.0])
    assert np.mean((curve(x) - curve(y)) ** 2) == pytest.approx((4 + 1 + 4) / 3)


@pytest.mark.parametrize(("of", "least"), [("mean", 2), ("logit", 2), ("spread", 4), ("quantiles", 4)])
def test_too_few_runs_are_refused(made, of, least):
    def cube(runs):
        return Cube.of(Runs.of(made({(F, 0.5): [0.5] * runs for F in (0.5, 1.0)})))

    assert STATISTICS[of](cube(least)).levels == (1, 1, 1, 1, 2, 1)
    with pytest.raises(
        ValueError, match=rf"needs at least {least} runs of every configuration, these have {least - 1}"
    ):
        STATISTICS[of](cube(least - 1))
