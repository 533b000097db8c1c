"""How far POIS drifts, from counts made by hand."""

import numpy as np
import pytest

from debox.analysis import thirds
from debox.analysis.old_runs import Runs
from debox.figures.data.drift import drift


def test_drift_is_the_last_third_less_the_first(made):
    # infeasible so far, of 3, 6 and 9 evaluations: 1, 1, 1; 2, 3, 3; 3, 5, 5; and 0, 0, 3
    cells = {(0.5, 0.2): [1 / 9, 3 / 9, 5 / 9], (1.5, 0.9): [3 / 9]}
    so_far = {"at_third": [1 / 3, 2 / 3, 3 / 3, 0], "at_two_thirds": [1 / 6, 3 / 6, 5 / 6, 0]}
    ((grid,),) = drift(Runs.of(made(cells, budget=9, **so_far))).grids
    assert grid[0] == pytest.approx(-2 / 3)  # median of −1/3, −2/3, −1
    assert grid[3] == pytest.approx(1)
    assert np.isnan(grid[1:3]).all()


def test_whether_the_runs_have_thirds_is_asked_once_and_not_for_every_cell(made, monkeypatch):
    table, asked = made({(F, 0.2): [0.1, 0.2] for F in (0.5, 1.0, 1.5)}), []
    monkeypatch.setattr(thirds, "obstacle", lambda runs: asked.append(runs) or "")
    drift(Runs.of(table))
    assert len(asked) == 1


@pytest.mark.parametrize("name", ["pois_at_third", "pois_at_two_thirds"])
def test_a_table_without_checkpoints_is_named(made, name):
    table = made({(0.5, 0.2): [0.1, 0.2]})
    with pytest.raises(ValueError, match=f"no column {name}"):
        drift(Runs.of({**table, name: np.array([0.1, np.nan])}))
    del table[name]
    with pytest.raises(ValueError, match=f"no column {name}"):
        drift(Runs.of(table))
