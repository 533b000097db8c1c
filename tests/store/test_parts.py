import itertools
import os
import shutil
import socket

import numpy as np
import pyarrow.parquet as pq
import pytest
from stored_rows import rows

from debox import files
from debox.store import checksum, parquet, schema
from debox.store.database import connect
from debox.store.errors import StoreError
from debox.store.parts import Parts, free_path, kind_of, list_parts


@pytest.fixture
def parts(tmp_path):
    return Parts(tmp_path)


def append(parts, *numbers):
    for runs in numbers:
        parts.append(schema.check_part(rows(runs)), "me")


def runs_in(parts):
    return parquet.read_table(parts.paths(), ["run"])["run"].tolist()


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
    before = parquet.read_table(parts.paths())
    parts.merge("me")
    (merged,) = parts.paths()
    assert parquet.SORTED in parquet.texts_in(merged)
    np.testing.assert_equal(parquet.read_table([merged]), before)
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
    kept = parquet.read_table(parts.paths()[1:], ["run"])["run"].tolist()
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


def test_a_writer_that_is_wrong_costs_no_part(parts, monkeypatch):
    append(parts, [0], [1])
    before, truth = sorted(os.listdir(parts.folder)), parquet.write_rows
    half = "(SELECT * REPLACE (0.5 AS F) FROM {})"
    monkeypatch.setattr(parquet, "write_rows", lambda path, rows, *rest: truth(path, half.format(rows), *rest))
    with pytest.raises(StoreError, match="the rows of the merged part are not those of the parts"):
        parts.merge("me")
    assert sorted(os.listdir(parts.folder)) == before


def test_a_merged_part_notes_its_rows_as_an_appended_one(parts):
    append(parts, [0, 1])
    (appended,) = parts.paths()
    noted = parquet.texts_in(appended)[checksum.ROWS_SUMMARY]
    appended.unlink()
    append(parts, [1], [0])
    parts.merge("me")
    (merged,) = parts.paths()
    assert parquet.texts_in(merged)[checksum.ROWS_SUMMARY] == noted


ODD = {
    "link": lambda path, target: path.symlink_to(target),
    "link to nothing": lambda path, target: path.symlink_to("nothing"),
    "link to itself": lambda path, target: path.symlink_to(path.name),
    "pipe": lambda path, target: os.mkfifo(path),
    "folder": lambda path, target: (path.mkdir(), (path / f"{'1' * 32}.parquet").write_bytes(target.read_bytes())),
    "device or socket": lambda path, target: socket.socket(socket.AF_UNIX).bind(os.path.relpath(path)),
}


@pytest.mark.parametrize("kind", ODD)
def test_what_is_no_file_is_a_bad_part_and_never_opened(parts, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(parts.folder)  # the name of a socket must be short
    append(parts, [0, 1])
    (real,) = parts.paths()
    odd = parts.folder / f"{'0' * 32}.parquet"
    ODD[kind](odd, real)
    assert parts.paths() == [real]
    ((name, reason),) = parts.bad()
    assert (name, reason) == (odd.name, f"it is a {kind.split(' to ')[0]}, not a file")
    for _ in range(2):
        parts.set_aside(parts.bad(), tmp_path / "bad")
        assert (parts.paths(), parts.bad()) == ([real], [])
        ODD[kind](odd, real)
    assert sorted(os.listdir(tmp_path / "bad")) == [odd.name, f"{odd.name}.1"]


def test_a_folder_among_the_leftovers_is_left_alone(parts):
    (parts.folder / ".dead.tmp").mkdir()
    (parts.folder / ".gone.tmp").symlink_to("nothing")
    parts.remove_leftovers(set())
    assert os.listdir(parts.folder) == [".dead.tmp"]


def test_a_part_that_has_n_for_dimension_is_named(parts):
    """So it was in schema 1."""
    append(parts, [0, 1])
    columns = pq.read_table(parts.paths()[0])
    names = ["n" if name == "dimension" else name for name in columns.column_names]
    pq.write_table(columns.rename_columns(names), parts.folder / "new")
    os.rename(parts.folder / "new", parts.folder / f"{files.digest(parts.folder / 'new')}.parquet")
    assert [reason for _, reason in parts.bad()] == ["it lacks the column dimension"]


def test_a_folder_that_is_gone_is_not_an_empty_one(parts):
    append(parts, [0])
    shutil.rmtree(parts.folder)
    for look in (parts.paths, parts.bad):
        with pytest.raises(StoreError, match=r"has no folder .* any more"):
            look()


@pytest.fixture
def listed_parts(tmp_path):
    paths = [tmp_path / f"{digit * 32}.parquet" for digit in "0a"]
    for path in paths:
        path.touch()
    (tmp_path / "notes.parquet").touch()
    return paths


def test_what_has_the_name_of_a_part_is_listed(listed_parts):
    assert list_parts(listed_parts[0].parent) == listed_parts


def test_a_listing_that_missed_the_merged_part_and_the_old_ones_is_not_believed(listed_parts, monkeypatch):
    """As when a merge happens while the system lists the folder."""
    torn, listed = [[], [listed_parts[0].name]], os.listdir
    monkeypatch.setattr(os, "listdir", lambda folder: torn.pop(0) if torn else listed(folder))
    assert list_parts(listed_parts[0].parent) == listed_parts


def test_a_folder_that_changes_all_the_time_is_an_error_in_the_end(tmp_path, monkeypatch):
    endless = itertools.count()
    monkeypatch.setattr(os, "listdir", lambda folder: [f"{next(endless):032}.parquet"])
    with pytest.raises(StoreError, match="keep changing"):
        list_parts(tmp_path)


def test_kinds_are_told_without_following_links(tmp_path):
    (tmp_path / "a").touch()
    (tmp_path / "b").symlink_to(tmp_path / "a")
    (tmp_path / "c").mkdir()
    os.mkfifo(tmp_path / "d")
    assert [kind_of(tmp_path / name) for name in "abcde"] == ["file", "link", "folder", "pipe", "gone"]


def test_a_free_name_is_one_that_nothing_has_not_even_a_link_to_nothing(tmp_path):
    assert free_path(tmp_path / "a") == tmp_path / "a"
    (tmp_path / "a").symlink_to("nothing")
    assert free_path(tmp_path / "a") == tmp_path / "a.1"
    (tmp_path / "a.1").touch()
    assert free_path(tmp_path / "a") == tmp_path / "a.2"
