"""debox and its peers, each minimising the sphere on [−5, 5]³⁰ with DE/rand/1/bin, F = 0.5, Cr = 0.9, or L-SHADE.

A runner takes N, a budget and a seed, spends at least the budget, and gives the number of evaluations spent.
"""

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

import numba
import numpy as np
from scipy.optimize import Bounds, differential_evolution

import debox

n, F, CR = 30, 0.5, 0.9
BOUNDS = [(-5.0, 5.0)] * n
NUMPY, NUMBA, PYTHON = "vectorised NumPy", "Numba", "Python, point by point"
LSHADE = "debox, L-SHADE"
SPHERE, ROSENBROCK = "C++, its sphere (CEC 2013 f1)", "C++, its Rosenbrock"


def columns(X):
    """The values of the columns of X (n, S): how debox and SciPy call a vectorised objective"""
    return (X * X).sum(axis=0)


def rows(X):
    """The values of the rows of X, a list of lists: how minionpy calls every objective"""
    X = np.asarray(X)
    return (X * X).sum(axis=1)


def point(x):
    """The value of one point"""
    return x @ x


@numba.njit
def compiled(x):
    """The value of one point, compiled"""
    total = 0.0
    for i in range(x.size):
        total += x[i] * x[i]
    return total


class PointProblem:
    """The sphere as a pygmo problem written in Python."""

    def fitness(self, x):
        return [x @ x]

    def get_bounds(self):
        return [low for low, _ in BOUNDS], [high for _, high in BOUNDS]


def run_debox(fun, **options):
    def run(N, budget, seed):
        return debox.minimize(fun, BOUNDS, "DE/rand/1/bin", N=N, F=F, Cr=CR, budget=budget, rng=seed, **options).nfev

    return run


def run_lshade(fun, **options):
    def run(N, budget, seed):
        return debox.minimize(fun, BOUNDS, "L-SHADE", N=N, budget=budget, rng=seed, **options).nfev

    return run


def run_minionpy_lshade(N, budget, seed):
    minimizer = import_module("minionpy").Minimizer(
        rows, BOUNDS, algo="LSHADE", maxevals=budget, seed=seed, options={"population_size": N}
    )
    return minimizer.optimize().nfev


def run_scipy(N, budget, seed):
    result = differential_evolution(
        columns,
        BOUNDS,
        strategy="rand1bin",
        mutation=F,
        recombination=CR,
        init=np.random.default_rng(seed).uniform(-5.0, 5.0, (N, n)),  # popsize would be a multiple of n
        maxiter=generations(N, budget),
        tol=0.0,
        atol=-1.0,  # never converged, not even when all points are one and the same, as happens with N = 5
        polish=False,
        vectorized=True,
        updating="deferred",
        rng=seed,
    )
    return result.nfev * N  # with vectorized=True nfev counts calls, of N points each


def run_minionpy(N, budget, seed):
    never = -1.0
    de = import_module("minionpy").Differential_Evolution(
        rows,
        BOUNDS,
        maxevals=budget,
        seed=seed,
        options={
            "population_size": N,
            "mutation_strategy": "rand1bin",
            "mutation_rate": F,
            "crossover_rate": CR,
            "x_tol": never,
            "f_tol": never,
        },
    )
    return de.optimize().nfev


def run_pygmo(problem):
    def run(N, budget, seed):
        pygmo = import_module("pygmo")
        population = pygmo.population(pygmo.problem(problem(pygmo)), N, seed=seed)
        rand_1_bin = pygmo.de(generations(N, budget), F, CR, variant=7, ftol=0.0, xtol=0.0, seed=seed)
        return pygmo.algorithm(rand_1_bin).evolve(population).problem.get_fevals()

    return run


def run_fcmaes(N, budget, seed):
    """Its DE has F and Cr that vary with the generation, and restarts old individuals: `keep`"""
    de, bounds = import_module("fcmaes.decpp"), Bounds(*np.transpose(BOUNDS))
    rng = np.random.default_rng(seed)
    return de.minimize(point, n, bounds, popsize=N, max_evaluations=budget, f=F, cr=CR, rg=rng).nfev


def generations(N, budget):
    """How many generations after the initial one spend at least the budget"""
    return -(-budget // N) - 1


class Row(NamedTuple):
    library: str
    objective: str
    run: Callable[[int, int, int], int]


ROWS = (
    Row("debox", NUMPY, run_debox(columns, vectorized=True)),
    Row("debox", NUMBA, run_debox(compiled)),
    Row("debox", PYTHON, run_debox(point)),
    Row("SciPy", NUMPY, run_scipy),
    Row("minionpy", NUMPY, run_minionpy),
    Row(LSHADE, NUMPY, run_lshade(columns, vectorized=True)),
    Row(LSHADE, NUMBA, run_lshade(compiled)),
    Row("minionpy, L-SHADE", NUMPY, run_minionpy_lshade),
    Row("fcmaes", PYTHON, run_fcmaes),
    Row("pygmo", PYTHON, run_pygmo(lambda pygmo: PointProblem())),
    Row("pygmo", SPHERE, run_pygmo(lambda pygmo: pygmo.cec2013(prob_id=1, dim=n))),
    Row("pygmo", ROSENBROCK, run_pygmo(lambda pygmo: pygmo.rosenbrock(n))),
)
