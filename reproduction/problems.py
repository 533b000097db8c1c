"""Problems with a known minimum in a box, and the recorder through which every solver sees them.

The default of `minimize` is chosen on `tuning`, five functions of 10 and of 20 variables, and judged on `judging` and
`sbox`: nothing may be chosen by what comes out on these.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

GOAL = 1e-8  # errors up to here are the same
ROUNDOFF = 1e-9  # of the width of a box: what lies so far outside is put on its wall
SIZES = (10, 20)
SCHWEFEL = 420.968746359982  # where x sin √x is greatest in [0, 500]
STYBLINSKI = -2.903534027771177  # where x⁴ − 16 x² + 5 x is least: 4 x³ − 32 x + 5 = 0
NEAR = 0.001  # of the width: how far from its wall an optimum near a wall is
TIMES = np.linspace(0, 10, 50)  # when the two models that are fitted are observed
SBOX_N, INSTANCE = 10, 3  # of the functions of ioh; 1 and 2 were seen while the default was chosen


class Problem(NamedTuple):
    """fun(x, *data) has its least value in the box at `optimiser`; variables marked `periodic` end where they begin."""

    name: str
    fun: Callable[..., float]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    optimiser: NDArray[np.float64]
    data: tuple[NDArray[np.float64], ...] = ()
    periodic: tuple[bool, ...] = ()
    least: float | None = None  # fun(optimiser, *data), if not given

    @property
    def n(self) -> int:
        """How many variables it has."""
        return self.low.size

    @property
    def bounds(self) -> list[tuple[float, float]]:
        """A pair per variable, as every library takes them."""
        return list(zip(self.low.tolist(), self.high.tolist(), strict=True))

    @property
    def minimum(self) -> float:
        """The least value in the box."""
        return self.fun(self.optimiser, *self.data) if self.least is None else self.least


def rotation(n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """An orthogonal matrix, uniform among all."""
    Q, R = np.linalg.qr(rng.standard_normal((n, n)))
    return np.ascontiguousarray(Q * np.sign(np.diag(R)))


class Stop(Exception):
    """Ends a solver that asks for another value when the budget is spent or the goal is reached."""


class Recorder:
    """The objective that a solver gets: counts evaluations, keeps the best value, and gives none beyond the budget.

    Solvers that compute a point on a wall may miss it by rounding: such a point is put on the wall. A point outside
    the box is an error, else leaving it could win.
    """

    def __init__(self, problem: Problem, budget: int) -> None:
        self.problem, self.budget = problem, budget
        self.evaluations, self.best, self.has_stopped = 0, np.inf, False
        self.minimum = problem.minimum
        self.x = np.empty(problem.n)

    @property
    def error(self) -> float:
        """How far the best value is above the minimum."""
        return self.best - self.minimum

    def __call__(self, x: ArrayLike) -> float:
        """The value at a point of the box."""
        if self.evaluations >= self.budget or self.error <= GOAL:
            self.has_stopped = True
            raise Stop
        self.x[:] = x
        if not enter(self.x, self.problem.low, self.problem.high):
            raise ValueError(f"{self.problem.name} was asked for a value outside its box: x = {x}")
        self.evaluations += 1
        value = float(self.problem.fun(self.x, *self.problem.data))
        if value < self.best:
            self.best = value
        return value


@numba.njit(cache=True)
def enter(x: Any, low: Any, high: Any) -> bool:
    """Put a point that lies outside by rounding on the wall; returns whether it is in the box then."""
    for i in range(x.size):
        margin = ROUNDOFF * (high[i] - low[i])
        if not low[i] - margin <= x[i] <= high[i] + margin:
            return False
        x[i] = min(max(x[i], low[i]), high[i])
    return True


# The ten of tuning.


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


# The ten of judging: inside the box.


@numba.njit(cache=True)
def neurons(x, o, inputs):
    """Σ_(s,t) (y(s, t; x) − y(s, t; o))², y a sum of terms v tanh(w s + u t + c): v, w, u, c of one after the other"""
    total = 0.0
    for s, t in inputs:
        gap = 0.0
        for k in range(0, x.size, 4):
            gap += x[k] * np.tanh(x[k + 1] * s + x[k + 2] * t + x[k + 3])
            gap -= o[k] * np.tanh(o[k + 1] * s + o[k + 2] * t + o[k + 3])
        total += gap**2
    return total


@numba.njit(cache=True)
def levy(x, o):
    """sin² πw_1 + Σ (w_i − 1)² (1 + 10 sin²(πw_i + 1)) + (w_n − 1)² (1 + sin² 2πw_n), w = 1 + (x − o)/4, i < n"""
    w = 1 + (x - o) / 4
    inner = ((w[:-1] - 1) ** 2 * (1 + 10 * np.sin(np.pi * w[:-1] + 1) ** 2)).sum()
    return np.sin(np.pi * w[0]) ** 2 + inner + (w[-1] - 1) ** 2 * (1 + np.sin(2 * np.pi * w[-1]) ** 2)


@numba.njit(cache=True)
def styblinski(x):
    """Σ (x⁴ − 16 x² + 5 x)/2"""
    return (x**4 - 16 * x**2 + 5 * x).sum() / 2


@numba.njit(cache=True)
def schaffer(x, o, R):
    """Σ ½ + (sin² √s − ½)/(1 + s/1000)², s = z_i² + z_{i+1}², cyclically, z = R (x − o)"""
    z = R @ (x - o)
    total = 0.0
    for i in range(z.size):
        s = z[i] ** 2 + z[(i + 1) % z.size] ** 2
        total += 0.5 + (np.sin(np.sqrt(s)) ** 2 - 0.5) / (1 + s / 1000) ** 2
    return total


# On the walls or near them.


@numba.njit(cache=True)
def ripples(x, corner):
    """Σ d (1 + ½ sin² 5x), d = |x − corner|: waves on a slope that ends in a corner of the box"""
    return (np.abs(x - corner) * (1 + 0.5 * np.sin(5 * x) ** 2)).sum()


@numba.njit(cache=True)
def leaning(x, o, R, slope):
    """Σ 10^(4 i/(n−1)) z_i² + Σ slope_i |x_i − o_i|, z = R (x − o): where slope_i > 0, o_i is on a wall"""
    weights = 10 ** (4 * np.arange(x.size) / (x.size - 1))
    return (weights * (R @ (x - o)) ** 2).sum() + (slope * np.abs(x - o)).sum()


@numba.njit(cache=True)
def zakharov(x, o):
    """Σ z² + s² + s⁴, s = Σ i z_i/2, z = x − o, i from 1"""
    z = x - o
    s = (np.arange(1, x.size + 1) * z).sum() / 2
    return (z**2).sum() + s**2 + s**4


@numba.njit(cache=True)
def decays(x, o):
    """Σ_t (y(t; x) − y(t; o))², y a sum of terms a exp(−r t): amplitudes a and rates r, one after the other"""
    total = 0.0
    for t in TIMES:
        gap = 0.0
        for k in range(0, x.size, 2):
            gap += x[k] * np.exp(-x[k + 1] * t) - o[k] * np.exp(-o[k + 1] * t)
        total += gap**2
    return total


# Periodic.


@numba.njit(cache=True)
def torsions(x, o):
    """Σ 1 − cos z_i + ½ (1 − cos 3 (z_i − z_{i+1})), cyclically, z = x − o: a ring of angles"""
    z = x - o
    total = 0.0
    for i in range(z.size):
        total += 1 - np.cos(z[i]) + 0.5 * (1 - np.cos(3 * (z[i] - z[(i + 1) % z.size])))
    return total


@numba.njit(cache=True)
def waves(x, o):
    """Σ_t (y(t; x) − y(t; o))², y a sum of terms a cos((1 + k/4) t + φ): amplitudes a and phases φ by turns"""
    total = 0.0
    for t in TIMES:
        gap = 0.0
        for k in range(0, x.size, 2):
            angle = (1 + k / 8) * t
            gap += x[k] * np.cos(angle + x[k + 1]) - o[k] * np.cos(angle + o[k + 1])
        total += gap**2
    return total


def judging() -> list[Problem]:
    """All ten."""
    rng = np.random.default_rng(2013)
    ten, twenty = np.ones(10), np.ones(20)
    corner = rng.choice([-5.0, 5.0], 20)
    half = np.where(np.arange(20) < 10, corner, rng.uniform(-4, 4, 20))  # ten variables on a wall, ten inside
    slope = np.where(np.arange(20) < 10, 10.0, 0.0)
    edge = np.where(rng.random(10) < 0.5, -5 + 15 * NEAR, 10 - 15 * NEAR)
    five, pi = np.ones(5), np.full(5, np.pi)
    decay = by_turns(np.array([2.0, 1.2, 0.7, 0.0, 1.6]), np.array([0.3, 5.0, 1.1, 0.6, 0.0]))
    wave = by_turns(rng.uniform(0.3, 1.7, 5), np.array([3.1, -3.0, 0.4, -3.14, 1.9]))
    angles = np.where(np.arange(20) % 2, rng.uniform(-np.pi, np.pi, 20), np.pi - rng.uniform(0, 0.05, 20))
    return [
        Problem(
            "neurons", neurons, -3 * twenty, 3 * twenty, o := rng.uniform(-2, 2, 20), (o, rng.uniform(-2, 2, (40, 2)))
        ),
        Problem("Levy", levy, -10 * ten, 10 * ten, o := rng.uniform(-8, 8, 10), (o,)),
        Problem("Styblinski-Tang", styblinski, -5 * twenty, 5 * twenty, STYBLINSKI * twenty),
        Problem("Schaffer", schaffer, -100 * ten, 100 * ten, o := rng.uniform(-80, 80, 10), (o, rotation(10, rng))),
        Problem("ripples", ripples, -5 * twenty, 5 * twenty, corner, (corner,)),
        Problem("leaning", leaning, -5 * twenty, 5 * twenty, half, (half, rotation(20, rng), slope)),
        Problem("Zakharov", zakharov, -5 * ten, 10 * ten, edge, (edge,)),
        Problem("decays", decays, 0 * ten, by_turns(2 * five, 5 * five), decay, (decay,)),
        Problem("torsions", torsions, -np.pi * twenty, np.pi * twenty, angles, (angles,), (True,) * 20),
        Problem("waves", waves, by_turns(0 * five, -pi), by_turns(2 * five, pi), wave, (wave,), (False, True) * 5),
    ]


def by_turns(first, second):
    """One of each, one after the other: a_1, b_1, a_2, b_2, …"""
    return np.column_stack([first, second]).ravel()


def sbox() -> list[Problem]:
    """All 24, of 10 variables on [−5, 5]: the third instance of each."""
    ioh = import_module("ioh")
    found = (ioh.get_problem(k, INSTANCE, SBOX_N, ioh.ProblemClass.SBOX) for k in range(1, 25))
    return [
        Problem(
            f"f{fun.meta_data.problem_id} {fun.meta_data.name}",
            fun,
            np.array(fun.bounds.lb),
            np.array(fun.bounds.ub),
            np.array(fun.optimum.x),
            least=fun.optimum.y,
        )
        for fun in found
    ]


SUITES: dict[str, Callable[[], list[Problem]]] = {"tuning": tuning, "judging": judging, "SBOX": sbox}


@cache
def problems(suite: str) -> dict[tuple[str, int], Problem]:
    """The problems of a suite, by name and number of variables."""
    return {(problem.name, problem.n): problem for problem in SUITES[suite]()}
