"""How long a run takes, estimated: a measured table by mutation, crossover and N, scaled with n and budget.

Measured on one core by `python -m reproduction run scaling`, which writes the tables; no result depends on them.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from math import exp, log

from debox import operators
from debox.config import Config
from debox.f0.engines import choose_engine

# The tables: ms of a run with n = 30 and budget 300 000, mean over F and Cr.
# <tables>
SIZES = (5, 20, 100)  # N
MS = {  # for these N, and of the plain engine
    ("rand/1", "bin"): (0.08, 0.56, 1.44, 84),
    ("rand/1", "exp"): (0.11, 1.08, 1.62, 38),
    ("rand/2", "bin"): (0.11, 1.58, 1.98, 94),
    ("rand/2", "exp"): (0.14, 1.82, 2.11, 46),
    ("best/1", "bin"): (0.07, 0.18, 0.96, 71),
    ("best/1", "exp"): (0.07, 0.24, 1.57, 32),
    ("current-to-best/1", "bin"): (0.1, 0.67, 1.83, 71),
    ("current-to-best/1", "exp"): (0.13, 1.37, 1.98, 30),
}
# Times as many ms, for these N and for plain: with another n (and a budget of 10 000 n),
BY_DIMENSION = {
    10: (0.82, 0.479, 0.422, 0.162),
    30: (1.0, 1.0, 1.0, 1.0),
    100: (2.43, 5.69, 6.51, 9.01),
    300: (4.7, 17.7, 21.7, 73.6),
    1000: (13.6, 66.9, 87.0, 803.0),
}
# and with another budget, by what it is ÷ 10 000 n.
BY_BUDGET = {
    0.1: (0.786, 0.256, 0.233, 0.1),
    1: (1.0, 1.0, 1.0, 1.0),
    10: (1.0, 4.65, 5.98, 9.82),
}
ADAPTIVE = 1  # times as many ms, for plain, where F and Cr adapt or p-best are drawn
BUILD = (0.00053, 2.2e-06)  # seconds before the first run of a configuration, and as many more for each variable
# </tables>
COMPILE = (0.5, 0.35)  # seconds of importing Numba, and of compiling each operator of a user


def compiling(operators: int) -> float:
    """CPU seconds before the first run of a process with so many operators of users."""
    return COMPILE[0] + COMPILE[1] * operators if operators and find_spec("numba") else 0.0


def seconds(config: Config, n: int, budget: int, engine: str = "auto") -> float:
    """CPU seconds of one run."""
    name = choose_engine(engine, config.operators, config.N, budget)
    measured = similar_in_table(config.mutation, config.crossover)
    return _seconds(*measured, config.N, n, budget, name) * (ADAPTIVE if config.operators.is_ranked else 1.0)


def build(n: int) -> float:
    """CPU seconds before the first run of a configuration: tables and buffers."""
    return BUILD[0] + BUILD[1] * n


@lru_cache(maxsize=2**16)
def _seconds(mutation: str, crossover: str, N: int, n: int, budget: int, engine: str) -> float:
    share = budget / (10_000 * n)
    by_n = (log_interpolate(list(BY_DIMENSION), column, n) for column in zip(*BY_DIMENSION.values(), strict=True))
    by_budget = (log_interpolate(list(BY_BUDGET), column, share) for column in zip(*BY_BUDGET.values(), strict=True))
    *fast, plain = (ms / 1e3 * a * b for ms, a, b in zip(MS[mutation, crossover], by_n, by_budget, strict=True))
    return plain if engine == "plain" else min(plain, log_interpolate(SIZES, fast, min(max(N, SIZES[0]), SIZES[-1])))


def similar_in_table(mutation: str, crossover: str) -> tuple[str, str]:
    """The same of the tables, or a mutation with as many parents and a crossover that draws as many numbers."""
    if (mutation, crossover) in MS:
        return mutation, crossover
    m, c = operators.find("mutation", mutation), operators.find("crossover", crossover)
    similar = "current-to-best/1" if m.uses_best and m.uses_target else "rand/1" if m.donors == 3 else "best/1"
    similar = mutation if mutation in {name for name, _ in MS} else "rand/2" if m.donors > 3 else similar
    return similar, "exp" if c.exchanges == "segment" else "bin"


def log_interpolate(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    """y at x, piecewise linear in log x and log y, the end pieces going on beyond the table."""
    k = min(max(bisect(xs, x), 1), len(xs) - 1)
    share = log(x / xs[k - 1]) / log(xs[k] / xs[k - 1])
    return exp((1 - share) * log(ys[k - 1]) + share * log(ys[k]))
