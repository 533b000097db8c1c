"""Objective functions of 30 variables, each with its box; f0 as one of them is the control.

Where a minimum lies decides how fine points around it are: near 0 floating-point numbers have no end, so a population
keeps contracting towards it, and near 1 they are 1e-16 apart, so it comes to a halt. Both kinds are here.
"""

import numba
import numpy as np

from reproduction.problems import rosenbrock

WEIGHTS = 10.0 ** (6 * np.arange(30) / 29)


@numba.njit
def f0(x):
    """A new random value for every point."""
    return np.random.random()  # noqa: NPY002 Numba has no other without an argument


@numba.njit
def seed_f0(seed):
    """Begin the random values of f0 anew: they come from Numba's generator, not from the one of the run."""
    np.random.seed(seed)  # noqa: NPY002


@numba.njit
def sphere(x):
    return (x**2).sum()


@numba.njit
def wall(x):
    """A sphere whose minimum lies on the upper wall in every other variable, and in the middle in the others."""
    return ((x[::2] - 5) ** 2).sum() + (x[1::2] ** 2).sum()


@numba.njit
def corner(x):
    """A sphere whose minimum is the corner 0 of the box."""
    return (x**2).sum()


@numba.njit
def linear(x):
    """Least in the corner 0, where numbers have no end."""
    return x.sum()


@numba.njit
def linear_at_1(x):
    """Least in the corner 1, where numbers are 1e-16 apart."""
    return -x.sum()


@numba.njit
def concave(x):
    """Least in all corners."""
    return -(x**2).sum()


@numba.njit
def ellipsoid(x):
    """Of 30 variables, the last weighs a million times as much as the first."""
    return (WEIGHTS * x**2).sum()


@numba.njit
def rastrigin(x):
    return (x**2 - 10 * np.cos(2 * np.pi * x) + 10).sum()


@numba.njit
def schwefel(x):
    """Its minimum, 420.97 in every variable, is near the wall, far from the next best."""
    return -(x * np.sin(np.sqrt(np.abs(x)))).sum()


@numba.njit
def ackley(x):
    return 20 - 20 * np.exp(-0.2 * np.sqrt((x**2).mean())) + np.e - np.exp(np.cos(2 * np.pi * x).mean())


@numba.njit
def step(x):
    """Plateaus of length 1."""
    return (np.floor(x + 0.5) ** 2).sum()


BOXES = {
    f0: (0, 1),
    sphere: (-5, 5),
    wall: (-5, 5),
    corner: (0, 1),
    linear: (0, 1),
    linear_at_1: (0, 1),
    concave: (-1, 1),
    ellipsoid: (-5, 5),
    rosenbrock: (-2.048, 2.048),
    rastrigin: (-5.12, 5.12),
    schwefel: (-500, 500),
    ackley: (-32, 32),
    step: (-100, 100),
}
