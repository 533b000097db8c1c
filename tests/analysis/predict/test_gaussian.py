"""The Gaussian process: its kernel by hand, the limits of no noise and of much noise."""

import numpy as np
import pytest

from debox.analysis.predict.gaussian import gaussian_process, kernel, likelihood

AXES = np.array([0.0, 1.0, 2.0]), np.array([0.0, 3.0])


def test_the_kernel_is_a_product_of_matern_kernels():
    """Distance 1 of length 2, distance 3 of length 1."""
    a, b = np.sqrt(3) / 2, np.sqrt(3) * 3
    K = kernel(AXES, AXES, (2.0, 1.0))
    assert K.shape == (6, 6)
    assert K[0, 0] == 1
    assert K[0, 3] == pytest.approx((1 + a) * np.exp(-a) * (1 + b) * np.exp(-b))  # (0, 0) and (1, 3)


def test_cells_without_noise_are_kept():
    values = np.sin(AXES[0])[:, None, None] + AXES[1][:, None] + np.zeros(4)
    assert gaussian_process(AXES, values, AXES) == pytest.approx(values, abs=1e-4)


def test_far_away_the_mean_of_all_cells_is_expected():
    values = np.arange(6.0).reshape(3, 2, 1)
    assert gaussian_process(AXES, values, (np.array([1e3]), np.array([0.0]))).item() == pytest.approx(2.5)


def test_two_cells_far_apart_shrink_towards_their_mean_as_their_noise_says():
    """Means ±5, two runs 2 to both sides: a mean's variance is 8/2 = 4, the likeliest scale 10, so 5 · 10/(10 + 4)."""
    values = np.array([[[-7.0, -3.0]], [[3.0, 7.0]]])
    far = np.array([0.0, 1e4]), np.array([0.0])
    assert gaussian_process(far, values, far).mean(axis=-1).ravel() == pytest.approx([-50 / 14, 50 / 14], rel=1e-5)


def test_the_likelihood_is_that_of_a_normal_law_but_for_a_constant():
    """−½ yᵀK⁻¹y − ½ log |K|, whole matrices"""
    means, noise = np.array([1.0, 2.0, 0.5, 3.0, 1.0, 1.5]), np.full(6, 0.1)
    found, scale = likelihood(AXES, means, noise, (1.0, 2.0))
    K, y = scale * kernel(AXES, AXES, (1.0, 2.0)) + np.diag(noise), means - means.mean()
    assert found == pytest.approx(-y @ np.linalg.inv(K) @ y / 2 - np.log(np.linalg.det(K)) / 2)
