"""Each ordinary accident once, end to end: a study is killed, finds a full disk, is started twice, forked, interrupted.

Everything runs in processes of its own, by the command `debox` or by public names. What must come of each accident is
the same: what was stored is there and whole, and the same command does the rest, to the same table to the bit.
"""

import json
import random
import signal
import time

import pytest
from commands import run_python, start_python
from stored_rows import rows_of

import debox
from debox import open_store

STUDY = """
name = "accidents"
runs = 10
n = 10
budget = 200000
mutation = ["rand/1", "rand/2"]
crossover = "bin"
strategy = ["sat", "tor"]
N = 20
F = 0.5
Cr = 0.9
engine = "plain"
"""
RUNS = 40  # each takes some hundredths of a second
# The command, with a run in every chunk and a part for every chunk: moments enough for an accident.
COMMAND = """
from debox.study import execute, plan
plan.SHORTEST, execute.SHORTEST_PART = 0.001, 0
from debox.cli import main
main()
"""
SECONDS = 100  # after which a process hangs


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "accidents.toml"
    path.write_text(STUDY)
    return path


@pytest.fixture(scope="module")
def undisturbed(file):
    rows = rows_of(debox.run(file, file.parent / "undisturbed").path)
    assert len(rows) == RUNS
    return rows


@pytest.fixture
def start(file, tmp_path):
    """Starts `debox run` on tmp_path/store; whatever happens, it does not outlive the test."""
    started = []

    def run(*options, code=COMMAND):
        started.append(start_python(code, "run", file, "--store", tmp_path / "store", "--json", *options))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.communicate()


def until(process, event):
    """How many runs were stored when it came to this event; that of progress counts if some are."""
    for line in process.stdout:
        told = json.loads(line)
        if told["event"] == event and (told["runs"] or event != "progress"):
            return told["runs"]
    raise AssertionError(f"no {event!r} came: {process.stderr.read()}")


def finish(process):
    """The events of a process that must end well."""
    out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, err
    return [json.loads(line) for line in out.splitlines()]


def refusal(process, code=1):
    """What a process says that must end with an error."""
    _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == code, err
    assert "Traceback" not in err
    return err


def check_what_is_stored(path, undisturbed, at_least=0):
    """How many runs a store has: all whole, and the runs that they must be."""
    rows = rows_of(path)
    assert open_store(path).bad_parts() == []
    assert len(rows) >= at_least
    assert set(rows) <= set(undisturbed)
    return len(rows)


def test_killed_at_any_moment_it_keeps_what_it_said_was_stored_and_goes_on(start, tmp_path, undisturbed):
    """Also while another process reads all the time: it sees whole parts, and never fewer runs than before."""
    chance, stored, looks = random.Random(1), 0, 0
    for event in ("running", "progress", "planned", "progress"):
        process = start("--workers", "1")
        stored = max(stored, until(process, event))
        end = time.monotonic() + chance.uniform(0, 0.3)
        while time.monotonic() < end or not looks:
            stored = check_what_is_stored(tmp_path / "store", undisturbed, stored)
            looks += 1
        process.kill()
        process.communicate()
        stored = check_what_is_stored(tmp_path / "store", undisturbed, stored)
    assert looks
    assert 0 < stored < RUNS  # else nothing was lost that could have been
    planned, *_ = finish(start())
    assert planned["runs"] == stored
    assert rows_of(tmp_path / "store") == undisturbed
    assert not list((tmp_path / "store").rglob("*.tmp"))


# Ctrl-C and SIGTERM.


@pytest.mark.parametrize(("kind", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "SIGTERM"])
def test_interrupted_it_stores_what_is_finished_and_says_how_to_go_on(start, tmp_path, undisturbed, kind, code):
    process = start("--workers", "1")
    assert until(process, "running") == 0
    time.sleep(0.3)
    process.send_signal(kind)
    assert "the same command does the rest" in refusal(process, code)
    stored = check_what_is_stored(tmp_path / "store", undisturbed)
    assert 0 < stored < RUNS
    planned, *_ = finish(start())
    assert planned["runs"] == stored
    assert rows_of(tmp_path / "store") == undisturbed


# A full disk.

LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))" + COMMAND


def test_a_file_that_finds_no_room_is_a_clear_error_and_what_was_stored_stays(start, file, tmp_path, undisturbed):
    """The system refuses files above 3 kB, as it refuses all on a full disk, with another number."""
    finish(start("--only", "strategy=sat"))
    before = rows_of(tmp_path / "store")
    said = refusal(start(code=LIMITED))
    assert "cannot write" in said
    assert "File too large" in said
    assert "what was stored before is whole" in said
    assert rows_of(tmp_path / "store") == before
    finish(start())
    assert rows_of(tmp_path / "store") == undisturbed


# Flipped bits.


def test_a_flipped_bit_in_a_part_is_named_and_its_runs_are_done_again(start, file, tmp_path, undisturbed):
    finish(start())
    part = open_store(tmp_path / "store").parts()[0]
    flip(part, part.read_bytes(), random.Random(1))
    lost = RUNS - len(open_store(tmp_path / "store").finished())
    assert lost > 0
    verified = debox_command("store", "verify", tmp_path / "store")
    assert (verified.returncode, part.name in verified.stdout + verified.stderr) == (1, True)
    bad, planned, *_ = finish(start())
    assert part.name in bad["part"]
    assert planned["runs"] == RUNS - lost
    assert rows_of(tmp_path / "store") == undisturbed
    assert [path.name for path in (tmp_path / "store" / "bad").iterdir()] == [part.name]


def flip(path, content, chance):
    """Write a file with one bit of its content flipped."""
    place, bit = chance.randrange(len(content)), 1 << chance.randrange(8)
    path.write_bytes(content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :])


def debox_command(*arguments):
    return run_python("from debox.cli import main; main()", *arguments, timeout=SECONDS)


# Several processes.


def test_a_second_writer_is_refused_and_told_who_writes(start, tmp_path, undisturbed):
    first = start("--workers", "1")
    until(first, "running")
    first.send_signal(signal.SIGSTOP)  # it holds the store as long as this test likes
    said = refusal(start())
    assert f"{tmp_path / 'store'} is in use" in said
    assert f"process {first.pid} on " in said
    assert f"process {first.pid} on " in debox_command("status", tmp_path / "store").stdout
    first.send_signal(signal.SIGCONT)
    finish(first)
    assert rows_of(tmp_path / "store") == undisturbed


EIGHT_AT_ONCE = """
import os, sys, time
import debox
file, folder, rounds = sys.argv[1:]
study = debox.Study.load(file)
for number in range(int(rounds)):
    store, start = os.path.join(folder, str(number)), time.time() + 0.1
    children = []
    for k in range(1, 9):
        if (child := os.fork()) == 0:
            time.sleep(max(0, start - time.time()))
            try:
                debox.run(study, store, shard=(k, 8), workers=1)
                os._exit(0)
            except BaseException as error:
                print(f"round {number}, shard {k}: {type(error).__name__}: {error}", flush=True)
                os._exit(1)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
"""


def test_eight_processes_begin_a_store_at_once(file, tmp_path):
    """Four times: of four shards that began one at once a prototype refused one."""
    quick = tmp_path / "quick.toml"
    quick.write_text(STUDY.replace("budget = 200000", "budget = 1000"))
    told = run_python(EIGHT_AT_ONCE, quick, tmp_path, 4, timeout=SECONDS)
    assert (told.stdout, told.returncode) == ("", 0), told.stderr
    once = rows_of(debox.run(quick, tmp_path / "once").path)
    assert len(once) == RUNS
    assert all(rows_of(tmp_path / str(number)) == once for number in range(4))


# Forks.

FORKS_THAT_READ = """
import os, sys, threading
import debox
path = sys.argv[1]
def ids():
    return debox.open_store(path).table(["id"])["id"].tolist()
expected = ids()
opened = debox.open_store(path)
relation = opened.sql("SELECT count(*) FROM runs")
end = threading.Event()
def read_on():
    while not end.is_set():
        ids()
thread = threading.Thread(target=read_on)
thread.start()
children = []
for _ in range(20):
    if (child := os.fork()) == 0:
        good = ids() == opened.table(["id"])["id"].tolist() == expected
        os._exit(0 if good else 1)
    children.append(child)
codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
end.set()
thread.join()
print(codes, relation.fetchall(), flush=True)
"""


def test_twenty_children_forked_while_a_store_is_read_read_it_too(file, undisturbed):
    told = run_python(FORKS_THAT_READ, file.parent / "undisturbed", timeout=SECONDS)
    assert told.stdout == f"{[0] * 20} [({RUNS},)]\n", told.stderr
    assert told.stderr == ""
