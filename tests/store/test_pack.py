import os
from dataclasses import replace

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest
from stored_rows import MANIFEST, rows

from debox.store import checksum, pack, parquet, schema, seal
from debox.store.errors import StoreError


@pytest.fixture
def parts(tmp_path):
    paths = []
    for runs in ([2, 1], [0, 3]):
        paths.append(tmp_path / f"part{runs[0]}.parquet")
        parquet.write_arrays(paths[-1], schema.check_part(rows(runs)))
    return paths


def unsealed(path, parts):
    """A packed file as debox 0.1 wrote it, without the checksum of the whole file."""
    pack.write(path, parts, MANIFEST)
    embedded = {key: value for key, value in parquet.texts_in(path).items() if key != seal.SEAL}
    parquet.write_rows(path, parquet.in_order(parts), schema.COLUMNS, embedded)


def test_a_packed_file_holds_the_rows_in_order_and_the_manifest(tmp_path, parts):
    pack.write(tmp_path / "a.parquet", parts, MANIFEST)
    np.testing.assert_equal(parquet.read_table([tmp_path / "a.parquet"]), parquet.read_table(parts))
    assert pack.manifest_of(tmp_path / "a.parquet") == MANIFEST
    assert pq.read_table(tmp_path / "a.parquet")["run"].to_pylist() == [0, 1, 2, 3]
    assert pack.bad_parts(tmp_path / "a.parquet") == []


def test_duckdb_on_its_own_reads_dimension_and_N(tmp_path, parts):
    pack.write(tmp_path / "a.parquet", parts, MANIFEST)
    size, dimension = rows([0])["N"][0], rows([0])["dimension"][0]
    assert size != dimension
    found = duckdb.sql(f"select dimension, N from '{tmp_path / 'a.parquet'}'").fetchall()
    assert found == [(dimension, size)] * 4
    assert "n" not in pq.read_schema(tmp_path / "a.parquet").names


def test_columns_are_dropped(tmp_path, parts):
    pack.write(tmp_path / "a.parquet", parts, MANIFEST, drop=["best_x", "seconds"])
    names = [column.name for column in schema.COLUMNS if column.name not in ("best_x", "seconds")]
    assert pq.read_schema(tmp_path / "a.parquet").names == names
    assert list(parquet.read_table([tmp_path / "a.parquet"])) == names
    assert pack.bad_parts(tmp_path / "a.parquet") == []


@pytest.mark.parametrize("name", ["best", "id", "N", "run"])
def test_what_orders_the_rows_or_is_not_there_cannot_be_dropped(tmp_path, parts, name):
    with pytest.raises(ValueError, match=f"cannot drop '{name}'; choose from engine, pois, .*best_x, seconds"):
        pack.write(tmp_path / "a.parquet", parts, MANIFEST, drop=["best_x", name])
    assert not (tmp_path / "a.parquet").exists()


def test_an_empty_store_is_packed(tmp_path):
    pack.write(tmp_path / "a.parquet", [], MANIFEST)
    assert len(parquet.read_table([tmp_path / "a.parquet"])["id"]) == 0
    assert pack.bad_parts(tmp_path / "a.parquet") == []


def test_a_number_changed_in_the_file_is_found(tmp_path, parts):
    pack.write(tmp_path / "a.parquet", parts, MANIFEST)
    embedded = parquet.texts_in(tmp_path / "a.parquet")
    packed = parquet.rows_of([tmp_path / "a.parquet"])
    changed = f"(SELECT * REPLACE (CASE run WHEN 2 THEN nextafter(pois, 2) ELSE pois END AS pois) FROM {packed})"
    parquet.write_rows(tmp_path / "b.parquet", changed, schema.COLUMNS, embedded)
    assert pack.bad_parts(tmp_path / "b.parquet") == [("b.parquet", "its content does not match its checksum")]


def test_a_truncated_file_is_found(tmp_path, parts):
    pack.write(tmp_path / "a.parquet", parts, MANIFEST)
    content = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(content[:-9])
    ((name, reason),) = pack.bad_parts(tmp_path / "a.parquet")
    assert name == "a.parquet"
    assert reason == pack.BROKEN


def test_a_truncated_file_of_an_older_debox_is_found(tmp_path, parts):
    unsealed(tmp_path / "a.parquet", parts)
    content = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(content[:-9])
    ((name, reason),) = pack.bad_parts(tmp_path / "a.parquet")
    assert name == "a.parquet"
    assert "cannot be read" in reason


def test_another_parquet_file_is_no_store(tmp_path, parts):
    with pytest.raises(StoreError, match="but not one that `debox store pack` wrote"):
        pack.manifest_of(parts[0])


def test_a_pack_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, parts, monkeypatch):
    pack.write(tmp_path / "a.parquet", parts[:1], MANIFEST)
    before, names = (tmp_path / "a.parquet").read_bytes(), sorted(os.listdir(tmp_path))

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left"):
        pack.write(tmp_path / "a.parquet", parts, MANIFEST)
    assert (tmp_path / "a.parquet").read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == names


@pytest.fixture
def noted(tmp_path):
    """Two parts as `append` writes them."""
    paths = []
    for name, runs in (("a", [2, 1]), ("b", [0, 1])):
        arrays = schema.check_part(rows(runs))
        paths.append(tmp_path / f"{name}-part.parquet")
        parquet.write_arrays(paths[-1], arrays, {checksum.ROWS_SUMMARY: checksum.summarise_table(arrays)})
    return paths


def test_rows_that_are_read_otherwise_than_they_were_appended_are_not_packed(tmp_path, noted, monkeypatch):
    truth = parquet.rows_of
    wrong = "(SELECT * REPLACE (6 AS N) FROM {})"
    with monkeypatch.context() as patched:
        patched.setattr(parquet, "rows_of", lambda *args, **named: wrong.format(truth(*args, **named)))
        with pytest.raises(StoreError, match=r"rows of a-part\.parquet, as they are read, are not those that were app"):
            pack.write(tmp_path / "packed.parquet", noted, MANIFEST)
    assert not (tmp_path / "packed.parquet").exists()
    pack.write(tmp_path / "packed.parquet", noted, MANIFEST)
    assert pack.bad_parts(tmp_path / "packed.parquet") == []


def test_a_table_unlike_the_rows_that_were_appended_is_not_packed(tmp_path, noted, monkeypatch):
    truth = parquet.read_table
    monkeypatch.setattr(parquet, "read_table", lambda *args: truth(*args) | {"N": np.full(3, 6)})
    with pytest.raises(StoreError, match="as they are read, are not those that were appended"):
        pack.write(tmp_path / "packed.parquet", noted, MANIFEST)


def test_a_packed_file_that_reads_otherwise_than_the_parts_does_not_appear(tmp_path, noted, monkeypatch):
    truth = parquet.write_rows
    half = "(SELECT * REPLACE (0.5 AS F) FROM {})"
    monkeypatch.setattr(parquet, "write_rows", lambda path, rows, *rest: truth(path, half.format(rows), *rest))
    with pytest.raises(StoreError, match="was not written: it would not have read as the parts do"):
        pack.write(tmp_path / "packed.parquet", noted, MANIFEST)
    assert sorted(os.listdir(tmp_path)) == ["a-part.parquet", "b-part.parquet"]


@pytest.mark.parametrize("text", ["", "[]", "[" * 100_000, "x" * 2**20, '{"schema_version": true}'], ids=len)
def test_a_packed_file_with_an_odd_manifest_is_a_store_error(tmp_path, parts, text):
    parquet.write_rows(tmp_path / "a.parquet", parquet.in_order(parts), schema.COLUMNS, {pack.MANIFEST: text})
    with pytest.raises(StoreError, match=r"a\.parquet holds no manifest of a debox store"):
        pack.manifest_of(tmp_path / "a.parquet")


def test_a_packed_file_of_other_types_is_named(tmp_path, parts):
    embedded = {pack.MANIFEST: MANIFEST.to_json(), pack.CONTENT: parquet.table_digest(parquet.read_table(parts))}
    columns = [replace(column, type="FLOAT") if column.name == "F" else column for column in schema.COLUMNS]
    parquet.write_rows(tmp_path / "a.parquet", parquet.in_order(parts), columns, embedded)
    assert pack.bad_parts(tmp_path / "a.parquet") == [("a.parquet", "its column F is FLOAT where F should be DOUBLE")]
