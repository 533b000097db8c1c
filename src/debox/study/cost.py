"""How long a run takes, estimated: a measured table by mutation, crossover and N, scaled with n and budget.

Measured on one core by `python -m benchmarks scaling`, which writes the tables below and docs/scaling.md.
A plan balances its chunks with it and `debox study show` quotes it; no result depends on it.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from functools import cache
from math import exp, log

from debox.config import Config
from debox.f0.measure import choose

# The tables: ms of a run with n = 30 and budget 300 000, mean over F and Cr.
# <tables>
SIZES = (5, 20, 100)  # N
FAST = {
    ("rand/1", "bin"): (0.54, 3.24, 12.15),
    ("rand/1", "exp"): (0.58, 8.12, 12.85),
    ("rand/2", "bin"): (0.67, 18.29, 19.23),
    ("rand/2", "exp"): (0.54, 15.01, 14.68),
    ("best/1", "bin"): (0.28, 0.85, 6.03),
    ("best/1", "exp"): (0.28, 0.94, 8.64),
    ("current-to-best/1", "bin"): (0.37, 3.25, 12.64),
    ("current-to-best/1", "exp"): (0.67, 7.8, 15.71),
}
PLAIN = {
    ("rand/1", "bin"): 210,
    ("rand/1", "exp"): 144,
    ("rand/2", "bin"): 190,
    ("rand/2", "exp"): 121,
    ("best/1", "bin"): 131,
    ("best/1", "exp"): 99,
    ("current-to-best/1", "bin"): 128,
    ("current-to-best/1", "exp"): 91,
}
# Times as many ms, for these N and for plain: with another n (and a budget of 10 000 n),
BY_DIMENSION = {
    10: (0.664, 0.431, 0.35, 0.241),
    30: (1.0, 1.0, 1.0, 1.0),
    100: (1.21, 3.43, 4.63, 7.34),
    300: (3.19, 16.8, 24.0, 41.3),
    1000: (7.35, 116.0, 174.0, 398.0),
}
# and with another budget, by what it is ÷ 10 000 n.
BY_BUDGET = {
    0.1: (0.698, 0.227, 0.198, 0.102),
    1: (1.0, 1.0, 1.0, 1.0),
    10: (1.19, 6.37, 9.31, 10.1),
}
BUILD = (0.0008, 5.3e-06)  # seconds before the first run of a configuration, and as many more for each variable
# </tables>


def seconds(config: Config, n: int, budget: int, engine: str = "auto") -> float:
    """CPU seconds of one run."""
    name = choose(engine, config, budget)
    return _seconds(config.mutation, config.crossover, config.N, n, budget, name)


def build(n: int) -> float:
    """CPU seconds before the first run of a configuration: tables and buffers."""
    return BUILD[0] + BUILD[1] * n


@cache
def _seconds(mutation: str, crossover: str, N: int, n: int, budget: int, engine: str) -> float:
    plain = _scaled(PLAIN[mutation, crossover], len(SIZES), n, budget)
    if engine == "plain":
        return plain
    fast = [_scaled(ms, column, n, budget) for column, ms in enumerate(FAST[mutation, crossover])]
    return min(plain, log_interpolate(SIZES, fast, min(max(N, SIZES[0]), SIZES[-1])))


def _scaled(ms: float, column: int, n: int, budget: int) -> float:
    by_n = [row[column] for row in BY_DIMENSION.values()]
    by_budget = [row[column] for row in BY_BUDGET.values()]
    share = budget / (10_000 * n)
    return ms / 1e3 * log_interpolate(list(BY_DIMENSION), by_n, n) * log_interpolate(list(BY_BUDGET), by_budget, share)


def log_interpolate(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    """y at x, piecewise linear in log x and log y, the end pieces going on beyond the table."""
    k = min(max(bisect(xs, x), 1), len(xs) - 1)
    share = log(x / xs[k - 1]) / log(xs[k] / xs[k - 1])
    return exp((1 - share) * log(ys[k - 1]) + share * log(ys[k]))
