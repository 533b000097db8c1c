"""Runs on disk: data/defaults.parquet, which is committed, and a log of what was run since, a line a run."""

import csv
import os
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

DATA = Path(__file__).parents[2] / "data" / "defaults.parquet"
LOGS = Path(__file__).parents[2] / "out" / "defaults"


class Key(NamedTuple):
    """Which run."""

    suite: str
    problem: str
    n: int
    per_variable: int  # the budget, over n
    solver: str
    seed: int


class Outcome(NamedTuple):
    """What came out."""

    error: float
    evaluations: int
    seconds: float  # of processor time


TYPES = {**Key.__annotations__, **Outcome.__annotations__}
IN_SQL = {str: "VARCHAR", int: "INTEGER", float: "DOUBLE"}
Rows = dict[Key, Outcome]


def read(data: Path = DATA, logs: Path = LOGS) -> Rows:
    """All runs there are; what is committed goes before what is in a log."""
    lines: list[Any] = []
    for log in sorted(logs.glob("*.csv")):
        lines += [[type_(cell) for type_, cell in zip(TYPES.values(), line, strict=True)] for line in whole_lines(log)]
    if data.exists():
        lines += duckdb.sql(f"SELECT {', '.join(TYPES)} FROM read_parquet('{data}')").fetchall()
    return {Key(*line[:6]): Outcome(*line[6:]) for line in lines}


def whole_lines(log: Path) -> list[list[str]]:
    """The lines of a log but for the last, if a kill cut it off."""
    return list(csv.reader(log.read_text().splitlines(keepends=True)[: log.read_bytes().count(b"\n")]))


class Log:
    """A file that runs are appended to, each by one write; only one process may write to it."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            text = path.read_bytes()
            os.truncate(path, text.rfind(b"\n") + 1)  # what a kill cut off
        self.file = path.open("a", buffering=1, newline="")
        self.writer = csv.writer(self.file, lineterminator="\n")

    def append(self, key: Key, outcome: Outcome) -> None:
        """Keep one run."""
        self.writer.writerow([*key, f"{outcome.error:.5g}", outcome.evaluations, f"{outcome.seconds:.3g}"])


def pack(rows: Rows, data: Path = DATA, logs: Path = LOGS) -> None:
    """Put these runs, and no others, into the file that is committed; logs stay, others may be writing them."""
    columns = ", ".join(f"{name} {IN_SQL[type_]}" for name, type_ in TYPES.items())
    with duckdb.connect() as database:
        database.execute(f"CREATE TABLE runs ({columns})")
        unpacked = logs / "packing"
        logs.mkdir(parents=True, exist_ok=True)
        unpacked.unlink(missing_ok=True)
        log = Log(unpacked)
        for key in sorted(rows):
            log.append(key, rows[key])
        log.file.close()
        database.execute(f"COPY runs FROM '{unpacked}' (HEADER false)")
        database.execute(f"COPY runs TO '{data}.new' (FORMAT parquet, COMPRESSION zstd)")
    os.replace(f"{data}.new", data)
    unpacked.unlink()


def forget(solvers: Collection[str], data: Path = DATA, logs: Path = LOGS) -> None:
    """Remove the runs of these solvers, and the logs; nobody may be running any meanwhile."""
    pack({key: outcome for key, outcome in read(data, logs).items() if key.solver not in solvers}, data, logs)
    for log in logs.glob("*.csv"):
        log.unlink()
