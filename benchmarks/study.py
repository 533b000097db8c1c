"""A study: what two workers gain, what planning, shipping and writing cost, how fast a full store answers."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import debox
from benchmarks.measure import progress, verdict
from debox import Study
from debox.config import CONFIG_FIELDS
from debox.store.manifest import Manifest
from debox.store.store import Store, Writer
from debox.study import plan

PART = {"strategy": "mirror", "F": 0.7, "runs": 20, "name": "part"}  # of the paper's study: 120 configurations
CHUNK = 0.5  # seconds, shorter than the paper's, so that what a chunk costs is not made small


def execute(study: Study, workers: int) -> tuple[float, float, float]:
    """Wall time, CPU time of this process, and CPU time of the runs themselves."""
    with tempfile.TemporaryDirectory() as folder:
        wall, cpu = time.perf_counter(), time.process_time()
        store = debox.run(study, folder, workers=workers)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        return wall, cpu, float(store.table(["seconds"])["seconds"].sum())


def workers() -> None:
    """One worker against two, and the overhead."""
    paper = Study.load("paper")
    study = Study(**{**paper.as_dict(), **PART})
    debox.run(Study(**{**study.as_dict(), "runs": 1, "budget": 300}), tempfile.mkdtemp())  # imports
    plan.SHORTEST = CHUNK
    progress("a study with one worker, then with two")
    one, two = execute(study, 1), execute(study, 2)
    print(f"{study.n_runs} runs of the paper's study in chunks of {CHUNK} s\n")
    for count, (wall, cpu, runs) in ((1, one), (2, two)):
        print(f"  {count} workers: {wall:.1f} s wall, {cpu:.1f} s CPU, of which the runs {runs:.1f} s")
    print()
    print(verdict(f"two workers (1 / 2: {one[0] / two[0]:.2f} ×): demanded 1.8 ÷ measured", 1.8 * two[0] / one[0], 1))
    print(verdict("overhead on two workers: CPU time beyond the runs ÷ CPU time", 1 - two[2] / two[1], 0.1))


def full_store(folder: Path) -> Store:
    """A store as large as the paper's, with made-up results."""
    study, rng = Study.load("paper"), np.random.default_rng(0)
    chunks = plan.plan(study)
    tasks = [task for chunk in chunks for task in chunk.tasks]
    rows = sum(len(task.runs) for task in tasks)
    repeats = [len(task.runs) for task in tasks]
    columns = {name: np.repeat([getattr(task.config, name) for task in tasks], repeats) for name in CONFIG_FIELDS}
    columns |= {name: np.full(rows, value) for name, value in (("dimension", 30), ("budget", 300_000), ("seed", 0))}
    columns |= {name: rng.random(rows) for name in ("pois", "pois_at_third", "pois_at_two_thirds", "best_f", "seconds")}
    columns |= {"id": [id for chunk in chunks for id in chunk.ids()], "engine": np.full(rows, "fast")}
    columns |= {"run": np.concatenate([task.runs for task in tasks]), "accepted": rng.integers(0, 900, rows)}
    columns |= {"best_x": rng.random((rows, 30))}
    store = Writer.create(folder, Manifest(study))
    with store.locked():
        store.append({name: _text(column) for name, column in columns.items()})
    return store


def _text(column: object) -> object:
    return column.astype(object) if isinstance(column, np.ndarray) and column.dtype.kind == "U" else column


def seconds(function: object) -> float:
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def answers() -> None:
    """Planning, resuming and reading a study of 300 000 runs."""
    progress("a store of 300 000 runs")
    paper = Study.load("paper")
    planning = min(seconds(lambda: [chunk.ids() for chunk in plan.plan(paper)]) for _ in range(3))
    print(verdict("planning 300 000 runs, with their ids", planning, 2, "s"))
    with tempfile.TemporaryDirectory() as folder:
        store = full_store(Path(folder) / "paper")
        again = [sys.executable, "-m", "debox", "run", "paper", "--store", str(store.path)]
        resuming = min(seconds(lambda: subprocess.run(again, check=True, capture_output=True)) for _ in range(3))
        print(verdict("resuming a finished study: a whole process", resuming, 2, "s"))
        print(verdict("table() of 300 000 runs", min(seconds(store.table) for _ in range(3)), 1, "s"))


def report() -> None:
    print("Studies")
    workers()
    answers()
