"""Which runs there are, what they will cost, and doing those that are not done."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from statistics import median
from typing import NamedTuple

from benchmarks.defaults.judging import judging
from benchmarks.defaults.problem import Problem
from benchmarks.defaults.results import Key, Log, Outcome, Rows
from benchmarks.defaults.sbox import sbox
from benchmarks.defaults.solvers import SOLVERS, solve
from benchmarks.defaults.tuning import tuning
from benchmarks.measure import cpu_seconds, progress

BUDGETS, SEEDS = (50, 200, 1000, 5000), 15
SUITES: dict[str, Callable[[], list[Problem]]] = {"tuning": tuning, "judging": judging, "SBOX": sbox}


class Plan(NamedTuple):
    """What is asked for: by default everything."""

    suites: tuple[str, ...] = tuple(SUITES)
    solvers: tuple[str, ...] = tuple(SOLVERS)
    budgets: tuple[int, ...] = BUDGETS
    seeds: int = SEEDS

    def keys(self) -> Iterator[Key]:
        """All runs, small budgets first, then seed by seed; candidates only where the default is chosen."""
        for per_variable in self.budgets:
            for seed in range(self.seeds):
                for suite in self.suites:
                    for problem in problems(suite).values():
                        for solver in self.solvers:
                            if suite == "tuning" or not SOLVERS[solver].is_candidate:
                                yield Key(suite, problem.name, problem.n, per_variable, solver, seed)


@cache
def problems(suite: str) -> dict[tuple[str, int], Problem]:
    """The problems of a suite, by name and number of variables."""
    return {(problem.name, problem.n): problem for problem in SUITES[suite]()}


def do(key: Key) -> Outcome:
    """One run."""
    problem = problems(key.suite)[key.problem, key.n]
    seconds, recorder = cpu_seconds(lambda: solve(SOLVERS[key.solver], problem, key.per_variable * key.n, key.seed))
    return Outcome(recorder.error, recorder.evaluations, seconds)


def microseconds(rows: Rows) -> dict[str, float]:
    """Processor time per evaluation of every solver, objective included: the median over its runs."""
    by_solver: dict[str, list[float]] = {}
    for key, outcome in rows.items():
        by_solver.setdefault(key.solver, []).append(1e6 * outcome.seconds / outcome.evaluations)
    return {solver: median(times) for solver, times in by_solver.items()}


def cost(pending: list[Key], rows: Rows) -> str:
    """Hours that these runs take at most, solver by solver; those that were never run are tried first, twice."""
    known = microseconds(rows)
    evaluations: Counter[str] = Counter()
    for key in pending:
        evaluations[key.solver] += key.per_variable * key.n
    for solver in evaluations.keys() - known.keys():
        trial = Key("tuning", "Rastrigin", 20, 50, solver, 0)
        known[solver] = [microseconds({trial: do(trial)})[solver] for _ in range(2)][1]  # the first one compiles
    hours = {solver: known[solver] * number / 3.6e9 for solver, number in evaluations.items()}
    lines = [f"  {solver:<30}{known[solver]:8.1f} µs an evaluation {h:8.2f} h" for solver, h in hours.items()]
    return "\n".join([f"{len(pending)} runs to do, at most {sum(hours.values()):.1f} h of processor time:", *lines])


def execute(pending: list[Key], log: Log) -> None:
    """Do these runs and keep each as soon as it is done: whoever is killed loses the one under way."""
    started = time.perf_counter()
    for done, key in enumerate(pending):
        if done == 0 or (key.per_variable, key.seed) != (pending[done - 1].per_variable, pending[done - 1].seed):
            passed = (time.perf_counter() - started) / 60
            progress(f"{key.per_variable} n, seed {key.seed}: {done} of {len(pending)} runs done in {passed:.0f} min")
        log.append(key, do(key))
