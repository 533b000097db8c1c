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
    ("rand/1", "bin"): (0.25, 1.11, 2.86),
    ("rand/1", "exp"): (0.3, 1.85, 3.32),
    ("rand/2", "bin"): (0.28, 3.2, 3.8),
    ("rand/2", "exp"): (0.32, 3.48, 4.29),
    ("best/1", "bin"): (0.23, 0.54, 2.08),
    ("best/1", "exp"): (0.22, 0.51, 2.72),
    ("current-to-best/1", "bin"): (0.3, 1.5, 3.31),
    ("current-to-best/1", "exp"): (0.37, 2.38, 4.37),
}
PLAIN = {
    ("rand/1", "bin"): 123,
    ("rand/1", "exp"): 78,
    ("rand/2", "bin"): 145,
    ("rand/2", "exp"): 109,
    ("best/1", "bin"): 103,
    ("best/1", "exp"): 67,
    ("current-to-best/1", "bin"): 100,
    ("current-to-best/1", "exp"): 68,
}
# Times as many ms, for these N and for plain: with another n (and a budget of 10 000 n),
BY_DIMENSION = {
    10: (1.0, 0.637, 0.519, 0.211),
    30: (1.0, 1.0, 1.0, 1.0),
    100: (1.47, 4.05, 5.25, 6.8),
    300: (2.63, 19.0, 27.1, 50.6),
    1000: (6.6, 168.0, 225.0, 521.0),
}
# and with another budget, by what it is ÷ 10 000 n.
BY_BUDGET = {
    0.1: (0.537, 0.194, 0.191, 0.0733),
    1: (1.0, 1.0, 1.0, 1.0),
    10: (1.11, 4.31, 3.64, 7.13),
}
BUILD = (0.00085, 6.4e-06)  # seconds before the first run of a configuration, and as many more for each variable
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
