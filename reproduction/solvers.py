"""The solvers, one line each, called as their users would who have a budget of evaluations.

A runner takes a problem, its recorder, a budget and a seed; what it returns is not looked at: the recorder knows. A
candidate is a setting of debox that may become its default: it is run on the problems that choose, not on those that
judge.
"""

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

import debox
from reproduction.problems import Problem, Recorder

Run = Callable[[Problem, Recorder, int, int], object]


class Solver(NamedTuple):
    """How it is run, what to say of it, and whether it is a candidate."""

    run: Run
    settings: str
    is_candidate: bool = False


def of_debox(**arguments: Any) -> Solver:
    """`debox.minimize` with these arguments; an argument that is a function is called with n and the budget."""
    said = [f"{key}={value.__doc__ if callable(value) else repr(value)}" for key, value in arguments.items()]

    def run(problem: Problem, recorder: Recorder, budget: int, seed: int) -> object:
        given = {key: value(problem.n, budget) if callable(value) else value for key, value in arguments.items()}
        if any(problem.periodic):
            names = debox.Optimizer(problem.bounds, **given, budget=budget).strategies
            pairs = zip(problem.periodic, names, strict=True)
            given["strategy"] = ["toroidal" if wraps else name for wraps, name in pairs]
        return debox.minimize(recorder, problem.bounds, **given, budget=budget, rng=seed)

    return Solver(run, f"`minimize({', '.join(['fun, bounds', *said])}, budget=…)`")


def candidate(**arguments: Any) -> Solver:
    """A setting of debox that is run on the problems that choose."""
    return of_debox(**arguments)._replace(is_candidate=True)


def of_scipy(polish: bool, **options: Any) -> Run:
    """SciPy's; to be polished, it has to end its generations when nine tenths of the budget are spent."""

    def run(problem: Problem, recorder: Recorder, budget: int, seed: int) -> object:
        from scipy.optimize import differential_evolution

        points = 15 * problem.n  # of a generation, by default
        generations = 9 * budget // (10 * points) - 1 if polish else budget // points
        return differential_evolution(
            recorder, problem.bounds, maxiter=max(generations, 1), polish=polish, rng=seed, **options
        )

    return run


def pymoo(problem: Problem, recorder: Recorder, budget: int, seed: int) -> object:
    """Its DE with its defaults."""
    core, de, optimize = map(
        import_module, ("pymoo.core.problem", "pymoo.algorithms.soo.nonconvex.de", "pymoo.optimize")
    )

    class Task(core.ElementwiseProblem):  # type: ignore[misc, name-defined]
        def _evaluate(self, x: Any, out: dict[str, Any], *_: Any, **__: Any) -> None:
            out["F"] = recorder(x)

    task = Task(n_var=problem.n, n_obj=1, xl=problem.low, xu=problem.high)
    return optimize.minimize(task, de.DE(), ("n_eval", budget), seed=seed + 1)  # a seed of 0 is none to it


def of_minionpy(algorithm: str) -> Run:
    """An algorithm of minionpy with its defaults."""

    def run(problem: Problem, recorder: Recorder, budget: int, seed: int) -> object:
        minionpy = import_module("minionpy")

        def values(X: Any) -> list[float]:
            return [recorder(x) for x in X]

        return minionpy.Minimizer(values, problem.bounds, algo=algorithm, maxevals=budget, seed=seed).optimize()

    return run


def pycma(problem: Problem, recorder: Recorder, budget: int, seed: int) -> object:
    """CMA-ES with BIPOP restarts from random points, on variables scaled to [0, 1]."""
    cma = import_module("cma")
    rng, width = np.random.default_rng(seed), problem.high - problem.low
    options = {"bounds": [0, 1], "maxfevals": budget, "seed": seed + 1, "verbose": -9, "verb_log": 0}
    return cma.fmin2(
        lambda z: recorder(problem.low + width * z),
        lambda: rng.random(problem.n),
        0.3,
        options,
        restarts=99,
        bipop=True,
    )


def fewer(n: int, budget: int) -> int:
    """10 log₁₀(budget/n) − 8"""
    return max(round(10 * math.log10(budget / n)) - 8, 8)


def root_of_budget(share: float) -> Callable[[int, int], int]:
    """A rule for N: this share of the root of the budget."""

    def rule(n: int, budget: int) -> int:
        return max(8, min(round(share * budget**0.5), 18 * n))

    rule.__doc__ = f"{share:g} √budget"
    return rule


def greedy_if_short(n: int, budget: int) -> str:
    """best/1 up to 100 n, rand/1 beyond"""
    return "DE/best/1/bin" if budget <= 100 * n else "DE/rand/1/bin"


DEFAULT, CLASSIC, DE_ALONE = "debox", "debox DE/rand/1/bin", "debox, DE alone"
ALONE: dict[str, Any] = {"tol": None, "polish": False}
SOLVERS = {
    DEFAULT: of_debox(),
    DE_ALONE: of_debox(**ALONE),
    CLASSIC: of_debox(variant="DE/rand/1/bin"),
    "SciPy": Solver(
        of_scipy(polish=True), "`differential_evolution`; generations end, and polish begins, at 90 % of the budget"
    ),
    "SciPy, not polished": Solver(
        of_scipy(polish=False, tol=0, atol=-1), "`differential_evolution(polish=False, tol=0)`, the whole budget"
    ),
    "pymoo": Solver(pymoo, "its DE"),
    "minionpy L-SHADE": Solver(of_minionpy("LSHADE"), "`Minimizer`"),
    "minionpy jSO": Solver(of_minionpy("jSO"), "`Minimizer`"),
    "minionpy ARRDE": Solver(of_minionpy("ARRDE"), "`Minimizer`"),
    "pycma": Solver(pycma, "`fmin2` on [0, 1]ⁿ from a random point, σ = 0.3, BIPOP restarts"),
    "debox, N = √budget/4": candidate(N=root_of_budget(0.25), **ALONE),
    "debox, N = √budget": candidate(N=root_of_budget(1.0), **ALONE),
    "debox, midpoint-target": candidate(strategy="midpoint-target", **ALONE),
    "debox L-SHADE": candidate(variant="L-SHADE"),
    "debox fewer": candidate(variant="DE/rand/1/bin", N=fewer),
    "debox fewer, F = Cr = 0.5": candidate(variant="DE/rand/1/bin", N=fewer, F=0.5, Cr=0.5),
    "debox fewer, Cr = 0.9": candidate(variant="DE/rand/1/bin", N=fewer, F=0.7, Cr=0.9),
    "debox fewer, greedy": candidate(variant=greedy_if_short, N=fewer, F=0.5, Cr=0.5),
    "debox DE/best/1/bin": candidate(variant="DE/best/1/bin"),
    "debox DE/curr-to-best/1/bin": candidate(variant="DE/curr-to-best/1/bin"),
}


def solve(solver: Solver, problem: Problem, budget: int, seed: int) -> Recorder:
    """One run; the recorder ends solvers that would go on, some of which say so by errors of their own."""
    recorder = Recorder(problem, budget)
    try:
        solver.run(problem, recorder, budget, seed)
    except Exception:
        if not recorder.has_stopped:
            raise
    return recorder
