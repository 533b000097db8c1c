import copy
import errno
import json
import os
import pickle
import signal
import stat
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from ask_and_tell import drive
from commands import fork_python
from comparisons import assert_same_result

from debox import Optimizer
from debox.optimize import saved

BOUNDS = [(-1, 1), (0, 0.5), (5, 9)]


def a_run(strategy="COTN", bit_generator=np.random.PCG64, budget=150):
    rng = np.random.Generator(bit_generator(7))
    rng.integers(9, dtype=np.uint32)  # leaves half a draw buffered in the bit generator: part of its state
    return Optimizer(BOUNDS, "DE/curr-to-best/1/exp", strategy=strategy, N=7, F=0.9, Cr=0.3, budget=budget, rng=rng)


def test_every_setting_is_kept(tmp_path):
    optimizer = Optimizer(
        BOUNDS, "DE/rand/2/bin", strategy="tor", N=9, F=1.2, Cr=0.1, budget=99, donors="not-target", target=1e-3, rng=1
    )
    optimizer.save(tmp_path / "run")
    loaded = Optimizer.load(tmp_path / "run")
    assert loaded.config == optimizer.config
    assert (loaded.budget, loaded.target, loaded.strategies) == (99, 1e-3, ["toroidal"] * 3)
    assert loaded.box.lower.tolist() == [-1, 0, 5]
    assert loaded.box.upper.tolist() == [1, 0.5, 9]


def test_nan_values_a_stop_and_the_end_are_kept(tmp_path):
    optimizer = a_run()
    with pytest.warns(RuntimeWarning, match="NaN"):
        optimizer.tell(optimizer.ask(), np.full(7, np.nan))
    optimizer.stop()
    optimizer.save(tmp_path / "run")
    loaded = Optimizer.load(tmp_path / "run")
    assert_same_result(loaded.result, optimizer.result)
    assert (loaded.done, loaded.result.status, loaded.result.n_nan) == (True, 2, 7)
    drive(a_run()).save(tmp_path / "run")
    assert Optimizer.load(tmp_path / "run").done


def test_a_truncated_file_is_an_error(tmp_path):
    drive(a_run(), 2).save(tmp_path / "run")
    whole = (tmp_path / "run").read_bytes()
    for length in [0, 1, 10, *range(100, len(whole), 499), len(whole) - 1]:
        (tmp_path / "cut").write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"cut' is not a file that Optimizer\.save wrote"):
            Optimizer.load(tmp_path / "cut")


def foreign(kind, path):
    state = {"format": saved.FORMAT}
    if kind == "text":
        path.write_text("hello")
    elif kind == "npy":
        np.save(path, np.zeros(3))
    elif kind == "pickle":
        np.save(path, np.array([{}]), allow_pickle=True)
    elif kind == "other npz":
        np.savez(path, x=np.zeros(3))
    elif kind == "no dictionary":
        np.savez(path, state=np.array("[1, 2]"))
    elif kind == "another format":
        np.savez(path, state=np.array(json.dumps({"format": "debox optimizer 999"})))
    elif kind == "nothing but the format":
        np.savez(path, state=np.array(json.dumps(state)))


@pytest.mark.parametrize(
    "kind",
    ["text", "npy", "pickle", "other npz", "no dictionary", "another format", "nothing but the format"],
)
def test_a_foreign_file_is_an_error(tmp_path, kind):
    path = tmp_path / ("run.npy" if kind in ("npy", "pickle") else "run.npz")
    foreign(kind, path)
    with pytest.raises(ValueError, match=r"run.* is not a file that Optimizer\.save wrote") as error:
        Optimizer.load(path)
    assert "pickle" not in str(error.value)


@pytest.mark.parametrize("copied", [lambda run: pickle.loads(pickle.dumps(run)), copy.deepcopy], ids=["pickle", "copy"])
def test_a_copy_goes_on_to_the_same_end_and_leaves_the_original_alone(copied):
    optimizer = drive(a_run(), 3)
    waiting, before = optimizer.ask(), optimizer.result
    twin = copied(optimizer)
    np.testing.assert_array_equal(twin.ask(), waiting)
    assert_same_result(drive(twin).result, drive(a_run()).result)
    assert_same_result(optimizer.result, before)
    assert_same_result(drive(optimizer).result, twin.result)


def test_a_pickle_is_trusted_no_more_than_a_file():
    good = saved.packed(drive(a_run(), 3))
    assert saved.unpacked(good).nfev == 21
    for data in (good[:-1], b"", good[:500] + b"?" + good[501:], None, 5, "text"):
        with pytest.raises(ValueError, match=r"^the pickled Optimizer is not .*\(broken rule: it is no whole archive"):
            saved.unpacked(data)


class Unknown(np.random.MT19937):
    """A bit generator of the user's own."""

    @property
    def state(self):
        return {**super().state, "bit_generator": "Unknown"}


def test_random_numbers_that_could_not_be_loaded_are_not_saved(tmp_path):
    optimizer = Optimizer(BOUNDS, budget=100, rng=np.random.Generator(Unknown(1)))
    with pytest.raises(ValueError, match=r"^to be saved, rng must draw from one of PCG64, .*, SFC64, got Unknown$"):
        optimizer.save(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def endless(path):
    """A device that gives zeros for ever; where only root may make one, the pipe of somebody who never writes."""
    try:
        os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 5))
    except PermissionError:
        os.mkfifo(path)


@pytest.mark.parametrize("make", [os.mkfifo, endless], ids=["pipe", "device"])
def test_a_pipe_or_device_is_an_error_and_not_waited_for(tmp_path, make):
    make(tmp_path / "itself")
    (tmp_path / "link").symlink_to("itself")
    code = "import sys, debox; debox.Optimizer.load(sys.argv[1])"
    process = fork_python(code, tmp_path / "link")
    try:
        _, told = process.communicate(timeout=60)
    finally:
        process.kill()
    assert f"ValueError: '{tmp_path / 'link'}' must be a file, not a device or pipe" in told


def test_a_directory_is_the_error_of_any_directory(tmp_path):
    with pytest.raises(IsADirectoryError):
        Optimizer.load(tmp_path)


def test_a_missing_file_or_folder_is_the_error_of_any_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        Optimizer.load(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError) as error:
        a_run().save(tmp_path / "nowhere" / "run")
    assert error.value.filename == str(tmp_path / "nowhere" / "run")
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError) as error:
        a_run().save(tmp_path / "file" / "run")
    assert error.value.filename == str(tmp_path / "file" / "run")


def fails_half_way(*args, **arrays):
    if arrays:  # savez
        args[0].write(b"half")
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("step", ["numpy.savez", "os.fsync", "os.replace"])
def test_a_save_that_fails_leaves_the_old_file_whole_and_nothing_else(tmp_path, monkeypatch, step):
    drive(a_run(), 2).save(tmp_path / "run")
    before, later = (tmp_path / "run").read_bytes(), drive(a_run(), 5)
    monkeypatch.setattr(step, fails_half_way)
    with pytest.raises(OSError, match=r"No space left on device: '.*/run'$"):
        later.save(tmp_path / "run")
    assert (tmp_path / "run").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_save_replaces_the_old_file(tmp_path):
    drive(a_run(), 2).save(tmp_path / "run")
    later = drive(a_run(), 5)
    later.save(tmp_path / "run")
    assert_same_result(Optimizer.load(tmp_path / "run").result, later.result)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_two_threads_may_save_to_one_path_at_once(tmp_path, monkeypatch):
    written = threading.Barrier(2)
    monkeypatch.setattr("os.fsync", lambda _: written.wait(timeout=60))  # neither is renamed before both are written
    runs = [drive(a_run(), 2), drive(a_run(), 5)]
    with ThreadPoolExecutor(2) as pool:
        for save in [pool.submit(run.save, tmp_path / "run") for run in runs]:
            save.result()
    assert Optimizer.load(tmp_path / "run").nfev in [run.nfev for run in runs]
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


SAVES_FOR_EVER = """
import sys
from debox import Optimizer
optimizer = Optimizer([(0, 1)] * 3, budget=10**9, rng=1)
while True:
    optimizer.tell(X := optimizer.ask(), X.sum(axis=1))
    optimizer.save(sys.argv[1])
    print(optimizer.nfev, flush=True)
"""


def test_a_process_killed_while_it_saves_leaves_a_file_that_loads(tmp_path):
    path = tmp_path / "run"
    process = fork_python(SAVES_FOR_EVER, path, stderr=None)
    for _ in range(50):
        told = int(process.stdout.readline())
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert Optimizer.load(path).nfev >= told


@pytest.mark.parametrize(
    "content", [b"dear to me", b"PK\x03\x04" + bytes(60), b"P"], ids=["text", "a zip file", "short"]
)
def test_a_file_of_someone_else_is_not_replaced(tmp_path, content):
    (tmp_path / "run").write_bytes(content)
    with pytest.raises(ValueError, match=r"run: there is a file, and only a file that Optimizer\.save wrote"):
        a_run().save(tmp_path / "run")
    assert (tmp_path / "run").read_bytes() == content


def test_an_archive_of_someone_else_is_not_replaced_but_an_empty_file_is(tmp_path):
    np.savez(tmp_path / "mine.npz", x=np.zeros(3))
    with pytest.raises(ValueError, match="there is a file"):
        a_run().save(tmp_path / "mine.npz")
    (tmp_path / "empty").touch()
    a_run().save(tmp_path / "empty")
    assert Optimizer.load(tmp_path / "empty").nfev == 0


def test_a_save_follows_a_link_and_a_tilde(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "link").symlink_to("there")
    for later in (2, 5):
        drive(a_run(), later).save("~/link")
    assert sorted(os.listdir(tmp_path)) == ["link", "there"]
    assert (tmp_path / "link").is_symlink()
    assert_same_result(Optimizer.load("~/link").result, drive(a_run(), 5).result)
