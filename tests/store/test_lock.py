import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import asdict, replace

import pytest

from debox.store import lock
from debox.store.errors import StoreError

ME = socket.gethostname()


def leave(folder, **changes):
    """A lock as another process would have left it."""
    owner = replace(lock.this_process(changes.pop("shard", None)), **changes)
    (folder / owner.name).write_text(json.dumps(asdict(owner)))
    return owner


@pytest.fixture
def living():
    """A process that is not this one."""
    process = subprocess.Popen(["sleep", "60"])
    yield process
    process.kill()
    process.wait()


def test_a_lock_names_its_owner_and_goes_when_released(tmp_path):
    me = lock.acquire(tmp_path, None)
    assert (me.pid, me.host, me.shard) == (os.getpid(), ME, None)
    assert lock.owners(tmp_path) == [me]
    assert lock.holds(tmp_path, me)
    lock.release(tmp_path, me)
    assert os.listdir(tmp_path) == []


def test_a_second_one_is_refused_and_told_who_when_and_what_to_do(tmp_path):
    me = lock.acquire(tmp_path, None)
    with pytest.raises(StoreError) as refusal:
        lock.acquire(tmp_path, None)
    for part in (str(tmp_path), f"process {os.getpid()} on {ME} since {me.since}", f"delete {me.name} there"):
        assert part in str(refusal.value)
    assert lock.holds(tmp_path, me)


@pytest.mark.parametrize(
    ("held", "wanted", "refused"),
    [
        (None, (1, 4), True),
        ((1, 4), None, True),
        ((1, 4), (1, 4), True),
        ((1, 4), (2, 4), False),
        ((1, 4), (4, 4), False),
        ((1, 4), (2, 3), True),  # another division: the same run may be in both
        ((1, 1), (1, 2), True),
    ],
)
def test_shards_of_one_division_go_together_all_else_excludes(tmp_path, held, wanted, refused):
    first = lock.acquire(tmp_path, held)
    with pytest.raises(StoreError, match="in use") if refused else nullcontext():
        lock.release(tmp_path, lock.acquire(tmp_path, wanted))
    assert lock.owners(tmp_path) == [first]


def test_the_refusal_names_the_shard(tmp_path):
    lock.acquire(tmp_path, (2, 3))
    with pytest.raises(StoreError, match=r"shard 2/3; .*delete lock-2-of-3-"):
        lock.acquire(tmp_path, None)


@pytest.mark.parametrize("shard", [(0, 3), (4, 3), (1, 0), (-1, 2), (1.5, 2), ("1", 2)])
def test_a_shard_that_cannot_be_is_an_error(tmp_path, shard):
    with pytest.raises(ValueError, match="shard"):
        lock.acquire(tmp_path, shard)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("shard", [None, (1, 2)])
def test_the_lock_of_a_dead_process_is_replaced(tmp_path, shard):
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    leave(tmp_path, pid=process.pid, shard=shard)
    me = lock.acquire(tmp_path, shard)
    assert lock.owners(tmp_path) == [me]


def test_a_killed_process_nobody_waited_for_is_dead(tmp_path, living):
    owner = leave(tmp_path, pid=living.pid, started=lock.process_started(living.pid))
    assert not owner.is_gone()
    os.kill(living.pid, signal.SIGKILL)
    os.waitid(os.P_PID, living.pid, os.WEXITED | os.WNOWAIT)  # it is a zombie now
    assert owner.is_gone()


def test_a_pid_that_another_process_has_now_is_recognised_by_its_start(tmp_path, living):
    leave(tmp_path, pid=living.pid, started="12")
    me = lock.acquire(tmp_path, None)
    assert lock.owners(tmp_path) == [me]


def test_a_living_process_keeps_its_lock(tmp_path, living):
    leave(tmp_path, pid=living.pid, started=lock.process_started(living.pid))
    with pytest.raises(StoreError, match=f"process {living.pid}"):
        lock.acquire(tmp_path, None)


def test_of_other_machines_nothing_is_known(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    leave(tmp_path, host="elsewhere", pid=dead.pid)
    with pytest.raises(StoreError, match="on elsewhere"):
        lock.acquire(tmp_path, None)


def test_release_leaves_the_locks_of_others_alone(tmp_path):
    me = lock.acquire(tmp_path, (1, 2))
    other = leave(tmp_path, host="elsewhere", shard=(2, 2))
    lock.release(tmp_path, me)
    assert lock.owners(tmp_path) == [other]
    assert not lock.holds(tmp_path, me)


@pytest.mark.parametrize("text", ["", "{}", "[1]", "lock", '{"shard": null}'])
def test_a_file_that_is_no_lock_is_refused_and_left(tmp_path, text):
    (tmp_path / "lock-1").write_text(text)
    with pytest.raises(StoreError, match="lock-1 is not a lock that debox wrote"):
        lock.acquire(tmp_path, None)
    assert os.listdir(tmp_path) == ["lock-1"]


def test_a_folder_that_is_not_there_is_a_store_error(tmp_path):
    with pytest.raises(StoreError, match="No such file"):
        lock.acquire(tmp_path / "nowhere", None)


RACER = """
import sys, time
from pathlib import Path
from debox.store import lock
from debox.store.errors import StoreError
folder = Path(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
try:
    lock.acquire(folder, None)
    print("got it", flush=True)
except StoreError:
    print("refused", flush=True)
sys.stdin.readline()
"""


def test_of_many_that_find_a_dead_lock_at_once_at_most_one_gets_it(tmp_path):
    """Six processes, two rounds: in every round one gets it or, all having met, none."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    for round_ in range(2):
        folder = tmp_path / str(round_)
        folder.mkdir()
        leave(folder, started="12")
        racers = [subprocess.Popen([sys.executable, "-c", RACER, folder], **pipes) for _ in range(6)]
        try:
            assert [racer.stdout.readline() for racer in racers] == ["ready\n"] * 6
            for racer in racers:
                racer.stdin.write("go\n")
                racer.stdin.flush()
            answers = [racer.stdout.readline() for racer in racers]
        finally:
            for racer in racers:
                racer.communicate("end\n")
        assert sorted(answers)[1:] == ["refused\n"] * 5
