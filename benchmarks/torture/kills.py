"""Kill `debox run`, shards of it, its disk, its cluster: what was written stays, and the same command does the rest."""

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from itertools import count, cycle
from pathlib import Path
from typing import Any

import numpy as np

import debox
from benchmarks import torture
from benchmarks.torture import COMMAND, LONG, REFUSED, RIGHT, SECONDS, Child, Ends, Failure, Rows, program
from debox.optimize import checkpoint

# The process kills itself just before its k-th call of the file system that concerns its store.
DIES_AT_A_CALL = """
import itertools, os, signal
calls = itertools.count(1)
def dying(call):
    def called(path, *args, **options):
        "killed" in str(path) and next(calls) == {k} and os.kill(os.getpid(), signal.SIGKILL)
        return call(path, *args, **options)
    return called
for name in ("replace", "unlink", "open", "mkdir", "scandir", "listdir"):
    setattr(os, name, dying(getattr(os, name)))
"""
BOUNDS = [(-5.0, 5.0)] * 10
SIGNALS = {"SIGKILL": -9, "SIGTERM": 143, "SIGINT": 130}  # and the exit code that comes of each


def kills(folder: Path, rng: random.Random) -> Ends:
    """Kill runs on one store some times, then let it go on to its end, while another process reads all the time."""
    file, right = torture.victim(folder, LONG)
    for number in count():
        store, stored = folder / f"killed-{number}", 0
        reader = Child(folder, read_on, store, right)
        for _ in range(rng.randint(2, 5)):
            attack = rng.choice(["SIGKILL", "SIGKILL", "SIGTERM", "SIGINT", "SIGKILL at a call"])
            code = COMMAND if attack in SIGNALS else DIES_AT_A_CALL.format(k=rng.randint(1, 99)) + COMMAND
            words = ("-c", code, "run", file, "--store", store, "--json", "--workers", rng.choice("12"))
            is_late, written = kill(program(folder, *words), attack, rng)
            stored = check(store, right, max(stored, written), attack)
            yield [("came too late" if is_late else attack, RIGHT)]
        end = resume(folder, file, store, right, "killed")
        (store / "read enough").touch()
        yield [("resumed", end), *[("read meanwhile", RIGHT)] * reader.result()]


def kill(child: Child, attack: str, rng: random.Random) -> tuple[bool, int]:
    """Kill a run, unless it kills itself; whether it was faster, and how many runs it has reported as written."""
    if attack in SIGNALS:
        until(child, lambda: bool(child.said("out")))  # before, there is only Python
        if not child.ends(rng.uniform(0, 2)):
            os.kill(child.pid, signal.Signals[attack])
    ended, said = child.code(), child.said()
    if ended == -signal.SIGTERM and '"event": "end"' in child.said("out"):  # while Python ends, nobody handles it
        ended = 0
    is_asked = ended > 0  # to end: then it also writes what is in memory, and says how to go on
    if ended not in (0, SIGNALS.get(attack, -9)) or "Traceback" in said or (is_asked and "does the rest" not in said):
        raise Failure(f"{attack} ends with {ended}: {said[-2000:]}")
    events = [json.loads(line) for line in child.said("out").splitlines() if line.endswith("}")]
    written = [event["runs"] + is_asked * event.get("buffered", 0) for event in events if "runs" in event]
    return ended == 0, max(written, default=0)


def check(store: Path, right: Rows, written: int, what: str) -> int:
    """How many runs a store has: not fewer than were written, all whole, all as they must be."""
    if not written and not (store / "manifest.json").exists():
        return 0
    found, bad = torture.rows(store), debox.open_store(store).bad_parts()
    if len(found) < written or bad or not found.items() <= right.items():
        raise Failure(f"after {what}: {written} runs written, {len(found)} stored, bad {bad}, or a wrong row")
    return len(found)


def read_on(store: Path, right: Rows) -> int:
    """Read a store until it is enough; how often it had rows, each time not fewer than before."""
    stored = times = 0
    while not (store / "read enough").exists():
        stored = check(store, right, stored, "a look meanwhile")
        times += stored > 0
        time.sleep(0.01)
    return times


def resume(folder: Path, file: Path, store: Path, right: Rows, what: str) -> str:
    """RIGHT: the same command does the rest, and the table is that of an undisturbed run."""
    child = program(folder, "-c", COMMAND, "run", file, "--store", store)
    if child.end() != RIGHT or list(store.rglob("*.tmp")):
        raise Failure(f"{what}, resumed: unfinished files are left, or {child.said()[-2000:]}")
    return torture.judge(store, right, f"{what}, resumed")


def shards(folder: Path, rng: random.Random) -> Ends:
    """Four or eight processes begin and fill one store at once, some are killed; then one does what is left."""
    file, right = torture.victim(folder, LONG // 4)
    for number in count():
        of, killed, store, begin = rng.choice([4, 8]), rng.choice([0, 0, 1, 2]), folder / str(number), time.time() + 0.2
        children = [Child(folder, do_shard, file, store, (k, of), begin) for k in range(1, of + 1)]
        for child in children[:killed]:
            child.ends(rng.uniform(0, 1))
            child.reap()
        for child in children[killed:]:
            child.result()
        yield [(f"{of} at once" + ", some killed" * (killed > 0), resume(folder, file, store, right, "shards"))]


def do_shard(file: Path, store: Path, shard: tuple[int, int], begin: float) -> None:
    time.sleep(max(0, begin - time.time()))
    debox.run(file, store, shard=shard, workers=1)


# A disk of its own, on which there is little room at first. Ends with 5 where nobody may mount, 7 if there was room.
SMALL_DISK = """
mkdir disk && mount -t tmpfs -o size="$1"k none disk || exit 5
shift
"$@" --store disk/store && exit 7
mount -o remount,size=20m disk && "$@" --store disk/store && cp -r disk/store on-disk
"""
LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}))"


def full_disk(folder: Path, rng: random.Random) -> Ends:
    """A disk, or a file, has no more room: the error says so, what was stored stays, with room it goes on."""
    file, right = torture.victim(folder)
    undisturbed, packed = folder / "undisturbed", folder / "packed.parquet"
    debox.open_store(undisturbed).pack(packed)
    for number in count():
        (place := folder / str(number)).mkdir()
        disk = Child(folder, on_small_disk, place, rng.randint(4, 80), file)
        if (ended := disk.code()) not in (0, 5, 7) or (ended == 0 and "No space left on device" not in disk.said()):
            raise Failure(f"on a full disk: {ended}, {disk.said()[-2000:]}")
        if ended == 0:
            yield [("disk", REFUSED), ("room again", torture.judge(place / "on-disk", right, "a full disk"))]
        code = LIMITED.format(rng.randint(2000, 20_000)) + COMMAND
        for words in (("run", file, "--store", place / "store"), ("store", "pack", undisturbed, packed)):
            if (end := (child := program(folder, "-c", code, *words)).end()) == REFUSED:
                if "File too large" not in child.said():
                    raise Failure(f"no room in a file: {child.said()[-2000:]}")
                yield [(f"file, {words[0]}", end)]
        torture.judge(packed, right, "packing without room")
        yield [("room again", resume(folder, file, place / "store", right, "no room"))]


def on_small_disk(place: Path, kilobytes: int, file: Path) -> None:
    """Become a shell that does as SMALL_DISK says."""
    os.chdir(place)
    run = [sys.executable, "-c", COMMAND, "run", str(file)]
    os.execvp("unshare", ["unshare", "-Urm", "sh", "-c", SMALL_DISK, "sh", str(kilobytes), *run])


def dask(folder: Path, rng: random.Random) -> Ends:
    """Kill workers of a Dask cluster on this computer, or its scheduler, while a study is run there."""
    file, right = torture.victim(folder, LONG)
    for number, attack in enumerate(cycle(["one worker", "all workers", "the scheduler"])):
        store, contact = folder / str(number), folder / f"{number}.json"
        options = ["--scheduler-file", contact, "--host", "127.0.0.1", "--no-dashboard"]
        scheduler = program(folder, "-m", "distributed.cli.dask_scheduler", "--port", 0, *options)
        options += ["--nthreads", 1, "--no-nanny", "--death-timeout", SECONDS, "--local-directory", folder]
        worker = ["-m", "distributed.cli.dask_worker", *options]
        workers = [program(folder, *worker) for _ in range(2)]
        until(scheduler, lambda contact=contact: contact.exists() and contact.read_text().endswith("}"))
        address = json.loads(contact.read_text())["address"]
        child = program(folder, "-c", COMMAND, "run", file, "--store", store, "--json", "--dask", address)
        until(child, lambda child=child: '"progress"' in child.said("out"))
        time.sleep(rng.uniform(0, 0.5))
        for process in {"one worker": workers[:1], "all workers": workers, "the scheduler": [scheduler]}[attack]:
            process.reap()
        new = [program(folder, *worker)] if attack == "all workers" else []
        if (end := child.end()) == REFUSED and attack != "the scheduler":
            raise Failure(f"{attack} killed: {child.said()[-2000:]}")
        for process in {scheduler, *workers, *new} & set(Child.living):
            process.reap()
        yield [(f"{attack} killed", end), ("resumed", resume(folder, file, store, right, attack))]


def checkpoints(folder: Path, rng: random.Random) -> Ends:
    """Kill or interrupt `minimize` with a checkpoint again and again until it ends: as an undisturbed one."""
    undisturbed = solve(folder / "undisturbed")
    for number in count():
        while not (child := Child(folder, solve, folder / str(number))).ends(rng.uniform(0, 0.5)):
            name, codes = rng.choice([("SIGKILL", [0, -9]), ("SIGTERM", [0, -15]), ("SIGINT", [0, 70])])  # 0: too late
            os.kill(child.pid, signal.Signals[name])
            if (code := child.code()) not in codes or (code == 70 and "\nKeyboardInterrupt" not in child.said()):
                raise Failure(f"minimize with a checkpoint, {name}: {code}, {child.said()[-2000:]}")
            yield [(name, RIGHT)]
        if child.result() != undisturbed:
            raise Failure("minimize with a checkpoint, killed, goes on to another end")
        yield [("resumed", RIGHT)]


def solve(file: Path) -> object:
    """The end of a run of half a second that is saved every 20 ms."""
    checkpoint.SECONDS = 0.02
    result = debox.minimize(sphere, BOUNDS, "L-SHADE", N=50, budget=100_000, rng=1, checkpoint=file)
    return result.status, result.nfev, result.population.tolist()


def sphere(x: np.ndarray) -> Any:
    return (x * x).sum(axis=-1)


def until(child: Child, condition: Callable[[], bool]) -> None:
    """Wait for something while a child lives; at most as long as a child may take."""
    end = time.monotonic() + SECONDS
    while not condition():
        if child.ends(0.02) or time.monotonic() > end:
            raise Failure(f"{child.what} ends or hangs too early: {child.said()[-2000:]}")
