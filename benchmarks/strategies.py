"""Which strategy suits which problem: `python -m benchmarks.strategies` does what is left of the runs, and writes the
tables of docs/walls.md.

All strategies that evaluate no point outside the box, in the variant debox without tol and polish, on the problems of
benchmarks/defaults and on small ones where it is known what lies at the bounds. These are drawn anew for each seed, and
done with tol and polish, too.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import debox
from benchmarks.defaults.execute import problems
from benchmarks.defaults.grid import replace
from benchmarks.defaults.judging import leaning, waves
from benchmarks.defaults.page import head, row
from benchmarks.defaults.problem import GOAL, Problem, rotation
from benchmarks.defaults.results import Key, Log, Outcome, Rows, pack, read
from benchmarks.measure import cpu_seconds, progress
from debox import operators
from debox.optimize.compare import Comparison

ROOT = Path(__file__).parents[1]
DATA, LOGS, PAGE = ROOT / "data" / "strategies.parquet", ROOT / "out" / "strategies", ROOT / "docs" / "walls.md"
DEFAULT, PERIODIC = "mirror", "mirror, Periodic"
STRATEGIES = tuple(one.name for one in operators.in_slot("strategy") if not one.leaves_outside)
PLAIN: dict[str, Any] = {"tol": None, "polish": False}  # what switches off all that is not Differential Evolution
BUDGETS, SEEDS = (200, 1000), 25  # per variable, of the benchmark's problems
SMALL, EVALUATIONS, SMALL_SEEDS = 5, 1000, 51  # variables, budget and seeds of the small problems
POLISHED, POLISHED_SEEDS = "polished", 15  # the suite of the small problems with the defaults of minimize
SAME = 1e-12  # errors up to here are the same on the small problems
NEAR_BOUNDS = ("Schwefel", "ripples", "leaning", "Zakharov", "decays")
ANGLES = ("torsions", "waves")
BENCHMARK = ("inside", "on or near bounds", "angles")
BEGIN, END = "<!-- strategies: written by `python -m benchmarks.strategies` -->", "<!-- end of strategies -->"


def quadratic(name: str, seed: int, place: NDArray[np.float64], slope: float) -> Problem:
    """Σ 10^(2 i/(n−1)) z_i² + slope Σ |x_i − o_i|, z = R (x − o), over [−1, 1]ⁿ; the sum where o_i is on a bound."""
    R, one = rotation(place.size, np.random.default_rng([1, seed])), np.ones(place.size)
    on_bound = slope * (np.abs(place) == 1)
    R = np.diag(10 ** (-np.arange(place.size) / (place.size - 1))) @ R  # leaning weighs with 10⁴
    return Problem(name, leaning, -one, one, place, (place, R, on_bound))


def small(name: str, seed: int) -> Problem:
    """The problem of this name and seed."""
    rng = np.random.default_rng([0, seed])
    place, side = rng.uniform(-0.8, 0.8, SMALL), rng.choice([-1.0, 1.0], SMALL)
    if name == "far inside":
        return quadratic(name, seed, 0.25 * place, 0)
    if name == "near the corner":
        return quadratic(name, seed, side * rng.uniform(0.98, 1, SMALL), 0)
    if name == "on one bound":
        return quadratic(name, seed, np.where(np.arange(SMALL) == 0, side, place), 1)
    if name == "in the corner":
        return quadratic(name, seed, side, 1)
    if name == "an angle":
        o = np.column_stack([rng.uniform(0.3, 1.7, 2), side[:2] * rng.uniform(np.pi - 0.3, np.pi, 2)]).ravel()
        low, high = np.array([0, -np.pi] * 2), np.array([2, np.pi] * 2)
        return Problem(name, waves, low, high, o, (o,), (False, True) * 2)
    return quadratic("inside", seed, place, 0)


PLACES = ("far inside", "inside", "near the corner", "on one bound", "in the corner", "an angle")


def keys() -> Iterator[Key]:
    """All runs, the small problems first, then seed by seed."""
    for seed in range(SMALL_SEEDS):
        for name in PLACES:
            for suite in ("small", POLISHED) if seed < POLISHED_SEEDS else ("small",):
                yield from of_problem(suite, small(name, seed), EVALUATIONS, seed)
    for per_variable in BUDGETS:
        for seed in range(SEEDS):
            for suite in ("tuning", "judging"):
                for problem in problems(suite).values():
                    yield from of_problem(suite, problem, per_variable, seed)


def of_problem(suite: str, problem: Problem, budget: int, seed: int) -> Iterator[Key]:
    """A run per strategy; where there are angles, one more with variables that wrap."""
    for strategy in (*STRATEGIES, *([PERIODIC] if any(problem.periodic) else [])):
        yield Key(suite, problem.name, problem.n, budget, strategy, seed)


def do(key: Key) -> Outcome:
    """One run. It ends at an error of 1e-8, below which errors are the same, but on the small problems."""
    is_small = key.suite in ("small", POLISHED)
    problem = small(key.problem, key.seed) if is_small else problems(key.suite)[key.problem, key.n]
    bounds: list[Any] = list(problem.bounds)
    if key.solver == PERIODIC:
        wraps = zip(bounds, problem.periodic, strict=True)
        bounds = [debox.Periodic(*pair) if is_angle else pair for pair, is_angle in wraps]
    budget, minimum = key.per_variable * (1 if is_small else key.n), problem.minimum
    target = None if is_small else minimum + GOAL
    strategy = key.solver.removesuffix(", Periodic")

    def run() -> Any:
        options = {"strategy": strategy, "budget": budget, "target": target, "rng": key.seed}
        switched_off = {} if key.suite == POLISHED else PLAIN
        return debox.minimize(problem.fun, bounds, args=problem.data, **options, **switched_off)

    seconds, result = cpu_seconds(run)
    return Outcome(result.fun - minimum, result.nfev, seconds)


def run() -> None:
    """Do the runs that are not done."""
    rows = read(DATA, LOGS)
    pending = [key for key in keys() if key not in rows]
    log = Log(LOGS / "runs.csv")
    for done, key in enumerate(pending):
        if done % 500 == 0:
            progress(f"{done} of {len(pending)} runs done")
        log.append(key, do(key))
    pack(read(DATA, LOGS), DATA, LOGS)


# ---- The page --------------------------------------------------------------------------------------------------------


Groups = Mapping[str, list[str]]


class Contest(NamedTuple):
    """The runs of all strategies on one problem with one budget."""

    suite: str
    problem: str
    n: int
    per_variable: int

    @property
    def place(self) -> str:
        """Where the minimum is."""
        if self.problem in NEAR_BOUNDS:
            return "on or near bounds"
        return "angles" if self.problem in ANGLES else "inside"


Contests = Mapping[Contest, Comparison]


def contests(rows: Rows) -> dict[Contest, Comparison]:
    """All of them; errors below which runs are the same count as equal."""
    errors: dict[Contest, dict[str, list[float]]] = {}
    for key, outcome in sorted(rows.items(), key=lambda item: item[0].seed):
        errors.setdefault(Contest(*key[:4]), {}).setdefault(key.solver, []).append(outcome.error)
    found = {}
    for contest, by_name in errors.items():
        names = [name for name in (*STRATEGIES, PERIODIC) if name in by_name]
        values = np.maximum([by_name[name] for name in names], SAME if contest.suite in ("small", POLISHED) else GOAL)
        none = np.zeros((*values.shape, 0))
        seeds = tuple(range(values.shape[1]))
        found[contest] = Comparison(tuple(names), values, none.sum(2), none.sum(2).astype(int), none, seeds, "debox")
    return found


def twins(found: Iterable[Comparison]) -> dict[str, list[str]]:
    """The strategies, those with the same errors in all runs under the first of them."""
    groups: dict[bytes, list[str]] = {}
    errors = {name: np.concatenate([row_of(one, name) for one in found]) for name in STRATEGIES}
    for name, values in errors.items():
        groups.setdefault(values.tobytes(), []).append(name)
    return {names[0]: names for names in groups.values()}


def row_of(one: Comparison, name: str) -> NDArray[np.float64]:
    """The errors of a strategy."""
    return one.values[one.strategies.index(name)]


def small_table(found: Contests, groups: Groups) -> list[str]:
    """A line per strategy: the median error on each small problem, bold where it is not worse than the best."""
    columns = {contest.problem: one for contest, one in found.items() if contest.suite == "small"}

    def cell(one: Comparison, name: str) -> str:
        if name not in one.strategies:
            return ""
        text = error_text(one.medians[one.strategies.index(name)])
        return text if name in one.worse else f"**{text}**"

    order = sorted(groups, key=lambda name: sum(np.log(row_of(one, name)).mean() for one in columns.values()))
    lines = [row([label(name, groups), *(cell(columns[p], name) for p in PLACES)]) for name in [*order, PERIODIC]]
    return [*head(["strategy", *PLACES]), *lines]


def polished_table(found: Contests, groups: Groups) -> list[str]:
    """A line per small problem with polish: how many strategies are not worse than the best, and the median errors."""
    columns = {contest.problem: one for contest, one in found.items() if contest.suite == POLISHED}
    lines = []
    for place in PLACES:
        one = columns[place]
        medians = {name: one.medians[one.strategies.index(name)] for name in one.strategies}
        equal = [name for name in [*groups, PERIODIC] if name in medians and name not in one.worse]
        of = sum(name in medians for name in [*groups, PERIODIC])
        least, most = (error_text(pick(medians.values())) for pick in (min, max))
        names = "" if len(equal) == of else f": {', '.join(label(name, groups) for name in equal)}"
        lines.append(row([place, f"{len(equal)} of {of}{names}", least, most]))
    return [*head(["minimum", "not worse than the best beyond chance", "least median", "greatest"]), *lines]


def error_text(error: float) -> str:
    """One digit; 0 stands for what is as good as none."""
    return "0" if error <= SAME else f"{error:.0e}".replace("e-0", "e-")


def counts_table(found: Contests, groups: Groups) -> list[str]:
    """A line per strategy: on how many problems it is not worse than the best, by the place of the minimum."""
    columns: dict[tuple[str, int], list[Comparison]] = {(place, b): [] for place in BENCHMARK for b in BUDGETS}
    for contest, one in found.items():
        if contest.suite not in ("small", POLISHED):
            columns[contest.place, contest.per_variable].append(one)

    def won(name: str) -> list[tuple[int, int]]:
        asked = [[one for one in column if name in one.strategies] for column in columns.values()]
        return [(sum(name not in one.worse for one in column), len(column)) for column in asked]

    order = sorted(groups, key=lambda name: -sum(number for number, _ in won(name)))
    lines = [
        row([label(name, groups), *(f"{number} of {of}" if of else "" for number, of in won(name))])
        for name in [*order, PERIODIC]
    ]
    return [*head(["strategy", *(f"{place}, {b} n" for place, b in columns)]), *lines]


def label(name: str, groups: Groups) -> str:
    """The names of strategies that are the same."""
    return ", ".join(groups.get(name, [name]))


def part(rows: Rows) -> str:
    """Everything between the marks."""
    found = contests(rows)
    groups = twins(found.values())
    return "\n".join(
        [
            f"Small problems with tol and polish, as by default, {EVALUATIONS} evaluations: all strategies, "
            f"{POLISHED_SEEDS} seeds each.\n",
            *polished_table(found, groups),
            f"\nSmall problems, DE alone, {EVALUATIONS} evaluations: median error of {SMALL_SEEDS} seeds, bold where "
            "it is not worse than the best beyond chance.\n",
            *small_table(found, groups),
            f"\nThe benchmark's problems, DE alone, {SEEDS} seeds: on how many it is not worse than the best "
            "beyond chance.\n",
            *counts_table(found, groups),
        ]
    )


def update() -> None:
    """Write the tables into the page."""
    PAGE.write_text(replace(PAGE.read_text(), BEGIN, END, part(read(DATA, LOGS))))


def report() -> None:
    """What `python -m benchmarks strategies` does."""
    run()
    update()


if __name__ == "__main__":
    report()
