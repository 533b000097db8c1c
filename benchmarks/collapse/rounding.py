"""How many trials leave the box by a rounding error only: coordinates on bounds have mutants on bounds."""

import numpy as np

from benchmarks.collapse.engine import Engine
from debox import registry

TOLERANCE = 4 * 2.0**-52
TRIALS = 20_000


def outside(engine: Engine, rng: np.random.Generator) -> tuple[float, float]:
    """The share of trials of the engine's population that are outside, and that are outside by more than TOLERANCE."""
    case, P = engine.case, engine.P
    mutation = registry.find("mutation", case.mutation)
    target = rng.integers(case.N, size=TRIALS)
    r = rng.random((TRIALS, case.N)).argsort(axis=1)[:, :5]
    v = mutation.function(P[target], P[engine.best], *(P[r[:, min(k, r.shape[1] - 1)]] for k in range(5)), case.F)
    beyond = np.maximum(-v, v - 1)
    exchanged = _exchanged(case.crossover, case.n, case.count, rng)
    return tuple(float(((beyond > limit) & exchanged).any(axis=1).mean()) for limit in (0, TOLERANCE))


def _exchanged(crossover: str, n: int, Cr: float, rng: np.random.Generator):  # type: ignore[no-untyped-def]
    start = rng.integers(n, size=(TRIALS, 1))
    steps = (np.arange(n) - start) % n
    if crossover == "bin":
        return (rng.random((TRIALS, n)) <= Cr) | (steps == 0)
    return steps < np.minimum(rng.geometric(1 - Cr, size=(TRIALS, 1)), n)
