"""data/paper.parquet is the paper's study, and what this engine gives."""

from pathlib import Path

import duckdb
import numpy as np
import pytest
from reproduction import bound, prediction
from reproduction.functions import BOXES

import debox
from debox.paper.bound import COLUMNS, CONTROL, Cells
from debox.store.parquet import read_other

DATA = Path(__file__).parents[1] / "data" / "paper.parquet"


@pytest.fixture(scope="module")
def store():
    return debox.open_store(DATA)


def test_duckdb_on_its_own_reads_it():
    found = duckdb.sql(f"select dimension, N, count(*) from '{DATA}' group by all order by N").fetchall()
    assert found == [(30, 5, 100_000), (30, 20, 100_000), (30, 100, 100_000)]


def test_its_manifest_lies_beside_it(store):
    assert DATA.with_name("paper.manifest.json").read_text(encoding="utf-8") == store.manifest.to_json()


def test_it_is_small():
    assert DATA.stat().st_size < 9e6


def test_the_runs_between_the_levels_are_of_the_configurations_that_are_drawn(store):
    names = (*prediction.PANEL, "F", "Cr")
    found = duckdb.sql(f"select {', '.join(names)}, run from '{prediction.OFFGRID}'").fetchall()
    drawn = [config for seed in prediction.DRAWS for config in prediction.configurations(store.study, seed)]
    assert len(found) == (200 + 100) * 100
    expected = [(*(getattr(config, name) for name in names), run) for config in drawn for run in range(100)]
    assert found == expected
    assert prediction.OFFGRID.stat().st_size < 5e5


@pytest.mark.parametrize(("seed", "before"), [(20260, 0), (20317, 200)])
def test_runs_between_the_levels_done_again_come_out_the_same(store, seed, before):
    k = 57
    config = prediction.configurations(store.study, seed)[k]
    again = debox.measure(config, runs=2, rng=seed).pois * 300_000
    stored = duckdb.sql(f"select infeasible from '{prediction.OFFGRID}'").fetchnumpy()["infeasible"]
    assert np.round(again).tolist() == stored[100 * (before + k) :][:2].tolist()


@pytest.fixture(scope="module")
def on_functions():
    return read_other(bound.DATA, (*COLUMNS, "run"))


def test_runs_on_other_functions_are_those_that_were_planned(on_functions):
    """Each mutation, strategy and N once, crossover, F and Cr evenly: 60 configurations; one that was known besides."""
    assert len(BOXES) == 13
    configurations = bound.configurations()
    for k, least in enumerate((15, 30, 12, 20, 6, 12)):
        levels, counts = np.unique([str(one[k]) for one in configurations], return_counts=True)
        assert set(counts) == {least}, levels
    cells = {*zip(*(on_functions[name].tolist() for name in COLUMNS[:7]), strict=True)}
    names = {function.py_func.__name__ for function in BOXES}
    assert cells == {(name, *one) for name in names for one in (*configurations, bound.KNOWN)}
    runs = np.unique(on_functions["on_f0"], return_counts=True)[1].tolist()
    assert runs == [len(cells) * bound.RUNS, len(cells) * bound.RUNS_ON_F0]
    assert bound.DATA.stat().st_size < 300e3


def test_f0_against_itself_is_no_breach_and_the_known_one_is(on_functions):
    """Of 61 cells of f0 at most 5 % are above at 0.05: more than 9 have a chance below 1e-3."""
    cells = Cells.of(on_functions)
    control = cells.take(lambda key: key["function"] == CONTROL)
    assert (control.p_above(0.001) < 0.05).sum() <= 9
    known = cells.take(lambda key: key["function"] == "linear" and not key["sampled"])
    assert known.p_above(0.001) < 1e-6
