"""What happens to `debox run`: killed at any moment, also while it merges; a second coordinator; a closed store.

Ctrl-C, a truncated part and a full disk are in tests/cli/test_study.py.
"""

import json
import os
import random
import signal
import time

import pytest
from commands import fork_python, start_python

import debox
from debox import Study, open_store
from debox.store import parquet
from debox.store.errors import StoreError
from debox.study import execute, plan
from debox.study.status import status_of
from debox.study.verify import verify

STUDY = """
name = "small"
runs = 5
n = 10
budget = 10000
mutation = ["rand/1", "rand/2"]
crossover = "bin"
strategy = ["sat", "tor"]
N = [5, 20]
F = 0.5
Cr = 0.9
engine = "plain"
"""
RUNS = 40
# The installed command, with few runs in a chunk and every store merged at the end.
COMMAND = """
from debox.study import execute, plan
plan.SHORTEST, execute.MANY_PARTS = 0.001, 1
from debox.cli import main
main()
"""
# The same, asleep with the lock in its hand until it gets SIGCONT.
SLEEPING = (
    """
import os, signal
from debox.study.drive import Drive
go_on = Drive.run
def sleep_first(drive):
    os.kill(os.getpid(), signal.SIGSTOP)
    go_on(drive)
Drive.run = sleep_first
"""
    + COMMAND
)
# root may write everywhere, unless it gives that up
BOUND = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "small.toml"
    path.write_text(STUDY)
    return path


@pytest.fixture(scope="module")
def undisturbed(file, rows):
    debox.run(file, file.parent / "undisturbed", workers=1)
    found = rows(file.parent / "undisturbed")
    assert len(found["id"]) == RUNS
    return found


@pytest.fixture
def start(file, tmp_path):
    """Starts `debox run` on tmp_path/store; whatever happens, it does not outlive the test."""
    started = []

    def run(*options, code=COMMAND, prefix=()):
        command = ("run", file, "--store", tmp_path / "store", "--json", *options)
        started.append(start_python(code, *command, prefix=prefix) if prefix else fork_python(code, *command))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.communicate()


def until(process, event):
    """How many runs it said were stored when it came to this event."""
    for line in process.stdout:
        if json.loads(line)["event"] == event:
            return json.loads(line)["runs"]
    raise AssertionError(f"no {event!r} came: {process.stderr.read()}")


def finish(process):
    out, err = process.communicate()
    assert process.returncode == 0, err
    return [json.loads(line) for line in out.splitlines()]


def test_killed_at_any_moment_it_goes_on_where_it_was(start, tmp_path, rows, undisturbed):
    """Moments spread over all a run does: running, storing, its start, planning, merging."""
    dice, stored = random.Random(2), 0
    for event, longest in (("progress", 0), ("planned", 0.2), ("running", 0.2), (None, 0.2)):
        process = start("--workers", "1")
        said = until(process, event) if event else stored
        time.sleep(dice.uniform(0, longest))
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        store = open_store(tmp_path / "store")
        ids = store.table(["id"])["id"].tolist()
        assert len(set(ids)) == len(ids)
        assert store.finished() == set(ids)
        assert not store.bad_parts()
        assert stored <= said <= len(ids)  # nothing is lost, and what it said is there
        stored = len(ids)
        assert event != "progress" or 0 < stored < RUNS  # in the middle
    planned, *_ = finish(start())
    assert (planned["event"], planned["runs"]) == ("planned", stored)
    assert rows(tmp_path / "store") == undisturbed


DIES_MERGING = """
import os, signal
unlink, left = os.unlink, [{nth}]
def dies(path, **options):
    if str(path).endswith(".parquet"):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    return unlink(path, **options)
os.unlink = dies
"""


@pytest.mark.parametrize("nth", [1, 3])
def test_killed_while_it_merges_the_parts_each_run_is_there_once(start, file, tmp_path, rows, nth):
    undisturbed = rows(debox.run(file, tmp_path / "undisturbed", only="N=5,strategy=sat", workers=1).path)
    some = ("--only", "N=5,strategy=sat")
    process = start(*some, code=DIES_MERGING.format(nth=nth) + COMMAND)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert len(open_store(tmp_path / "store").parts()) > 1
    assert rows(tmp_path / "store") == undisturbed
    planned, end = finish(start(*some))
    assert planned["runs"] == end["runs"] == RUNS // 4
    assert len(open_store(tmp_path / "store").parts()) == 1
    assert rows(tmp_path / "store") == undisturbed


def test_a_killed_shard_is_resumed_while_another_writes_and_the_whole_is_refused(start, tmp_path, rows, undisturbed):
    first, second = start("--shard", "1/2", "--workers", "1"), start("--shard", "2/2", "--workers", "1", code=SLEEPING)
    assert os.WIFSTOPPED(os.waitpid(second.pid, os.WUNTRACED)[1])
    until(first, "progress")
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    whole = start()
    _, err = whole.communicate()
    assert whole.returncode == 1
    assert f"in use by process {second.pid}" in err
    assert "shard 2/2" in err
    finish(start("--shard", "1/2"))
    os.kill(second.pid, signal.SIGCONT)
    finish(second)
    assert rows(tmp_path / "store") == undisturbed
    finish(start())
    assert len(open_store(tmp_path / "store").parts()) == 1
    assert rows(tmp_path / "store") == undisturbed


@pytest.mark.parametrize("begun", [True, False], ids=["begun", "new"])
def test_a_store_it_may_not_write_is_a_clear_error(start, file, tmp_path, begun):
    if begun:
        debox.run(file, tmp_path / "store", only="N=5,strategy=sat")
    closed = tmp_path / "store" if begun else tmp_path
    closed.chmod(0o555)
    try:
        process = start(prefix=BOUND)
        _, err = process.communicate()
    finally:
        closed.chmod(0o755)
    assert process.returncode == 1
    assert f"cannot write {tmp_path / 'store'}: Permission denied" in err
    assert "Traceback" not in err
    assert not begun or len(open_store(tmp_path / "store").finished()) == RUNS // 4


FOLDERS = "N=5/pois=9/id=abc/unknown=1/seed=3"  # one in the other: each of them would be a column of its own


def test_a_store_in_folders_named_key_equals_value_is_a_store(tiny, rows, tmp_path, monkeypatch):
    """Hive's users name folders so, and DuckDB takes them for columns unless it is told not to."""
    monkeypatch.setattr(execute, "MANY_PARTS", 1)
    monkeypatch.setattr(plan, "SHORTEST", 0.001)
    small = Study(**{**tiny.as_dict(), "N": [5, 6], "F": 0.5, "strategy": "sat", "mutation": "rand/1", "dimension": 2})
    plain = rows(debox.run(small, tmp_path / "plain").path)
    place = tmp_path / FOLDERS / "store"
    debox.run(small, place, only="N=5")  # merged, then read to see what is left, and merged again
    events = []
    store = debox.run(small, place, report=events.append)
    assert [event["runs"] for event in events if event["event"] == "planned"] == [4]
    assert (len(store.parts()), store.bad_parts(), (place / "bad").exists()) == (1, [], False)
    packed = tmp_path / FOLDERS / "packed.parquet"
    store.pack(packed)
    for path in (place, packed):
        assert rows(path) == plain
        opened = open_store(path)
        assert opened.sql("SELECT N, count(*) FROM runs GROUP BY N ORDER BY N").fetchall() == [(5, 4), (6, 4)]
        ours, theirs = (
            one.edpois("DE/rand/1/bin sat, N=6, F=0.5, Cr=0.9") for one in (opened, open_store(tmp_path / "plain"))
        )
        assert ours.tolist() == theirs.tolist()
        assert verify(path, sample=1, rng=1).is_complete
        assert verify(path, sample=1, rng=1).is_good
        assert (status_of(path)["runs"], status_of(path)["bad_parts"]) == (8, [])


def test_a_merge_misled_by_a_folder_keeps_every_part(tiny, tmp_path, monkeypatch):
    """Were DuckDB asked to guess, as it was: N = 5 in every row. Nothing is lost, and the study can be read again."""
    small = Study(**{**tiny.as_dict(), "N": [5, 6], "F": 0.5, "strategy": "sat", "mutation": "rand/1", "dimension": 2})
    monkeypatch.setattr(plan, "SHORTEST", 0.001)
    store = debox.run(small, tmp_path / "N=5" / "store")
    before = {path: path.read_bytes() for path in store.parts()}
    assert len(before) > 1
    with monkeypatch.context() as patched:
        patched.setattr(parquet, "READING", "union_by_name = true, hive_partitioning = true")
        with store.locked(), pytest.raises(StoreError, match="were not merged, and all of them are kept"):
            store.compact()
        with pytest.raises(StoreError, match="are not those that were appended"):
            store.pack(tmp_path / "packed.parquet")
        assert [problem for problem in verify(store.path, sample=0).problems if "those that were appended" in problem]
    assert {path: path.read_bytes() for path in store.parts()} == before
    assert store.table()["N"].tolist() == [5] * 4 + [6] * 4
