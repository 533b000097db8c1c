"""The cells of one panel, sorted, with theory beside them; what is no grid is refused."""

import numpy as np
import pytest

from debox import Config, theory
from debox.analysis.old_runs import Panel, Runs
from debox.analysis.predict.grid import Grid, from_logit, to_logit

PANEL = Panel("rand/1", "exp", "saturation", 5)
CELLS = {(*PANEL.levels, F, Cr): [Cr / 2, F / 4] for F in (0.5, 1.0) for Cr in (0.1, 0.9)}


def test_a_cell_has_its_counts_in_order(made):
    grid = Grid.of(Runs.of(made(CELLS, n=7, budget=1000)), PANEL)
    assert (grid.F.tolist(), grid.Cr.tolist(), grid.runs, grid.trials) == ([0.5, 1.0], [0.1, 0.9], 2, 995)
    assert grid.counts.tolist() == [[[50, 125], [125, 450]], [[50, 250], [250, 450]]]
    assert grid.cell(1.0, 0.1).tolist() == [50, 250]
    assert grid.cell(0.75, 0.1) is None


def test_a_row_or_a_column_can_be_left_out(made):
    grid = Grid.of(Runs.of(made(CELLS, budget=1000)), PANEL)
    assert grid.without(F=0).counts.tolist() == [[[50, 250], [250, 450]]]
    assert grid.without(Cr=1).Cr.tolist() == [0.1]


def test_the_baseline_is_the_chance_of_generation_1(made):
    grid = Grid.of(Runs.of(made(CELLS, n=7, budget=1000)), PANEL)
    chance = theory.trial_infeasible(Config("DE/rand/1/exp sat, N=5, F=0.8, Cr=0.3"), n=7)
    by_hand = np.log((995 * chance + 0.5) / (995 * (1 - chance) + 0.5))
    assert grid.baseline([0.8], [0.3]).item() == pytest.approx(by_hand, rel=1e-12)


def test_without_a_formula_the_baseline_is_flat(made):
    cells = {("my-own/2", *key[1:]): pois for key, pois in CELLS.items()}
    grid = Grid.of(Runs.of(made(cells, budget=1000)), Panel("my-own/2", *PANEL[1:]))
    assert grid.baseline([0.8], [0.3, 0.7]).tolist() == [[0, 0]]


def test_a_logit_turns_back_into_its_count():
    counts = np.array([0, 1, 40, 99, 100])
    assert to_logit([0, 50, 100], 100) == pytest.approx([-np.log(201), 0, np.log(201)])
    assert from_logit(to_logit(counts, 100), 100) == pytest.approx(counts, abs=1e-9)
    assert from_logit([-800.0, 800.0], 100).tolist() == [0, 100]


@pytest.mark.parametrize("name", ["F", "Cr"])
def test_one_level_is_no_grid(made, name):
    one = {key: pois for key, pois in CELLS.items() if key[4 if name == "F" else 5] in (0.5, 0.1)}
    with pytest.raises(ValueError, match=f"at least 2 levels of {name}, the study has 0.[15] alone"):
        Grid.of(Runs.of(made(one)), PANEL)
