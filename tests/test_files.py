import os
from pathlib import Path

import pytest

from debox import files


def test_replace_puts_the_text_in_place_of_the_old(tmp_path):
    for text in ("old", "new ÷"):
        files.replace(tmp_path / "a", text)
        assert (tmp_path / "a").read_text(encoding="utf-8") == text
    assert os.listdir(tmp_path) == ["a"]


def test_place_never_replaces(tmp_path):
    files.place(tmp_path / "a", "first")
    with pytest.raises(FileExistsError):
        files.place(tmp_path / "a", "second")
    assert (tmp_path / "a").read_text() == "first"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("step", ["os.fsync", "os.replace", "pathlib.Path.write_text"])
def test_a_replacement_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step):
    def full(*args, **options):
        raise OSError(28, "No space left on device")

    files.replace(tmp_path / "a", "old")
    monkeypatch.setattr(step, full)
    with pytest.raises(OSError, match="No space left"):
        files.replace(tmp_path / "a", "new")
    assert (tmp_path / "a").read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


def test_a_replacement_is_on_the_disk_before_it_gets_the_name(tmp_path, monkeypatch):
    synced, renamed = [], []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(os.readlink(f"/proc/self/fd/{fd}")), fsync(fd)))
    monkeypatch.setattr(os, "replace", lambda a, b: (renamed.append((str(a), list(synced))), replace(a, b)))
    files.replace(tmp_path / "a", "text")
    ((aside, before),) = renamed
    assert before == [aside]
    assert synced[-1] == str(tmp_path)


def test_two_hosts_with_the_same_pid_do_not_write_to_the_same_name(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "getpid", lambda: 1)
    with files.replacing(tmp_path / "a") as mine, files.replacing(tmp_path / "a") as theirs:
        assert mine != theirs
        for aside in (mine, theirs):
            aside.write_text("text")
    placed, link = [], os.link
    monkeypatch.setattr(os, "link", lambda aside, path: (placed.append(aside), link(aside, path)))
    for _ in range(2):
        files.place(tmp_path / "b", "text")
        (tmp_path / "b").unlink()
    assert len(set(placed)) == 2


def test_the_digest_is_the_sha256(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    assert files.digest(tmp_path / "a") == "ba7816bf8f01cfea414140de5dae2223"  # FIPS 180-2, appendix B.1


@pytest.mark.parametrize("path", ["out/mine", "/out", "C:/out", "a:b", "."])
def test_paths_of_this_computer_are_local(path):
    assert files.local(path) == Path(path)


def test_a_suffix_may_be_written_in_capitals():
    assert files.ending("A.CSV", ".csv") == Path("A.CSV")
