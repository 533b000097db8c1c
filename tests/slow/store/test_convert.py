"""Stores of schema 1, as debox 0.1.0 wrote them: `schema1`, a directory of two parts, and `schema1.parquet`, packed."""

import shutil
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from stored_rows import MANIFEST, filled, rows

import debox
from debox.cli import cli
from debox.store import convert, seal
from debox.store.errors import StoreError
from debox.store.store import Store
from debox.study.verify import verify

HERE = Path(__file__).parent
OLD = {"directory": HERE / "schema1", "packed": HERE / "schema1.parquet"}
every_kind = pytest.mark.parametrize("kind", OLD)

# What the two stores hold.
STUDY = debox.Study(
    name="old",
    seed=3,
    runs=2,
    dimension=[2, 3],
    budget="100 n",
    checkpoints=["1/3"],
    mutation="rand/1",
    crossover="bin",
    strategy=["sat", "dism"],
    N=5,
    F=[0.5, 1.5],
    Cr=0.9,
)


def converted(kind, path, *options):
    result = CliRunner().invoke(cli, ["store", "pack", str(OLD[kind]), "-o", str(path), *options])
    assert result.exit_code == 0, result.output
    return debox.open_store(path)


def old_columns(kind):
    """Column name → list, read by another library, which tells n from N."""
    paths = sorted(OLD[kind].rglob("*.parquet")) if OLD[kind].is_dir() else [OLD[kind]]
    tables = [pq.read_table(path) for path in paths]
    return {name: [value for one in tables for value in one[name].to_pylist()] for name in tables[0].column_names}


@every_kind
def test_every_value_is_the_same_under_the_name_dimension(tmp_path, kind):
    old, new = old_columns(kind), pq.read_table(converted(kind, tmp_path / "new.parquet").path).to_pydict()
    assert list(new) == ["dimension" if name == "n" else name for name in old]
    place = {identifier: row for row, identifier in enumerate(old["id"])}
    rows_of_old = [place[identifier] for identifier in new["id"]]
    assert sorted(rows_of_old) == list(range(16))
    for name, values in old.items():
        assert new["dimension" if name == "n" else name] == [values[row] for row in rows_of_old], name


@every_kind
def test_the_runs_are_those_of_the_plan_and_come_out_the_same_when_done_again(tmp_path, kind):
    found = verify(converted(kind, tmp_path / "new.parquet").path, sample=16)
    assert (found.problems, found.runs, found.of, found.repeated) == ([], 16, 16, 16)


@every_kind
def test_the_manifest_keeps_study_source_and_versions(tmp_path, kind):
    manifest = converted(kind, tmp_path / "new.parquet").manifest
    assert manifest.study == STUDY
    assert (manifest.schema_version, manifest.source, manifest.versions["debox"]) == (2, "f4c272acd915a0ec", "0.1.0")


def test_columns_are_dropped_on_the_way(tmp_path):
    table = converted("directory", tmp_path / "new.parquet", "--drop", "best_x,seconds").table()
    assert {"best_x", "seconds"}.isdisjoint(table)
    assert len(table["id"]) == 16


OPENERS = {
    "open_store": debox.open_store,
    "create": lambda path: Store.create(path, MANIFEST),
    "run": lambda path: debox.run(STUDY, path),
    "verify": verify,
    "plot": lambda path: debox.plot.overview(path),
}


@pytest.mark.parametrize("name", OPENERS)
def test_whatever_else_opens_one_names_the_command_that_converts(tmp_path, name):
    shutil.copytree(OLD["directory"], tmp_path / "old")
    expected = r"old has schema version 1, .*reads version 2: `debox store pack \S+old -o NEW.parquet` converts it "
    expected += r"for reading; to run more, choose a new directory$"
    with pytest.raises(StoreError, match=expected):
        OPENERS[name](tmp_path / "old")


@pytest.mark.parametrize("command", ["status", "figures", "report", "store verify", "store export --csv -"])
def test_every_other_command_names_it_too(command):
    result = CliRunner().invoke(cli, [*command.split(), str(OLD["packed"])])
    assert result.exit_code == 1
    assert f"`debox store pack {OLD['packed']} -o NEW.parquet` converts it" in result.stderr


def flipped(path, place):
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


def test_a_damaged_file_is_named_and_nothing_written(tmp_path):
    shutil.copytree(OLD["directory"], tmp_path / "old")
    shutil.copy(OLD["packed"], tmp_path / "old.parquet")
    part = sorted((tmp_path / "old" / "parts").iterdir())[1]
    for store, path in ((tmp_path / "old", part), (tmp_path / "old.parquet", tmp_path / "old.parquet")):
        flipped(path, 100)
        with pytest.raises(StoreError, match=f"damaged parts.*{path.name}: it"):
            convert.pack_converted(store, tmp_path / "new.parquet")
    assert not (tmp_path / "new.parquet").exists()


def test_rows_that_are_not_those_noted_are_named(tmp_path):
    """A part whose name fits its content, but whose rows are others than its own note says."""
    shutil.copytree(OLD["directory"], tmp_path / "old")
    part = sorted((tmp_path / "old" / "parts").iterdir())[0]
    columns = pq.read_table(part)
    other = columns.set_column(columns.column_names.index("run"), "run", [np.arange(8) + 7])
    pq.write_table(other, tmp_path / "changed")
    part.unlink()
    named = part.with_name(f"{debox.files.digest(tmp_path / 'changed')}.parquet")
    shutil.move(tmp_path / "changed", named)
    with pytest.raises(StoreError, match=f"{named.name}: its content does not match its checksum"):
        convert.pack_converted(tmp_path / "old", tmp_path / "new.parquet")


def test_the_old_file_is_never_replaced(tmp_path):
    shutil.copy(OLD["packed"], tmp_path / "old.parquet")
    before = (tmp_path / "old.parquet").read_bytes()
    result = CliRunner().invoke(
        cli, ["store", "pack", str(tmp_path / "old.parquet"), "-o", str(tmp_path / "old.parquet")]
    )
    assert result.exit_code != 0
    assert (tmp_path / "old.parquet").read_bytes() == before


def test_only_a_store_of_schema_1_is_convertible(tmp_path):
    store = filled(Store.create(tmp_path / "new", MANIFEST), rows([0]))
    store.pack(tmp_path / "new.parquet")
    (tmp_path / "text").write_text("hello")
    (tmp_path / "empty").mkdir()
    for name in ("new", "new.parquet", "text", "empty", "nothing"):
        assert not convert.is_convertible(tmp_path / name), name
    assert all(map(convert.is_convertible, OLD.values()))


def test_a_packed_file_with_other_rows_than_were_packed_is_refused_though_its_seal_fits(tmp_path):
    old = pq.read_table(OLD["packed"])
    changed = old.set_column(old.column_names.index("pois"), "pois", [np.full(old.num_rows, 0.25)])
    unsealed = {**old.schema.metadata, seal.SEAL.encode(): seal.UNSEALED.encode()}
    pq.write_table(changed.replace_schema_metadata(unsealed), tmp_path / "old.parquet")
    seal.write(tmp_path / "old.parquet")
    assert not seal.is_broken(tmp_path / "old.parquet")
    with pytest.raises(StoreError, match=r"old\.parquet: its content does not match its checksum"):
        convert.pack_converted(tmp_path / "old.parquet", tmp_path / "new.parquet")
    assert not (tmp_path / "new.parquet").exists()


def test_a_packed_file_with_another_manifest_is_refused_though_its_rows_are_those_packed(tmp_path):
    content = OLD["packed"].read_bytes()
    assert content.count(b'"Linux x86_64"') == 1
    (tmp_path / "old.parquet").write_bytes(content.replace(b'"Linux x86_64"', b'"Linux x86_65"'))
    with pytest.raises(StoreError, match=r"old\.parquet: its content does not match its checksum"):
        convert.pack_converted(tmp_path / "old.parquet", tmp_path / "new.parquet")
    assert not (tmp_path / "new.parquet").exists()


def test_a_part_that_lacks_a_column_is_named(tmp_path):
    """Its name fits its content and it has no note of its rows: only its columns tell."""
    shutil.copytree(OLD["directory"], tmp_path / "old")
    part = sorted((tmp_path / "old" / "parts").iterdir())[0]
    columns = pq.read_table(part)
    pq.write_table(columns.drop_columns(["pois"]).replace_schema_metadata(None), tmp_path / "changed")
    part.unlink()
    named = part.with_name(f"{debox.files.digest(tmp_path / 'changed')}.parquet")
    shutil.move(tmp_path / "changed", named)
    with pytest.raises(StoreError, match=f"{named.name}: it lacks the column pois"):
        convert.pack_converted(tmp_path / "old", tmp_path / "new.parquet")
    assert not (tmp_path / "new.parquet").exists()
