"""Damage files, put stores under odd paths, fork while they are read: the right table comes out, or a clear error."""

import os
import random
import re
import shutil
import threading
import time
from itertools import cycle, product
from pathlib import Path

import debox
from benchmarks import torture
from benchmarks.torture import REFUSED, RIGHT, SECONDS, Child, Ends, Failure, Rows
from benchmarks.torture.kills import BOUNDS, sphere

CONFIG = "DE/rand/1/bin sat, N=5, F=0.5, Cr=0.9"
AT_A_TIME = 20  # attacks in one child
FILES = {"part": "*/parts/*", "packed": "packed.parquet", "manifest": "*/manifest.json", "saved optimizer": "saved.npz"}


def flips(folder: Path, rng: random.Random) -> Ends:
    """Damage a part, a packed store, a manifest or a saved optimizer; then read it, and go on with it."""
    file, right = torture.victim(folder)
    (whole := folder / "whole").mkdir()
    debox.run(file, whole / "store", only="N=5")  # so that there are several parts
    debox.run(file, whole / "store").pack(whole / "packed.parquet")
    optimizer = debox.Optimizer(BOUNDS, N=6, budget=120, rng=1)
    optimizer.tell(X := optimizer.ask(), sphere(X))
    optimizer.save(whole / "saved.npz")
    while True:
        yield Child(folder, some_flips, folder, file, right, rng.random()).result()


def some_flips(folder: Path, file: Path, right: Rows, seed: float) -> list[tuple[str, str]]:
    rng, ends, last = random.Random(seed), [], population(folder / "whole" / "saved.npz")
    for _ in range(AT_A_TIME):
        shutil.rmtree(folder / "copy", ignore_errors=True)
        copy, what = shutil.copytree(folder / "whole", folder / "copy"), rng.choice(list(FILES))
        damage(path := rng.choice(sorted(copy.glob(FILES[what]))), rng)
        if what == "saved optimizer":
            ends.append((what, torture.try_to(go_on, path, last)))
            continue
        ends.append((what, torture.try_to(torture.judge, path if what == "packed" else copy / "store", right, what)))
        if what != "packed" and rng.random() < 0.3:  # a damaged part is set aside and its runs are done again
            end = torture.try_to(run_again, file, copy / "store", right)
            if end == REFUSED and what == "part":
                raise Failure("a damaged part keeps its store from going on")
            ends.append((f"{what}, run again", end))
    return ends


def damage(path: Path, rng: random.Random) -> None:
    """Change a byte or, as a power cut does, put zeros in its place and those after it, or cut them off."""
    data, how = path.read_bytes(), rng.choice(["byte", "byte", "byte", "zeros", "cut"])
    at = rng.randrange(len(data))
    new = {"byte": bytes([data[at] ^ rng.randint(1, 255)]), "zeros": bytes(len(data[at : at + 512])), "cut": b""}[how]
    path.write_bytes(data[:at] + new + (data[at + len(new) :] if new else b""))


def run_again(file: Path, store: Path, right: Rows) -> str:
    return torture.judge(debox.run(file, store).path, right, "damaged, run again")


def go_on(path: Path, last: object) -> str:
    if population(path) != last:
        raise Failure("a damaged optimizer goes on to another end")
    return RIGHT


def population(path: Path) -> object:
    """The population at the end of the run of a saved optimizer."""
    (optimizer := debox.Optimizer.load(path)).run(sphere)
    return optimizer.result.population.tolist()


NAMES = r"""quote' double" back\slash semi;colon -o --store per%cent $HOME {a,b} star* what? [a] [!a] ** ünï 日本 ~
~root .hidden ... s3: file: http: a=b=c = a= =b N=5 strategy=sat id=1 store.parquet *.parquet #""".split()  # noqa: SIM905
NAMES += ["a b", "new\nline", "tab\t", "x" * 200]


def paths(folder: Path, rng: random.Random) -> Ends:
    """Every odd name once, in any order; then two of them, one below the other, for ever."""
    file, right = torture.victim(folder)
    for name in rng.sample(NAMES, len(NAMES)):
        yield [("name", Child(folder, live_at, folder / "odd" / name, file, right).result())]
    nested = [name for name in NAMES if "\\" not in name]  # which is refused beside a pattern
    for number in iter(rng.random, None):
        for two in product(rng.sample(nested, 2), repeat=2):
            yield [("nested", Child(folder, live_at, folder.joinpath(str(number), *two), file, right).result())]


def live_at(place: Path, file: Path, right: Rows) -> str:
    """The end of a store's life below this place: it is run, run again, read, packed, written as CSV, queried."""
    # Where a path leads that takes * ? [ for a pattern, there is a store of other runs.
    decoy = place.with_name(re.sub(r"\[!?(.)\]", r"\1", place.name).replace("*", "x").replace("?", "x"))
    for where in {place, decoy}:
        where.mkdir(parents=True, exist_ok=True)
        debox.run(file, where / "store", only="N=5").pack(where / "packed.parquet")
    store = debox.run(file, place / "store")
    store.pack(place / "packed.parquet")
    store.to_csv(place / "table.csv")
    found = store.sql("SELECT count(*) FROM runs WHERE N = 5").fetchall()
    lines = (place / "table.csv").read_text().count("\n")
    if found != [(len(right) // 2,)] or lines != len(right) + 1 or (store.path / "bad").exists():
        raise Failure(f"{place}: {found} runs have N = 5, {lines} lines of CSV, or parts were set aside")
    for path in (store.path, place / "packed.parquet"):
        torture.judge(path, right, repr(path))
    return RIGHT


def forks(folder: Path, rng: random.Random) -> Ends:
    """Fork from a parent that is quiet, or reads a store in a thread, or runs a study in one."""
    file, right = torture.victim(folder)
    for what in cycle(["quiet", "reading", "running"]):
        yield [(what, Child(folder, fork_while, what, folder, file, right, rng.uniform(0.02, 0.1)).result())]


def fork_while(what: str, folder: Path, file: Path, right: Rows, pause: float) -> str:
    """Three children read and measure beside a busy thread; each must find the same as its parent, and end."""
    store, stop = folder / "undisturbed", threading.Event()

    def busy() -> None:
        while what == "reading" and not stop.is_set():
            torture.rows(store)
        while what == "running" and not stop.is_set():
            debox.run(file, folder / f"{os.getpid()}-{time.time()}", workers=2)

    def look() -> object:
        return torture.rows(store) == right, debox.measure(CONFIG, n=4, runs=1).pois.tolist()

    expected, thread = look(), threading.Thread(target=busy)
    thread.start()
    for _ in range(3):
        time.sleep(pause)
        if Child(folder, look).result(SECONDS / 4) != expected:
            raise Failure(f"a child of a {what} parent reads or measures something else")
    stop.set()
    thread.join()
    return RIGHT
