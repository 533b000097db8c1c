"""What the paper's study says in short: how often DE leaves the box, where, and what to set."""

from __future__ import annotations

from itertools import product
from typing import Any

import duckdb
import numpy as np

from debox.analysis import leaving
from debox.analysis.factors import factors
from debox.analysis.runs import Runs
from debox.f0 import theory
from debox.paper import claims, readings, tests, verdict
from debox.paper.bound import tests_of
from debox.study.fields import AXES
from reproduction.numbers import DATA

DEPENDS = {  # conclusions; on which reading
    "strategy-two-groups": "frozen",
    "mutation-excluded": "not-parents",
    "factors-none-alone-F-up-to-1": "not-parents",
}
BOUND = DATA / "bound.parquet"
OF_EQUAL_EXCHANGES = "rand/1"  # whose first generation theory knows best: one base, two donors


def numbers() -> dict[str, Any]:
    """The numbers of docs/findings.md that no other page has."""
    runs = Runs.of(DATA / "paper.parquet").complete()
    n = int(runs.common("dimension"))
    half = tests.median_in(runs, at_least=leaving.HALF)
    (pairs,) = claims(runs, only="amount-upper-bound", others=tests_of(BOUND))
    return {
        "half_shown": [half.agree / half.cells, 1 - half.against / half.cells],
        "bound": bound(),
        "pairs": pairs.as_dict(),
        "depends": {name: depending(runs, name, reading) for name, reading in DEPENDS.items()},
        "every": leaving.count(runs)._asdict(),
        "F_up_to_1": leaving.count(runs.take(F="<=1"))._asdict(),
        "F_alone_up_to_1": factors(runs.take(F="<=1")).first["F"].value,
        "median_by_F": {F: counts.median for F, counts in leaving.count_by(runs, "F").items()},
        "mostly_from": {one: mostly_from(runs.take(crossover=one)) for one in runs.axes["crossover"]},
        "strategies_apart": float(np.ptp(runs["pois"].mean(-1), axis=list(runs.axes).index("strategy")).max()),
        "wide_by_N": {N: counts.wide for N, counts in leaving.count_by(runs, "N").items()},
        "share_by_exchanges": share_by_exchanges(runs, n),
    }


def mostly_from(runs: Runs) -> float:
    """The least F from which on more than half of the configurations have a median POIS above a half."""
    medians = {F: np.median(runs.take(F=F)["pois"], axis=-1) for F in runs.axes["F"]}
    below = [F for F, median in medians.items() if np.mean(median > leaving.HALF) <= leaving.HALF]
    return min(F for F in medians if all(one < F for one in below))


def depending(runs: Runs, name: str, reading: str) -> dict[str, Any]:
    """What becomes of a conclusion under a reading of the paper's text, and before in the same configurations."""
    other, wanted = readings.replace_runs(runs, reading, readings.tables_of(None)[reading]), verdict.select(name)
    parts = {"before": other.before, "after": other.after}
    return {part: verdict.judge_all(some, wanted)[0].as_dict() for part, some in parts.items()}


def bound() -> dict[str, Any]:
    """The runs on other functions, and the pair of a function and a configuration that is above f0 most."""
    cells = f"""
        SELECT function, {", ".join(AXES)}, any_value(budget) AS budget,
            avg(pois) FILTER (NOT on_f0) - avg(pois) FILTER (on_f0) AS excess, count(*) FILTER (NOT on_f0) AS runs,
            count(*) FILTER (on_f0) AS on_f0, sqrt(var_samp(pois) FILTER (NOT on_f0) / count(*) FILTER (NOT on_f0)
                + var_samp(pois) FILTER (on_f0) / count(*) FILTER (on_f0)) AS error
        FROM read_parquet('{BOUND}') WHERE function <> 'f0' AND sampled GROUP BY function, {", ".join(AXES)}"""
    counts = f"""
        SELECT count(DISTINCT function), count(*), min(budget), min(runs), min(on_f0), max(excess),
            max_by(error, excess), max_by(function, excess) FROM ({cells})"""
    names = ("functions", "pairs", "budget", "runs", "on_f0", "most", "error", "function")
    return dict(zip(names, duckdb.sql(counts).fetchall()[0], strict=True))


def share_by_exchanges(runs: Runs, n: int) -> float:
    """The share of the difference between bin and exp that exchanging as many components on average removes.

    In generation 1, where the chance of an infeasible trial is known exactly, over the study's N, F and Cr.
    """
    chances = []
    for N, F, Cr in product(*(runs.axes[name] for name in ("N", "F", "Cr"))):
        as_many = (theory.expected_exchanges("exp", n, Cr) - 1) / (n - 1)
        three = ("bin", Cr), ("bin", as_many), ("exp", Cr)
        texts = (f"DE/{OF_EQUAL_EXCHANGES}/{crossover} sat, N={N}, F={F}, Cr={value}" for crossover, value in three)
        chances.append([theory.trial_infeasible(text, n) for text in texts])
    of_bin, of_bin_with_as_many, of_exp = np.sum(chances, axis=0)
    return float((of_bin - of_bin_with_as_many) / (of_bin - of_exp))
