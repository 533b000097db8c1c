import os
from pathlib import Path

import numpy as np
import pytest
from stored_rows import MANIFEST, edited, filled, rows

import debox
from debox.store import parquet
from debox.store.errors import StoreError
from debox.store.manifest import Manifest
from debox.store.store import Writer, open_store


def test_what_is_stored_is_what_was_given(store):
    given = rows(range(4))
    filled(store, given)
    found = open_store(store.path).table()
    for name, values in given.items():
        np.testing.assert_array_equal(found[name], np.array(values))


def test_a_store_knows_its_study(store):
    opened = debox.open_store(str(store.path))
    assert (opened.study, opened.manifest) == (MANIFEST.study, MANIFEST)


def test_an_edited_study_is_noted_under_the_lock(store):
    filled(store, rows(range(2)))
    again = Writer.create(store.path, Manifest(edited(runs=100)))
    assert again.study == open_store(store.path).study == edited(runs=50)
    with again.locked():
        again.note(Manifest(edited(runs=100)))
    assert again.study == open_store(store.path).study == edited(runs=100)
    assert len(open_store(store.path).finished()) == 2


def test_other_versions_are_noted_by_those_who_write_not_by_those_who_look(store, tmp_path):
    versions = [{**MANIFEST.versions, "numba": version} for version in ("9.8", "9.9")]
    newer = [Manifest(MANIFEST.study, versions=one) for one in versions]
    first, second = (Writer.create(store.path, manifest) for manifest in newer)
    assert open_store(store.path).manifest == MANIFEST
    with first.locked((1, 2)):
        first.note(newer[0])
        first.append(rows([0]))
        with pytest.raises(StoreError, match="shard 1/2"), second.locked((2, 2)):  # its end would lose the first's lock
            pass
    with second.locked((2, 2)):
        second.note(newer[1])
    with store.locked():
        store.note(MANIFEST)
    noted = open_store(store.path).manifest
    assert noted.versions == MANIFEST.versions
    assert [maker["versions"]["numba"] for maker in noted.also] == ["9.8", "9.9"]
    open_store(store.path).pack(tmp_path / "packed.parquet")
    assert open_store(tmp_path / "packed.parquet").manifest == noted


def test_of_two_studies_that_begin_a_store_at_once_one_is_refused(store):
    """The other's manifest came after this one had read its own."""
    other = Manifest(edited(seed=2))
    (store.path / "manifest.json").write_text(other.to_json(), encoding="utf-8")
    with store.locked(), pytest.raises(StoreError, match="holds another study: seed 2, not 1; put seed back"):
        store.note(MANIFEST)
    assert open_store(store.path).manifest == other


def test_what_is_no_store_is_refused_and_left_alone(tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "me.jpg").write_text("")
    with pytest.raises(StoreError, match=r"photos is not a store but has me\.jpg in it"):
        Writer.create(tmp_path / "photos", MANIFEST)
    with pytest.raises(StoreError, match="it has no manifest"):
        open_store(tmp_path / "photos")
    with pytest.raises(StoreError, match=r"cannot write .*me\.jpg: Not a directory"):
        Writer.create(tmp_path / "photos" / "me.jpg", MANIFEST)
    with pytest.raises(StoreError, match="there is no store"):
        open_store(tmp_path / "nowhere")
    with pytest.raises(StoreError, match=r"me\.jpg is damaged or not a store, .*: it lacks the checksum that"):
        open_store(tmp_path / "photos" / "me.jpg")
    assert os.listdir(tmp_path / "photos") == ["me.jpg"]


def test_a_store_that_was_only_begun_is_begun_again(tmp_path):
    (tmp_path / "store" / "parts").mkdir(parents=True)
    (tmp_path / "store" / ".manifest.json.1.tmp").write_text("{")
    filled(Writer.create(tmp_path / "store", MANIFEST), rows([0]))
    assert len(open_store(tmp_path / "store").finished()) == 1


def test_columns_that_do_not_fit_store_nothing(store):
    with store.locked(), pytest.raises(ValueError, match="missing: pois"):
        store.append({name: column for name, column in rows([0]).items() if name != "pois"})
    assert os.listdir(store.path / "parts") == []


def test_a_damaged_part_is_not_finished_named_and_set_aside(store):
    filled(store, rows([0, 1]), rows([2]))
    two = {path: parquet.read([path], ["id"])["id"].tolist() for path in store.parts()}
    path, lost = two.popitem()
    path.write_bytes(path.read_bytes()[:-5])
    assert store.finished() == {identifier for ids in two.values() for identifier in ids}
    assert set(lost) == set(rows([0, 1, 2])["id"]) - store.finished()
    assert [part.name for part in store.bad_parts()] == [path.name]
    for read in (
        store.table,
        store.to_arrow,
        lambda: store.pack(store.path.with_suffix(".parquet")),
        lambda: store.sql("FROM runs"),
    ):
        with pytest.raises(StoreError, match=rf"damaged parts.*{path.name}"):
            read()
    with store.locked():
        assert [part.name for part in store.set_aside_bad_parts()] == [path.name]
    assert os.listdir(store.path / "bad") == [path.name]
    assert set(store.table()["id"]) == store.finished()


def test_a_tilde_is_the_home_folder_for_all_that_touch_the_store(tmp_path, monkeypatch):
    """Python and DuckDB agree: the parts are where the manifest is."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    store = filled(Writer.create("~/out", MANIFEST), rows([0, 1]))
    monkeypatch.chdir("/")
    assert store.path == tmp_path / "home" / "out"
    assert len(open_store("~/out").table(["id"])["id"]) == 2
    store.pack("~/a.parquet")
    store.to_csv("~/a.csv")
    assert sorted(os.listdir(tmp_path / "home")) == ["a.csv", "a.parquet", "out"]
    assert os.listdir(tmp_path / "work") == []


@pytest.mark.parametrize("path", [b"caf\xe9", "caf\udce9", "", b"", "a\0b", None, "~nosuchuser/x"], ids=repr)
@pytest.mark.parametrize("begin", [open_store, lambda path: Writer.create(path, MANIFEST)], ids=["open", "create"])
def test_what_cannot_be_the_path_of_a_store_is_named(tmp_path, monkeypatch, begin, path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"a store .*(path|UTF-8|home)"):
        begin(path)
    assert os.listdir(tmp_path) == []


def test_where_a_link_leads_to_nothing_the_store_is_made(tmp_path):
    (tmp_path / "link").symlink_to("there")
    filled(Writer.create(tmp_path / "link", MANIFEST), rows([0]))
    assert sorted(os.listdir(tmp_path / "there")) == ["lock", "manifest.json", "parts"]


def test_a_folder_of_parts_that_was_lost_is_made_again_by_who_writes(store):
    (store.path / "parts").rmdir()
    again = Writer.create(store.path, MANIFEST)
    with pytest.raises(StoreError, match=r"cannot read .*parts: No such file"):
        again.finished()
    filled(again, rows([0]))
    assert len(open_store(store.path).finished()) == 1


def test_a_folder_of_parts_that_is_elsewhere_but_not_there_is_not_made(store):
    """As a link to a disk that is not mounted."""
    (store.path / "parts").rmdir()
    (store.path / "parts").symlink_to("not mounted")
    with pytest.raises(StoreError), store.locked():
        store.append(rows([0]))
    assert sorted(os.listdir(store.path)) == ["lock", "manifest.json", "parts"]


MANIFESTS = {
    "a folder": lambda path: path.mkdir(),
    "a link to nothing": lambda path: path.symlink_to("nothing"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "not UTF-8": lambda path: path.write_bytes(b"\xff\xfe\xfa"),
    "deep": lambda path: path.write_text("[" * 100_000),
}


@pytest.mark.parametrize("what", MANIFESTS)
def test_a_manifest_that_is_none_is_a_store_error(store, what):
    (store.path / "manifest.json").unlink()
    MANIFESTS[what](store.path / "manifest.json")
    for opens in (open_store, lambda path: Writer.create(path, MANIFEST)):
        with pytest.raises(StoreError):
            opens(store.path)


def test_what_is_said_of_a_damaged_manifest_brings_its_runs_back(store):
    filled(store, rows(range(2)))
    (store.path / "manifest.json").write_text("{")
    with pytest.raises(StoreError, match=r"if it is damaged, delete manifest\.json and run its study again"):
        Writer.create(store.path, MANIFEST)
    (store.path / "manifest.json").unlink()
    assert len(Writer.create(store.path, MANIFEST).finished()) == 2


def test_a_link_to_a_manifest_will_do(store, tmp_path):
    (store.path / "manifest.json").rename(tmp_path / "elsewhere.json")
    (store.path / "manifest.json").symlink_to(tmp_path / "elsewhere.json")
    assert open_store(store.path).manifest == MANIFEST


def test_the_study_of_the_paper_comes_with_debox_unless_something_of_that_name_is_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert open_store("paper").path == Path(__file__).parents[2] / "data" / "paper.parquet"
    filled(Writer.create("paper", MANIFEST), rows(range(2)))
    assert open_store("paper").path == tmp_path / "paper"
    with pytest.raises(StoreError, match=r"there is no store .*papers$"):
        open_store("papers")
    with pytest.raises(StoreError, match=r"there is no store .*paper\.parquet; 'paper' names the study that comes"):
        open_store("data/paper.parquet")
