"""The part of docs/defaults.md that tells what came out, from the runs there are."""

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

import numpy as np

from benchmarks.defaults.compare import Errors, leaders, worse
from benchmarks.defaults.execute import BUDGETS, SEEDS, microseconds
from benchmarks.defaults.grid import PAGE, replace
from benchmarks.defaults.problem import GOAL
from benchmarks.defaults.results import Rows, read
from benchmarks.defaults.solvers import CLASSIC, DE_ALONE, DEFAULT, SOLVERS

BEGIN, END = "<!-- benchmark: written by `python -m benchmarks defaults` -->", "<!-- end of benchmark -->"
SIZES = {"tuning": 10, "judging": 10, "SBOX": 24}  # problems
JUDGES, JUDGED, RIVAL = ("judging", "SBOX"), (200, 1000), "pycma"  # where the default is to lead as often as the rival
SHOWN, FACTOR = 1000, 2.0
COMPARED = {name for name, solver in SOLVERS.items() if not solver.is_candidate}


class Contest(NamedTuple):
    """One problem with one budget."""

    suite: str
    problem: str
    n: int
    per_variable: int

    def __str__(self) -> str:
        return f"{self.problem}, n = {self.n}, {self.per_variable} n"


Contests = dict[Contest, dict[str, Errors]]


def contests(rows: Rows) -> Contests:
    """The errors of every solver that has run with all seeds."""
    found: dict[Contest, dict[str, list[float]]] = {}
    for key in sorted(rows, key=lambda key: (key.suite, key.n, order(key.problem), key.per_variable, key.seed)):
        if key.solver in SOLVERS and key.seed < SEEDS:
            errors = found.setdefault(Contest(*key[:4]), {})
            errors.setdefault(key.solver, []).append(rows[key].error)
    return {
        contest: {name: np.array(errors[name]) for name in SOLVERS if len(errors.get(name, ())) == SEEDS}
        for contest, errors in found.items()
    }


def order(problem: str) -> tuple[int, str]:
    """f2 before f10, others by name."""
    number = problem.split()[0].removeprefix("f")
    return (int(number), "") if number.isdigit() else (0, problem)


def counts(found: Contests) -> list[str]:
    """A line a solver: on how many problems of a suite, with each budget, it is first or within noise."""
    cells = {(name, suite, b): [0, 0] for name in SOLVERS for suite in SIZES for b in BUDGETS}
    for contest, errors in found.items():
        first = leaders(errors) if len(errors) > 1 else set()
        for name in errors:
            cell = cells[name, contest.suite, contest.per_variable]
            cell[0] += name in first
            cell[1] += 1
    lines = []
    for name in SOLVERS:
        shown = [cells[name, suite, b] for suite in SIZES for b in BUDGETS]
        if any(of for _, of in shown):
            lines.append(row([name, *(f"{won} of {of}" if of else "" for won, of in shown)]))
    return [*head(["solver", *(f"{suite} {b} n" for suite in SIZES for b in BUDGETS)]), *lines]


def medians(found: Contests, suite: str) -> list[str]:
    """A line a problem: the median errors at 1000 n, those of the first and within noise of it in bold."""
    shown = {c: errors for c, errors in found.items() if (c.suite, c.per_variable) == (suite, SHOWN) and errors}
    names = [name for name in SOLVERS if any(name in errors for errors in shown.values())]
    lines = []
    for contest, errors in shown.items():
        first = leaders(errors)
        cells = [number(np.median(errors[name]), name in first) if name in errors else "" for name in names]
        lines.append(row([contest.problem, str(contest.n), *cells]))
    return [f"\n### {suite}, {SHOWN} n: median errors\n", *head(["problem", "n", *names]), *lines] if lines else []


def number(error: float, is_bold: bool) -> str:
    """Three digits; 0 stands for what is as good as none."""
    text = "0" if error <= GOAL else f"{error:.3g}"
    return f"**{text}**" if is_bold else text


def row(cells: Iterable[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def head(cells: list[str]) -> list[str]:
    """The first two lines of a table."""
    return [row(cells), f"|{'---|' * len(cells)}"]


def verdicts(found: Contests) -> list[str]:
    """What was to be reached, and whether it is, as far as it was run."""
    lines = []
    for suite, per_variable in product(JUDGES, JUDGED):
        asked = [errors for c, errors in found.items() if (c.suite, c.per_variable) == (suite, per_variable)]
        won, theirs = (sum(name in leaders(errors) for errors in asked) for name in (DEFAULT, RIVAL))
        is_run = len(asked) == SIZES[suite] and all({DEFAULT, RIVAL} <= errors.keys() for errors in asked)
        state = ("reached" if won >= theirs else "missed") if is_run else "not yet run"
        told = f"{won} of {SIZES[suite]}, {RIVAL} {theirs}, " if is_run else ""
        lines.append(
            f"- {suite}, {per_variable} n: first or within noise of the first as often as {RIVAL}: {told}**{state}**."
        )
    for other in (DE_ALONE, CLASSIC):
        pairs = {str(c): (e[DEFAULT], e[other]) for c, e in found.items() if {DEFAULT, other} <= e.keys()}
        told = "; ".join(worse(pairs, FACTOR)) or "nowhere"
        lines.append(
            f"- Worse than {other} by more than {FACTOR:g} ×, beyond chance (one-sided, corrected for all {len(pairs)} "
            f"problems and budgets that were run): {told}."
        )
    return lines


def progress_made(rows: Rows) -> str:
    """How many of all runs there are, so that nobody takes a part of them for the whole."""
    candidates = len(SOLVERS) - len(COMPARED)
    asked = len(BUDGETS) * SEEDS * (sum(SIZES.values()) * len(COMPARED) + SIZES["tuning"] * candidates)
    done = sum(key.solver in SOLVERS and key.seed < SEEDS for key in rows)
    more = (
        ""
        if done == asked
        else " Solvers without a number were not run there, and the others are compared without them."
    )
    return f"{done} of {asked} runs are done.{more}\n"


def part(rows: Rows) -> str:
    """Everything between the marks."""
    found, times = contests(rows), microseconds(rows)
    speeds = [f"{name} {times[name]:.3g}" for name in SOLVERS if name in times]
    settings = [f"- {name}: {solver.settings}" for name, solver in SOLVERS.items() if name in times]
    text = [progress_made(rows), "What was to be reached by the default:\n", *verdicts(found)]
    text += ["\n### First or within noise of the first, on how many problems\n", *counts(found)]
    for suite in SIZES:
        text += medians(found, suite)
    text += ["\n### How solvers are called\n", *settings]
    text += [f"\nProcessor time per evaluation in µs, objective included, median of all runs: {', '.join(speeds)}."]
    return "\n".join(text)


def update() -> str:
    """Write the page anew from the runs there are; returns the part that is written."""
    new = part(read())
    PAGE.write_text(replace(PAGE.read_text(), BEGIN, END, new))
    return new
