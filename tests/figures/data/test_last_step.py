"""The record of the last step of Cr."""

import pytest

from debox.analysis.old_runs import Runs
from debox.figures.data.last_step import MOST_COLUMNS, entries, last_step

KEYS = [("rand/1", "exp", strategy, N) for strategy in ("saturation", "toroidal") for N in (5, 20)]
MEANS = [(0.6, 0.2), (0.6, 0.7), (0.3, 0.5), (0.9, 0.1)]  # from Cr = 0.7 to 0.9
CELLS = {
    (*key, 0.5, Cr): [mean - 0.001, mean + 0.001]
    for key, pair in zip(KEYS, MEANS, strict=True)
    for Cr, mean in zip((0.7, 0.9), pair, strict=True)
}


def test_a_column_for_each_N_a_dot_for_each_configuration(made):
    record = last_step(Runs.of(made(CELLS, budget=1_000_000)))
    assert (record.Cr, record.strategies, [column.N for column in record.columns]) == (
        (0.7, 0.9), ("saturation", "toroidal"), [5, 20]
    )  # fmt: skip
    five, twenty = record.columns
    assert five.before.tolist() == pytest.approx([0.6, 0.3], abs=1e-4)
    assert twenty.after.tolist() == pytest.approx([0.7, 0.1], abs=1e-4)
    assert [five.strategy.tolist(), twenty.strategy.tolist()] == [[0, 1], [0, 1]]
    assert [five.falls.tolist(), twenty.falls.tolist()] == [[True, False], [False, True]]
    assert (five.falling, twenty.falling) == (1, 1)


def test_a_page_holds_a_few_N(made):
    cells = {("rand/1", "exp", "mirror", N, 0.5, Cr): [0.1, 0.2] for N in range(5, 12) for Cr in (0.1, 0.9)}
    runs = Runs.of(made(cells))
    assert len(last_step(runs).columns) == MOST_COLUMNS
    (entry,) = entries(runs)
    assert (entry.name, entry.obstacle(runs)) == ("last-step", "")


def test_one_Cr_has_no_last_step(made):
    runs = Runs.of(made({(0.5, 0.1): [0.1, 0.2]}))
    (entry,) = entries(runs)
    assert "needs two values of Cr" in entry.obstacle(runs)
