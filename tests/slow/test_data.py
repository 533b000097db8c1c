"""data/paper.parquet is the paper's study, and what this engine gives."""

from hashlib import sha256
from pathlib import Path

import pytest
from reproduction import bound
from reproduction.functions import BOXES, linear

import debox
from debox.paper.bound import COLUMNS
from debox.store.parquet import read_other
from debox.study.verify import verify

DATA = Path(__file__).parents[2] / "data" / "paper.parquet"


@pytest.fixture(scope="module")
def store():
    return debox.open_store(DATA)


def test_it_is_the_whole_study(store):
    study = debox.Study.load("paper")
    assert store.study == study
    table = store.table()
    assert len(set(table["id"])) == len(table["id"]) == study.n_runs == 300_000
    cells = {*zip(*(table[name].tolist() for name in ("F", "Cr", "N")), strict=True)}
    assert len(cells) == 10 * 5 * 3


def test_its_ids_are_those_of_the_plan_and_runs_done_again_come_out_the_same():
    """Else the engine draws other numbers than those that figures and documents are made of: run the study anew."""
    found = verify(debox.open_store(DATA), sample=30, rng=1)
    assert found["problems"] == []
    assert [found[key] for key in ("runs", "of", "other_runs", "redone")] == [300_000, 300_000, 0, 30]


def test_its_values_are_those_of_the_file_of_schema_1(store):
    """The checksum that stood in that file, in which the column dimension was called n."""
    content = sha256()
    for name, column in store.table().items():
        content.update(f"\n{'n' if name == 'dimension' else name}\n".encode())
        content.update("\n".join([*column, ""]).encode() if column.dtype == object else column.tobytes())
    assert content.hexdigest()[:32] == "e89b1d6377595c84821b1f4d9dfa431b"


@pytest.fixture(scope="module")
def on_functions():
    return read_other(bound.DATA, (*COLUMNS, "run"))


def test_a_run_on_another_function_done_again_comes_out_the_same(on_functions):
    here = (on_functions["function"] == "linear") & ~on_functions["sampled"] & (on_functions["run"] == 2)
    (found,) = on_functions["pois"][here & ~on_functions["on_f0"]]
    address = [len(bound.configurations()), list(BOXES).index(linear), 2]
    assert bound.pois(linear, bound.KNOWN, address) == found


def test_the_counts_that_wheels_carry_are_those_of_the_whole_study(store):
    """If not: python -m reproduction run counts"""
    counted, whole = debox.open_store(DATA.with_suffix(".npz")).table(), store.table()
    assert set(whole) - set(counted) == {"accepted", "best_f"}
    for name, column in counted.items():
        assert column.dtype == whole[name].dtype, name
        assert (column == whole[name]).all(), name
