"""`python -m benchmarks.collapse`: simulate into data/collapse.parquet, write docs/collapse.md; ten minutes.

With the word `page` only the page and its pictures are written anew, in some seconds.
A run that was interrupted goes on where it ended: rows are kept in out/collapse.csv until all are there.
"""

import csv
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

from benchmarks.collapse import experiments
from benchmarks.collapse.engine import Case
from benchmarks.collapse.experiments import LARGE, ROUNDED, RUNS, SMALL, TOGETHER, Row
from benchmarks.collapse.page import write
from benchmarks.collapse.predictions import SWEPT
from benchmarks.measure import progress
from debox.store.parquet import connect, sql_text

ROOT = Path(__file__).parents[2]
DATA, ROWS = ROOT / "data" / "collapse.parquet", ROOT / "out" / "collapse.csv"
COLUMNS = (
    "task", "experiment", *Case._fields[:-2], "dimension", "budget", "runs", "evaluations",
    "share", "error", "last", "last_error", "replaced", "dead", "dead_with_one_distinct",
    "median_sd", "zero_variance", "on_bound", "distinct",
)  # fmt: skip
Task = Callable[[], list[Row]]


def tasks() -> Iterator[tuple[str, Task]]:
    """A name for each piece of work, and what does it."""
    yield "frozen", experiments.frozen
    for mutation in ("rand/1", "rand/2", "best/1", "current-to-best/1"):
        for N in (5, 20, 100):
            yield f"linear {mutation} {N}", partial(experiments.exponents, mutation, N)
    for name, case in experiments.cases_of_Cr():
        yield f"{name} {case}", partial(one, experiments.measured, name, case)
    for cell in SWEPT:
        for Cr in (SMALL, LARGE):
            case = Case(*cell, Cr, Cr)
            yield f"trace {case}", partial(experiments.traced, case)
    for name, case, runs in experiments.cases_of_sweeps():
        yield f"{name} {case}", partial(one, experiments.run_case, name, case, runs)
    for case in experiments.cases_of_second_round():
        yield f"second {case}", partial(one, experiments.run_case, "second", case, RUNS[case.N])
    for case in experiments.cases_of_third_round():
        yield f"third {case}", partial(one, experiments.run_case, "third", case, experiments.RUNS_OF_THIRD_ROUND)
    for case in experiments.cases_of_exp():
        yield f"exp {case}", partial(one, experiments.run_case, "exp", case, RUNS[case.N])
    for case in experiments.cases_of_wide_Cr():
        yield f"wide {case}", partial(one, experiments.measured, "wide", case)
    for cell, Cr in product(SWEPT, TOGETHER):
        case = Case(*cell, Cr, Cr)
        yield f"together {case}", partial(one, experiments.together, case)
    for cell in ROUNDED:
        yield f"rounding {cell}", partial(experiments.rounded, Case(*cell, LARGE, LARGE))
    for case in sorted(experiments.cases_of_falls(), key=lambda case: case.N):
        yield f"fall {case}", partial(one, experiments.run_case, "fall", case, RUNS[case.N])


def one(work: Callable[..., Row], *args: object) -> list[Row]:
    """The row that is made, in a list."""
    return [work(*args)]


def in_words(row: Row) -> Row:
    """The row with a name for n that a database tells from N."""
    return {"dimension" if name == "n" else name: value for name, value in row.items()}


def simulate() -> None:
    """Do what is not done yet, and put all rows into one file."""
    ROWS.parent.mkdir(exist_ok=True)
    done = {row["task"] for row in csv.DictReader(ROWS.open())} if ROWS.exists() else set()
    todo = list(tasks())
    with ROWS.open("a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if not done:
            writer.writeheader()
        for k, (name, work) in enumerate(todo):
            if name not in done:
                progress(f"{k + 1} of {len(todo)}: {name}")
                writer.writerows({"task": name, **in_words(row)} for row in work())
                file.flush()
    source = f"SELECT * EXCLUDE (task) FROM read_csv({sql_text(ROWS)}, header = true, sample_size = -1)"
    connect().execute(f"COPY ({source}) TO {sql_text(DATA)} (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 16)")
    print(f"{len(todo)} pieces of work, {DATA.stat().st_size / 1000:.0f} kB")


if sys.argv[1:] != ["page"]:
    simulate()
write()
