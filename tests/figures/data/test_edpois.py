"""The records of the EDPOIS panel against tables made by hand (docs/spec.md §4)."""

import numpy as np
import pytest
from adaptations import with_adaptations
from plans import planned

from debox.analysis.old_runs import Panel, Runs
from debox.figures.data.edpois import Cell, cell, edpois_panel, entries, file_name

SAT = "DE/rand/1/exp sat, N=5"
PANEL = Panel.of("DE/rand/1/exp sat", 5)
ABOVE = np.nextafter


def panel(table, *cells, study=None):
    """The panel of (F, Cr, POIS values) triples."""
    given = table(*((f"{SAT}, F={F}, Cr={Cr}", pois) for F, Cr, pois in cells))
    return edpois_panel(Runs.of(given, study), PANEL)


@pytest.mark.parametrize(
    ("pois", "counts"),
    [
        ([0.1, ABOVE(0.1, 1)], (1, 1, 0, 0, 0, 0, 0, 0, 0, 0)),  # [0, 0.1] is closed
        ([0.9, ABOVE(0.9, 1)], (0, 0, 0, 0, 0, 0, 0, 0, 1, 1)),  # (0.8, 0.9], then (0.9, 1]
        ([0.0, 1.0], (1, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
        ([0.001, 0.999], (1, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
        ([0.3, 0.30001, 0.35], (0, 0, 1, 2, 0, 0, 0, 0, 0, 0)),
    ],
)
def test_runs_are_counted_by_tenths_of_pois(table, pois, counts):
    assert panel(table, (0.7, 0.5, pois)).cells[0].counts == counts


@pytest.mark.parametrize(
    ("pois", "colour"),
    [
        ([0.0, 0.001], "teal"),
        ([0.999, 1.0], "teal"),
        ([0.001, 0.0011], "orange"),
        ([0.001, 0.01], "orange"),
        ([0.99, 0.999], "orange"),
        ([0.0, 0.0011], "violet"),  # neither all within [0, 0.001] nor all within [0.001, 0.01]
        ([0.001, ABOVE(0.01, 1)], "violet"),
        ([0.99, ABOVE(0.999, 1)], "violet"),
        ([ABOVE(0.99, 0)], "violet"),
        ([0.0, 1.0], "violet"),
        ([0.95], "violet"),
    ],
)
def test_the_colour_tells_how_extreme_all_runs_are(table, pois, colour):
    assert panel(table, (0.7, 0.5, pois)).cells[0].colour == colour


def test_cells_stand_row_by_row_of_rising_F_and_Cr(table):
    record = panel(table, (2.0, 0.1, [0.5]), (0.3, 0.9, [0.25]), (2.0, 0.9, [0.75]), (0.3, 0.1, [0.0]))
    assert [(c.F, c.Cr) for c in record.cells] == [(0.3, 0.1), (0.3, 0.9), (2.0, 0.1), (2.0, 0.9)]
    assert [c.counts.index(1) for c in record.cells] == [0, 2, 4, 7]
    assert (record.title, record.F, record.Cr) == ("DE/rand/1/exp sat, N=5", (0.3, 2.0), (0.1, 0.9))


def test_a_configuration_without_runs_is_an_empty_cell(table):
    record = panel(table, (0.3, 0.1, [0.5]), (2.0, 0.9, [0.5]))
    assert record.cells[1] == Cell(0.3, 0.9)
    assert [c.runs for c in record.cells] == [1, 0, 0, 1]
    assert record.cells[1].colour == ""


def test_other_panels_are_left_out(table):
    given = table((f"{SAT}, F=1, Cr=1", [0.5]), ("DE/rand/1/exp tor, N=5, F=1, Cr=1", [0.95] * 9))
    assert edpois_panel(Runs.of(given), PANEL).cells[0].runs == 1


def test_one_run_fills_its_range(table):
    record = panel(table, (0.7, 0.5, [0.55]))
    assert (record.planned, record.cells[0].counts[5], record.note) == (1, 1, "")


def test_ten_thousand_runs_are_all_counted(table):
    pois = (np.arange(10_000) + 0.5) / 10_000  # a thousand in every bin
    record = panel(table, (0.7, 0.5, pois))
    assert record.cells[0].counts == (1000,) * 10
    assert (record.planned, record.cells[0].colour) == (10_000, "violet")


@pytest.mark.parametrize(
    ("runs", "note"),
    [
        ((50, 50), ""),
        ((30, 30), "30 of 50 runs"),
        ((30, 50), "30 to 50 of 50 runs"),
        ((0, 50), "0 to 50 of 50 runs"),
        ((0, 0), "no runs"),
    ],
)
def test_the_note_says_what_is_missing(table, runs, note):
    study = planned(table(), F=[0.7], Cr=[0.1, 0.5], budget=300_000)
    record = panel(table, (0.7, 0.1, [0.5] * runs[0]), (0.7, 0.5, [0.5] * runs[1]), study=study)
    assert (record.note, record.planned) == (note, 50)


def test_a_cell_counts_what_it_is_given():
    assert cell(0.7, 0.5, np.array([])).runs == 0
    assert cell(0.7, 0.5, np.array([0.2, 0.21])).counts == (0, 1, 1, 0, 0, 0, 0, 0, 0, 0)


def test_every_panel_has_a_file_of_its_own(table):
    operators = {
        "mutation": ["best/1", "curr-to-best/1"],
        "strategy": ["sat", "tor"],
        "N": [5, 20, 100],
        "crossover": ["bin", "exp"],
    }
    names = [entry.name for entry in entries(Runs.of(table(), planned(table(), **operators)))]
    assert len(set(names)) == 24
    assert "panels/DE-curr-to-best-1-bin-sat-N100" in names
    assert file_name(Panel.of("DE/rand/1/exp COTN", 5)) == "DE-rand-1-exp-COTN-N5"


def test_the_panels_of_several_adaptations_have_files_of_their_own(made):
    runs = Runs.of(with_adaptations(made({(0.5, 0.1): [0.3]}), fixed=0, SHADE=0.1))
    assert [one.name for one in entries(runs)] == [
        "panels/DE-rand-1-exp-sat-fixed-N5",
        "panels/DE-rand-1-exp-sat-SHADE-N5",
    ]
