"""Numbers of cells and their variances by hand; contrasts add variances with squared weights."""

import numpy as np
import pytest

from debox.analysis.claims import estimate
from debox.analysis.claims.levels import NotTestableError

ONE = {"mutation": ("rand/1",), "crossover": ("bin",), "strategy": ("mirror",), "N": (5,)}


def test_mean_and_its_variance(cube_of):
    cube = cube_of(lambda F, Cr, **_: [F / 4, F / 4 + 0.2], **ONE)
    found = estimate.mean(cube)
    assert found.value[0, 0, 0, 0, :, 0] == pytest.approx([F / 4 + 0.1 for F in cube.axes["F"]], abs=1e-4)
    assert found.variance == pytest.approx(np.full(found.value.shape, 0.02 / 2), rel=1e-3)  # 2·0.1² ÷ 1 ÷ 2 runs
    assert found.freedom == pytest.approx(np.ones(found.value.shape))


def test_cells_without_spread_are_not_known_exactly(cube_of):
    found = estimate.mean(cube_of(lambda **_: [1.0, 1.0], **ONE))
    assert found.variance == pytest.approx(np.full(found.value.shape, (1 / 9995) ** 2 / 2))


def test_the_spread_and_its_jackknife_by_hand(cube_of):
    # 0, 0.3, 0.6: sd 0.3; without one run √0.045, √0.18, √0.045, whose sum of squares about the mean times 2/3
    left = np.sqrt([0.045, 0.18, 0.045])
    cube = cube_of(lambda **_: [0.0, 0.3, 0.6], **ONE)
    found = estimate.spread(cube)
    assert found.value.ravel()[0] == pytest.approx(0.3, abs=1e-4)
    assert found.variance.ravel()[0] == pytest.approx(((left - left.mean()) ** 2).sum() * 2 / 3, rel=1e-3)


def test_a_quantile_is_what_the_bootstrap_draws_on_average(cube_of):
    """The median of three runs drawn from three with replacement: smallest, middle, largest with 7, 13, 7 of 27."""
    runs = np.array([0.1, 0.2, 0.6])
    found = estimate.quantile(cube_of(lambda **_: runs, **ONE), 0.5)
    mean = runs @ [7, 13, 7] / 27
    assert found.value.ravel()[0] == pytest.approx(mean, abs=1e-4)
    assert found.variance.ravel()[0] == pytest.approx(runs**2 @ [7, 13, 7] / 27 - mean**2, rel=1e-2)


def test_differences_of_means_over_values(cube_of):
    cube = cube_of(lambda N, **_: [N / 200, N / 200 + 0.1], **{**ONE, "N": (5, 20, 100)})
    number = estimate.mean(cube)
    found = number.at("N", (20, 100)).minus(number.at("N", (5,)), {"N": ("5 → more",)})
    assert found.value.ravel() == pytest.approx(np.full(12, 0.3 - 0.025), abs=1e-3)
    assert found.variance.ravel() == pytest.approx(np.full(12, (0.0025 + 0.0025) / 4 + 0.0025), rel=1e-2)
    assert found.name(0) == "rand/1/bin mirror, N=5 → more, F=0.05, Cr=0.05"
    average, variance, _ = found.average()
    assert (average, variance) == pytest.approx((0.275, 0.00375 / 12), rel=1e-2)


def test_steps_of_one_factor_and_of_two_at_once(cube_of):
    number = estimate.mean(cube_of(lambda F, Cr, **_: [F / 4 + Cr / 10, F / 4 + Cr / 10], **ONE))
    along_F, diagonal = number.steps(("F",)), number.steps(("F", "Cr"))
    assert along_F.value.shape[4:] == (3, 3)
    assert along_F.value[0, 0, 0, 0, :, 0] == pytest.approx(np.diff([0.05, 0.5, 0.9, 1.5]) / 4, abs=1e-3)
    assert diagonal.value.shape[4:] == (3, 2)
    assert diagonal.value[0, 0, 0, 0, 0, 0] == pytest.approx(0.45 / 4 + 0.45 / 10, abs=1e-3)
    assert diagonal.labels["Cr"] == ("0.05→0.5", "0.5→0.99")


def test_the_slope_with_F_looks_at_F_up_to_1(cube_of):
    found = estimate.rise_with_F(cube_of(lambda F, **_: [0.1 + F / 2 if F <= 1 else 0.0] * 2, **ONE))
    assert found.value.ravel() == pytest.approx(np.full(3, 0.5), rel=1e-3)


def test_one_run_is_no_sample(cube_of):
    cube = cube_of(lambda **_: [0.5], **ONE)
    with pytest.raises(NotTestableError, match="at least 2 runs"):
        estimate.mean(cube)
    with pytest.raises(NotTestableError, match="at least 3 runs"):
        estimate.spread(cube_of(lambda **_: [0.5, 0.6], **ONE))


def test_sums_have_the_squared_weights_and_satterthwaites_freedom():
    """Cells with variances 1, 4 and 9 of 6 runs, weights 1/2, 1/2 and −1."""
    axes = {**ONE, "N": (5, 20, 100), "F": (0.5,), "Cr": (0.5,)}
    value, variance = (np.array(x, float).reshape(1, 1, 1, 3, 1, 1) for x in ([10, 20, 40], [1, 4, 9]))
    number = estimate.Estimate(value, variance, variance**2 / 5, axes)
    found = number.combine({"N": np.array([0.5, 0.5, -1])}, {"N": ("",)})
    parts = np.array([1 / 4, 4 / 4, 9])  # w² Var
    assert found.value.ravel().tolist() == pytest.approx([15 - 40])
    assert found.variance.ravel().tolist() == pytest.approx([parts.sum()])
    assert found.quartic.ravel().tolist() == pytest.approx([(parts**2).sum() / 5])
    assert found.freedom.ravel().tolist() == pytest.approx([parts.sum() ** 2 / ((parts**2).sum() / 5)])  # 6.38


def test_sums_over_two_axes_multiply_weights():
    axes = {**ONE, "N": (5, 20), "F": (0.5,), "Cr": (0.1, 0.9)}
    variance = np.array([[1.0, 2], [3, 4]])
    shape = (1, 1, 1, 2, 1, 2)
    number = estimate.Estimate(np.zeros(shape), variance.reshape(shape), variance.reshape(shape) ** 2 / 9, axes)
    a, b = np.array([1.0, -2]), np.array([0.5, 3])
    found = number.combine({"N": a, "Cr": b}, {"N": ("",), "Cr": ("",)})
    parts = np.outer(a, b) ** 2 * variance
    assert found.variance.item() == pytest.approx(parts.sum())
    assert found.quartic.item() == pytest.approx((parts**2).sum() / 9)


def test_a_table_of_weights_and_the_average_have_the_same_freedom(cube_of):
    rng = np.random.default_rng(3)
    number = estimate.mean(cube_of(lambda **_: rng.random(5), **ONE))
    average, variance, freedom = number.average()
    table = number.weigh(np.full((4, 3), 1 / 12), {"F": ("",), "Cr": ("",)})
    assert (table.value.item(), table.variance.item(), table.freedom.item()) == pytest.approx(
        (average, variance, freedom)
    )
    assert freedom == pytest.approx(number.variance.sum() ** 2 / (number.variance**2 / 4).sum())
