"""Which strategy suits which problem: `python -m benchmarks.strategies [run|page]` does the runs, writes docs/walls.md.

All strategies that evaluate points in the box only, with the variant debox and nothing else changed, on the problems
of benchmarks/defaults and on small ones where it is known what lies at the bounds. These are drawn anew for each seed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import debox
from benchmarks.defaults.execute import problems
from benchmarks.defaults.judging import leaning, waves
from benchmarks.defaults.problem import GOAL, Problem, rotation
from benchmarks.defaults.results import Key, Log, Outcome, pack, read
from benchmarks.measure import cpu_seconds, progress
from debox import operators

ROOT = Path(__file__).parents[1]
DATA, LOGS, PAGE = ROOT / "data" / "strategies.parquet", ROOT / "out" / "strategies", ROOT / "docs" / "walls.md"
DEFAULT, PERIODIC = "mirror", "mirror, Periodic"
STRATEGIES = tuple(one.name for one in operators.in_slot("strategy") if not one.leaves_outside)
PLAIN: dict[str, Any] = {}  # what switches off all that is not Differential Evolution
BUDGETS, SEEDS = (200, 1000), 25  # per variable, of the benchmark's problems
SMALL, EVALUATIONS, SMALL_SEEDS = 5, 1000, 51  # variables, budget and seeds of the small problems


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
            yield from of_problem("small", small(name, seed), EVALUATIONS, seed)
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
    is_small = key.suite == "small"
    problem = small(key.problem, key.seed) if is_small else problems(key.suite)[key.problem, key.n]
    bounds: list[Any] = list(problem.bounds)
    if key.solver == PERIODIC:
        wraps = zip(bounds, problem.periodic, strict=True)
        bounds = [debox.Periodic(*pair) if is_angle else pair for pair, is_angle in wraps]
    budget, minimum = key.per_variable * (1 if is_small else key.n), problem.minimum
    target = None if is_small else minimum + GOAL
    strategy = key.solver.removesuffix(", Periodic")

    def run() -> Any:
        options = {"strategy": strategy, "budget": budget, "target": target, "rng": key.seed, **PLAIN}
        return debox.minimize(problem.fun, bounds, args=problem.data, **options)

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


if __name__ == "__main__":
    run()
