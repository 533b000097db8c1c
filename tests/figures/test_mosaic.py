"""Every configuration at its place on the page."""

import pytest
from adaptations import with_adaptations
from plans import planned

from debox.analysis.runs import Runs
from debox.figures.mosaic import BETWEEN, BETWEEN_GROUPS, Mosaic, places

CELLS = {
    ("best/1", "bin", "mirror", 5, 0.5, 0.2): [0.1, 0.2, 0.6],
    ("best/1", "bin", "mirror", 5, 0.5, 0.9): [0.3],
    ("best/1", "bin", "mirror", 5, 1.5, 0.2): [0.4, 0.4],
    ("rand/1", "exp", "toroidal", 20, 1.5, 0.9): [0.9, 1.0],
}


def test_rows_are_crossovers_and_strategies_and_columns_mutations_and_sizes(made):
    mosaic = Mosaic(Runs.of(made(CELLS)))
    assert mosaic.columns == [("best/1", 5), ("best/1", 20), ("rand/1", 5), ("rand/1", 20)]
    assert mosaic.rows == [("bin", "mirror"), ("bin", "toroidal"), ("exp", "mirror"), ("exp", "toroidal")]


def test_a_cell_stands_at_its_Cr_to_the_right_and_its_F_upward_with_more_room_between_groups(made):
    """Cells have width and height 1; y = 0 is the top of the page."""
    mosaic = Mosaic(Runs.of(made(CELLS)))
    assert mosaic.x[0, :, 0, 0] == pytest.approx(
        [0, 2 + BETWEEN, 4 + BETWEEN + BETWEEN_GROUPS, 6 + 2 * BETWEEN + BETWEEN_GROUPS]
    )
    assert mosaic.y[:, 0, 0, 0] == pytest.approx(
        [-2, -4 - BETWEEN, -6 - BETWEEN - BETWEEN_GROUPS, -8 - 2 * BETWEEN - BETWEEN_GROUPS]
    )
    assert mosaic.x[0, 0].tolist() == [[0, 1], [0, 1]]
    assert mosaic.y[0, 0].tolist() == [[-2, -2], [-1, -1]]
    assert (mosaic.right, mosaic.bottom) == (pytest.approx(mosaic.x.max() + 1), pytest.approx(mosaic.y.min()))


def test_values_are_arranged_as_the_cells_lie(made):
    runs = Runs.of(made(CELLS), planned(made(CELLS), runs=7, F=[0.5, 1.0, 1.5], Cr=[0.2, 0.9], N=[5, 20, 50]))
    counts = Mosaic(runs).arrange(runs.counts)
    assert counts.shape == (4, 6, 3, 2)
    assert counts[0, 0].tolist() == [[3, 1], [0, 0], [2, 0]]
    assert counts[3, 4].tolist() == [[0, 0], [0, 0], [0, 2]]
    assert counts.sum() == 8


def test_several_adaptations_are_groups_of_rows(made):
    runs = Runs.of(with_adaptations(made({(0.5, 0.1): [0.3]}), fixed=0, SHADE=0.1))
    mosaic = Mosaic(runs)
    assert mosaic.rows == [("exp, fixed", "saturation"), ("exp, SHADE", "saturation")]
    assert mosaic.arrange(runs["pois"][..., 0]).ravel() == pytest.approx([0.3, 0.4])
    assert places(runs).endswith("crossover, adaptation and strategy (rows)")
