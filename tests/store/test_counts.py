"""A study as counts says of every run what the store says that it was written from."""

import sys
import zipfile

import numpy as np
import pytest

import debox
from debox.store import counts
from debox.store.counts import byte_planes, bytes_needed, counts_from, zigzag_second_differences

SMALL = {"name": "small", "dimension": 3, "budget": 100, "runs": 3, "seed": 7, "checkpoints": [0.1, 2 / 3]}
FACTORS = {"mutation": ["rand/1", "best/1"], "crossover": "bin", "strategy": ["tor", "dism", "COTN"]}
FACTORS |= {"reevaluate": [True, False], "N": [20, 5], "F": [0.5, 1.5], "Cr": 0.9}
CONFIG = "DE/best/1/bin COTN, N=20, F=1.5, Cr=0.9"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    return debox.run(debox.Study(**SMALL, **FACTORS), folder / "whole", workers=1)


@pytest.fixture
def counted(whole, tmp_path):
    counts.write(tmp_path / "small.npz", whole)
    return debox.open_store(tmp_path / "small.npz")


def test_every_column_that_it_has_is_that_of_the_whole_store(whole, counted):
    table, expected = counted.table(), whole.table()
    assert set(expected) - set(table) == {"accepted", "best_f", "best_x", "seconds"}
    assert list(table) == [name for name in expected if name in table]
    for name, column in table.items():
        assert column.dtype == expected[name].dtype, name
        assert column.tolist() == expected[name].tolist(), name
    assert len(set(expected["pois"])) > 10
    assert counted.finished() == whole.finished()
    assert (counted.study, counted.manifest, counted.bad_parts()) == (whole.study, whole.manifest, [])


def test_it_is_asked_as_other_stores(whole, counted, tmp_path):
    query = "SELECT strategy, N, max(pois), min(pois_at_two_thirds), max(id) FROM runs GROUP BY ALL ORDER BY ALL"
    assert counted.sql(query).fetchall() == whole.sql(query).fetchall()
    assert counted.edpois(CONFIG).tolist() == whole.edpois(CONFIG).tolist()
    assert len(counted.edpois(CONFIG)) == 3
    chosen = {"strategy": "dismiss", "reevaluate": False, "run": 1, "n": 3}
    assert counted.table(["id"], **chosen)["id"].tolist() == whole.table(["id"], **chosen)["id"].tolist()
    counted.to_csv(tmp_path / "counted.csv")
    whole.to_csv(tmp_path / "whole.csv", drop=["accepted", "best_f", "best_x", "seconds"])
    assert (tmp_path / "counted.csv").read_text() == (tmp_path / "whole.csv").read_text()


def test_tables_are_read_without_duckdb(counted, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert counted.table(["pois"])["pois"].any()


def test_an_error_about_another_column_names_the_file_that_has_it(counted):
    rest = "data/small.parquet in debox's repository"
    with pytest.raises(ValueError, match=f"unknown column 'best_f'; there are id, .*; {rest} has the others"):
        counted.table(["best_f"])
    with pytest.raises(debox.StoreError, match=f"(?s)the query 'SELECT best_f FROM runs' is wrong.*pois_at.*; {rest}"):
        counted.sql("SELECT best_f FROM runs")
    with pytest.raises(debox.StoreError, match=f"cannot be packed; {rest} is the whole study"):
        counted.pack("small.parquet")


def test_a_damaged_file_is_not_read(counted):
    content = bytearray(counted.path.read_bytes())
    content[len(content) // 2] ^= 1
    counted.path.write_bytes(content)
    with pytest.raises(debox.StoreError, match=r"small\.npz is damaged or not a store, take another copy"):
        debox.open_store(counted.path).table()
    counted.path.write_bytes(content[:100])
    with pytest.raises(debox.StoreError, match=r"small\.npz is damaged or not a store"):
        debox.open_store(counted.path)


@pytest.mark.parametrize(("field", "bit"), [(8, 1), (10, 1), (6, 64)], ids=["encrypted", "compression", "version"])
def test_a_damaged_directory_of_the_file_is_named_as_damage(counted, field, bit):
    content = bytearray(counted.path.read_bytes())
    content[content.index(b"PK\1\2") + field] ^= bit  # the manifest's entry in the directory of the ZIP file
    counted.path.write_bytes(content)
    with pytest.raises(debox.StoreError, match=r"small\.npz is damaged or not a store, take another copy"):
        debox.open_store(counted.path)


def test_a_damaged_header_of_an_array_is_named_as_damage(counted):
    with zipfile.ZipFile(counted.path) as file:
        header = file.read("manifest.npy")
    with zipfile.ZipFile(counted.path, "w") as file:
        file.writestr("manifest.npy", header.replace(b"}", b" ", 1))
    with pytest.raises(debox.StoreError, match=r"small\.npz is damaged or not a store, take another copy"):
        debox.open_store(counted.path)


def test_an_unfinished_study_is_refused(tmp_path):
    study = debox.Study(**SMALL, **FACTORS)
    unfinished = debox.run(study, tmp_path / "some", workers=1, only="N=5")
    with pytest.raises(ValueError, match="the study is not complete"):
        counts.write(tmp_path / "some.npz", unfinished)
    assert not (tmp_path / "some.npz").exists()


@pytest.mark.parametrize("largest", [1, 255, 2**16, 2**40])
def test_counts_come_back_from_their_bytes(largest):
    given = np.random.default_rng(1).integers(0, largest, (3, 40), endpoint=True)
    numbers = zigzag_second_differences(given)
    assert counts_from(byte_planes(numbers, bytes_needed(numbers)), 3).tolist() == given.tolist()


def test_as_many_bytes_as_the_largest_number_needs():
    assert [bytes_needed(np.array([0, number])) for number in (1, 255, 256, 65_535, 65_536)] == [1, 1, 2, 2, 3]
