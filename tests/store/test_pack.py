import os

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from tests.store.rows import MANIFEST, rows

from debox.cli import cli
from debox.store import footer, pack, parquet, schema, table
from debox.store.errors import StoreError


@pytest.fixture
def parts(tmp_path):
    paths = []
    for runs in ([2, 1], [0, 3]):
        paths.append(tmp_path / f"part{runs[0]}.parquet")
        parquet.write_arrays(paths[-1], schema.checked(rows(runs)))
    return paths


def unsealed(path, parts):
    """A packed file as debox 0.1 wrote it, without the checksum of the whole file."""
    pack.write(path, parts, MANIFEST)
    embedded = {key: value for key, value in parquet.metadata_of(path).items() if key != footer.SEAL}
    parquet.write_rows(path, parquet.in_order(parts), schema.COLUMNS, embedded)


def test_a_packed_file_holds_the_rows_in_order_and_the_manifest(tmp_path, parts):
    pack.write(tmp_path / "a.parquet", parts, MANIFEST)
    np.testing.assert_equal(table.read([tmp_path / "a.parquet"]), table.read(parts))
    assert pack.manifest_of(tmp_path / "a.parquet") == MANIFEST
    assert pq.read_table(tmp_path / "a.parquet")["run"].to_pylist() == [0, 1, 2, 3]
    assert pack.bad(tmp_path / "a.parquet") == []


def test_duckdb_on_its_own_calls_n_as_the_help_of_pack_says(tmp_path, parts):
    pack.write(tmp_path / "a.parquet", parts, MANIFEST)
    sizes, dimensions = rows([0])["N"][0], rows([0])["n"][0]
    assert sizes != dimensions
    found = duckdb.sql(f"SELECT DISTINCT n, n_1 FROM '{tmp_path / 'a.parquet'}'").fetchall()
    assert found == [(sizes, dimensions)]
    assert "n is called n_1" in " ".join(CliRunner().invoke(cli, ["store", "pack", "--help"]).output.split())


def test_columns_are_dropped(tmp_path, parts):
    pack.write(tmp_path / "a.parquet", parts, MANIFEST, drop=["best_x", "seconds"])
    names = [column.name for column in schema.COLUMNS if column.name not in ("best_x", "seconds")]
    assert pq.read_schema(tmp_path / "a.parquet").names == names
    assert list(table.read([tmp_path / "a.parquet"])) == names
    assert pack.bad(tmp_path / "a.parquet") == []


@pytest.mark.parametrize("name", ["best", "id", "N", "run"])
def test_what_orders_the_rows_or_is_not_there_cannot_be_dropped(tmp_path, parts, name):
    with pytest.raises(ValueError, match=f"cannot drop '{name}'; choose from engine, pois, .*best_x, seconds"):
        pack.write(tmp_path / "a.parquet", parts, MANIFEST, drop=["best_x", name])
    assert not (tmp_path / "a.parquet").exists()


def test_an_empty_store_is_packed(tmp_path):
    pack.write(tmp_path / "a.parquet", [], MANIFEST)
    assert len(table.read([tmp_path / "a.parquet"])["id"]) == 0
    assert pack.bad(tmp_path / "a.parquet") == []


def test_a_number_changed_in_the_file_is_found(tmp_path, parts):
    pack.write(tmp_path / "a.parquet", parts, MANIFEST)
    embedded = parquet.metadata_of(tmp_path / "a.parquet")
    packed = parquet.rows_of([tmp_path / "a.parquet"])
    changed = f"(SELECT * REPLACE (CASE run WHEN 2 THEN nextafter(pois, 2) ELSE pois END AS pois) FROM {packed})"
    parquet.write_rows(tmp_path / "b.parquet", changed, schema.COLUMNS, embedded)
    assert pack.bad(tmp_path / "b.parquet") == [("b.parquet", "its content does not match its checksum")]


def test_a_truncated_file_is_found(tmp_path, parts):
    pack.write(tmp_path / "a.parquet", parts, MANIFEST)
    content = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(content[:-9])
    ((name, reason),) = pack.bad(tmp_path / "a.parquet")
    assert name == "a.parquet"
    assert reason == pack.BROKEN


def test_a_truncated_file_of_an_older_debox_is_found(tmp_path, parts):
    unsealed(tmp_path / "a.parquet", parts)
    content = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(content[:-9])
    ((name, reason),) = pack.bad(tmp_path / "a.parquet")
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
