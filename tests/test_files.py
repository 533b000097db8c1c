"""Paths and outputs: what is replaced, what is refused, and that a file is whole at every moment."""

import os
from pathlib import Path

import pytest

from debox import files

HTML = (".html", ".htm")


def write(path, text="new", suffixes=HTML):
    files.check_output(path, *suffixes)
    files.replace_text(path, text)


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
        ("~nosuchuser/x", "there is no such home folder; if it is a name, write './~nosuchuser/x'"),
        ("s3://bucket/x", "of this computer"),
        (Path("s3://bucket/x"), "of this computer"),
    ],
    ids=repr,
)
def test_what_is_not_a_path_is_named(given, why):
    with pytest.raises(ValueError, match=f"a store.*{why}"):
        files.absolute(given, "a store")


def test_a_name_that_is_not_utf8_is_a_path_but_not_one_for_duckdb(tmp_path):
    given = os.fsencode(tmp_path) + b"/caf\xe9"
    files.absolute(given).mkdir()
    assert os.listdir(os.fsencode(tmp_path)) == [b"caf\xe9"]
    with pytest.raises(ValueError, match=r"a store must be a name in UTF-8, .*caf\\udce9'"):
        files.absolute(given, "a store", for_duckdb=True)
    assert files.absolute(tmp_path / "café", for_duckdb=True) == tmp_path / "café"


@pytest.mark.parametrize("name", ["a\\b*", "a?/b\\c", "[a]\nb\\"])
def test_a_name_that_duckdb_takes_for_that_of_another_file_is_refused(name):
    assert files.absolute(f"/{name}") == Path(f"/{name}")
    with pytest.raises(ValueError, match="a store must not have both a backslash and one of"):
        files.absolute(f"/{name}", "a store", for_duckdb=True)


@pytest.mark.parametrize("name", ["x.html", "x.HTM", "ä" * 125 + ".html"])
def test_a_file_is_made_and_replaced(tmp_path, name):
    for text in ("old", "new ÷"):
        write(tmp_path / name, text)
        assert (tmp_path / name).read_text(encoding="utf-8") == text
    assert os.listdir(tmp_path) == [name]


def test_links_are_followed_and_stay(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "a.html").symlink_to("there/b.html")
    (tmp_path / "link").symlink_to(tmp_path / "a.html")
    for text in ("old", "new"):  # the first time nothing is there
        write(tmp_path / "link", text)
        assert (tmp_path / "there" / "b.html").read_text() == text
        assert not (tmp_path / "there" / "b.html").is_symlink()
    assert os.readlink(tmp_path / "link") == str(tmp_path / "a.html")
    assert os.readlink(tmp_path / "a.html") == "there/b.html"
    assert sorted(os.listdir(tmp_path)) == ["a.html", "link", "there"]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("notes.txt", b"dear to me", r"must end in \.html or \.htm, got '.*notes\.txt'"),
        ("x", b"", r"must end in \.html or \.htm"),
        ("x.html", b"PAR1 and so on", "it is a Parquet file"),  # by another name
        ("x.html", None, "it is not a file"),
    ],
)
@pytest.mark.parametrize("linked", [False, True])
def test_what_is_not_of_its_kind_is_not_replaced(tmp_path, name, content, why, linked):
    path = asked = tmp_path / name
    path.mkdir() if content is None else path.write_bytes(content)
    if linked:
        asked = tmp_path / "link.html"
        asked.symlink_to(path)
    with pytest.raises(ValueError, match=why) as error:
        write(asked)
    assert str(asked) in str(error.value)
    assert path.is_dir() if content is None else path.read_bytes() == content


def test_a_missing_folder_is_an_error_that_names_it(tmp_path):
    (tmp_path / "link.html").symlink_to("nowhere/b.html")
    with pytest.raises(FileNotFoundError, match=f"there is no folder {tmp_path}/nowhere: '{tmp_path}/link.html'"):
        write(tmp_path / "link.html")


@pytest.mark.parametrize("closed", [".", "x.html"])
def test_what_may_not_be_written_is_an_error_before_the_work(tmp_path, monkeypatch, closed):
    if closed == "x.html":
        (tmp_path / "x.html").write_text("old")
    asked = []
    monkeypatch.setattr(os, "access", lambda path, mode: asked.append(path))  # None: no
    with pytest.raises(PermissionError, match=f"you may not write there: '{tmp_path}/x.html'"):
        files.check_output(tmp_path / "x.html", *HTML)
    assert asked == [tmp_path / closed]


@pytest.mark.parametrize("step", ["os.fsync", "os.replace", "pathlib.Path.write_text"])
def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step):
    def full(*args, **options):
        raise OSError(28, "No space left on device", "another name")

    write(tmp_path / "x.html", "old")
    monkeypatch.setattr(step, full)
    with pytest.raises(OSError, match=f"No space left on device: '{tmp_path}/x.html'"):
        write(tmp_path / "x.html")
    assert (tmp_path / "x.html").read_text() == "old"
    assert os.listdir(tmp_path) == ["x.html"]


def test_a_replacement_is_on_the_disk_before_it_gets_the_name(tmp_path, monkeypatch):
    synced, renamed = [], []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(os.readlink(f"/proc/self/fd/{fd}")), fsync(fd)))
    monkeypatch.setattr(os, "replace", lambda a, b: (renamed.append((str(a), list(synced))), replace(a, b)))
    files.replace_text(tmp_path / "a", "text")
    ((unfinished, before),) = renamed
    assert before == [unfinished]
    assert synced[-1] == str(tmp_path)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_a_replacement_has_the_mode_of_the_old_file_from_its_beginning(tmp_path, mode):
    (tmp_path / "a").touch()
    (tmp_path / "a").chmod(mode)
    with files.replacing(tmp_path / "a") as unfinished:
        assert unfinished.stat().st_mode & 0o777 == mode
    assert (tmp_path / "a").stat().st_mode & 0o777 == mode


def test_the_digest_is_the_sha256(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    assert files.digest(tmp_path / "a") == "ba7816bf8f01cfea414140de5dae2223"  # FIPS 180-2, appendix B.1
