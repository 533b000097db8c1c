"""Simulate what design.py lists: rows of data/collapse.parquet, ten minutes of CPU time."""

import csv
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import duckdb
import numpy as np
from benchmarks.measure import progress

import debox
from debox import operators
from debox.f0.theory import trial_infeasible
from reproduction.collapse.design import LARGE, SMALL, SWEPT, TOGETHER, cases, measured_cases, steps
from reproduction.collapse.engine import Case, engine_of
from reproduction.numbers import DATA, OUT

FILE, LOG = DATA / "collapse.parquet", OUT / "collapse.csv"
COLUMNS = (
    "task", "experiment", *Case._fields[:-2], "dimension", "budget", "runs", "evaluations",
    "share", "error", "last", "last_error", "replaced", "dead", "dead_with_one_distinct",
    "median_sd", "zero_variance", "on_bound", "distinct",
)  # fmt: skip
Row = dict[str, Any]


def tasks() -> Iterator[tuple[str, Callable[[], list[Row]]]]:
    """A name for each piece of work, and what does it."""
    yield "frozen", frozen
    for mutation, N in product(("rand/1", "rand/2", "best/1", "current-to-best/1"), (5, 20, 100)):
        yield f"linear {mutation} {N}", partial(exponents, mutation, N)
    for name, case in measured_cases():
        yield f"{name} {case}", partial(measured, name, case)
    for cell, Cr in product(SWEPT, (SMALL, LARGE)):
        yield f"trace {cell} {Cr}", partial(traced, Case(*cell, Cr, Cr))
    for cell, Cr in product(SWEPT, TOGETHER):
        yield f"together {cell} {Cr}", partial(together, Case(*cell, Cr, Cr))
    for name, case, runs in cases():
        yield f"{name} {case}", partial(simulated, name, case, runs)


def run() -> None:
    """Simulate what is not in the log out/collapse.csv yet, and put all rows into one file."""
    LOG.parent.mkdir(exist_ok=True)
    done = {row["task"] for row in csv.DictReader(LOG.open())} if LOG.exists() else set()
    todo = list(tasks())
    with LOG.open("a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if not done:
            writer.writeheader()
        for k, (name, work) in enumerate(todo):
            if name not in done:
                progress(f"{k + 1} of {len(todo)}: {name}")
                rows = [{"dimension" if column == "n" else column: of for column, of in row.items()} for row in work()]
                writer.writerows({"task": name, **row} for row in rows)  # SQL ignores case: n would be N
                file.flush()
    source = f"SELECT * EXCLUDE (task) FROM read_csv('{LOG}', header = true, sample_size = -1)"
    duckdb.execute(f"COPY ({source}) TO '{FILE}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 16)")


def simulated(experiment: str, case: Case, runs: int) -> list[Row]:
    """A case summed up over its runs."""
    engine = engine_of(case)
    seed = zlib.crc32(repr((experiment, *case)).encode())
    results = [engine.run(np.random.default_rng([seed, k])) for k in range(runs)]
    share, last, replaced, mean_sd, zero_variance, on_bound, distinct = np.array(results).T
    dead = last == 0
    row = {
        "experiment": experiment,
        **case._asdict(),
        "runs": runs,
        "share": share.mean(),
        "error": share.std(ddof=1) / runs**0.5,
        "last": last.mean(),
        "last_error": last.std(ddof=1) / runs**0.5,
        "replaced": replaced.mean(),
        "dead": dead.sum(),
        "dead_with_one_distinct": (dead & (distinct == 1)).sum(),
        "median_sd": np.median(mean_sd),
        "zero_variance": zero_variance.mean(),
        "on_bound": on_bound.mean(),
        "distinct": np.median(distinct),
    }
    return [row]


def measured(experiment: str, case: Case, runs: int = 100) -> list[Row]:
    """A case as `debox.measure` does it."""
    share = debox.measure(case.config, n=case.n, budget=case.budget, runs=runs).pois / (1 - case.N / case.budget)
    error = share.std(ddof=1) / runs**0.5
    return [{"experiment": experiment, **case._asdict(), "runs": runs, "share": share.mean(), "error": error}]


def together(case: Case, runs: int = 40) -> list[Row]:
    """How alike the dimensions of a run are: the intraclass correlation of their standard deviations at its end.

    0: the dimensions of one run differ as much as those of different runs; 1: all dimensions of a run are alike.
    """
    engine, found = engine_of(case), []
    for k in range(runs):
        engine.run(np.random.default_rng([7, k]))
        found.append(engine.P.std(axis=0))
    sd, n = np.array(found), case.n
    between, within = n * sd.mean(axis=1).var(ddof=1), sd.var(axis=1, ddof=1).mean()
    alike = (between - within) / (between + (n - 1) * within)
    return [{"experiment": "together", **case._asdict(), "runs": runs, "share": alike, "median_sd": np.median(sd)}]


def traced(case: Case, runs: int = 50) -> list[Row]:
    """What the population of a case looks like along its runs, on average."""
    trace = debox.measure(case.config, runs=runs, trace=True).trace
    between = np.diff(trace.infeasible, axis=1, prepend=0) / np.diff(trace.evaluations, prepend=0)
    return [
        {
            "experiment": "trace",
            **case._asdict(),
            "runs": runs,
            "evaluations": evaluations,
            "share": between[:, k].mean(),
            "median_sd": np.median(trace.mean_sd[:, k]),
            "zero_variance": trace.zero_variance[:, k].mean(),
            "on_bound": trace.on_bound[:, k].mean(),
            "distinct": trace.distinct[:, k].mean(),
        }
        for k, evaluations in enumerate(trace.evaluations)
    ]


def frozen() -> list[Row]:
    """By how much a trial of a population that never changes is more often infeasible with the larger Cr: exact."""
    rows = []
    for step in steps():
        if step.strategy == "mirror":  # a frozen population needs no strategy
            before, after = (trial_infeasible(Case(*step[:5], Cr, Cr).config, 30) for Cr in (SMALL, LARGE))
            cell = {"mutation": step.mutation, "crossover": step.crossover, "N": step.N, "F": step.F}
            rows.append({"experiment": "frozen", **cell, "share": after - before})
    return rows


# ---- A population without a box, replaced by whole mutants: does it typically grow or shrink? ------------------------
#
# Whole mutants are linear in the population, so in the long run differences grow or shrink by a factor whose logarithm
# is the Lyapunov exponent of a product of random matrices; it is the same for every dimension, so one is enough. The
# slot to be replaced is drawn in proportion to its value f, which is then multiplied by U: f0 once replacements are
# rare.

WARM_UP, END = 2, 10  # replacements per individual; a run of the paper with N = 5 has 10
FACTORS = (0.05, 0.1, 0.15, 0.2, 0.266, 0.35, 0.483, 0.6, 0.7, 0.8, 0.916, 1.0, 1.133, 1.25, 1.35)


def exponents(mutation: str, N: int) -> list[Row]:
    """The Lyapunov exponent of whole mutants, for every F."""
    rng, replicas = np.random.default_rng([6, N, len(mutation)]), max(20_000 // N, 100)
    values = [(F, exponent(mutation, N, F, rng, replicas)) for F in FACTORS]
    return [{"experiment": "linear", "mutation": mutation, "N": N, "F": F, "share": value} for F, value in values]


def exponent(mutation: str, N: int, F: float, rng: np.random.Generator, replicas: int) -> float:
    """The growth of ln(standard deviation) per replacement of each individual, in the median population."""
    operator = operators.find("mutation", mutation)
    x, ln_f = rng.random((replicas, N)), np.log(rng.random((replicas, N)))
    log_scale, before, rows = np.zeros(replicas), np.zeros(replicas), np.arange(replicas)
    for step in range(END * N):
        if step == WARM_UP * N:
            before = log_scale.copy()
        slot = (ln_f + rng.gumbel(size=ln_f.shape)).argmax(axis=1)  # in proportion to f
        r = rng.random((replicas, N)).argpartition(operator.donors - 1, axis=1)[:, : operator.donors]
        r = np.take_along_axis(r, rng.random((replicas, operator.donors)).argsort(axis=1), axis=1)
        parents = [x[rows, r[:, k]] if k < operator.donors else x[:, 0] for k in range(5)]
        x[rows, slot] = operator.function(x[rows, slot], x[rows, ln_f.argmin(axis=1)], *parents, F)
        ln_f[rows, slot] += np.log(rng.random(replicas))
        scale = x.std(axis=1)
        with np.errstate(divide="ignore"):  # differences may round to 0: ln 0 = −∞
            log_scale += np.log(scale)
        x = (x - x.mean(axis=1, keepdims=True)) / np.where(scale > 0, scale, 1)[:, None]
    grown = log_scale - np.where(before > -np.inf, before, 0)  # −∞ where all differences are lost
    return float(np.median(grown) / (END - WARM_UP))
