"""Every configuration at its place, on tables made by hand."""

import pytest
from adaptations import with_adaptations
from plans import planned

from debox.analysis.old_runs import Runs
from debox.figures.data.drift import drift
from debox.figures.data.mosaic import Mosaic, places
from debox.figures.data.overview import overview

CELLS = {
    ("best/1", "bin", "mirror", 5, 0.5, 0.2): [0.1, 0.2, 0.6],
    ("best/1", "bin", "mirror", 5, 0.5, 0.9): [0.3],
    ("best/1", "bin", "mirror", 5, 1.5, 0.2): [0.4, 0.4],
    ("rand/1", "exp", "toroidal", 20, 1.5, 0.9): [0.9, 1.0],
}


def test_rows_are_crossovers_and_strategies_and_columns_mutations_and_sizes(made):
    record = overview(Runs.of(made(CELLS)))
    assert record.columns == (("best/1", 5), ("best/1", 20), ("rand/1", 5), ("rand/1", 20))
    assert record.rows == (("bin", "mirror"), ("bin", "toroidal"), ("exp", "mirror"), ("exp", "toroidal"))
    assert (record.F, record.Cr, record.planned) == ((0.5, 1.5), (0.2, 0.9), 3)


def test_what_was_planned_has_a_place_without_any_run(made):
    study = planned(made(CELLS), runs=7, F=[0.5, 1.0, 1.5], Cr=[0.2, 0.9], N=[5, 20, 50])
    record = overview(Runs.of(made(CELLS), study))
    assert (len(record.grids), len(record.grids[0]), len(record.grids[0][0])) == (4, 6, 6)
    assert record.planned == 7
    assert [cell.runs for cell in record.grids[0][0]] == [3, 1, 0, 0, 2, 0]


def test_missing_runs_are_noted(made):
    whole = {("rand/1", "exp", "toroidal", 5, F, Cr): [0.9, 1.0] for F in (0.5, 1.5) for Cr in (0.2, 0.9)}
    for record in (overview, drift):
        assert record(Runs.of(made(whole))).note == ""
        assert record(Runs.of(made(whole), planned(made(whole), runs=3))).note == "2 of 3 runs"
        assert record(Runs.of(made(CELLS))).note == "0 to 3 of 3 runs"


def test_a_value_is_asked_for_each_panel_and_cell(made):
    record = Mosaic.of(Runs.of(made(CELLS)), lambda panel, F, Cr: (panel.title, F, Cr))
    assert record.grids[2][1][1] == ("DE/best/1/exp mirr, N=20", 0.5, 0.9)


def test_the_grid_of_the_paper_has_6000_cells(made):
    F, Cr = [k / 10 for k in range(1, 11)], [k / 10 for k in range(5)]
    study = {
        "mutation": ["best/1", "current-to-best/1", "rand/1", "rand/2"],
        "crossover": ["bin", "exp"],
        "strategy": ["COTN", "dismiss", "mirror", "saturation", "toroidal"],
        "N": [5, 20, 100],
        "F": F,
        "Cr": Cr,
        "runs": 50,
    }
    record = overview(Runs.of(made({}), planned(made({}), **study)))
    assert (len(record.rows), len(record.columns)) == (10, 12)
    assert sum(len(grid) for row in record.grids for grid in row) == 6000


def test_several_adaptations_are_groups_of_rows(made):
    runs = Runs.of(with_adaptations(made({(0.5, 0.1): [0.3]}), fixed=0, SHADE=0.1))
    mosaic = Mosaic.of(runs, lambda panel, F, Cr: float(runs.values(panel, F, Cr)[0]))
    assert mosaic.rows == (("exp, fixed", "saturation"), ("exp, SHADE", "saturation"))
    assert mosaic.grids == (((pytest.approx(0.3),),), ((pytest.approx(0.4),),))
    assert places(runs).endswith("crossover, adaptation and strategy (rows)")
