"""A store meets kill −9, a full disk and a place that cannot be written, for real."""

import os
import random
import signal
import sys
import time

import numpy as np
import pytest
from commands import fork_python, start_python
from stored_rows import CONFIG, MANIFEST, filled, rows

from debox.store import parquet, schema, seal
from debox.store.errors import StoreError
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
    """Three writers, one after the other, killed while they append and merge; a reader looks on all the time."""
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


def pack_without_seal(store, path):
    """A packed file as an older debox wrote it."""
    store.pack(path)
    embedded = {key: value for key, value in parquet.texts_in(path).items() if key != seal.SEAL}
    parquet.write_rows(path, parquet.in_order(store.parts()), schema.COLUMNS, embedded)


FILES = {"sealed": lambda store, path: store.pack(path), "by an older debox": pack_without_seal}
SAMPLE = 20  # bits; ten thousands were flipped once, and `make torture` goes on


@pytest.fixture
def two(tmp_path):
    """A store of two configurations."""
    other = rows(range(4), "DE/best/1/bin tor, N=20, F=0.4, Cr=0.5")
    return filled(Store.create(tmp_path / "store", MANIFEST), rows(range(4)), other)


def same_or_refused(path, expected):
    """Whether a file reads as it did, everything else than a StoreError being wrong."""
    try:
        opened = open_store(path)
        found = (
            opened.table(),
            opened.edpois(CONFIG),
            opened.sql("SELECT id FROM runs WHERE N = 5 ORDER BY run").fetchall(),
        )
    except StoreError:
        return False
    np.testing.assert_equal(found, expected)
    return True


@pytest.mark.parametrize("kind", FILES)
def test_a_bit_flipped_in_a_packed_file_is_found_or_makes_no_difference(two, tmp_path, kind):
    path, chance = tmp_path / "packed.parquet", random.Random(1)
    FILES[kind](two, path)
    content, mine = path.read_bytes(), rows(range(4))
    expected = two.table(), mine["pois"], [(identifier,) for identifier in mine["id"]]
    assert same_or_refused(path, expected)
    refused = 0
    for _ in range(SAMPLE):
        place, bit = chance.randrange(len(content)), 1 << chance.randrange(8)
        path.write_bytes(content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :])
        refused += not same_or_refused(path, expected)
    assert refused > SAMPLE / 4


def test_a_bit_flipped_in_a_part_is_found(two):
    path, chance = two.parts()[0], random.Random(1)
    content = path.read_bytes()
    for _ in range(SAMPLE):
        place, bit = chance.randrange(len(content)), 1 << chance.randrange(8)
        path.write_bytes(content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :])
        with pytest.raises(StoreError, match=f"{path.name}: its content does not match its checksum"):
            open_store(two.path).table()


def test_false_statistics_in_a_file_leave_out_no_rows(two, tmp_path):
    """Its footer says that every N lies in [6, 20], and N = 5 is not looked for; the rows are as they were."""
    path = tmp_path / "packed.parquet"
    pack_without_seal(two, path)
    content = path.read_bytes()
    begin = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    five, six = (number.to_bytes(8, "little") for number in (5, 6))
    assert five in content[begin:]
    path.write_bytes(content[:begin] + content[begin:].replace(five, six))
    np.testing.assert_array_equal(open_store(path).edpois(CONFIG), rows(range(4))["pois"])
