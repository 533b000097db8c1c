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
    ("rand/1", "bin"): (0.55, 2.89, 12.41),
    ("rand/1", "exp"): (0.56, 3.91, 7.19),
    ("rand/2", "bin"): (0.52, 8.5, 9.81),
    ("rand/2", "exp"): (0.7, 7.28, 9.35),
    ("best/1", "bin"): (0.32, 0.79, 4.22),
    ("best/1", "exp"): (0.34, 1.0, 6.2),
    ("current-to-best/1", "bin"): (0.43, 3.92, 9.84),
    ("current-to-best/1", "exp"): (0.44, 4.84, 8.29),
}
PLAIN = {
    ("rand/1", "bin"): 167,
    ("rand/1", "exp"): 128,
    ("rand/2", "bin"): 166,
    ("rand/2", "exp"): 116,
    ("best/1", "bin"): 124,
    ("best/1", "exp"): 87,
    ("current-to-best/1", "bin"): 120,
    ("current-to-best/1", "exp"): 85,
}
# Times as many ms, for these N and for plain: with another n (and a budget of 10 000 n),
BY_DIMENSION = {
    10: (0.562, 0.364, 0.407, 0.175),
    30: (1.0, 1.0, 1.0, 1.0),
    100: (1.64, 3.69, 4.15, 4.13),
    300: (2.19, 13.2, 13.3, 24.3),
    1000: (5.13, 85.3, 117.0, 295.0),
}
# and with another budget, by what it is ÷ 10 000 n.
BY_BUDGET = {
    0.1: (0.922, 0.273, 0.193, 0.0783),
    1: (1.0, 1.0, 1.0, 1.0),
    10: (1.0, 5.96, 5.97, 7.85),
}
BUILD = (0.0007, 6.8e-06)  # seconds before the first run of a configuration, and as many more for each variable
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
