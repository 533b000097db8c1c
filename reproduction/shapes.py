"""Problems like the classes of SBOX, from formulas, on which the constants of polish were chosen beside tuning."""

from typing import Any

import numba
import numpy as np
from benchmarks.measure import progress

from reproduction.defaults import worse
from reproduction.problems import Problem, ellipsoid, rosenbrock, rotation, tuning
from reproduction.solvers import DE_ALONE, DEFAULT, SOLVERS, solve

SEEDS, BUDGETS = 11, (200, 1000)  # per variable


@numba.njit(cache=True)
def discus(x, o, R):
    z = R @ (x - o)
    return 1e6 * z[0] ** 2 + (z[1:] ** 2).sum()


@numba.njit(cache=True)
def cigar(x, o, R):
    z = R @ (x - o)
    return z[0] ** 2 + 1e6 * (z[1:] ** 2).sum()


@numba.njit(cache=True)
def ridge(x, o, R):
    z = R @ (x - o)
    return z[0] ** 2 + 100 * np.sqrt((z[1:] ** 2).sum())


@numba.njit(cache=True)
def powers(x, o, R):
    z = R @ (x - o)
    n = x.size
    return np.sqrt((np.abs(z) ** (2 + 4 * np.arange(n) / (n - 1))).sum())


@numba.njit(cache=True)
def sector(x, o, R):
    z = R @ (x - o)
    t = 0.0
    for i in range(z.size):
        s = 100.0 if z[i] * o[i] > 0 else 1.0
        t += (s * z[i] * 10 ** (0.5 * i / (z.size - 1))) ** 2
    return t**0.9


@numba.njit(cache=True)
def rot_rosenbrock(x, o, R):
    z = 1 + 1.2 * (R @ (x - o))
    return rosenbrock(z)


@numba.njit(cache=True)
def rot_rastrigin(x, o, R):
    y = R @ (x - o)
    n = x.size
    z = y * 10 ** (0.5 * np.arange(n) / (n - 1))
    return (z**2 - 10 * np.cos(2 * np.pi * z) + 10).sum()


@numba.njit(cache=True)
def bueche(x, o):
    z = x - o
    n = x.size
    t = 0.0
    for i in range(n):
        s = 10 ** (0.5 * i / (n - 1)) * (10.0 if z[i] > 0 and i % 2 == 0 else 1.0)
        t += (s * z[i]) ** 2 - 10 * np.cos(2 * np.pi * s * z[i]) + 10
    return t


@numba.njit(cache=True)
def weierstrass(x, o, R):
    z = R @ (x - o)
    t = 0.0
    for i in range(z.size):
        for k in range(12):
            t += 0.5**k * (np.cos(2 * np.pi * 3.0**k * (z[i] + 0.5)) - np.cos(np.pi * 3.0**k))
    return 10 * (t / z.size) ** 3


@numba.njit(cache=True)
def schaffers(x, o, R, c):
    n = x.size
    z = (R @ (x - o)) * c[0] ** (0.5 * np.arange(n) / (n - 1))
    t = 0.0
    for i in range(n - 1):
        s = np.sqrt(z[i] ** 2 + z[i + 1] ** 2)
        t += np.sqrt(s) * (1 + np.sin(50 * s**0.2) ** 2)
    return (t / (n - 1)) ** 2


@numba.njit(cache=True)
def grie_rosen(x, o, R):
    z = 1 + (R @ (x - o))
    t = 0.0
    for i in range(z.size - 1):
        s = 100 * (z[i] ** 2 - z[i + 1]) ** 2 + (z[i] - 1) ** 2
        t += s / 4000 - np.cos(s)
    return 10 + 10 * t / (z.size - 1)


@numba.njit(cache=True)
def peaks(x, Y, W, R):
    best = 0.0
    for k in range(Y.shape[0]):
        z = R @ (x - Y[k])
        s = 0.0
        for i in range(z.size):
            s += W[k, 1 + i] * z[i] ** 2
        v = W[k, 0] * np.exp(-s / (2 * z.size))
        if v > best:
            best = v
    return (10 - best) ** 2


@numba.njit(cache=True)
def katsuura(x, o, R):
    n = x.size
    z = (R @ (x - o)) * 10 ** (np.arange(n) / (n - 1))
    p = 1.0
    for i in range(n):
        s = 0.0
        for j in range(1, 33):
            a = 2.0**j * z[i]
            s += abs(a - np.round(a)) / 2.0**j
        p *= (1 + (i + 1) * s) ** (10 / n**1.2)
    return 10 / n**2 * p - 10 / n**2


@numba.njit(cache=True)
def lunacek(x, o, R):
    n = x.size
    mu0 = 2.5
    s = 1 - 1 / (2 * np.sqrt(n + 20) - 8.2)
    mu1 = -np.sqrt((mu0**2 - 1) / s)
    y = 2 * np.sign(o) * (x - o) + mu0
    z = R @ (y - mu0)
    return min(((y - mu0) ** 2).sum(), n + s * ((y - mu1) ** 2).sum()) + 10 * (n - np.cos(2 * np.pi * z).sum())


@numba.njit(cache=True)
def step_ellipsoid(x, o, R):
    z = R @ (x - o)
    n = x.size
    t = 0.0
    for i in range(n):
        q = np.round(z[i]) if abs(z[i]) > 0.5 else np.round(10 * z[i]) / 10
        t += 10 ** (2 * i / (n - 1)) * q * q
    return 0.1 * max(abs(z[0]) / 1e4, t)


@numba.njit(cache=True)
def slope(x, c):
    n = x.size
    return (10 ** (np.arange(n) / (n - 1)) * np.abs(x - c)).sum()


@numba.njit(cache=True)
def sep_ellipsoid(x, o):
    n = x.size
    return (10 ** (6 * np.arange(n) / (n - 1)) * (x - o) ** 2).sum()


@numba.njit(cache=True)
def wall_ellipsoid(x, o, R, w):
    n = x.size
    return (10 ** (4 * np.arange(n) / (n - 1)) * (R @ (x - o)) ** 2).sum() + (w * np.abs(x - o)).sum()


@numba.njit(cache=True)
def fit(x, o, T):
    """damped oscillations: a exp(-d t) cos(w t + p) twice"""
    t2 = 0.0
    for t in T:
        g = 0.0
        for k in range(0, x.size, 4):
            g += x[k] * np.exp(-x[k + 1] * t) * np.cos(x[k + 2] * t + x[k + 3]) - o[k] * np.exp(-o[k + 1] * t) * np.cos(
                o[k + 2] * t + o[k + 3]
            )
        t2 += g * g
    return t2


TURNED = {
    "ellipsoid5": ellipsoid,
    "discus": discus,
    "cigar": cigar,
    "ridge": ridge,
    "powers": powers,
    "sector": sector,
    "rot_rosenbrock": rot_rosenbrock,
    "rot_rastrigin": rot_rastrigin,
    "weierstrass": weierstrass,
    "grie_rosen": grie_rosen,
    "katsuura": katsuura,
    "lunacek": lunacek,
    "step": step_ellipsoid,
}


def shapes() -> list[Problem]:
    """All 23."""
    rng, n = np.random.default_rng([32, 4]), 10
    ones, problems = np.ones(n), []

    def add(name, fun, o, *data):
        problems.append(Problem(name, fun, -5 * ones, 5 * ones, o, data))

    def shift():
        return rng.uniform(-4, 4, n)

    for name, fun in {"sep_ellipsoid": sep_ellipsoid, "bueche": bueche}.items():
        o = shift()
        add(name, fun, o, o)
    for name, fun in TURNED.items():
        o = shift()
        if fun is lunacek:
            o = np.where(rng.random(n) < 0.5, -1.25, 1.25)
        add(name, fun, o, o, rotation(n, rng))
    for c in (10.0, 1000.0):
        o = shift()
        add(f"schaffers{c:g}", schaffers, o, o, rotation(n, rng), np.array([c]))
    for K in (101, 21):
        Y, W = rng.uniform(-4.9, 4.9, (K, n)), np.empty((K, 1 + n))
        Y[0] *= 0.8
        W[:, 0] = 10, *(1.1 + 8 * np.arange(K - 1) / (K - 2))
        for k in range(K):
            condition = 1000.0 ** (2 * (rng.random() if k else 0.5))
            W[k, 1:] = rng.permutation(condition ** (0.5 * np.arange(n) / (n - 1))) / condition**0.25
        add(f"peaks{K}", peaks, Y[0], Y, W, rotation(n, rng))
    corner = rng.choice([-5.0, 5.0], n)
    add("slope", slope, corner, corner)
    is_first = np.arange(n) < 5
    o = np.where(is_first, rng.choice([-5.0, 5.0], n), shift())
    add("wall_ellipsoid", wall_ellipsoid, o, o, rotation(n, rng), np.where(is_first, 10.0, 0.0))
    o = np.where(rng.random(n) < 0.5, -4.99, 4.99)
    add("near_rosenbrock", rot_rosenbrock, o, o, rotation(n, rng))
    low, high = np.array([0, 0, 0.5, -np.pi] * 2), np.array([3, 1, 6, np.pi] * 2)
    o = np.array([1.5, 0.1, 2, 0.5, 0.8, 0.3, 4.4, -1.2])
    return [*problems, Problem("fit", fit, low, high, o, (o, np.linspace(0, 10, 60)))]


def numbers() -> dict[str, Any]:
    """Where the default is better and where it is worse than DE alone, beyond chance, on both kinds of problems."""
    found = {"seeds": SEEDS, "of": len(tuning()) + len(shapes())}
    for per_variable in BUDGETS:
        pairs = {}
        for problem in (*tuning(), *shapes()):
            progress(f"{per_variable} n, {problem.name}")
            errors = {
                name: [solve(SOLVERS[name], problem, per_variable * problem.n, seed).error for seed in range(SEEDS)]
                for name in (DEFAULT, DE_ALONE)
            }
            pairs[f"{problem.name}, n = {problem.n}"] = tuple(map(np.array, errors.values()))
        better = worse({name: pair[::-1] for name, pair in pairs.items()}, 1.0)
        found[f"at_{per_variable}"] = {"better": better, "worse": worse(pairs, 1.0)}
    return found
