"""A store meets kill −9, a full disk and a place that cannot be written, for real."""

import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from tests.store.rows import MANIFEST, filled, rows

from debox.store.store import Store, open_store

ROWS = 3  # in a part


def start(script, *args, prefix=()):
    command = [*prefix, sys.executable, "-c", script, *map(str, args)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=environment, text=True, **pipes)


WRITES_UNTIL_KILLED = """
import sys
from debox.store.store import Store
from tests.store.rows import MANIFEST, rows
store = Store.create(sys.argv[1], MANIFEST)
with store.locked():
    first = len(store.finished())
    for run in range(first, 10**6, 3):
        store.append(rows(range(run, run + 3)))
        print(run + 3, flush=True)
        if run % 4 == 0:
            store.compact()
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
    """Five writers, one after the other, killed while they append and merge; a reader looks on all the time."""
    chance, done, looks = random.Random(1), 0, 0
    for _ in range(5):
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
        done = len(open_store(tmp_path / "store").finished())
        assert done >= int((first + told).splitlines()[-1])
        store = open_store(tmp_path / "store")
        is_whole(store.table())
        assert store.bad_parts() == []
    assert looks > 0
    with Store.create(tmp_path / "store", MANIFEST).locked():  # the lock of the last one is recognised as a dead one's
        assert not list((tmp_path / "store" / "parts").glob(".*"))


APPENDS_TOO_MUCH = """
import resource, sys
from debox.store.errors import StoreError
from debox.store.store import Store
from tests.store.rows import MANIFEST, rows
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
    refused(store.compact)
    refused(lambda: store.pack(sys.argv[1] + ".parquet"))
    store.append(rows(range(3000, 3003)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    store.append(large)
"""


def test_a_file_that_finds_no_room_is_an_error_the_store_stays_whole_and_goes_on_when_there_is(tmp_path):
    """The system refuses files above 20 kB, as it refuses all of them on a full disk."""
    out, err = start(APPENDS_TOO_MUCH, tmp_path / "store").communicate()
    assert err == ""
    refusals = out.splitlines()
    assert len(refusals) == 3
    for refusal, where in zip(refusals, ["store/parts", "store/parts", "store.parquet"], strict=True):
        assert refusal.startswith(f"cannot write {tmp_path / where}: ")
        assert "File too large" in refusal
        assert "what was stored before is whole" in refusal
    store = open_store(tmp_path / "store")
    assert sorted(store.table(["run"])["run"]) == list(range(3003))
    assert store.bad_parts() == []
    assert sorted(os.listdir(store.path)) == ["manifest.json", "parts"]
    assert not list((store.path / "parts").glob(".*"))
    assert os.listdir(tmp_path) == ["store"]


WRITES = """
import sys
from debox.store.errors import StoreError
from debox.store.store import Store
from tests.store.rows import MANIFEST, rows
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


def test_only_one_of_two_processes_writes(tmp_path):
    writer = start(WRITES_UNTIL_KILLED, tmp_path / "store")
    try:
        assert writer.stdout.readline() == "3\n"
        out, _ = start(WRITES, tmp_path / "store").communicate()
        assert f"in use by process {writer.pid} on " in out
    finally:
        os.kill(writer.pid, signal.SIGKILL)
        writer.communicate()
    out, _ = start(WRITES, tmp_path / "store").communicate()
    assert out == "locked\n"
