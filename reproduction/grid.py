"""F and Cr of classic DE: how many seeds come near the minimum of five functions."""

from itertools import product
from typing import Any

import numba
import numpy as np
from benchmarks.measure import progress

import debox
from reproduction.problems import ackley, rastrigin, rosenbrock

SEEDS, GOAL = 10, 1e-6
SHIFT = 0.3  # no minimum in the middle of its box


@numba.njit
def sphere(x, o):
    return ((x - o) ** 2).sum()


@numba.njit
def griewank(x, o):
    y = x - o
    return (y**2).sum() / 4000 - np.cos(y / np.sqrt(np.arange(1, x.size + 1))).prod() + 1


FUNCTIONS = {
    "Sphere": (sphere, (-5, 6)),
    "Rosenbrock": (rosenbrock, (-5, 6)),
    "Ackley": (ackley, (-30, 36)),
    "Rastrigin": (rastrigin, (-5, 6)),
    "Griewank": (griewank, (-600, 720)),
}


def solved(name: str, n: int, F: float, Cr: float) -> int:
    """How many seeds reach the goal."""
    fun, bounds = FUNCTIONS[name]
    data = () if fun is rosenbrock else (np.full(n, SHIFT),)
    classic = {"variant": "DE/rand/1/bin", "strategy": "mirror", "F": F, "Cr": Cr, "target": GOAL}
    found = (debox.minimize(fun, [bounds] * n, args=data, **classic, rng=seed) for seed in range(SEEDS))
    return sum(one.success for one in found)


def numbers() -> dict[str, Any]:
    """The counts for 5, 10 and 20 variables."""
    default, tables = debox.Optimizer([(0, 1)], "DE/rand/1/bin").config, []
    for n in (5, 10, 20):
        rows = []
        for F, Cr in product((0.5, 0.6, 0.7, 0.8), (0.5, 0.7, 0.9)):
            progress(f"n={n}, F={F}, Cr={Cr}")
            rows.append({"F": F, "Cr": Cr, "solved": [solved(name, n, F, Cr) for name in FUNCTIONS]})
        tables.append({"n": n, "N": debox.Optimizer([(0, 1)] * n, "DE/rand/1/bin").config.N, "rows": rows})
    settings = {"F": default.F, "Cr": default.Cr, "seeds": SEEDS, "goal": GOAL}
    return {"functions": list(FUNCTIONS), "default": settings, "tables": tables}
