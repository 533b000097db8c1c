"""Who is first, who is within noise of the first, and where one solver is worse than another beyond chance."""

from collections.abc import Mapping
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray

from benchmarks.defaults.problem import GOAL

LEVEL = 0.05
Errors = NDArray[np.float64]  # of one solver, one a seed


def chance_of_greater(a: Errors, b: Errors) -> float:
    """The p-value of Mann and Whitney for "a is greater than b": normal, corrected for ties and continuity."""
    m, n = a.size, b.size
    U = np.count_nonzero(a[:, None] > b) + np.count_nonzero(a[:, None] == b) / 2
    ties = np.unique(np.concatenate([a, b]), return_counts=True)[1]
    variance = m * n / 12 * (m + n + 1 - (ties**3 - ties).sum() / ((m + n) * (m + n - 1)))
    return 0.5 * erfc((U - m * n / 2 - 0.5) / sqrt(2 * variance)) if variance > 0 else 1.0


def chance_of_difference(a: Errors, b: Errors) -> float:
    """The p-value of Mann and Whitney, two-sided."""
    return min(1.0, 2 * chance_of_greater(a, b), 2 * chance_of_greater(b, a))


def holm(chances: list[float]) -> list[float]:
    """p-values corrected for their number: the k-th smallest of m times m + 1 − k, and no less than those before."""
    corrected, so_far = [0.0] * len(chances), 0.0
    for k, i in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        so_far = max(so_far, min(1.0, (len(chances) - k) * chances[i]))
        corrected[i] = so_far
    return corrected


def leaders(errors: Mapping[str, Errors]) -> set[str]:
    """Solvers with the least median error, and those that a test with Holm's correction does not tell from the first.

    Errors up to the goal are the same. Of several with the least median, the first is the one with the least mean rank.
    """
    floored = {name: np.maximum(values, GOAL) for name, values in errors.items()}
    medians = {name: np.median(values) for name, values in floored.items()}
    everything = np.concatenate(list(floored.values()))

    def mean_rank(name: str) -> float:
        values = floored[name][:, None]
        return float(np.mean((everything < values).sum(axis=1) + (everything == values).sum(axis=1) / 2))

    first = min(floored, key=lambda name: (medians[name], mean_rank(name)))
    others = [name for name in floored if name != first]
    chances = holm([chance_of_difference(floored[name], floored[first]) for name in others])
    within = {name for name, chance in zip(others, chances, strict=True) if chance >= LEVEL}
    return within | {name for name in floored if medians[name] == medians[first]}


def worse(pairs: Mapping[str, tuple[Errors, Errors]], factor: float) -> list[str]:
    """Where the first errors of a pair exceed `factor` times the second beyond chance, corrected for all pairs."""
    floored = [(np.maximum(a, GOAL), factor * np.maximum(b, GOAL)) for a, b in pairs.values()]
    chances = holm([chance_of_greater(a, b) for a, b in floored])
    return [where for where, chance in zip(pairs, chances, strict=True) if chance < LEVEL]
