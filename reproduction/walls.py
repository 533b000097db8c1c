"""Which strategy suits which problem: all strategies that evaluate no point outside the box, in the variant debox.

Without tol and polish, on the problems of problems.py and on small ones where it is known what lies at the bounds.
These are drawn anew for each seed, and done with tol and polish, too.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
from benchmarks.measure import cpu_seconds
from numpy.typing import NDArray

import debox
from debox import operators
from debox.optimize.compare import Comparison
from reproduction import runs
from reproduction.numbers import OUT
from reproduction.problems import GOAL, Problem, leaning, problems, rotation, waves
from reproduction.runs import Key, Outcome, Rows

PERIODIC = "mirror, Periodic"
STRATEGIES = tuple(one.name for one in operators.in_slot("strategy") if not one.leaves_outside)
PLAIN: dict[str, Any] = {"tol": None, "polish": False}  # what switches off all that is not Differential Evolution
BUDGETS, SEEDS = (200, 1000), 25  # per variable, of the benchmark's problems
SMALL, EVALUATIONS, SMALL_SEEDS = 5, 1000, 51  # variables, budget and seeds of the small problems
POLISHED, POLISHED_SEEDS = "polished", 15  # the suite of the small problems with the defaults of minimize
SAME = 1e-12  # errors up to here are the same on the small problems
PLACES = ("far inside", "inside", "near the corner", "on one bound", "in the corner", "an angle")
PLACE_OF = dict.fromkeys(("Schwefel", "ripples", "leaning", "Zakharov", "decays"), "on or near bounds")
PLACE_OF |= dict.fromkeys(("torsions", "waves"), "angles")
Contests = dict[tuple[str, str, int, int], Comparison]  # suite, problem, n, budget ÷ n → the runs of all strategies
Groups = Mapping[str, list[str]]


# ---- Runs ------------------------------------------------------------------------------------------------------------


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


def keys() -> Iterator[Key]:
    """All runs, the small problems first, then seed by seed."""
    for seed, name in product(range(SMALL_SEEDS), PLACES):
        for suite in ("small", POLISHED) if seed < POLISHED_SEEDS else ("small",):
            yield from of_problem(suite, small(name, seed), EVALUATIONS, seed)
    for per_variable, seed, suite in product(BUDGETS, range(SEEDS), ("tuning", "judging")):
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
    options = {
        "strategy": key.solver.removesuffix(", Periodic"),
        "budget": key.per_variable * (1 if is_small else key.n),
        "target": None if is_small else problem.minimum + GOAL,
        **({} if key.suite == POLISHED else PLAIN),
    }
    seconds, result = cpu_seconds(
        lambda: debox.minimize(problem.fun, bounds, args=problem.data, **options, rng=key.seed)
    )
    return result.fun - problem.minimum, result.nfev, seconds


def run() -> None:
    """Do the runs that are not done."""
    rows = runs.read("strategies")
    runs.execute(OUT / "strategies" / "runs.csv", [key for key in keys() if key not in rows], do)
    runs.pack("strategies", runs.read("strategies"))


# ---- What they say ---------------------------------------------------------------------------------------------------


def contests(rows: Rows) -> Contests:
    """All of them; errors below which runs are the same count as equal."""
    errors: dict[Any, dict[str, list[float]]] = {}
    for key in sorted(rows, key=lambda key: key.seed):
        errors.setdefault(key[:4], {}).setdefault(key.solver, []).append(rows[key][0])
    found = {}
    for contest, by_name in errors.items():
        names = tuple(name for name in (*STRATEGIES, PERIODIC) if name in by_name)
        is_small = contest[0] in ("small", POLISHED)
        values = np.maximum([by_name[name] for name in names], SAME if is_small else GOAL)
        none = np.zeros((*values.shape, 0))
        seeds = tuple(range(values.shape[1]))
        found[contest] = Comparison(names, values, none.sum(2), none.sum(2).astype(int), none, seeds, "debox")
    return found


def errors_of(one: Comparison, name: str) -> NDArray[np.float64]:
    """The errors of a strategy."""
    return one.values[one.strategies.index(name)]


def median(one: Comparison, name: str) -> float:
    """The median error of a strategy; 0 for what is as good as none."""
    return error if (error := float(one.medians[one.strategies.index(name)])) > SAME else 0.0


def twins(found: Contests) -> dict[str, list[str]]:
    """The strategies, those with the same errors in all runs under the first of them."""
    groups: dict[bytes, list[str]] = {}
    for name in STRATEGIES:
        values = np.concatenate([errors_of(one, name) for one in found.values()])
        groups.setdefault(values.tobytes(), []).append(name)
    return {names[0]: names for names in groups.values()}


def small_table(found: Contests, groups: Groups) -> list[dict[str, Any]]:
    """Of every strategy the median error on each small problem, and whether it is not worse than the best."""
    columns = {contest[1]: one for contest, one in found.items() if contest[0] == "small"}
    order = sorted(groups, key=lambda name: sum(np.log(errors_of(one, name)).mean() for one in columns.values()))
    rows = []
    for name in [*order, PERIODIC]:
        met = [columns[place] if name in columns[place].strategies else None for place in PLACES]
        rows.append(
            {
                "names": groups.get(name, [name]),
                "errors": [one and median(one, name) for one in met],
                "best": [one is not None and name not in one.worse for one in met],
            }
        )
    return rows


def polished_table(found: Contests, groups: Groups) -> list[dict[str, Any]]:
    """Of every small problem with polish: which strategies are not worse than the best, and the median errors."""
    rows = []
    for place in PLACES:
        (one,) = (one for contest, one in found.items() if contest[:2] == (POLISHED, place))
        names = [name for name in [*groups, PERIODIC] if name in one.strategies]
        equal = [", ".join(groups.get(name, [name])) for name in names if name not in one.worse]
        medians = [median(one, name) for name in one.strategies]
        rows.append({"place": place, "equal": equal, "of": len(names), "least": min(medians), "greatest": max(medians)})
    return rows


def counts_table(found: Contests, groups: Groups) -> list[dict[str, Any]]:
    """On how many of the benchmark's problems a strategy is not worse than the best, by the place of the minimum."""
    columns: dict[Any, list[Comparison]] = {}
    for (suite, problem, _, budget), one in found.items():
        if suite not in ("small", POLISHED):
            columns.setdefault((PLACE_OF.get(problem, "inside"), budget), []).append(one)
    shown = [columns[place] for place in product(("inside", "on or near bounds", "angles"), BUDGETS)]

    def won(name: str) -> list[tuple[int, int]]:
        met = [[one for one in column if name in one.strategies] for column in shown]
        return [(sum(name not in one.worse for one in column), len(column)) for column in met]

    order = sorted(groups, key=lambda name: -sum(number for number, _ in won(name)))
    return [{"names": groups.get(name, [name]), "won": won(name)} for name in [*order, PERIODIC]]


def numbers(rows: Rows | None = None) -> dict[str, Any]:
    """The three tables."""
    found = contests(runs.read("strategies") if rows is None else rows)
    groups = twins(found)
    return {
        "seeds": SEEDS,
        "small_seeds": SMALL_SEEDS,
        "polished_seeds": POLISHED_SEEDS,
        "evaluations": EVALUATIONS,
        "places": PLACES,
        "columns": [f"{place}, {b} n" for place, b in product(("inside", "on or near bounds", "angles"), BUDGETS)],
        "polished": polished_table(found, groups),
        "small": small_table(found, groups),
        "counts": counts_table(found, groups),
    }
