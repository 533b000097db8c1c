"""Distances by hand; leaving out finds what interpolation finds."""

import numpy as np
import pytest

from debox.analysis.predict.judge import crps, leave_columns_out, leave_rows_out, wasserstein
from debox.analysis.predict.methods import METHODS


def test_w1_of_sorted_runs_is_their_mean_distance():
    assert wasserstein(np.array([0.0, 1.0]), np.array([0.5, 2.0])).item() == 0.75


def test_crps_by_hand():
    """Runs 0 and 1 against 0.5 and 2: mean distance (0.5 + 2 + 0.5 + 1)/4, half of the mean distance within: 1/4."""
    assert crps(np.array([0.0, 1.0]), np.array([0.5, 2.0])).item() == pytest.approx(1 - 0.25)
    assert crps(np.array([3.0, 3.0]), np.array([3.0, 3.0])).item() == 0


def test_crps_is_least_for_the_law_itself():
    y = np.linspace(0, 1, 50)
    assert crps(y, y) < min(crps(y + 0.1, y), crps(0.5 + (y - 0.5) / 2, y), crps(2 * y - 0.5, y))


def test_a_plane_is_found_again_wherever_it_is_left_out(grid_of):
    grid = grid_of(lambda F, Cr: 1000 * F + 5000 * Cr)
    assert leave_rows_out(METHODS["bilinear"], grid) == pytest.approx(np.zeros((4, 4)), abs=1e-12)
    assert leave_columns_out(METHODS["bilinear"], grid) == pytest.approx(np.zeros((2, 6)), abs=1e-12)
    columns = leave_columns_out(METHODS["nearest"], grid)
    assert columns[0] == pytest.approx(np.full(6, 0.2 * 5000 / grid.budget))  # 0.3 is nearest to 0.1
