import errno
import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import nullcontext
from dataclasses import asdict, replace

import pytest
from commands import fork_python

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


def test_the_type_of_a_file_system_is_that_of_the_mount(tmp_path):
    told = subprocess.run(["stat", "-f", "-c", "%T", "/proc"], capture_output=True, text=True, check=True, timeout=60)
    with open("/proc/self/stat") as file:
        assert lock.filesystem(file.fileno()) == told.stdout.strip() == "proc"
    with (tmp_path / "x").open("w") as file:
        assert re.fullmatch(r"[a-z][a-z0-9._]+", lock.filesystem(file.fileno()))


def test_an_owner_comes_back_as_it_was_written():
    me = lock.this_process((2, 3))
    assert lock.Owner.from_json(me.to_json().encode()) == me
    assert me.is_visible_here()
    assert not me.has_ended()


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
    left = leave(tmp_path, pid=living.pid, started=lock.process_started(living.pid))
    assert not lock.is_gone(tmp_path, left)
    os.kill(living.pid, signal.SIGKILL)
    os.waitid(os.P_PID, living.pid, os.WEXITED | os.WNOWAIT)  # it is a zombie now
    assert lock.is_gone(tmp_path, left)


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


def test_a_lock_of_an_older_debox_is_in_doubt(tmp_path):
    """It does not say whose pids it counts in: a pid that is not seen here may live in another container."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    owner = asdict(replace(lock.this_process(None), pid=dead.pid))
    old = {key: owner[key] for key in ("pid", "host", "started", "since", "token", "shard")}
    (tmp_path / f"lock-{old['token'][:12]}").write_text(json.dumps(old))
    with pytest.raises(StoreError, match=f"in use by process {dead.pid} on {ME} .* delete lock-{old['token'][:12]}"):
        lock.acquire(tmp_path, None)


@pytest.mark.parametrize("change", [{"namespace": "pid:[1]"}, {"boot": "another"}, {"namespace": "unknown"}], ids=str)
def test_pids_of_another_namespace_or_kernel_say_nothing(tmp_path, change):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    assert lock.is_gone(tmp_path, leave(tmp_path, pid=dead.pid))
    assert not lock.is_gone(tmp_path, leave(tmp_path, pid=dead.pid, **change))


@pytest.mark.parametrize(
    ("change", "gone"),
    [
        ({"namespace": "pid:[1]"}, True),  # a container that is no more, on this kernel
        ({"namespace": "pid:[1]", "host": "elsewhere", "filesystem": "nfs4"}, True),
        ({"boot": "before", "filesystem": "ext4"}, True),  # on a disk of its own, before the machine was started anew
        ({"boot": "before", "filesystem": "nfs4"}, False),  # or on another machine
        ({"boot": "unknown", "filesystem": "unknown"}, False),
    ],
    ids=str,
)
def test_where_flock_can_be_relied_on_it_decides(tmp_path, monkeypatch, change, gone):
    monkeypatch.setattr(lock, "filesystem", lambda descriptor: "ext4")  # whatever the tests run on
    left = leave(tmp_path, flock=True, **change)  # it says the pid of this process, which lives
    assert lock.is_gone(tmp_path, left) is gone
    with (tmp_path / left.name).open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert lock.is_gone(tmp_path, left) is False


@pytest.mark.parametrize("flocked", [True, False])
def test_two_kernels_that_do_not_say_which_they_are_are_not_taken_for_one(tmp_path, monkeypatch, flocked):
    """As in containers without /proc on a shared disk: the owner may live elsewhere, so its lock is not taken."""
    monkeypatch.setattr(lock, "boot", lambda: lock.UNKNOWN)
    monkeypatch.setattr(lock, "namespace", lambda: lock.UNKNOWN)
    monkeypatch.setattr(lock, "filesystem", lambda descriptor: "nfs4")
    left = leave(tmp_path, pid=2**22 - 1, filesystem="nfs4", flock=flocked)
    assert (left.boot, left.namespace) == (lock.UNKNOWN, lock.UNKNOWN)
    assert not lock.is_gone(tmp_path, left)
    monkeypatch.setattr(lock, "filesystem", lambda descriptor: "ext4")
    assert lock.is_gone(tmp_path, replace(left, filesystem="ext4")) == flocked


def test_two_who_look_at_a_lock_at_once_do_not_take_each_other_for_the_owner(tmp_path):
    left = leave(tmp_path, flock=True, namespace="pid:[1]")
    with (tmp_path / left.name).open() as file:
        fcntl.flock(file, fcntl.LOCK_SH)  # as one who looks does
        assert lock.is_gone(tmp_path, left)


HOLDS = """
import os, sys, time
from pathlib import Path
from debox.store import lock
me = lock.acquire(Path(sys.argv[1]), None)
if "fork" in sys.argv and os.fork() == 0:
    if "release" in sys.argv:
        lock.release(Path(sys.argv[1]), me)  # it is not the child's
    os.write(1, f"child {os.getpid()}\\n".encode())
    time.sleep(60)
os.write(1, f"holds {me.flock}\\n".encode())
time.sleep(60)
"""
UNSHARE = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]


def holder(folder, *args, prefix=()):
    command = [*prefix, sys.executable, "-c", HOLDS, str(folder), *args]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_a_killed_writer_leaves_a_lock_that_the_next_one_replaces(tmp_path):
    with holder(tmp_path) as writer:
        try:
            assert writer.stdout.readline() == "holds True\n"
            with pytest.raises(StoreError, match=f"in use by process {writer.pid}"):
                lock.acquire(tmp_path, None)
        finally:
            writer.kill()
    assert len(os.listdir(tmp_path)) == 1
    assert lock.living_owners(tmp_path) == []
    lock.release(tmp_path, lock.acquire(tmp_path, None))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("does", ["nothing", "release"])
def test_a_forked_child_neither_releases_the_lock_nor_keeps_it_when_the_writer_is_killed(tmp_path, does):
    with holder(tmp_path, "fork", does) as writer:
        try:
            told = dict(writer.stdout.readline().split() for _ in range(2))
            assert told.keys() == {"child", "holds"}
            assert len(lock.living_owners(tmp_path)) == 1
        finally:
            writer.kill()
            writer.wait(timeout=60)
        try:
            os.kill(int(told["child"]), 0)  # it is there, and has what its parent had open
            lock.release(tmp_path, lock.acquire(tmp_path, None))
        finally:
            os.kill(int(told["child"]), signal.SIGKILL)


def can_unshare():
    try:
        return subprocess.run([*UNSHARE, "true"], capture_output=True, timeout=60).returncode == 0
    except FileNotFoundError:
        return False


def test_a_writer_in_another_container_is_not_robbed_and_when_it_is_gone_its_lock_is_replaced(tmp_path):
    """A PID namespace of its own, with the same host name; where none can be made, the record that one would leave."""
    if can_unshare():
        with holder(tmp_path, prefix=UNSHARE) as writer:
            try:
                assert writer.stdout.readline() == "holds True\n"
                (found,) = lock.owners(tmp_path)
                assert (found.host, found.boot) == (ME, lock.boot())
                assert found.namespace != lock.namespace()
                with pytest.raises(StoreError, match=f"in use by process {found.pid} on {ME}"):
                    lock.acquire(tmp_path, None)
            finally:
                writer.kill()
    else:
        dead = leave(tmp_path, flock=True, namespace="pid:[1]", pid=2**31 - 1)
        with (tmp_path / dead.name).open() as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            with pytest.raises(StoreError, match="in use by"):
                lock.acquire(tmp_path, None)
    for _ in range(600):  # unshare was killed, which kills the writer a moment later
        if not lock.living_owners(tmp_path):
            break
        time.sleep(0.05)
    me = lock.acquire(tmp_path, None)
    assert lock.owners(tmp_path) == [me]


def without_flock(monkeypatch):
    def refuse(descriptor, operation):
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr("fcntl.flock", refuse)


def test_where_there_is_no_flock_the_process_decides(tmp_path, monkeypatch, living):
    without_flock(monkeypatch)
    me = lock.acquire(tmp_path, None)
    assert me.flock is False
    assert not lock.is_gone(tmp_path, me)
    lock.release(tmp_path, me)
    assert not lock.is_gone(tmp_path, leave(tmp_path, pid=living.pid, started=lock.process_started(living.pid)))
    assert lock.is_gone(tmp_path, leave(tmp_path, pid=living.pid, started="12"))
    assert not lock.is_gone(tmp_path, leave(tmp_path, flock=True, namespace="pid:[1]"))  # as others found there


@pytest.mark.parametrize("text", ["", "{}", "[1]", "lock", '{"shard": null}', "\xff", "[" * 90_000, "[" * 200_000])
def test_a_file_that_is_no_lock_is_refused_and_left(tmp_path, text):
    (tmp_path / "lock-1").write_text(text, encoding="latin-1")
    with pytest.raises(StoreError, match="lock-1 is not a lock that debox wrote"):
        lock.acquire(tmp_path, None)
    assert os.listdir(tmp_path) == ["lock-1"]


@pytest.mark.parametrize(
    "change",
    [
        *({"pid": pid} for pid in (-1, 0, -(2**31), 2**31, 10**30, 1.5, "1", True, None, [1])),
        *({key: value} for key in ("host", "started", "token", "boot", "namespace") for value in (None, 5, ["x"])),
        {"shard": [1]},
        {"shard": [2, 1]},
        {"shard": "12"},
        {"flock": "yes"},
        {"token": "/../../../dear-to-me"},
        {"colour": "red"},
    ],
    ids=str,
)
def test_a_lock_with_a_value_that_cannot_be_is_refused_and_no_signal_is_sent(tmp_path, monkeypatch, change):
    monkeypatch.setattr(os, "kill", lambda *args: pytest.fail(f"kill{args}"))
    (tmp_path / "lock-1").write_text(json.dumps({**asdict(lock.this_process(None)), **change}))
    with pytest.raises(StoreError, match="lock-1 is not a lock that debox wrote"):
        lock.acquire(tmp_path, None)
    assert os.listdir(tmp_path) == ["lock-1"]


def test_a_lock_by_another_name_is_refused_since_it_would_not_be_the_file_that_is_removed(tmp_path):
    left = leave(tmp_path, pid=2**31 - 1)
    (tmp_path / left.name).rename(tmp_path / "lock-1")
    with pytest.raises(StoreError, match=f"lock-1 is not a lock .*its name should be {left.name}"):
        lock.acquire(tmp_path, None)


@pytest.mark.parametrize("kind", ["directory", "fifo", "dangling", "link"])
def test_an_odd_file_in_the_place_of_a_lock_is_named_and_nothing_waits(tmp_path, kind):
    path = tmp_path / "lock-1"
    if kind == "directory":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to("nothing" if kind == "dangling" else "/dev/null")
    with pytest.raises(StoreError, match=f"{path}.* if nobody writes, delete it"):
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
    for round_ in range(2):
        folder = tmp_path / str(round_)
        folder.mkdir()
        leave(folder, started="12")
        racers = [fork_python(RACER, folder, stdin=subprocess.PIPE) for _ in range(6)]
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
