import itertools
import os

import pytest

from debox.store import listing
from debox.store.errors import StoreError


@pytest.fixture
def parts(tmp_path):
    paths = [tmp_path / f"{digit * 32}.parquet" for digit in "0a"]
    for path in paths:
        path.touch()
    (tmp_path / "notes.parquet").touch()
    return paths


def test_what_has_the_name_of_a_part_is_listed(parts):
    assert listing.named_as_parts(parts[0].parent) == parts


def test_a_listing_that_missed_the_merged_part_and_the_old_ones_is_not_believed(parts, monkeypatch):
    """As when a merge happens while the system lists the folder."""
    torn, listed = [[], [parts[0].name]], os.listdir
    monkeypatch.setattr(os, "listdir", lambda folder: torn.pop(0) if torn else listed(folder))
    assert listing.named_as_parts(parts[0].parent) == parts


def test_a_folder_that_changes_all_the_time_is_an_error_in_the_end(tmp_path, monkeypatch):
    endless = itertools.count()
    monkeypatch.setattr(os, "listdir", lambda folder: [f"{next(endless):032}.parquet"])
    with pytest.raises(StoreError, match="keep changing"):
        listing.named_as_parts(tmp_path)


def test_kinds_are_told_without_following_links(tmp_path):
    (tmp_path / "a").touch()
    (tmp_path / "b").symlink_to(tmp_path / "a")
    (tmp_path / "c").mkdir()
    os.mkfifo(tmp_path / "d")
    assert [listing.kind(tmp_path / name) for name in "abcde"] == ["file", "link", "folder", "pipe", "gone"]


def test_a_free_name_is_one_that_nothing_has_not_even_a_link_to_nothing(tmp_path):
    assert listing.free(tmp_path / "a") == tmp_path / "a"
    (tmp_path / "a").symlink_to("nothing")
    assert listing.free(tmp_path / "a") == tmp_path / "a.1"
    (tmp_path / "a.1").touch()
    assert listing.free(tmp_path / "a") == tmp_path / "a.2"
