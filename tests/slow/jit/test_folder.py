"""Machine code is kept in a folder of this user alone, another one for every state of the kernel sources."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from debox.jit import compiling, folder

PACKAGE = Path(folder.__file__).parents[1]
SOURCES = sorted(
    path.relative_to(PACKAGE)
    for room in ("de", "f0", "jit")
    for path in (PACKAGE / room).rglob("*.py")
    if "kernel" in path.read_text()
)


@pytest.fixture
def folder_of(monkeypatch, tmp_path):
    """The cache folder of a copy of the kernel sources, one of them edited"""
    monkeypatch.setenv("DEBOX_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(folder, "__file__", str(tmp_path / "debox" / "jit" / "folder.py"))
    monkeypatch.setattr(folder, "digest_of_kernel_sources", folder.digest_of_kernel_sources.__wrapped__)

    def copy_sources(edited=None):
        for source in SOURCES:
            copy = tmp_path / "debox" / source
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((PACKAGE / source).read_bytes() + b"# edited\n" * (source == edited))
        return folder.cache_folder.__wrapped__()

    return copy_sources


def test_what_writes_machine_code_is_a_kernel_source_too():
    writers = {"jit/compiling.py", "jit/library.py", "jit/native_code.py", "de/variation.py", "f0/fast/fixed_point.py"}
    assert writers <= {source.as_posix() for source in SOURCES}


@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_an_edited_kernel_source_has_a_cache_folder_of_its_own(folder_of, tmp_path, source):
    before = folder_of()
    assert before.parent == tmp_path.resolve() / "cache"
    assert before.is_dir()
    assert folder_of(edited=source) != before
    assert folder_of() == before


def test_the_cache_is_the_users_own_unless_debox_cache_dir_says_otherwise(monkeypatch, tmp_path):
    monkeypatch.delenv("DEBOX_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert folder.cache_folder.__wrapped__().parent == tmp_path.resolve() / "xdg" / "debox"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert folder.cache_folder.__wrapped__().parent == tmp_path.resolve() / "home" / ".cache" / "debox"
    monkeypatch.setenv("DEBOX_CACHE_DIR", "~/mine")
    assert folder.cache_folder.__wrapped__().parent == tmp_path.resolve() / "home" / "mine"


def test_a_umask_of_002_costs_nobody_the_cache(monkeypatch, tmp_path, capsys):
    """An earlier debox left ~/.cache/debox writable for the group: it is closed. ~/.cache is the user's own affair."""
    monkeypatch.delenv("DEBOX_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "debox").mkdir()
    (tmp_path / "debox").chmod(0o775)
    assert folder.cache_folder.__wrapped__().parent == tmp_path.resolve() / "debox"
    assert stat.S_IMODE((tmp_path / "debox").stat().st_mode) == 0o700
    assert not capsys.readouterr().err


def test_a_folder_that_others_can_write_to_is_not_used_and_the_user_is_told_in_a_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("DEBOX_CACHE_DIR", str(tmp_path))
    tmp_path.chmod(0o775)
    assert folder.cache_folder.__wrapped__() is None
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"debox: compiled kernels are not cached: others can write to {tmp_path.resolve()} ")
    assert f"chmod go-w {tmp_path.resolve()}" in line
    assert not list(tmp_path.iterdir())


def test_a_user_without_a_home_has_no_cache_and_is_told_in_a_line():
    script = """
import os, pathlib
from debox.jit import folder
if os.geteuid() == 0:
    os.setuid(54321)
else:
    def home():
        raise RuntimeError("Could not determine home directory.")
    pathlib.Path.home = home
print(folder.cache_folder())"""
    without = ("HOME", "XDG_CACHE_HOME", "DEBOX_CACHE_DIR")
    environment = {name: value for name, value in os.environ.items() if name not in without}
    process = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    assert process.stdout == "None\n"
    (line,) = process.stderr.splitlines()
    assert "not cached: Could not determine home directory; set DEBOX_CACHE_DIR" in line


def test_without_a_writable_folder_nothing_is_kept_and_the_user_is_told(unwritable, capsys):
    assert compiling.cache_folder() is None
    message = capsys.readouterr().err
    assert f"not cached: cannot write {unwritable} (Not a directory)" in message
    assert "set DEBOX_CACHE_DIR" in message
