"""Summaries of configurations at their place, from a table made by hand."""

import numpy as np

from debox.analysis.old_runs import Runs
from debox.figures.data.overview import overview

CELLS = {
    ("best/1", "bin", "mirror", 5, 0.5, 0.2): [0.1, 0.2, 0.6],
    ("best/1", "bin", "mirror", 5, 0.5, 0.9): [0.3],
    ("best/1", "bin", "mirror", 5, 1.5, 0.2): [0.4, 0.4],
    ("rand/1", "exp", "toroidal", 20, 1.5, 0.9): [0.9, 1.0],
}


def test_cells_go_row_by_row_of_F_and_missing_ones_are_empty(made):
    record = overview(Runs.of(made(CELLS)))
    first = record.grids[0][0]
    assert [cell.runs for cell in first] == [3, 1, 2, 0]
    assert [cell.median for cell in first[:3]] == [0.2, 0.3, 0.4]
    assert np.isnan(first[3].median)
    assert [cell.runs for cell in record.grids[3][3]] == [0, 0, 0, 2]
    assert record.grids[3][3][3].median == 0.95
    assert all(cell.runs == 0 for grid in record.grids[1] for cell in grid)
