"""Machine code is used only if it is what was written for this kernel; a full disk stops nothing."""

import errno
import os
import re
import stat
from functools import cache as remember
from pathlib import Path

import numpy as np
import pytest
from commands import run_in_fork

from debox import jit
from debox.de import algorithm
from debox.jit import cache, compiling, kernel, pointers


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
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(compiling, "dispatcher_of", remember(compiling.dispatcher_of.__wrapped__))
    monkeypatch.setattr(pointers, "_pointer", remember(pointers._pointer.__wrapped__))


@pytest.mark.parametrize(("function", "value"), [(half, 4.0), (quarter, 2.0)])
def test_a_full_disk_does_not_keep_a_kernel_from_running(full_disk, capsys, function, value):
    call = np.array([8.0]), np.random.default_rng(1)
    assert jit.bind(function, *call)(*call) == value
    assert "could not be kept (No space left on device)" in capsys.readouterr().err


@pytest.mark.parametrize(("function", "value"), [(half, 4.0), (quarter, 2.0)])
def test_a_full_disk_does_not_keep_an_operator_from_running(full_disk, capsys, function, value):
    f = np.zeros(1)
    feasible, rng = np.zeros(1, np.bool_), np.random.default_rng(1)
    call = jit.pointer(function, "objective"), np.array([[8.0]]), f, feasible, rng, np.empty(1)
    jit.bind(algorithm.evaluate, *call)(*call)
    assert f == value
    assert "could not be kept (No space left on device)" in capsys.readouterr().err


def test_machine_code_has_the_ways_in_that_its_caller_uses_and_each_is_kept_in_a_file_of_its_own(fresh, tmp_path):
    """In one file they would overwrite each other, and be compiled again in every process."""
    for is_kept in (False, True):
        for caller in compiling.OMITTED_WRAPPERS:
            dispatcher = fresh(half, caller)
            result = dispatcher.get_compile_result(pointers.signatures()["objective"])
            names = {
                "Python": result.fndesc.llvm_cpython_wrapper_name,
                "pointer": result.fndesc.llvm_cfunc_wrapper_name,
            }
            ways_in = [way for way, name in names.items() if result.library.get_pointer_to_function(name)]
            assert ways_in == [way for way in names if way == caller]
            assert bool(dispatcher.stats.cache_hits) == is_kept
        half_of_quarter = fresh(quarter).py_func.__globals__["half"]
        assert compiling.OMITTED_WRAPPERS["kernel"].items() <= half_of_quarter.targetoptions.items()
    assert len(list(tmp_path.iterdir())) == len(compiling.OMITTED_WRAPPERS)


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


def test_machine_code_of_a_module_that_is_not_there_is_compiled_again_and_nothing_is_said(
    monkeypatch, tmp_path, capsys
):
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(compiling, "dispatcher_of", remember(compiling.dispatcher_of.__wrapped__))

    def loads(content):
        raise ModuleNotFoundError("No module named 'debox_operators_0123456789abcdef'")

    call = np.array([8.0]), np.random.default_rng(1)
    assert compiling.dispatcher_of(half)(*call) == 4.0
    assert list(tmp_path.glob("*.nbc"))
    compiling.dispatcher_of.cache_clear()
    monkeypatch.setattr(cache.pickle, "loads", loads)
    capsys.readouterr()
    assert compiling.dispatcher_of(half)(*call) == 4.0
    told = capsys.readouterr().err
    assert "compiling half" in told
    assert "cannot be read" not in told


# A process for each damage to all files; forked, since to import Numba takes longer than all else.
DAMAGES = """
import os, sys, signal
from pathlib import Path
import numba, numpy as np
from debox.de import strategies
from debox import jit
from debox.jit import compiling
from debox.jit.folder import cache_folder

cache_folder.cache_clear()  # that of the process from which this one was forked, and what it has compiled
compiling.dispatcher_of.cache_clear()
folder = Path(sys.argv[1])
numba.njit(lambda x, rng: x + rng.random())(1.0, np.random.default_rng(1))  # Numba gets ready once, for all children

def in_a_child():
    sys.stderr.flush()
    child = os.fork()
    if not child:
        signal.alarm(20)  # a hanging child is killed
        call = 7.25, 0.5, 0.5, 0.0, 1.0, np.random.default_rng(1)
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
    "flip": lambda path, data: path.write_bytes(b"") if path == files[0] else flip(path, data, len(data) // 2),
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


def test_a_process_that_finds_its_cache_damaged_compiles_again_mends_it_and_has_the_same_result(tmp_path, monkeypatch):
    monkeypatch.setenv("DEBOX_CACHE_DIR", str(tmp_path))
    _, told = run_in_fork(DAMAGES, tmp_path)
    reasons = re.findall(r"cannot be read \((.*?)\), it is compiled again", told)
    steps = [line.split() for line in told.splitlines() if line.startswith("0 ")]
    assert told.count("value 1.0\n") == len(steps) == 1 + 2 * 5
    names = ["flip", "pipe", "link", "swap", "folder"]
    assert [name for _, name, *count in steps if count] == names
    files = int(steps[1][2])
    assert files >= 2
    wrong, none = ["its checksum is wrong"] * files, ["it is no file"] * files
    assert reasons == wrong + 2 * none + wrong + 2 * none  # a folder is not removed, so it is told of again
