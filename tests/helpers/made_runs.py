"""Runs made by hand: the shares of infeasible trials of each configuration."""

from itertools import product

import numpy as np

from debox.analysis.runs import Runs
from debox.study.fields import AXES

ONE = {"mutation": ["rand/1"], "crossover": ["bin"], "strategy": ["mirror"], "N": [20], "F": [0.5], "Cr": [0.5]}
BUDGET, RUNS = 1_000_020, 20  # with N=20 shares are exact to six digits
NOISE = np.tile([-1e-4, 1e-4], RUNS // 2)


def table_of(of, dimension=30, **levels):
    """of(**cell) gives the shares of the runs of a cell, or one number, around which 20 runs differ by little."""
    columns = {name: [] for name in (*AXES, "dimension", "budget", "run", "pois")}
    for values in product(*{**ONE, **levels}.values()):
        cell = dict(zip(AXES, values, strict=True))
        given = of(**cell)
        shares = given + NOISE if np.isscalar(given) else np.asarray(given)
        for run, share in enumerate(shares):
            pois = share * (1 - cell["N"] / BUDGET)
            for name, value in {**cell, "dimension": dimension, "budget": BUDGET, "run": run, "pois": pois}.items():
                columns[name].append(value)
    kinds = {name: object if isinstance(column[0], str) else None for name, column in columns.items()}
    return {name: np.array(column, kinds[name]) for name, column in columns.items()}


def runs_of(of, **levels):
    """The same as Runs."""
    return Runs.of(table_of(of, **levels)).complete()


def around(mean, spread):
    """20 runs with this mean and this standard deviation."""
    return mean + spread * np.sqrt(19 / 20) * np.tile([-1, 1], 10)
