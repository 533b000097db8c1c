"""The life of runs as figures show it, from counts made by hand."""

import pytest
from adaptations import with_adaptations

from debox.analysis.old_runs import Panel, Runs
from debox.figures.data.life import Cell, entries, life_panel

PANEL = Panel("rand/1", "exp", "saturation", 5)


@pytest.fixture
def runs(made):
    # infeasible so far, of 3, 6 and 9 evaluations: 1, 1, 1; 2, 3, 3; 3, 5, 5; and 0, 0, 3
    table = made(
        {(0.5, 0.2): [1 / 9, 3 / 9, 5 / 9], (1.5, 0.9): [3 / 9]},
        budget=9,
        at_third=[1 / 3, 2 / 3, 3 / 3, 0],
        at_two_thirds=[1 / 6, 3 / 6, 5 / 6, 0],
    )
    return Runs.of(table)


def test_a_panel_has_medians_and_quantiles_of_the_thirds(runs):
    record = life_panel(runs, PANEL)
    assert (record.title, record.planned, record.F, record.Cr) == (PANEL.title, 3, (0.5, 1.5), (0.2, 0.9))
    first, *_, last = record.cells
    assert first.so_far == pytest.approx((2 / 3, 3 / 6, 3 / 9))
    # within thirds: 1/3 0 0; 2/3 1/3 0; 1 2/3 0. Of three runs the 5 % quantile lies a tenth of a step above the first
    assert first.within == pytest.approx((2 / 3, 1 / 3, 0))
    assert first.low == pytest.approx((1 / 3 + 0.1 / 3, 0.1 / 3, 0))
    assert first.high == pytest.approx((1 - 0.1 / 3, 2 / 3 - 0.1 / 3, 0))
    assert (last.runs, last.within, last.so_far) == (1, (0, 0, 1), pytest.approx((0, 0, 1 / 3)))


def test_missing_runs_are_noted(runs):
    assert life_panel(runs, PANEL).note == "0 to 3 of 3 runs"


def test_a_configuration_without_runs_is_an_empty_cell(runs):
    assert life_panel(runs, PANEL).cells[1:3] == (Cell(0.5, 0.9), Cell(1.5, 0.2))


@pytest.mark.parametrize("name", ["pois_at_third", "pois_at_two_thirds"])
def test_a_table_without_checkpoints_is_named(made, name):
    table = made({(0.5, 0.2): [0.1]})
    del table[name]
    with pytest.raises(ValueError, match=f"no column {name}"):
        life_panel(Runs.of(table), PANEL)


def test_the_panel_shown_is_the_paper_s_or_else_the_first_that_has_runs(made):
    cells = {("rand/1", "exp", strategy, 5, 0.5, 0.2): [0.1] for strategy in ("mirror", "saturation")}
    without = {("rand/1", "exp", "saturation", N, 0.5, 0.2): [0.1] for N in (7, 8)}
    for given, title in ((cells, "DE/rand/1/exp sat, N=5"), (without, "DE/rand/1/exp sat, N=7")):
        runs = Runs.of(made(given))
        (entry,) = entries(runs)
        assert f"POIS of {title} within" in entry.description
        assert entry.record(runs).title == title


def test_among_several_adaptations_the_paper_s_panel_is_that_of_fixed_F_and_Cr(made):
    cells = {("rand/1", crossover, "saturation", 5, 0.5, 0.2): [0.1] for crossover in ("bin", "exp")}
    (entry,) = entries(Runs.of(with_adaptations(made(cells), SHADE=0, fixed=0.1)))
    assert "POIS of DE/rand/1/exp sat, fixed, N=5 within" in entry.description
