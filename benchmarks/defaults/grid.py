"""F and Cr of classic DE: measures a grid of them in some minutes, and writes it into docs/defaults.md."""

from itertools import product
from pathlib import Path

import numba
import numpy as np

import debox
from benchmarks.measure import progress

SEEDS, GOAL = 10, 1e-6
SETTINGS = list(product((0.5, 0.6, 0.7, 0.8), (0.5, 0.7, 0.9)))
SHIFT = 0.3  # no minimum in the middle of its box


@numba.njit
def sphere(x):
    return ((x - SHIFT) ** 2).sum()


@numba.njit
def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


@numba.njit
def ackley(x):
    y = x - SHIFT
    return 20 - 20 * np.exp(-0.2 * np.sqrt((y**2).mean())) + np.e - np.exp(np.cos(2 * np.pi * y).mean())


@numba.njit
def rastrigin(x):
    y = x - SHIFT
    return (y**2 - 10 * np.cos(2 * np.pi * y) + 10).sum()


@numba.njit
def griewank(x):
    y = x - SHIFT
    return (y**2).sum() / 4000 - np.cos(y / np.sqrt(np.arange(1, x.size + 1))).prod() + 1


FUNCTIONS = {sphere: (-5, 6), rosenbrock: (-5, 6), ackley: (-30, 36), rastrigin: (-5, 6), griewank: (-600, 720)}

BEGIN, END = "<!-- grid: written by `python -m benchmarks.defaults grid` -->", "<!-- end of grid -->"
PAGE = Path(__file__).parents[2] / "docs" / "defaults.md"
INTRODUCTION = f"""DE/rand/1/bin, mirror, default N and budget (10 000 evaluations a variable):
how many of {SEEDS} seeds come within {GOAL:g} of the minimum, for a grid of F and Cr. No setting suits all functions;
the default of classic DE (bold) is a compromise over separable ones and others, with one minimum and with many.
"""


def solved(fun, bounds, n, F, Cr) -> int:
    """How many seeds reach the goal."""
    classic = {"variant": "DE/rand/1/bin", "strategy": "mirror", "F": F, "Cr": Cr, "target": GOAL}
    return sum(debox.minimize(fun, [bounds] * n, **classic, rng=seed).success for seed in range(SEEDS))


def tables() -> str:
    """The grid for 5, 10 and 20 variables."""
    default = debox.Optimizer([(0, 1)], "DE/rand/1/bin").config
    text = [INTRODUCTION]
    names = [fun.py_func.__name__.capitalize() for fun in FUNCTIONS]
    for n in (5, 10, 20):
        text += [f"\n### {n} variables, N = {debox.Optimizer([(0, 1)] * n, 'DE/rand/1/bin').config.N}\n"]
        text += [f"| F | Cr | {' | '.join(names)} | all |", f"|---|---|{'---|' * (len(names) + 1)}"]
        for F, Cr in SETTINGS:
            progress(f"defaults: n={n}, F={F}, Cr={Cr}")
            counts = [solved(fun, bounds, n, F, Cr) for fun, bounds in FUNCTIONS.items()]
            cells = [f"{F}", f"{Cr}", *map(str, counts), str(sum(counts))]
            bold = "**" if (F, Cr) == (default.F, default.Cr) else ""
            text.append(f"| {' | '.join(bold + cell + bold for cell in cells)} |")
    return "\n".join(text)


def replace(text: str, begin: str, end: str, part: str) -> str:
    """The page with another part between two marks."""
    before, found, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise ValueError(f"{PAGE.name} has no part between {begin} and {end}")
    return f"{before}{begin}\n{part}\n{end}{after}"


def update() -> None:
    """Measure anew, and write the tables into the page."""
    PAGE.write_text(replace(PAGE.read_text(), BEGIN, END, tables()))
