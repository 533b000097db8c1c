"""data/paper.parquet is the paper's study, and what this engine gives."""

from pathlib import Path

import duckdb
import numpy as np
import pytest

import debox
from debox.store.table import digest
from debox.study.verify import verify

DATA = Path(__file__).parents[1] / "data" / "paper.parquet"


@pytest.fixture(scope="module")
def store():
    return debox.open_store(DATA)


@pytest.mark.slow
def test_it_is_the_whole_study(store):
    study = debox.Study.load("paper")
    assert store.study == study
    table = store.table()
    assert len(set(table["id"])) == len(table["id"]) == study.n_runs == 300_000
    cells = np.unique(np.stack([table["F"], table["Cr"], table["N"].astype(float)]), axis=1)
    assert cells.shape[1] == 10 * 5 * 3


@pytest.mark.slow
def test_its_ids_are_those_of_the_plan_and_runs_done_again_come_out_the_same():
    """Else the engine draws other numbers than those that figures and documents are made of: run the study anew."""
    found = verify(DATA, sample=30, rng=1)
    assert found.problems == []
    assert (found.runs, found.of, found.others, found.repeated) == (300_000, 300_000, 0, 30)


def test_its_values_are_those_of_the_file_of_schema_1(store):
    """The checksum that stood in that file, in which the column dimension was called n."""
    old = {"n" if name == "dimension" else name: column for name, column in store.table().items()}
    assert digest(old) == "e89b1d6377595c84821b1f4d9dfa431b"


def test_duckdb_on_its_own_reads_it():
    found = duckdb.sql(f"select dimension, N, count(*) from '{DATA}' group by all order by N").fetchall()
    assert found == [(30, 5, 100_000), (30, 20, 100_000), (30, 100, 100_000)]


def test_its_manifest_lies_beside_it(store):
    assert DATA.with_name("paper.manifest.json").read_text(encoding="utf-8") == store.manifest.to_json()


def test_it_is_small():
    assert DATA.stat().st_size < 9e6
