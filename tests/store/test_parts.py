import os
import shutil

import numpy as np
import pytest
from tests.store.rows import rows

from debox import files
from debox.store import parquet, schema, table
from debox.store.database import connect
from debox.store.errors import StoreError
from debox.store.parts import Parts


@pytest.fixture
def parts(tmp_path):
    return Parts(tmp_path)


def append(parts, *numbers):
    for runs in numbers:
        parts.append(schema.checked(rows(runs)), "me")


def runs_in(parts):
    return table.read(parts.paths(), ["run"])["run"].tolist()


def test_the_name_of_a_part_is_its_checksum(parts):
    append(parts, [0, 1], [2])
    assert [files.digest(path) for path in parts.paths()] == [path.stem for path in parts.paths()]
    assert sorted(os.listdir(parts.folder)) == sorted(path.name for path in parts.paths())
    assert runs_in(parts) == [0, 1, 2]


def test_the_same_rows_are_the_same_part(parts):
    append(parts, [0, 1], [0, 1])
    assert len(parts.paths()) == 1


def test_only_what_is_named_as_a_part_is_read(parts):
    append(parts, [0])
    for name in (".me.tmp", ".0.parquet", "notes.parquet", "0" * 32, f"{'0' * 32}.parquet.tmp"):
        (parts.folder / name).write_text("half")
    assert runs_in(parts) == [0]
    assert parts.bad() == []


def test_merging_makes_one_sorted_part_of_the_same_rows(parts):
    append(parts, [3, 2], [5], [0, 1])
    before = table.read(parts.paths())
    parts.merge("me")
    (merged,) = parts.paths()
    assert parquet.SORTED in parquet.metadata_of(merged)
    np.testing.assert_equal(table.read([merged]), before)
    assert files.digest(merged) == merged.stem


def noted(monkeypatch):
    """What is synced, renamed and removed, in the order in which it happens."""
    steps = []
    for module, name in ((files, "sync"), (os, "replace"), (os, "unlink")):
        original = getattr(module, name)

        def step(*paths, name=name, original=original, **options):
            steps.append((name, *(os.path.basename(path) for path in paths)))
            return original(*paths, **options)

        monkeypatch.setattr(module, name, step)
    return steps


def test_a_part_is_on_the_disk_before_it_has_its_name_and_its_name_before_append_returns(parts, monkeypatch):
    steps = noted(monkeypatch)
    append(parts, [0])
    (part,) = parts.paths()
    assert steps == [("sync", ".me.tmp"), ("replace", ".me.tmp", part.name), ("sync", parts.folder.name)]


def test_a_merged_part_and_its_name_are_on_the_disk_before_those_it_replaces_go(parts, monkeypatch):
    append(parts, [0], [1])
    old, steps = [path.name for path in parts.paths()], noted(monkeypatch)
    parts.merge("me")
    (part,) = parts.paths()
    assert steps[:3] == [("sync", ".me.tmp"), ("replace", ".me.tmp", part.name), ("sync", parts.folder.name)]
    assert steps[3:] == [("unlink", name) for name in old]


class Killed(BaseException):
    pass


def dies_at(monkeypatch, name, call):
    """The process ends at the call-th call of a function of os: nothing after it happens, and nothing is cleaned up."""
    original, calls = getattr(os, name), []

    def function(*args, **options):
        calls.append(args)
        if len(calls) >= call:
            raise Killed
        return original(*args, **options)

    monkeypatch.setattr(os, name, function)


# fsync: of the part, of the folder; replace: of the name; unlink: of each of three old parts
@pytest.mark.parametrize(
    ("name", "call"), [("fsync", 1), ("fsync", 2), ("replace", 1), ("unlink", 1), ("unlink", 2), ("unlink", 3)]
)
def test_a_merge_interrupted_anywhere_shows_each_run_once_and_can_be_done_again(parts, monkeypatch, name, call):
    append(parts, [3, 2], [5], [0, 1])
    before = table.read(parts.paths())
    with monkeypatch.context() as patched:
        dies_at(patched, name, call)
        with pytest.raises(Killed):
            parts.merge("me")
    np.testing.assert_equal(table.read(parts.paths()), before)
    assert parts.bad() == []
    parts.remove_leftovers(set())
    parts.merge("another")
    np.testing.assert_equal(table.read(parts.paths()), before)
    assert len(os.listdir(parts.folder)) == 1


def test_merging_what_is_merged_keeps_it(parts):
    append(parts, [0], [1])
    parts.merge("me")
    parts.merge("me")
    assert runs_in(parts) == [0, 1]
    assert len(parts.paths()) == 1


DAMAGE = {
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "one byte short": lambda content: content[:-1],
    "one bit flipped": lambda content: content[:100] + bytes([content[100] ^ 1]) + content[101:],
    "longer": lambda content: content + b"\0",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_part_is_named(parts, damage):
    append(parts, [0, 1], [2])
    path = parts.paths()[0]
    assert parts.bad() == []  # and is not remembered as whole once it has changed
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    assert parts.bad() == [(path.name, "its content does not match its checksum")]


def test_a_part_with_the_right_checksum_but_no_runs_is_named(parts):
    for content in (b"hello", b""):
        (parts.folder / "new").write_bytes(content)
        name = f"{files.digest(parts.folder / 'new')}.parquet"
        os.rename(parts.folder / "new", parts.folder / name)
        ((bad, reason),) = parts.bad()
        assert bad == name
        assert "cannot be read" in reason
        os.unlink(parts.folder / name)


def test_a_part_of_other_columns_is_named(parts):
    connect().execute(f"COPY (SELECT 1 AS a) TO '{parts.folder / 'new'}' (FORMAT parquet)")
    os.rename(parts.folder / "new", parts.folder / f"{files.digest(parts.folder / 'new')}.parquet")
    assert parts.bad()[0].reason == "it lacks the column id"


def test_bad_parts_are_set_aside(parts, tmp_path):
    append(parts, [0, 1], [2])
    path = parts.paths()[0]
    kept = table.read(parts.paths()[1:], ["run"])["run"].tolist()
    path.write_bytes(b"")
    parts.set_aside(parts.bad(), tmp_path / "bad")
    assert runs_in(parts) == kept
    assert os.listdir(tmp_path / "bad") == [path.name]


def test_two_shards_may_set_aside_the_same_part(parts, tmp_path):
    append(parts, [0], [1])
    path = parts.paths()[0]
    path.write_bytes(b"")
    bad, other = parts.bad(), Parts(parts.folder)
    other.set_aside(other.bad(), tmp_path / "bad")
    parts.set_aside(bad, tmp_path / "bad")
    assert os.listdir(tmp_path / "bad") == [path.name]


def test_leftovers_of_dead_writers_are_removed_those_of_others_are_not(parts):
    append(parts, [0])
    for token in ("dead", "living"):
        (parts.folder / f".{token}.tmp").write_text("half")
    parts.remove_leftovers({"living", "me"})
    assert sorted(os.listdir(parts.folder)) == [".living.tmp", parts.paths()[0].name]


def test_a_folder_that_vanished_is_a_store_error(parts):
    shutil.rmtree(parts.folder)
    with pytest.raises(StoreError, match="cannot write"):
        append(parts, [0])
