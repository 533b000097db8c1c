"""What is simulated: a row of data/collapse.parquet for each case."""

import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import debox
from benchmarks.collapse import linear, rounding
from benchmarks.collapse.engine import Case, Engine
from benchmarks.collapse.predictions import AS_EXP, HIGH, LOW, MIDDLE, NONE, SWEPT, THIRD_BIN, THIRD_EXP
from debox.analysis.collapse import falls, last_steps
from debox.analysis.cube import Cube
from debox.analysis.old_runs import Runs
from debox.f0.theory import trial_infeasible

PAPER = Path(__file__).parents[2] / "data" / "paper.parquet"
SMALL, LARGE = 0.755, 0.99
RUNS = {5: 24, 20: 10, 100: 4}  # of the cases of falling cells, by N
RUNS_OF_THIRD_ROUND = 40
CRS = (0.755, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995, 0.997, 0.999, 0.9995, 1.0)
WIDE = (0.05, 0.3, 0.5, 0.65)  # below the paper's last step; not part of the predictions
TOGETHER = (0.755, 0.85, 0.9, 0.95, 0.97, 0.99, 0.999, 1.0)
STRATEGIES = ("saturation", "mirror", "toroidal", "COTN", "dismiss")
SIZES, DIMENSIONS = (5, 6, 8, 10, 12, 15, 20, 30, 50), (10, 30, 100)
BUDGETS = (300, 3000, 30_000, 300_000, 3_000_000, 30_000_000)
ROUNDED = (("current-to-best/1", "exp", "saturation", 100, 0.916), ("rand/1", "bin", "saturation", 5, 1.35))
Row = dict[str, Any]


@cache
def paper() -> Cube:
    """The paper's study."""
    store = debox.open_store(PAPER)
    return Cube.of(Runs.of(store.table(), store.study))


def cases_of_falls() -> Iterator[Case]:
    """All interventions in all falling cells, those in which they can do something."""
    for fall in falls(paper()):
        cell = fall[:5]
        yield Case(*cell, SMALL, LARGE)
        for name in ("", "off bounds", "redraw"):
            yield Case(*cell, LARGE, LARGE, name)
        if fall.strategy != "dismiss":
            yield Case(*cell, LARGE, LARGE, "independent")
            yield Case(*cell, SMALL, LARGE, "whole")
        if fall.strategy == "saturation":
            yield Case(*cell, LARGE, LARGE, "jitter")
        if fall.mutation in ("rand/1", "rand/2"):
            yield Case(*cell, LARGE, LARGE, "chance")
            if fall.N == 5:
                yield Case(*cell, LARGE, LARGE, "even")


def cases_of_sweeps() -> Iterator[tuple[str, Case, int]]:
    """A and B for other N and budgets."""
    for cell in SWEPT:
        for evolve in (SMALL, LARGE):
            for N in SIZES:
                yield "N", Case(*cell[:3], N, cell[4], evolve, LARGE), 40 if N <= 12 else 15
            for budget in BUDGETS:
                yield "budget", Case(*cell, evolve, LARGE, budget=budget), 60


def cases_of_second_round() -> Iterator[Case]:
    """A, B and the interventions of the second round."""
    for cell in (*LOW, *MIDDLE, *HIGH, *NONE):
        yield Case(*cell, SMALL, LARGE)
        yield Case(*cell, LARGE, LARGE)
        yield Case(*cell, LARGE, LARGE, "independent")
    for cell in HIGH:
        yield Case(*cell, LARGE, LARGE, "off bounds")


def cases_of_third_round() -> Iterator[Case]:
    """A, B and `independent` with bin and exp, and with bin between the Cr that exchange as much as exp."""
    for cell in (*THIRD_BIN, *THIRD_EXP):
        yield Case(*cell, SMALL, LARGE)
        yield Case(*cell, LARGE, LARGE)
        yield Case(*cell, LARGE, LARGE, "independent")
    for cell in THIRD_BIN:
        yield Case(*cell, AS_EXP[0], LARGE)
        yield Case(*cell, AS_EXP[1], LARGE)
        yield Case(*cell, AS_EXP[1], LARGE, "independent")


def cases_of_exp() -> Iterator[Case]:
    """A and B where exp hides a fall: more components are counted at the larger Cr. Not part of the predictions."""
    for step in last_steps(paper()):
        if step.crossover == "exp" and step.mutation == "rand/1" and step.N == 5:
            for evolve in (SMALL, LARGE):
                yield Case(*step[:5], evolve, LARGE)


def run_case(experiment: str, case: Case, runs: int) -> Row:
    """A case summed up over its runs."""
    engine = Engine(case)
    seed = zlib.crc32(repr((experiment, *case)).encode())
    results = [engine.run(np.random.default_rng([seed, k])) for k in range(runs)]
    share, last, replaced, mean_sd, zero_variance, on_bound, distinct = np.array(results).T
    dead = last == 0
    return {
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


def measured(experiment: str, case: Case, runs: int = 100) -> Row:
    """A case as `debox.measure` does it."""
    share = debox.measure(case.config, n=case.n, budget=case.budget, runs=runs).pois / (1 - case.N / case.budget)
    error = share.std(ddof=1) / runs**0.5
    return {"experiment": experiment, **case._asdict(), "runs": runs, "share": share.mean(), "error": error}


def cases_of_Cr() -> Iterator[tuple[str, Case]]:
    """Cr from 0.755 to 1: of two cells with every strategy, and in other dimensions."""
    for mutation, crossover, strategy, N, F in SWEPT:
        for Cr in CRS:
            for other in STRATEGIES:
                yield "Cr", Case(mutation, crossover, other, N, F, Cr, Cr)
            for n in DIMENSIONS:
                yield "n", Case(mutation, crossover, strategy, N, F, Cr, Cr, n=n)


def cases_of_wide_Cr() -> Iterator[Case]:
    """Smaller Cr in the three dimensions: where does the fall begin?"""
    for cell in SWEPT:
        for Cr in WIDE:
            for n in DIMENSIONS:
                yield Case(*cell, Cr, Cr, n=n)


def together(case: Case, runs: int = 40) -> Row:
    """How alike the dimensions of a run are: the intraclass correlation of their standard deviations at its end.

    0: the dimensions of one run differ as much as those of different runs; 1: all dimensions of a run are alike.
    """
    engine, found = Engine(case), []
    for k in range(runs):
        engine.run(np.random.default_rng([7, k]))
        found.append(engine.P.std(axis=0))
    sd, n = np.array(found), case.n
    between, within = n * sd.mean(axis=1).var(ddof=1), sd.var(axis=1, ddof=1).mean()
    alike = (between - within) / (between + (n - 1) * within)
    return {"experiment": "together", **case._asdict(), "runs": runs, "share": alike, "median_sd": np.median(sd)}


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


def rounded(case: Case, runs: int = 10) -> list[Row]:
    """The share of infeasible trials of the last population: as written, tolerant, fused."""
    engine, found = Engine(case), []
    for k in range(runs):
        rng = np.random.default_rng([5, k])
        engine.run(rng)
        found.append(rounding.outside(engine, rng))
    cell = {"experiment": "rounding", **case._asdict(), "runs": runs}
    return [{**cell, "intervention": name, "share": np.mean([shares[name] for shares in found])} for name in found[0]]


def frozen() -> list[Row]:
    """By how much a trial of a population that never changes is more often infeasible with the larger Cr: exact."""
    rows = []
    for step in last_steps(paper()):
        if step.strategy == "mirror":  # a frozen population needs no strategy
            before, after = (trial_infeasible(Case(*step[:5], Cr, Cr).config, 30) for Cr in (SMALL, LARGE))
            cell = {"mutation": step.mutation, "crossover": step.crossover, "N": step.N, "F": step.F}
            rows.append({"experiment": "frozen", **cell, "share": after - before})
    return rows


def exponents(mutation: str, N: int) -> list[Row]:
    """The Lyapunov exponent of whole mutants, for every F."""
    rng, replicas = np.random.default_rng([6, N, len(mutation)]), max(20_000 // N, 100)
    values = [(F, linear.exponent(mutation, N, F, rng, replicas)) for F in linear.FACTORS]
    return [{"experiment": "linear", "mutation": mutation, "N": N, "F": F, "share": value} for F, value in values]
