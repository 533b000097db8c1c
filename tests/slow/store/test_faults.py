"""A store meets kill −9, too little room and a place that cannot be written, for real."""

import os
import random
import signal
import sys
import time

import numpy as np
import pytest
from commands import fork_python, start_python
from stored_rows import MANIFEST, filled, rows

from debox.store.store import Store, open_store

ROWS = 3  # in a part


def start(script, *args, prefix=()):
    if not prefix:
        return fork_python(script, *args)
    return start_python(script, *args, prefix=prefix, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})


WRITES_UNTIL_KILLED = """
import sys
from debox.store.store import Store
from stored_rows import MANIFEST, rows
store = Store.create(sys.argv[1], MANIFEST)
with store.locked():
    first = len(store.finished())
    for run in range(first, 10**6, 3):
        store.append(rows(range(run, run + 3)))
        print(run + 3, flush=True)
"""


def is_whole(table):
    """The rows are the first ones there can be, whole parts, each once and as they were given."""
    expected = rows(range(len(table["run"])))
    assert len(table["run"]) % ROWS == 0
    assert table["run"].tolist() == expected["run"]
    assert table["id"].tolist() == expected["id"]
    np.testing.assert_array_equal(table["pois"], expected["pois"])
    np.testing.assert_array_equal(table["best_x"], np.array(expected["best_x"]).reshape(-1, 3))


def test_kill_9_at_random_moments_loses_nothing_and_shows_no_half(tmp_path):
    """Three writers, one after the other, killed while they append; a reader looks on all the time."""
    chance, done, looks = random.Random(1), 0, 0
    for _ in range(3):
        writer = start(WRITES_UNTIL_KILLED, tmp_path / "store")
        try:
            first = writer.stdout.readline()
            assert int(first) == done + ROWS, writer.stderr.read()
            end = time.monotonic() + chance.uniform(0, 0.3)
            while time.monotonic() < end:
                is_whole(open_store(tmp_path / "store").table())
                looks += 1
        finally:
            os.kill(writer.pid, signal.SIGKILL)
        told, _ = writer.communicate()
        store = open_store(tmp_path / "store")
        done = len(store.finished())
        assert done >= int((first + told).splitlines()[-1])
        is_whole(store.table())
        assert store.bad_parts() == []
    assert looks > 0
    with Store.create(tmp_path / "store", MANIFEST).locked():
        assert not list((tmp_path / "store" / "parts").glob(".*"))


APPENDS_TOO_MUCH = """
import resource, sys
from debox.store.errors import StoreError
from debox.store.store import Store
from stored_rows import MANIFEST, rows
store = Store.create(sys.argv[1], MANIFEST)
large = rows(range(3, 2000), n=30)
def refused(write):
    try:
        write()
    except StoreError as error:
        print(error)
with store.locked():
    store.append(rows(range(3)))
    store.append(rows(range(2000, 3000)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
    refused(lambda: store.append(large))
    refused(lambda: store.pack(sys.argv[1] + ".parquet"))
    store.append(rows(range(3000, 3003)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    store.append(large)
"""


def test_a_file_that_finds_no_room_is_an_error_the_store_stays_whole_and_goes_on_when_there_is(tmp_path):
    """The system refuses files above 20 kB, as it refuses all of them on a full disk."""
    out, err = start(APPENDS_TOO_MUCH, tmp_path / "store").communicate()
    assert err == ""
    for refusal, where in zip(out.splitlines(), ["store/parts", "store.parquet"], strict=True):
        assert refusal.startswith(f"cannot write {tmp_path / where}: File too large; what was stored before is whole")
    store = open_store(tmp_path / "store")
    assert sorted(store.table(["run"])["run"]) == list(range(3003))
    assert store.bad_parts() == []
    assert not list((store.path / "parts").glob(".*"))
    assert os.listdir(tmp_path) == ["store"]


WRITES = """
import sys
from debox.store.errors import StoreError
from debox.store.store import Store
from stored_rows import MANIFEST, rows
try:
    with Store.create(sys.argv[1], MANIFEST).locked():
        print("locked")
except StoreError as error:
    print(error)
"""
# root may write everywhere, unless it gives that up
BOUND = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []


@pytest.mark.parametrize("there", [True, False], ids=["begun", "new"])
def test_a_place_that_cannot_be_written_is_an_error_and_reading_goes_on(tmp_path, there):
    folder = tmp_path / "store"
    if there:
        filled(Store.create(folder, MANIFEST), rows(range(3)))
    closed = folder if there else tmp_path
    (folder / "lock").unlink(missing_ok=True)
    closed.chmod(0o555)
    try:
        out, err = start(WRITES, folder, prefix=BOUND).communicate()
    finally:
        closed.chmod(0o755)
    assert err == ""
    assert out.startswith(f"cannot write {folder}: Permission denied")
    if there:
        assert len(open_store(folder).finished()) == 3
        assert sorted(os.listdir(folder)) == ["manifest.json", "parts"]


def test_the_same_place_is_written_when_it_can_be(tmp_path):
    """So that the test above does not pass for another reason."""
    out, err = start(WRITES, tmp_path / "store", prefix=BOUND).communicate()
    assert (out, err) == ("locked\n", "")


BEGINS = """
import os, sys, time
from debox.store.store import Store
from stored_rows import MANIFEST
for round in range(20):
    at, children = time.time() + 0.02, []
    for k in range(1, 9):
        if not (child := os.fork()):
            time.sleep(max(0, at - time.time()))
            try:
                with Store.create(f"{sys.argv[1]}/{round}", MANIFEST).locked((k, 8)):
                    os._exit(0)
            except BaseException as error:
                os.write(1, f"round {round}, shard {k}: {error!r}\\n".encode())
                os._exit(1)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
"""


def test_eight_processes_begin_a_store_at_once(tmp_path):
    """Twenty times: each of eight shards may begin it."""
    assert fork_python(BEGINS, tmp_path).communicate(timeout=100) == ("", "")
    assert [open_store(tmp_path / str(k)).manifest == MANIFEST for k in range(20)] == [True] * 20


READS_IN_FORKS = """
import multiprocessing, os, sys, threading
from debox.store.store import open_store
from stored_rows import rows
store = open_store(sys.argv[1])
relation, end = store.sql("SELECT count(*) FROM runs"), threading.Event()
def read():
    return len(open_store(store.path).table(["run"])["run"]) == store.sql("FROM runs").fetchnumpy()["run"].size == 9
def read_on():
    while not end.is_set():
        read()
def forked(work):
    sys.stdout.flush()
    if not (child := os.fork()):
        sys.exit(0 if work() else 1)  # as Python ends: with the relation of its parent
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
def write():
    with store.locked():
        store.append(rows([9]))
    return len(store.finished()) == 10
print(forked(lambda: read() and forked(read) == 0))
thread = threading.Thread(target=read_on)
thread.start()
for _ in range(8):
    child = multiprocessing.get_context("fork").Process(target=lambda: sys.exit(0 if read() else 1))
    child.start()
    child.join()
    print(child.exitcode, end=" ")
end.set()
thread.join()
print(forked(write), len(store.finished()), relation.fetchall())
"""


def test_forked_processes_read_and_write_and_end_without_a_word(tmp_path):
    """Also while a thread of their parent reads."""
    filled(Store.create(tmp_path / "store", MANIFEST), rows(range(5)), rows(range(5, 9)))
    process = start(READS_IN_FORKS, tmp_path / "store", prefix=["env"])
    try:
        assert process.communicate(timeout=100) == (f"0\n{'0 ' * 9}10 [(9,)]\n", "")
    finally:
        process.kill()
