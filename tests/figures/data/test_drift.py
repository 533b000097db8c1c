"""How far POIS drifts, from counts made by hand."""

import numpy as np
import pytest

from debox.analysis.runs import Runs
from debox.figures.data.drift import drift


def test_drift_is_the_last_third_less_the_first(made):
    # infeasible so far, of 3, 6 and 9 evaluations: 1, 1, 1; 2, 3, 3; 3, 5, 5; and 0, 0, 3
    cells = {(0.5, 0.2): [1 / 9, 3 / 9, 5 / 9], (1.5, 0.9): [3 / 9]}
    so_far = {"at_third": [1 / 3, 2 / 3, 3 / 3, 0], "at_two_thirds": [1 / 6, 3 / 6, 5 / 6, 0]}
    ((grid,),) = drift(Runs.of(made(cells, budget=9, **so_far))).grids
    assert grid[0] == pytest.approx(-2 / 3)  # median of −1/3, −2/3, −1
    assert grid[3] == pytest.approx(1)
    assert np.isnan(grid[1:3]).all()
