"""How many trials leave the box by a rounding error only: coordinates on bounds have mutants on bounds."""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.collapse.engine import Engine
from debox import operators

TOLERANCE = 4 * 2.0**-52
TRIALS = 10_000


def plus_product(c: Any, F: float, d: Any) -> Any:
    """c + F d with (nearly, in extended precision) one rounding, as a compiler that fuses does it"""
    return (np.longdouble(c) + np.longdouble(F) * np.longdouble(d)).astype(np.float64)


FUSED: dict[str, Callable[..., Any]] = {
    "rand/1": lambda x, best, r1, r2, r3, r4, r5, F: plus_product(r1, F, r2 - r3),
    "current-to-best/1": lambda x, best, r1, r2, r3, r4, r5, F: plus_product(plus_product(x, F, best - x), F, r1 - r2),
}


def outside(engine: Engine, rng: np.random.Generator) -> dict[str, float]:
    """The share of the population's trials outside: as written, beyond the tolerance, and if sums are fused."""
    case, P = engine.case, engine.P
    target = rng.integers(case.N, size=TRIALS)
    r = rng.random((TRIALS, case.N)).argsort(axis=1)[:, :5]
    parents = [P[target], P[engine.loop.run.best], *(P[r[:, k]] for k in range(5))]
    exchanged = _exchanged(case.crossover, case.n, case.count, rng)
    v, fused = (
        of(*parents, case.F) for of in (operators.find("mutation", case.mutation).function, FUSED[case.mutation])
    )
    cases = {"as written": (v, 0.0), "tolerant": (v, TOLERANCE), "fused": (fused, 0.0)}
    return {
        name: float(((np.maximum(-u, u - 1) > limit) & exchanged).any(axis=1).mean())
        for name, (u, limit) in cases.items()
    }


def _exchanged(crossover: str, n: int, Cr: float, rng: np.random.Generator) -> Any:
    start = rng.integers(n, size=(TRIALS, 1))
    steps = (np.arange(n) - start) % n
    if crossover == "bin":
        return (rng.random((TRIALS, n)) <= Cr) | (steps == 0)
    return steps < np.minimum(rng.geometric(1 - Cr, size=(TRIALS, 1)), n)
