import csv
import os
from functools import partial

import numpy as np
import pyarrow.parquet
import pytest
from commands import invoke
from stored_rows import MANIFEST, filled, rows

import debox
from debox.store.store import Writer

run = partial(invoke, "store")


@pytest.fixture
def store(tmp_path):
    return filled(Writer.create(tmp_path / "mine.v2", MANIFEST), rows([2, 0], n=2), rows([1], n=2))


def test_pack_writes_one_file_beside_the_store(store, tmp_path):
    result = run("pack", store.path)
    assert result.exit_code == 0, result.output
    size = (tmp_path / "mine.v2.parquet").stat().st_size
    assert f"{tmp_path / 'mine.v2.parquet'}: {size / 1e6:,.2f} MB" in result.output
    np.testing.assert_equal(debox.open_store(tmp_path / "mine.v2.parquet").table(), store.table())


def test_pack_works_from_inside_the_store(store, tmp_path, monkeypatch):
    monkeypatch.chdir(store.path)
    assert run("pack", ".", tmp_path / "a.parquet").exit_code == 0
    assert run("pack", ".").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.parquet", "mine.v2", "mine.v2.parquet"]


def test_a_packed_store_is_packed_again_and_replaced(store, tmp_path):
    for name in ("a", "a", "b"):
        again = [tmp_path / "a.parquet", "-o"] if name == "b" else [store.path]
        assert run("pack", *again, tmp_path / f"{name}.parquet").exit_code == 0
    assert debox.open_store(tmp_path / "b.parquet").bad_parts() == []


def test_export_writes_a_line_per_run(store, tmp_path):
    result = run("export", store.path, "--csv", tmp_path / "a.csv", "--drop", "seconds")
    assert result.exit_code == 0, result.output
    with (tmp_path / "a.csv").open() as file:
        back = list(csv.DictReader(file))
    table = store.table()
    assert [row["id"] for row in back] == table["id"].tolist()
    assert [float(row["pois"]) for row in back] == table["pois"].tolist()
    assert [[float(x) for x in row["best_x"].split()] for row in back] == table["best_x"].tolist()
    assert [row["dimension"] for row in back] == ["2"] * 3
    assert "seconds" not in back[0]


def test_export_prints(store, tmp_path):
    run("export", store.path, "--csv", tmp_path / "a.csv")
    printed = run("export", store.path, "--csv", "-")
    assert printed.exit_code == 0
    assert printed.stdout == (tmp_path / "a.csv").read_text()


REFUSED = [
    ("pack HERE/packed.parquet", 2, "-o NEW.parquet is needed"),
    ("pack HERE/packed.parquet HERE/packed.parquet", 2, "packed.parquet: it is what is read"),
    ("pack HERE/mine.v2 HERE/no/a.parquet", 1, "cannot write HERE/no/a.parquet: "),
    ("export HERE/mine.v2 --csv HERE/no/a.csv", 1, "cannot write HERE/no/a.csv: "),
    ("pack HERE/mine.v2 HERE/keep.csv.txt", 2, "must end in .parquet, got 'HERE/keep.csv.txt'"),
    ("export HERE/mine.v2 --csv HERE/keep.csv.txt", 2, "must end in .csv, got 'HERE/keep.csv.txt'"),
    ("pack HERE/mine.v2 HERE/parquet", 2, "must end in .parquet, got"),
    ("pack HERE/mine.v2 HERE/yours.parquet", 2, "yours.parquet: it is not a file that `debox store pack` wrote"),
    ("pack ~nosuchuser/x", 2, "no such home folder"),
    ("export HERE/mine.v2 --csv ~nosuchuser/x.csv", 2, "no such home folder"),
]


@pytest.mark.parametrize(("line", "code", "message"), REFUSED)
def test_what_is_refused_changes_no_file(store, tmp_path, line, code, message):
    store.pack(tmp_path / "packed.parquet")
    pyarrow.parquet.write_table(pyarrow.table({"mine": [1, 2, 3]}), tmp_path / "yours.parquet")
    (tmp_path / "keep.csv.txt").write_text("dear to me")
    before = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
    result = run(*line.replace("HERE", str(tmp_path)).split())
    assert (result.exit_code, message.replace("HERE", str(tmp_path)) in result.stderr) == (code, True), result.output
    assert {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")} == before


def test_a_packed_store_has_a_name_in_utf8_a_text_any_name(store, tmp_path):
    name = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    result = run("pack", store.path, f"{name}.parquet")
    assert result.exit_code == 2
    assert "the file to write must be a name in UTF-8, which DuckDB needs, got " in result.stderr
    assert run("export", store.path, "--csv", f"{name}.csv").exit_code == 0
    assert sorted(os.listdir(os.fsencode(tmp_path))) == [b"caf\xe9.csv", b"mine.v2"]


def test_a_tilde_is_the_home_folder(store, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(store.path)
    assert run("pack", "~/mine.v2").exit_code == 0
    assert run("export", "~/mine.v2", "--csv", "~/a.csv").output.startswith("~/a.csv: ")
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "mine.v2", "mine.v2.parquet"]
    assert run("pack", "").exit_code == 2
