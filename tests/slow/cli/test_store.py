import csv
import os
from functools import partial

import numpy as np
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
    assert f"{tmp_path / 'mine.v2.parquet'}: {size / 1000:.1f} kB" in result.output
    np.testing.assert_equal(debox.open_store(tmp_path / "mine.v2.parquet").table(), store.table())


def test_pack_works_from_inside_the_store(store, tmp_path, monkeypatch):
    monkeypatch.chdir(store.path)
    assert run("pack", ".", tmp_path / "a.parquet").exit_code == 0
    assert run("pack", ".").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.parquet", "mine.v2", "mine.v2.parquet"]


def test_a_packed_file_is_packed_anew_only_under_a_name(store, tmp_path):
    assert run("pack", store.path, tmp_path / "a.parquet").exit_code == 0
    result = run("pack", tmp_path / "a.parquet")
    assert result.exit_code == 2
    assert "-o NEW.parquet is needed" in result.stderr
    assert sorted(os.listdir(tmp_path)) == ["a.parquet", "mine.v2"]
    assert run("pack", tmp_path / "a.parquet", "-o", tmp_path / "b.parquet").exit_code == 0


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


def test_a_packed_store_is_not_packed_into_itself(store, tmp_path):
    run("pack", store.path, tmp_path / "a.parquet")
    result = run("pack", tmp_path / "a.parquet", tmp_path / "a.parquet")
    assert result.exit_code == 2
    assert "a.parquet: it is what is read" in result.stderr


def test_a_place_that_cannot_be_written_ends_with_1(store, tmp_path):
    for command in (
        ["pack", store.path, tmp_path / "no" / "a.parquet"],
        ["export", store.path, "--csv", tmp_path / "no" / "a.csv"],
    ):
        result = run(*command)
        assert result.exit_code == 1
        assert f"cannot write {command[-1]}: " in result.stderr


@pytest.mark.parametrize(("command", "suffix"), [(["pack"], ".parquet"), (["export", "--csv"], ".csv")])
@pytest.mark.parametrize("name", ["keep.toml", "a.parquet.csv.txt", "parquet"])
def test_a_file_of_another_kind_is_not_overwritten(store, tmp_path, command, suffix, name):
    (tmp_path / name).write_text("dear to me")
    result = run(command[0], store.path, *command[1:], tmp_path / name)
    assert result.exit_code == 2
    assert f"must end in {suffix}, got '{tmp_path / name}'" in result.stderr
    assert (tmp_path / name).read_text() == "dear to me"


def parquet_of_a_user(path):
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"mine": [1, 2, 3]}), path)


def test_a_parquet_file_of_someone_else_is_not_replaced_a_packed_store_is(store, tmp_path):
    path = tmp_path / "a.parquet"
    parquet_of_a_user(path)
    before = path.read_bytes()
    result = run("pack", store.path, path)
    assert result.exit_code == 2
    assert f"cannot write {path}: it is not a file that `debox store pack` wrote" in result.stderr
    assert path.read_bytes() == before
    path.unlink()
    for _ in range(2):
        assert run("pack", store.path, path).exit_code == 0
    assert debox.open_store(path).bad_parts() == []


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
    for command in (["pack", "~nosuchuser/x"], ["export", "~/mine.v2", "--csv", "~nosuchuser/x.csv"], ["pack", ""]):
        result = run(*command)
        assert (result.exit_code, "home folder ~nosuchuser" in result.stderr) == (2, command[1] != ""), result.output
