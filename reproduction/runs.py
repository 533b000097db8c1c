"""Runs of solvers on problems: data/NAME.parquet, which is committed, and out/NAME/*.csv with what was run since."""

import csv
import os
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
from benchmarks.measure import progress

from reproduction import numbers
from reproduction.numbers import DATA, OUT


class Key(NamedTuple):
    """Which run."""

    suite: str
    problem: str
    n: int
    per_variable: int  # the budget, over n
    solver: str
    seed: int


Outcome = tuple[float, int, float]  # error, evaluations, seconds of processor time
Rows = dict[Key, Outcome]
TYPES = {**Key.__annotations__, "error": float, "evaluations": int, "seconds": float}
NARROW = {int: np.int32}


def read(name: str, data: Path = DATA, out: Path = OUT) -> Rows:
    """All runs there are; what is committed goes before what is in a log."""
    lines = []
    for log in sorted((out / name).glob("*.csv")):
        whole = log.read_text().splitlines(keepends=True)[: log.read_bytes().count(b"\n")]  # a kill may cut the last
        lines += [[of(cell) for of, cell in zip(TYPES.values(), line, strict=True)] for line in csv.reader(whole)]
    if (path := data / f"{name}.parquet").exists():
        lines += duckdb.sql(f"SELECT {', '.join(TYPES)} FROM read_parquet('{path}')").fetchall()
    return {Key(*line[:6]): tuple(line[6:]) for line in lines}


def execute(log: Path, pending: Iterable[Key], do: Callable[[Key], Outcome]) -> None:
    """Do these runs and keep each as soon as it is done: whoever is killed loses the one under way."""
    log.parent.mkdir(parents=True, exist_ok=True)
    if log.exists():
        os.truncate(log, log.read_bytes().rfind(b"\n") + 1)  # what a kill cut off
    pending, started = list(pending), time.perf_counter()
    with log.open("a", buffering=1, newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for done, key in enumerate(pending):
            if done % 500 == 0:
                progress(f"{done} of {len(pending)} runs done in {(time.perf_counter() - started) / 60:.0f} min")
            error, evaluations, seconds = do(key)
            writer.writerow([*key, f"{error:.5g}", evaluations, f"{seconds:.3g}"])


def pack(name: str, rows: Rows, data: Path = DATA) -> None:
    """Put these runs, and no others, into the file that is committed; logs stay, others may be writing them."""
    columns = zip(*([*key, *rows[key]] for key in sorted(rows)), strict=True)
    typed = zip(TYPES.items(), columns, strict=True)
    numbers.write(data / f"{name}.parquet", {name: np.array(column, NARROW.get(of)) for (name, of), column in typed})


def forget(name: str, solvers: Collection[str], data: Path = DATA, out: Path = OUT) -> None:
    """Remove the runs of these solvers, to be run anew after a change, and the logs; nobody may be running any."""
    pack(name, {key: outcome for key, outcome in read(name, data, out).items() if key.solver not in solvers}, data)
    for log in (out / name).glob("*.csv"):
        log.unlink()
