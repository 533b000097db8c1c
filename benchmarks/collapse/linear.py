"""A population without a box, replaced by whole mutants: does it typically grow or shrink?

Whole mutants are linear in the population, so in the long run differences grow or shrink by a factor whose logarithm
is the Lyapunov exponent of a product of random matrices; it is the same for every dimension, so one is enough. The
slot to be replaced is drawn in proportion to its value f, which is then multiplied by U: f0 once replacements are rare.
"""

import numpy as np
from numpy.typing import NDArray

from debox import operators

REPLICAS = 2000
WARM_UP, END = 2, 10  # replacements per individual; a run of the paper with N = 5 has 10
FACTORS = (0.05, 0.1, 0.15, 0.2, 0.266, 0.35, 0.483, 0.6, 0.7, 0.8, 0.916, 1.0, 1.133, 1.25, 1.35)


def exponent(mutation: str, N: int, F: float, rng: np.random.Generator, replicas: int = REPLICAS) -> float:
    """The growth of ln(standard deviation) per replacement of each individual, in the median population."""
    formula, donors = operators.find("mutation", mutation).function, operators.find("mutation", mutation).donors
    x, ln_f = rng.random((replicas, N)), np.log(rng.random((replicas, N)))
    log_scale, before, rows = np.zeros(replicas), np.zeros(replicas), np.arange(replicas)
    for step in range(END * N):
        if step == WARM_UP * N:
            before = log_scale.copy()
        slot = (ln_f + rng.gumbel(size=ln_f.shape)).argmax(axis=1)  # in proportion to f
        r = rng.random((replicas, N)).argpartition(donors - 1, axis=1)[:, :donors]
        r = np.take_along_axis(r, rng.random((replicas, donors)).argsort(axis=1), axis=1)
        parents = [x[rows, r[:, k]] if k < donors else x[:, 0] for k in range(5)]
        x[rows, slot] = formula(x[rows, slot], x[rows, ln_f.argmin(axis=1)], *parents, F)
        ln_f[rows, slot] += np.log(rng.random(replicas))
        scale = x.std(axis=1)
        with np.errstate(divide="ignore"):  # differences may round to 0: ln 0 = −∞
            log_scale += np.log(scale)
        x = (x - x.mean(axis=1, keepdims=True)) / np.where(scale > 0, scale, 1)[:, None]
    grown = log_scale - np.where(before > -np.inf, before, 0)  # −∞ where all differences are lost
    return float(np.median(grown) / (END - WARM_UP))


def mean_variance_factor(N: int, F: float, p: float) -> float:
    """E[variance after ÷ before] of one replacement with rand/1 in which a component is exchanged with chance p.

    The new component has mean x̄ and variance V (1 + 2F² N/(N − 1)); to put it in the place of one of N values that does
    not depend on it multiplies V by 1 + 2F²/N − 2/N², on average.
    """
    return 1 + p * (2 * F**2 / N - 2 / N**2)


def critical_F(exponents: NDArray[np.float64], F: NDArray[np.float64]) -> float:
    """Where the exponent crosses 0 upward for the last time; NaN if it does not."""
    for k in range(len(F) - 1, 0, -1):
        if exponents[k - 1] < 0 <= exponents[k]:
            share = exponents[k - 1] / (exponents[k - 1] - exponents[k])
            return float(F[k - 1] + share * (F[k] - F[k - 1]))
    return float("nan")
