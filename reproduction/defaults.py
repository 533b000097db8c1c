"""The default of `minimize` against other solvers: chosen on ten problems, judged on 34 others.

`python -m reproduction run defaults [SOLVER …]` does the runs that are not in data/defaults.parquet, some two hours
of processor time; several processes may do those of different solvers at once. After the word `anew` those of the
solvers named are done again.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from statistics import median
from typing import Any

import numpy as np
from benchmarks.measure import cpu_seconds
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu, rankdata

from debox.optimize.compare import holm
from reproduction import runs
from reproduction.numbers import OUT
from reproduction.problems import GOAL, SUITES, problems
from reproduction.runs import Key, Outcome, Rows
from reproduction.solvers import CLASSIC, DE_ALONE, DEFAULT, SOLVERS, solve

BUDGETS, SEEDS, LEVEL = (50, 200, 1000, 5000), 15, 0.05
SIZES = {"tuning": 10, "judging": 10, "SBOX": 24}  # problems
JUDGES, JUDGED, RIVAL = ("judging", "SBOX"), (200, 1000), "pycma"  # where the default is to lead as often as the rival
SHOWN, FACTOR = 1000, 2.0
Errors = NDArray[np.float64]  # of one solver, one a seed
Contests = dict[tuple[str, str, int, int], dict[str, Errors]]  # suite, problem, n, budget ÷ n → solver → errors


# ---- Runs ------------------------------------------------------------------------------------------------------------


def keys(solvers: Iterable[str] = SOLVERS) -> Iterator[Key]:
    """All runs, small budgets first, then seed by seed; candidates only where the default is chosen."""
    for per_variable, seed, suite in product(BUDGETS, range(SEEDS), SUITES):
        for problem, solver in product(problems(suite).values(), solvers):
            if suite == "tuning" or not SOLVERS[solver].is_candidate:
                yield Key(suite, problem.name, problem.n, per_variable, solver, seed)


def do(key: Key) -> Outcome:
    """One run."""
    problem = problems(key.suite)[key.problem, key.n]
    seconds, recorder = cpu_seconds(lambda: solve(SOLVERS[key.solver], problem, key.per_variable * key.n, key.seed))
    return recorder.error, recorder.evaluations, seconds


def microseconds(rows: Rows) -> dict[str, float]:
    """Processor time per evaluation of every solver, objective included: the median over its runs."""
    by_solver: dict[str, list[float]] = {}
    for key, (_, evaluations, seconds) in rows.items():
        by_solver.setdefault(key.solver, []).append(1e6 * seconds / evaluations)
    return {solver: median(times) for solver, times in by_solver.items()}


def run(*words: str) -> None:
    """Do what is not done of the runs of these solvers, or of all, and pack what is done."""
    solvers = [word for word in words if word != "anew"] or list(SOLVERS)
    if unknown := [name for name in solvers if name not in SOLVERS]:
        sys.exit(f"no such solver: {unknown[0]}; choose from {'; '.join(SOLVERS)}")
    if "anew" in words:
        runs.forget("defaults", solvers)
    rows = runs.read("defaults")
    pending = [key for key in keys(solvers) if key not in rows]
    runs.execute(OUT / "defaults" / f"{os.getpid()}.csv", pending, do)
    runs.pack("defaults", runs.read("defaults"))


# ---- Who is first ----------------------------------------------------------------------------------------------------


def chance(a: Errors, b: Errors, alternative: str = "greater") -> float:
    """The p-value of Mann and Whitney: normal, corrected for ties and continuity."""
    if np.ptp([*a, *b]) == 0:
        return 1.0
    return float(mannwhitneyu(a, b, alternative=alternative, method="asymptotic").pvalue)


def leaders(errors: Mapping[str, Errors]) -> set[str]:
    """Solvers with the least median error, and those that a test with Holm's correction does not tell from the first.

    Errors up to the goal are the same. Of several with the least median, the first is the one with the least mean rank.
    """
    floored = {name: np.maximum(values, GOAL) for name, values in errors.items()}
    medians = {name: np.median(values) for name, values in floored.items()}
    ranks = dict(zip(floored, rankdata([*floored.values()]).reshape(len(floored), -1).mean(axis=1), strict=True))
    first = min(floored, key=lambda name: (medians[name], ranks[name]))
    others = [name for name in floored if name != first]
    corrected = holm([chance(floored[name], floored[first], "two-sided") for name in others])
    within = {name for name, p in zip(others, corrected, strict=True) if p >= LEVEL}
    return within | {name for name in floored if medians[name] == medians[first]}


def worse(pairs: Mapping[str, tuple[Errors, Errors]], factor: float) -> list[str]:
    """Where the first errors of a pair exceed `factor` times the second beyond chance, corrected for all pairs."""
    p = holm([chance(np.maximum(a, GOAL), factor * np.maximum(b, GOAL)) for a, b in pairs.values()])
    return [where for where, one in zip(pairs, p, strict=True) if one < LEVEL]


def contests(rows: Rows) -> Contests:
    """The errors of every solver that has run with all seeds."""
    found: dict[Any, dict[str, list[float]]] = {}
    for key in sorted(rows, key=lambda key: (key.suite, key.n, order(key.problem), key.per_variable, key.seed)):
        if key.solver in SOLVERS and key.seed < SEEDS:
            found.setdefault(key[:4], {}).setdefault(key.solver, []).append(rows[key][0])
    return {
        contest: {name: np.array(errors[name]) for name in SOLVERS if len(errors.get(name, ())) == SEEDS}
        for contest, errors in found.items()
    }


def order(problem: str) -> tuple[int, str]:
    """f2 before f10, others by name."""
    number = problem.split()[0].removeprefix("f")
    return (int(number), "") if number.isdigit() else (0, problem)


def numbers(rows: Rows | None = None) -> dict[str, Any]:
    """What the page tells of the runs there are."""
    rows = runs.read("defaults") if rows is None else rows
    found, times = contests(rows), microseconds(rows)
    first = {contest: leaders(errors) if len(errors) > 1 else set() for contest, errors in found.items()}
    candidates = sum(solver.is_candidate for solver in SOLVERS.values())
    asked = sum(SIZES.values()) * (len(SOLVERS) - candidates) + SIZES["tuning"] * candidates
    return {
        "done": sum(key.solver in SOLVERS and key.seed < SEEDS for key in rows),
        "asked": len(BUDGETS) * SEEDS * asked,
        "goals": [goal(found, first, suite, b) for suite, b in product(JUDGES, JUDGED)],
        "compared": [compared(found, other) for other in (DE_ALONE, CLASSIC)],
        "columns": [f"{suite} {b} n" for suite, b in product(SIZES, BUDGETS)],
        "first": [row for name in SOLVERS if any((row := counts(found, first, name))["cells"])],
        "medians": [medians(found, first, suite) for suite in SIZES],
        "solvers": [
            {"name": name, "settings": solver.settings, "microseconds": times[name]}
            for name, solver in SOLVERS.items()
            if name in times
        ],
    }


def goal(found: Contests, first: Mapping[Any, set[str]], suite: str, per_variable: int) -> dict[str, Any]:
    """Whether the default is first, or within noise of the first, as often as the rival."""
    asked = [contest for contest in found if (contest[0], contest[3]) == (suite, per_variable)]
    won, theirs = (sum(name in first[contest] for contest in asked) for name in (DEFAULT, RIVAL))
    is_run = len(asked) == SIZES[suite] and all({DEFAULT, RIVAL} <= found[contest].keys() for contest in asked)
    verdict = ("reached" if won >= theirs else "missed") if is_run else "not yet run"
    return {"suite": suite, "budget": per_variable, "of": SIZES[suite], "won": won, "rival": theirs, "verdict": verdict}


def compared(found: Contests, other: str) -> dict[str, Any]:
    """Where the default is worse than another solver by more than the factor."""
    both = {contest: errors for contest, errors in found.items() if {DEFAULT, other} <= errors.keys()}
    pairs = {f"{p}, n = {n}, {b} n": (e[DEFAULT], e[other]) for (_, p, n, b), e in both.items()}
    return {"other": other, "factor": FACTOR, "of": len(pairs), "worse": worse(pairs, FACTOR)}


def counts(found: Contests, first: Mapping[Any, set[str]], name: str) -> dict[str, Any]:
    """On how many problems of a suite, with each budget, a solver is first or within noise of the first."""
    cells = []
    for column in product(SIZES, BUDGETS):
        met = [contest for contest, errors in found.items() if (contest[0], contest[3]) == column and name in errors]
        cells.append(f"{sum(name in first[contest] for contest in met)} of {len(met)}" if met else "")
    return {"solver": name, "cells": cells}


def medians(found: Contests, first: Mapping[Any, set[str]], suite: str) -> dict[str, Any]:
    """The median errors on every problem with the budget shown: null where a solver did not run."""
    shown = {contest: e for contest, e in found.items() if (contest[0], contest[3]) == (suite, SHOWN) and e}
    names = [name for name in SOLVERS if any(name in errors for errors in shown.values())]
    median_of: Callable[[Errors], float] = lambda errors: m if (m := float(np.median(errors))) > GOAL else 0.0  # noqa: E731
    rows = [
        {
            "problem": contest[1],
            "n": contest[2],
            "errors": [median_of(errors[name]) if name in errors else None for name in names],
            "first": [name in first[contest] for name in names],
        }
        for contest, errors in shown.items()
    ]
    return {"suite": suite, "budget": SHOWN, "solvers": names, "rows": rows}
