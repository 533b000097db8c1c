"""Who may write: whether another process may is asked of a fork, which does not hold what this process does."""

import fcntl
import os
import socket

import pytest
from commands import fork_python

from debox.store import parts
from debox.store.errors import StoreError
from debox.store.parts import lock, writers

ME = f"process {os.getpid()} on {socket.gethostname()} since "
ASKS = """
import sys
from pathlib import Path
from debox.store.errors import StoreError
from debox.store.parts import lock
try:
    with lock(Path(sys.argv[1]), eval(sys.argv[2])):
        print("may write")
except StoreError as error:
    print(error)
"""


def answer(folder, shard=None):
    with fork_python(ASKS, folder, shard) as process:
        told, errors = process.communicate(timeout=60)
    assert errors == ""
    return told.strip()


PAIRS = [
    (None, None, True),
    (None, (1, 4), True),
    ((1, 4), None, True),
    ((1, 4), (1, 4), True),
    ((1, 4), (2, 4), False),
]


@pytest.mark.parametrize(("held", "wanted", "refused"), PAIRS)
def test_shards_of_several_processes_go_together_all_else_is_refused(tmp_path, held, wanted, refused):
    """A process may hold one shard: the system drops its lock of a file that another shard of it closes."""
    with lock(tmp_path, held):
        for _ in range(2):
            told = answer(tmp_path, wanted)
            assert (f"{tmp_path} is in use by {ME}" in told) == refused == (told != "may write")
            with pytest.raises(StoreError, match=f"in use by {ME}"), lock(tmp_path, wanted):
                pass
            (writer,) = writers(tmp_path)  # asks without closing the file of a lock
            assert writer.startswith(ME)
            assert answer(tmp_path).startswith(f"{tmp_path} is in use by {ME}")
    assert writers(tmp_path) == []
    assert answer(tmp_path, wanted) == "may write"


def test_a_lock_names_its_last_holder_alone(tmp_path):
    for _ in range(2):
        with lock(tmp_path, None):
            assert (tmp_path / "lock").read_text() == writers(tmp_path)[0]


def test_the_refusal_names_the_shard(tmp_path):
    with lock(tmp_path, (2, 3)):
        assert "shard 2/3; wait for it or stop it" in answer(tmp_path)
        assert writers(tmp_path)[0].endswith(", shard 2/3")


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_the_lock_goes_with_whatever_ends_the_writing(tmp_path, error):
    with pytest.raises(error), lock(tmp_path, (1, 2)):
        raise error
    assert parts._held == {}
    assert answer(tmp_path) == "may write"


HOLDS = """
import os, sys, time
from pathlib import Path
from debox.store.parts import lock, writers
folder = Path(sys.argv[1])
child = 1
with lock(folder, None):
    if "fork" in sys.argv and (child := os.fork()) == 0:
        assert len(writers(folder)) == 1
    else:
        print(child, flush=True)
        time.sleep(100)
time.sleep(100)
"""


@pytest.mark.parametrize("forks", [False, True])
def test_the_lock_ends_with_its_process_not_with_its_children(tmp_path, forks):
    """A child neither releases the lock when it leaves the block, nor keeps it when its parent is killed."""
    process = fork_python(HOLDS, tmp_path, "fork" if forks else "")
    child = int(process.stdout.readline())
    try:
        assert f"process {process.pid} on " in answer(tmp_path)
        assert f"process {process.pid} on " in writers(tmp_path)[0]
        process.kill()
        process.wait()
        if forks:
            os.kill(child, 0)
        assert answer(tmp_path) == "may write"
        assert writers(tmp_path) == []
    finally:
        process.kill()
        if forks:
            os.kill(child, 9)
        process.communicate()


def test_a_reader_that_asks_who_writes_does_not_hinder_who_begins(tmp_path):
    (tmp_path / "lock").touch()
    asks = "import fcntl, sys, time; file = open(sys.argv[1]); fcntl.lockf(file, fcntl.LOCK_SH); print(); "
    asks += "time.sleep(.1)"
    with fork_python(asks, tmp_path / "lock") as process:
        process.stdout.readline()
        with lock(tmp_path, None):
            assert answer(tmp_path) != "may write"


def test_where_there_are_no_locks_writing_goes_on_and_what_another_may_write_stays(tmp_path, monkeypatch):
    def refuse(file, operation):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "lockf", refuse)
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / ".half.tmp").touch()
    with lock(tmp_path, None):
        pass
    assert os.listdir(tmp_path / "parts") == [".half.tmp"]


@pytest.mark.parametrize(("shard", "left"), [(None, []), ((1, 2), [".half.tmp"])])
def test_what_killed_writers_left_is_removed_by_who_writes_alone(tmp_path, shard, left):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / ".half.tmp").touch()
    with lock(tmp_path, shard):
        assert os.listdir(tmp_path / "parts") == left


def test_locks_of_an_older_debox_say_nothing(tmp_path):
    (tmp_path / "lock-0123456789ab").write_text('{"pid": 1}')
    with lock(tmp_path, None):
        assert len(writers(tmp_path)) == 1
