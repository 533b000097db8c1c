"""The ten problems on which the default of `minimize` is chosen: five functions of 10 and of 20 variables."""

import numba
import numpy as np

from benchmarks.defaults.problem import Problem, rotation

SIZES = (10, 20)
SCHWEFEL = 420.968746359982  # where x sin √x is greatest in [0, 500]


@numba.njit(cache=True)
def rosenbrock(x):
    """Σ 100 (x_{i+1} − x_i²)² + (1 − x_i)²"""
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


@numba.njit(cache=True)
def rastrigin(x, o):
    """Σ z² − 10 cos 2πz + 10, z = x − o"""
    z = x - o
    return (z**2 - 10 * np.cos(2 * np.pi * z) + 10).sum()


@numba.njit(cache=True)
def ackley(x, o):
    """20 − 20 exp(−√(mean z²)/5) + e − exp(mean cos 2πz), z = x − o"""
    z = x - o
    return 20 - 20 * np.exp(-0.2 * np.sqrt((z**2).mean())) + np.e - np.exp(np.cos(2 * np.pi * z).mean())


@numba.njit(cache=True)
def ellipsoid(x, o, R):
    """Σ 10^(6 i/(n−1)) z_i², z = R (x − o), i from 0"""
    return (10 ** (6 * np.arange(x.size) / (x.size - 1)) * (R @ (x - o)) ** 2).sum()


@numba.njit(cache=True)
def schwefel(x):
    """Σ s sin √s − x_i sin √|x_i|, s = 420.97…"""
    return (SCHWEFEL * np.sin(np.sqrt(SCHWEFEL)) - x * np.sin(np.sqrt(np.abs(x)))).sum()


def tuning() -> list[Problem]:
    """All ten."""
    return [problem for n in SIZES for problem in problems_of(n)]


def problems_of(n: int) -> list[Problem]:
    """The five of n variables; shifts are uniform over the middle 80 % of the box."""
    rng = np.random.default_rng([13, n])

    def shift(half: float):
        return rng.uniform(-0.8 * half, 0.8 * half, n)

    def centred(name, fun, half, optimiser, *data):
        return Problem(name, fun, np.full(n, -half), np.full(n, half), optimiser, data)

    ones = np.ones(n)
    return [
        Problem("Rosenbrock", rosenbrock, -5 * ones, 10 * ones, ones),
        centred("Rastrigin", rastrigin, 5.12, o := shift(5.12), o),
        centred("Ackley", ackley, 32.768, o := shift(32.768), o),
        centred("ellipsoid", ellipsoid, 5.0, o := shift(5.0), o, rotation(n, rng)),
        centred("Schwefel", schwefel, 500.0, SCHWEFEL * ones),
    ]
