"""How long a run takes, estimated: a measured table by mutation, crossover and N, scaled with n and budget.

Measured on one core by `python -m benchmarks scaling --write`, which writes the tables below and docs/scaling.md.
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
    ("rand/1", "bin"): (0.21, 2.37, 8.69),
    ("rand/1", "exp"): (0.25, 5.23, 8.13),
    ("rand/2", "bin"): (0.34, 12.28, 13.94),
    ("rand/2", "exp"): (0.47, 10.85, 12.63),
    ("best/1", "bin"): (0.22, 0.62, 5.76),
    ("best/1", "exp"): (0.23, 0.89, 8.64),
    ("current-to-best/1", "bin"): (0.32, 3.95, 11.58),
    ("current-to-best/1", "exp"): (0.33, 5.70, 11.17),
}
PLAIN = {
    ("rand/1", "bin"): 163,
    ("rand/1", "exp"): 100,
    ("rand/2", "bin"): 215,
    ("rand/2", "exp"): 132,
    ("best/1", "bin"): 150,
    ("best/1", "exp"): 101,
    ("current-to-best/1", "bin"): 158,
    ("current-to-best/1", "exp"): 96,
}
# Times as many ms, for these N, with another n (budget 300 000) or another budget (n = 30); the last column: plain.
BY_DIMENSION = {10: (0.5, 0.5, 0.5, 0.4), 30: (1, 1, 1, 1), 100: (3, 3, 3, 3), 300: (9, 9, 9, 9)}
BY_BUDGET = {30_000: (0.7, 0.3, 0.1, 0.1), 300_000: (1, 1, 1, 1), 3_000_000: (1.5, 3, 10, 10)}
BUILD = 0.001  # seconds before the first run of a configuration: tables and buffers
# </tables>


def seconds(config: Config, n: int, budget: int, engine: str = "auto") -> float:
    """CPU seconds of one run."""
    name = choose(engine, config, budget)
    return _seconds(config.mutation, config.crossover, config.N, n, budget, name)


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
    return ms / 1e3 * log_interpolate(list(BY_DIMENSION), by_n, n) * log_interpolate(list(BY_BUDGET), by_budget, budget)


def log_interpolate(xs: Sequence[float], ys: Sequence[float], x: float) -> float:
    """y at x, piecewise linear in log x and log y, the end pieces going on beyond the table."""
    k = min(max(bisect(xs, x), 1), len(xs) - 1)
    share = log(x / xs[k - 1]) / log(xs[k] / xs[k - 1])
    return exp((1 - share) * log(ys[k - 1]) + share * log(ys[k]))
