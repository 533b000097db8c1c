"""POIS within each third of a run, from counts made by hand."""

import numpy as np
import pytest

from debox import measure
from debox.analysis.thirds import within_thirds


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


@pytest.mark.slow
def test_thirds_of_measured_runs_are_shares():
    m = measure("DE/rand/1/bin mirr, N=5, F=0.4, Cr=0.9", n=5, budget=1000, runs=20)
    thirds = within_thirds(np.column_stack([m.pois_at, m.pois]), m.budget)
    assert ((thirds >= 0) & (thirds <= 1)).all()
    assert thirds @ [333, 334, 333] == pytest.approx(m.pois * 1000)
