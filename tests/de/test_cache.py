"""Machine code is kept where nobody else can write, and used only if it is what was written for this kernel."""

import errno
import os
import re
import stat
import subprocess
import sys
from functools import cache as cache_calls
from pathlib import Path

import numpy as np
import pytest

from debox.de import algorithm, cache, jit
from debox.de.jit import kernel

PACKAGE = Path(cache.__file__).parents[1]
SOURCES = sorted(
    path.relative_to(PACKAGE)
    for room in ("de", "f0")
    for path in (PACKAGE / room).rglob("*.py")
    if "kernel" in path.read_text()
)


@pytest.fixture(autouse=True)
def _compiling(monkeypatch):
    """Whatever DEBOX_JIT says where the tests run."""
    monkeypatch.setattr(jit, "_interpreted", False)


# Where.


@pytest.fixture
def folder_of(monkeypatch, tmp_path):
    """The cache folder of a copy of the kernel sources, one of them edited"""
    monkeypatch.setenv("DEBOX_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "debox" / "de" / "cache.py"))
    monkeypatch.setattr(cache, "sources_of_kernels", cache.sources_of_kernels.__wrapped__)

    def folder(edited=None):
        for source in SOURCES:
            copy = tmp_path / "debox" / source
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((PACKAGE / source).read_bytes() + b"# edited\n" * (source == edited))
        return cache.cache_folder.__wrapped__()

    return folder


def test_what_writes_machine_code_is_a_kernel_source_too():
    writers = {"de/cache.py", "de/jit.py", "de/native.py", "de/mutation.py", "f0/fast/bits.py"}
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
    assert cache.cache_folder.__wrapped__().parent == tmp_path.resolve() / "xdg" / "debox"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache.cache_folder.__wrapped__().parent == tmp_path.resolve() / "home" / ".cache" / "debox"
    monkeypatch.setenv("DEBOX_CACHE_DIR", "~/mine")
    assert cache.cache_folder.__wrapped__().parent == tmp_path.resolve() / "home" / "mine"


def test_a_umask_of_002_costs_nobody_the_cache(monkeypatch, tmp_path, capsys):
    """An earlier debox left ~/.cache/debox writable for the group: it is closed. ~/.cache is the user's own affair."""
    monkeypatch.delenv("DEBOX_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "debox").mkdir()
    (tmp_path / "debox").chmod(0o775)
    assert cache.cache_folder.__wrapped__().parent == tmp_path.resolve() / "debox"
    assert stat.S_IMODE((tmp_path / "debox").stat().st_mode) == 0o700
    assert not capsys.readouterr().err


def test_a_folder_that_others_can_write_to_is_not_used_and_the_user_is_told_in_a_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("DEBOX_CACHE_DIR", str(tmp_path))
    tmp_path.chmod(0o775)
    assert cache.cache_folder.__wrapped__() is None
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"debox: compiled kernels are not cached: others can write to {tmp_path.resolve()} ")
    assert f"chmod go-w {tmp_path.resolve()}" in line
    assert not list(tmp_path.iterdir())


def test_a_user_without_a_home_has_no_cache_and_is_told_in_a_line():
    script = """
import os, pathlib
from debox.de import cache
if os.geteuid() == 0:
    os.setuid(54321)
else:
    def home():
        raise RuntimeError("Could not determine home directory.")
    pathlib.Path.home = home
print(cache.cache_folder())"""
    without = ("HOME", "XDG_CACHE_HOME", "DEBOX_CACHE_DIR")
    environment = {name: value for name, value in os.environ.items() if name not in without}
    process = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    assert process.stdout == "None\n"
    (line,) = process.stderr.splitlines()
    assert "not cached: Could not determine home directory; set DEBOX_CACHE_DIR" in line


# Without a folder, or with a full disk.


@pytest.fixture
def unwritable(monkeypatch, tmp_path):
    """A cache folder that not even root can make: it would lie below a file"""
    (tmp_path / "file").touch()
    monkeypatch.setenv("DEBOX_CACHE_DIR", str(tmp_path / "file" / "below"))
    monkeypatch.setattr(jit, "cache_folder", cache.cache_folder.__wrapped__)
    return tmp_path / "file" / "below"


def test_without_a_writable_folder_nothing_is_kept_and_the_user_is_told(unwritable, capsys):
    assert jit.cache_folder() is None
    message = capsys.readouterr().err
    assert f"not cached: cannot write {unwritable} (Not a directory)" in message
    assert "set DEBOX_CACHE_DIR" in message


def twice(x):
    return 2 * x


def test_without_a_writable_folder_kernels_are_compiled_all_the_same(unwritable, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    dispatcher = jit.compiled.__wrapped__(kernel(twice))
    assert dispatcher(21.0) == 42
    assert dispatcher.stats.cache_path is None
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_compiling_promises_a_cache_only_if_there_is_one(unwritable, monkeypatch, capsys, tmp_path):
    jit.compiled.__wrapped__(kernel(twice))(1.0)
    assert re.search(r"compiling twice … \d", capsys.readouterr().err)
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path)
    jit.compiled.__wrapped__(kernel(twice))(1.0)
    assert "compiling twice (once, then cached) … " in capsys.readouterr().err


@kernel
def half(x, rng):
    return x[0] / 2


@kernel
def quarter(x, rng):
    return half(x, rng) / 2


@pytest.fixture
def full_disk(monkeypatch, tmp_path):
    """Nothing is compiled yet, and nothing can be written"""

    def write(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(cache, "write", write)
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path)
    for name in ("compiled", "_pointer"):
        monkeypatch.setattr(jit, name, cache_calls(getattr(jit, name).__wrapped__))


@pytest.mark.parametrize(("function", "value"), [(half, 4.0), (quarter, 2.0)])
def test_a_full_disk_does_not_keep_a_kernel_from_running(full_disk, capsys, function, value):
    call = np.array([8.0]), np.random.default_rng(1)
    assert jit.bind(function, *call)(*call) == value
    assert "could not be kept (No space left on device)" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(("function", "value"), [(half, 4.0), (quarter, 2.0)])
def test_a_full_disk_does_not_keep_an_operator_from_running(full_disk, capsys, function, value):
    f = np.zeros(1)
    call = jit.pointer(function, "objective"), np.array([[8.0]]), f, np.random.default_rng(1), np.empty(1)
    jit.bind(algorithm.evaluate, *call)(*call)
    assert f == value
    assert "could not be kept (No space left on device)" in capsys.readouterr().err


# One file.

STATE, CONTENT = b"s" * 32, bytes(range(50))


@pytest.fixture
def file(tmp_path):
    cache.write(tmp_path / "kernel.nbc", STATE, CONTENT)
    return tmp_path / "kernel.nbc"


def test_a_file_gives_what_was_written_to_this_user_alone(file):
    assert cache.read(file, STATE) == CONTENT
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_missing_file_and_one_of_another_state_of_the_source_are_passed_over(file):
    assert cache.read(file.with_name("other.nbc"), STATE) is None
    assert cache.read(file, b"t" * 32) is None


def test_a_file_with_any_bit_flipped_or_any_byte_missing_is_not_read(file):
    data = file.read_bytes()
    damaged = [data[:size] for size in range(len(data))]
    for bit in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        damaged.append(flipped)
    for bytes_left in damaged:
        file.write_bytes(bytes_left)
        with pytest.raises(ValueError, match="checksum"):
            cache.read(file, STATE)
    assert len(damaged) == 9 * len(data) == 9 * (64 + 50)


def test_a_good_file_under_the_name_of_another_is_not_read(file):
    with pytest.raises(ValueError, match="checksum"):
        cache.read(file.rename(file.with_name("other.nbc")), STATE)


@pytest.mark.parametrize(
    "make",
    [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("nowhere"), lambda path: path.symlink_to("good.nbc")],
    ids=["pipe", "folder", "dangling link", "link"],
)
def test_what_is_no_file_is_not_read(file, make):
    file.rename(file.with_name("good.nbc"))
    make(file)
    with pytest.raises(ValueError, match="no file"):
        cache.read(file, STATE)


def test_a_file_that_others_wrote_or_can_write_to_is_not_read(file, monkeypatch):
    file.chmod(0o620)
    with pytest.raises(ValueError, match="others"):
        cache.read(file, STATE)
    file.chmod(0o600)
    monkeypatch.setattr(os, "geteuid", lambda: file.stat().st_uid + 1)
    with pytest.raises(ValueError, match="others"):
        cache.read(file, STATE)


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path):
    (tmp_path / "kernel.nbc").mkdir()
    with pytest.raises(IsADirectoryError):
        cache.write(tmp_path / "kernel.nbc", STATE, CONTENT)
    assert [path.name for path in tmp_path.iterdir()] == ["kernel.nbc"]


# The files of kernels.


@kernel
def lifted(x):
    return x + 0.5


@kernel
def doubled(x):
    return 2 * lifted(x)


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """A kernel as a new process with this cache would have it: its dispatcher"""
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path)

    def dispatcher(function):
        monkeypatch.setattr(jit, "compiled", cache_calls(jit.compiled.__wrapped__))
        return jit.compiled(function)

    return dispatcher


def hits(dispatcher):
    return sum(dispatcher.stats.cache_hits.values())


def test_machine_code_is_found_again_for_the_same_signature(fresh, tmp_path):
    assert [fresh(doubled)(3.0) for _ in range(2)] == [7, 7]
    again = fresh(doubled)
    assert [again(3.0), hits(again), again(3), hits(again), again(np.float32(3)), hits(again)] == [7, 1, 7, 1, 7, 1]
    assert all(path.suffix == ".nbc" for path in tmp_path.iterdir())


def test_machine_code_of_a_kernel_whose_callee_was_edited_is_compiled_again(fresh, monkeypatch, capsys):
    """Though its own source and signature are the same"""
    assert fresh(doubled)(3.0) == 7
    assert fresh(doubled)(3.0) == 7
    monkeypatch.setitem(doubled.__globals__, "lifted", kernel(lambda x: x + 1.5))
    edited = fresh(doubled)
    assert [edited(3.0), hits(edited)] == [9, 0]
    assert "cannot be read" not in capsys.readouterr().err


def test_a_kernel_without_a_source_file_is_compiled_and_not_kept(fresh, tmp_path):
    names = {}
    exec("def typed(x):\n    return x + 4", names)
    assert fresh(kernel(names["typed"]))(3) == 7
    assert not list(tmp_path.iterdir())


# A process for each damage to all files; forked, since to import Numba takes longer than all else.
DAMAGES = """
import os, sys, signal
from pathlib import Path
import numba, numpy as np
from debox.de import jit, strategies

folder = Path(sys.argv[1])
signal.alarm(100)
numba.njit(lambda x, rng: x + rng.random())(1.0, np.random.default_rng(1))  # Numba gets ready once, for all children

def in_a_child():
    sys.stderr.flush()
    child = os.fork()
    if not child:
        signal.alarm(20)  # a hanging child is killed
        call = 7.25, 0.5, 0.0, 1.0, np.random.default_rng(1)
        print("value", jit.bind(strategies.saturation, *call)(*call), file=sys.stderr, flush=True)
        os._exit(0)
    return os.waitpid(child, 0)[1]

def damaged(path, change):
    data = path.read_bytes()
    path.unlink()
    change(path, data)

def flip(path, data, place):
    path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])

def swap(files):
    whole = [path.read_bytes() for path in files]
    for path, data in zip(files, whole[1:] + whole[:1]):
        path.write_bytes(data)

changes = {
    "flip": lambda path, data: flip(path, data, len(data) // 2),
    "empty": lambda path, data: path.write_bytes(b""),
    "pipe": lambda path, data: os.mkfifo(path),
    "link": lambda path, data: path.symlink_to("nowhere"),
    "swap": None,
    "folder": lambda path, data: path.mkdir(),
}
print(in_a_child(), "new", file=sys.stderr)
for name, change in changes.items():
    files = sorted(folder.rglob("*.nbc"))
    if change is None:
        swap(files)
    for path in files if change else ():
        damaged(path, change)
    print(in_a_child(), name, len(files), file=sys.stderr)
    print(in_a_child(), "mended", file=sys.stderr)
"""


@pytest.mark.slow
def test_a_process_that_finds_its_cache_damaged_compiles_again_mends_it_and_has_the_same_result(tmp_path):
    command = [sys.executable, "-c", DAMAGES, str(tmp_path)]
    environment = os.environ | {"DEBOX_CACHE_DIR": str(tmp_path), "DEBOX_JIT": "1"}
    process = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True)
    reasons = re.findall(r"cannot be read \((.*?)\), it is compiled again", process.stderr)
    steps = [line.split() for line in process.stderr.splitlines() if line.startswith("0 ")]
    assert process.stderr.count("value 1.0\n") == len(steps) == 1 + 2 * 6
    names = ["flip", "empty", "pipe", "link", "swap", "folder"]
    assert [name for _, name, *count in steps if count] == names
    files = int(steps[1][2])
    assert files >= 2
    wrong, none = ["its checksum is wrong"] * files, ["it is no file"] * files
    assert reasons == 2 * wrong + 2 * none + wrong + 2 * none  # a folder is not removed, so it is told of again
