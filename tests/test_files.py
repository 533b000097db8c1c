import os
from pathlib import Path

import pytest

from debox import files


def test_replace_puts_the_text_in_place_of_the_old(tmp_path):
    for text in ("old", "new ÷"):
        files.replace_text(tmp_path / "a", text)
        assert (tmp_path / "a").read_text(encoding="utf-8") == text
    assert os.listdir(tmp_path) == ["a"]


def test_place_never_replaces(tmp_path):
    files.create(tmp_path / "a", "first")
    with pytest.raises(FileExistsError):
        files.create(tmp_path / "a", "second")
    assert (tmp_path / "a").read_text() == "first"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("step", ["os.fsync", "os.replace", "pathlib.Path.write_text"])
def test_a_replacement_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step):
    def full(*args, **options):
        raise OSError(28, "No space left on device")

    files.replace_text(tmp_path / "a", "old")
    monkeypatch.setattr(step, full)
    with pytest.raises(OSError, match="No space left"):
        files.replace_text(tmp_path / "a", "new")
    assert (tmp_path / "a").read_text() == "old"
    assert os.listdir(tmp_path) == ["a"]


def test_a_replacement_is_on_the_disk_before_it_gets_the_name(tmp_path, monkeypatch):
    synced, renamed = [], []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(os.readlink(f"/proc/self/fd/{fd}")), fsync(fd)))
    monkeypatch.setattr(os, "replace", lambda a, b: (renamed.append((str(a), list(synced))), replace(a, b)))
    files.replace_text(tmp_path / "a", "text")
    ((unfinished, before),) = renamed
    assert before == [unfinished]
    assert synced[-1] == str(tmp_path)


def test_two_hosts_with_the_same_pid_do_not_write_to_the_same_name(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "getpid", lambda: 1)
    with files.replacing(tmp_path / "a") as mine, files.replacing(tmp_path / "a") as theirs:
        assert mine != theirs
        for unfinished in (mine, theirs):
            unfinished.write_text("text")
    placed, link = [], os.link
    monkeypatch.setattr(os, "link", lambda unfinished, path: (placed.append(unfinished), link(unfinished, path)))
    for _ in range(2):
        files.create(tmp_path / "b", "text")
        (tmp_path / "b").unlink()
    assert len(set(placed)) == 2


def test_the_digest_is_the_sha256(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    assert files.digest(tmp_path / "a") == "ba7816bf8f01cfea414140de5dae2223"  # FIPS 180-2, appendix B.1


@pytest.mark.parametrize("path", ["out/mine", "/out", "C:/out", "a:b", ".", "a/../b", b"out/mine", Path("x")], ids=str)
def test_a_path_is_made_absolute_and_nothing_else(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    found = files.absolute(path)
    monkeypatch.chdir("/")
    assert found == tmp_path / os.fsdecode(path)
    assert str(found).endswith("a/../b") == (path == "a/../b")  # of a link, a/.. is another folder


def test_a_leading_tilde_is_the_home_folder_and_no_other_is(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir("/")
    assert files.absolute("~/out") == tmp_path / "out"
    assert files.absolute(Path("~")) == tmp_path
    assert files.absolute("./~/out") == Path("/~/out")
    assert files.absolute("a/~") == Path("/a/~")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("", "is not empty"),
        (b"", "is not empty"),
        ("a\0b", "no NUL"),
        (None, "must be a path, got None"),
        (5, "must be a path, got 5"),
        ("~nosuchuser/x", "there is no home folder ~nosuchuser; if it is a name, write './~nosuchuser/x'"),
        ("s3://bucket/x", "of this computer"),
        (Path("s3://bucket/x"), "of this computer"),
    ],
    ids=repr,
)
def test_what_is_no_path_is_named(given, why):
    with pytest.raises(ValueError, match=f"a store.*{why}"):
        files.absolute(given, "a store")


def test_without_a_home_folder_all_paths_but_those_with_a_tilde_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # what it does without HOME, for an unknown user
    with pytest.raises(ValueError, match="'~/out': there is no home folder ~"):
        files.absolute("~/out")
    assert files.absolute("out") == tmp_path / "out"


def test_an_empty_home_is_no_home(monkeypatch):
    monkeypatch.setenv("HOME", "")
    with pytest.raises(ValueError, match="no home folder ~"):
        files.absolute("~/out")


def test_in_a_folder_that_is_gone_absolute_paths_work_and_others_are_an_error(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert files.absolute("/out") == Path("/out")
    with pytest.raises(ValueError, match="'out' is relative, but the folder that debox runs in is gone"):
        files.absolute("out")


def test_a_name_that_is_not_utf8_is_a_path_but_not_one_for_duckdb(tmp_path):
    path = files.absolute(os.fsencode(tmp_path) + b"/caf\xe9")
    path.mkdir()
    assert os.listdir(os.fsencode(tmp_path)) == [b"caf\xe9"]
    with pytest.raises(ValueError, match=r"a store must be a name in UTF-8, .*caf\\udce9'"):
        files.in_utf8(path, "a store")
    assert files.in_utf8(tmp_path / "café") == tmp_path / "café"


def test_a_small_file_is_read_and_nothing_else(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    (tmp_path / "link").symlink_to("a")
    os.mkfifo(tmp_path / "fifo")  # nobody writes to it: reading would wait for ever
    assert files.read_small(tmp_path / "a", 5) == files.read_small(tmp_path / "link", 5) == b"12345"
    for path, most, why in (
        (tmp_path / "a", 4, "larger than"),
        (tmp_path / "fifo", 9, "a FIFO"),
        (tmp_path, 9, "a dir"),
    ):
        with pytest.raises(ValueError, match=f"{path} is {why}"):
            files.read_small(path, most)
    with pytest.raises(OSError, match="symbolic links"):
        files.read_small(tmp_path / "link", 5, follow=False)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o444])
def test_a_replacement_has_the_mode_of_the_old_file_and_is_private_until_then(tmp_path, mode):
    (tmp_path / "a").touch()
    (tmp_path / "a").chmod(mode)
    with files.replacing(tmp_path / "a") as unfinished:
        assert unfinished.stat().st_mode & 0o777 == 0o600
        unfinished.write_text("new")
    assert (tmp_path / "a").stat().st_mode & 0o777 == mode
    assert (tmp_path / "a").read_text() == "new"


@pytest.mark.parametrize("mode", [None, 0o666, 0o777])
def test_a_file_for_its_owner_only_is_so_from_the_beginning_whatever_was_there(tmp_path, mode):
    path = tmp_path / "a"
    if mode:
        path.touch()
        path.chmod(mode)
    before = os.umask(0)
    try:
        with files.replacing(path, owner_only=True) as unfinished:
            assert unfinished.stat().st_mode & 0o777 == 0o600
            unfinished.write_text("new")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text() == "new"


@pytest.mark.parametrize("durable", [True, False])
def test_only_a_durable_file_is_waited_for(tmp_path, monkeypatch, durable):
    waited = []
    monkeypatch.setattr(files, "sync", waited.append)
    with files.replacing(tmp_path / "a", durable=durable) as unfinished:
        unfinished.write_text("new")
    assert waited == ([unfinished, tmp_path] if durable else [])
    assert (tmp_path / "a").read_text() == "new"


def test_a_new_file_has_the_mode_that_the_umask_gives(tmp_path):
    files.replace_text(tmp_path / "a", "new")
    (tmp_path / "b").touch()
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_the_longest_name_that_the_disk_takes_can_be_replaced(tmp_path):
    name = "ä" * 127
    files.replace_text(tmp_path / name, "text")
    assert os.listdir(tmp_path) == [name]
