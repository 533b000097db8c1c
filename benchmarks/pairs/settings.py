"""What is timed, by public names that all revisions have; run as a program, a process that takes turns (see __main__).

Each setting does the same work in every turn, about a twentieth of a second.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numba
import numpy as np

import debox


@numba.njit
def sphere(x):
    total = 0.0
    for i in range(x.size):
        total += x[i] * x[i]
    return total


def sphere_of_columns(X: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->j", X, X)


def sphere_in_python(x: np.ndarray) -> float:
    return float(x @ x)


def optimise(fun: Callable[..., Any], n: int, N: int, budget: int, **options: Any) -> None:
    bounds, variant = [(-5.0, 5.0)] * n, "DE/rand/1/bin"
    debox.minimize(fun, bounds, variant, strategy="mirror", N=N, F=0.5, Cr=0.9, budget=budget, rng=1, **options)


def measure(config: str, engine: str, runs: int, budget: int = 300_000) -> None:
    debox.measure(config, engine=engine, runs=runs, budget=budget, rng=1)


SETTINGS = {
    "minimize, Numba, n=10, N=20": partial(optimise, sphere, 10, 20, 400_000),
    "minimize, Numba, n=30, N=100": partial(optimise, sphere, 30, 100, 200_000),
    "minimize, NumPy by columns, n=30, N=20": partial(optimise, sphere_of_columns, 30, 20, 15_000, vectorized=True),
    "minimize, NumPy by columns, n=30, N=100": partial(optimise, sphere_of_columns, 30, 100, 50_000, vectorized=True),
    "minimize, Python, n=30, N=20": partial(optimise, sphere_in_python, 30, 20, 12_000),
    "plain, rand/1/bin sat, N=20": partial(measure, "DE/rand/1/bin sat, N=20, F=0.7, Cr=0.755", "plain", 1, 150_000),
    "plain, rand/1/exp tor, N=100": partial(measure, "DE/rand/1/exp tor, N=100, F=0.7, Cr=0.99", "plain", 1),
    "fast, best/1/bin sat, N=5": partial(measure, "DE/best/1/bin sat, N=5, F=0.7, Cr=0.755", "fast", 200),
    "fast, rand/1/bin sat, N=20": partial(measure, "DE/rand/1/bin sat, N=20, F=0.7, Cr=0.755", "fast", 30),
    "fast, curr-to-best/1/exp sat, N=20": partial(
        measure, "DE/curr-to-best/1/exp sat, N=20, F=0.7, Cr=0.755", "fast", 20
    ),
    "fast, rand/2/bin sat, N=100": partial(measure, "DE/rand/2/bin sat, N=100, F=0.7, Cr=0.755", "fast", 12),
    "fast, rand/1/exp sat, N=100": partial(measure, "DE/rand/1/exp sat, N=100, F=0.7, Cr=0.755", "fast", 12),
}


def take_turns() -> None:
    """Say which debox this is, then do the setting that each line of the input names and write its CPU seconds."""
    print(debox.__file__, flush=True)
    warm = set()
    for line in sys.stdin:
        setting = line.rstrip("\n")
        if setting not in warm:  # once untimed: objectives are compiled
            SETTINGS[setting]()
            warm.add(setting)
        started = time.process_time()
        SETTINGS[setting]()
        print(time.process_time() - started, flush=True)


if __name__ == "__main__":
    take_turns()
