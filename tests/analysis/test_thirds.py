"""POIS within each third of a run, from counts made by hand."""

import numpy as np
import pytest

from debox import measure
from debox.analysis.old_runs import Panel, Runs
from debox.analysis.thirds import Life, summarise_life, within_thirds


def test_thirds_are_what_was_counted_between_the_checkpoints():
    # budget 9: checkpoints after 3 and 6 evaluations; infeasible so far 1, 3, 3
    assert within_thirds(np.array([[1 / 3, 3 / 6, 3 / 9]]), 9)[0] == pytest.approx([1 / 3, 2 / 3, 0])


def test_checkpoints_lie_at_whole_evaluations():
    # budget 10: round(10/3) = 3 and round(20/3) = 7 evaluations; infeasible so far 2, 4, 7
    assert within_thirds(np.array([[2 / 3, 4 / 7, 7 / 10]]), 10)[0] == pytest.approx([2 / 3, 2 / 4, 3 / 3])


def test_thirds_add_up_to_the_whole():
    rng = np.random.default_rng(3)
    counts = np.cumsum(rng.integers(0, 30, (200, 3)), axis=1)
    thirds = within_thirds(counts / [33, 67, 100], 100)
    assert thirds @ [33, 34, 33] == pytest.approx(counts[:, 2])


def test_a_life_has_medians_so_far_and_quantiles_within_each_third():
    """Budget 9: infeasible so far, of 3, 6 and 9 evaluations, 1, 1, 1 and 3, 5, 5."""
    panel = {"mutation": "rand/1", "crossover": "exp", "strategy": "saturation", "N": 5}
    table = {name: [value] * 2 for name, value in {**panel, "F": 0.5, "Cr": 0.2, "dimension": 3, "budget": 9}.items()}
    so_far = {"pois_at_third": [1 / 3, 3 / 3], "pois_at_two_thirds": [1 / 6, 5 / 6], "pois": [1 / 9, 5 / 9]}
    runs = Runs.of(table | so_far)
    life = summarise_life(runs, Panel(**panel), 0.5, 0.2)
    assert life.runs == 2
    assert life.so_far == pytest.approx((2 / 3, 3 / 6, 3 / 9))
    assert life.within == pytest.approx((2 / 3, 1 / 3, 0))
    assert life.low == pytest.approx((1 / 3 + 0.05 * 2 / 3, 0.05 * 2 / 3, 0))
    assert life.high == pytest.approx((1 / 3 + 0.95 * 2 / 3, 0.95 * 2 / 3, 0))
    assert summarise_life(runs, Panel(**panel), 0.7, 0.2) == Life()


def test_thirds_of_measured_runs_are_shares():
    m = measure("DE/rand/1/bin mirr, N=5, F=0.4, Cr=0.9", n=5, budget=1000, runs=20)
    thirds = within_thirds(np.column_stack([m.pois_at, m.pois]), m.budget)
    assert ((thirds >= 0) & (thirds <= 1)).all()
    assert thirds @ [333, 334, 333] == pytest.approx(m.pois * 1000)
