"""Numbers of data/numbers.json computed again with SQL and NumPy alone: python -m reproduction.audit

Nothing of debox is imported, so that an error there cannot repeat itself here. A row of AUDITS is the place of numbers
in that file and a query that gives them: one number, or a line for each key, which stands for ``*`` or at the end.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

DATA = Path(__file__).parents[1] / "data"
TOLERANCE = 1e-6  # relative; numbers.json keeps seven digits
FACTORS = ("mutation", "crossover", "strategy", "N", "F", "Cr")
CELL = ", ".join(FACTORS)
STATISTICS = ("mean", "logit")  # of a cell, whose variance factors explain
Place = tuple[str, ...]

# share: infeasible trials ÷ trials; logit: of (infeasible trials + ½) ÷ (trials + 1); fall: what the mean share at
# Cr = 0.755 is more than at Cr = 0.99.
VIEWS = {
    "runs": f"""
        SELECT *, pois * budget / (budget - N) AS share,
               ln((pois * budget + 0.5) / (budget - N - pois * budget + 0.5)) AS logit
        FROM read_parquet('{DATA / "paper.parquet"}')""",
    "cells": f"""
        SELECT {CELL}, avg(pois) AS mean, avg(logit) AS logit, var_samp(pois) / count(*) AS mean_noise,
               var_samp(logit) / count(*) AS logit_noise,
               median(pois) AS middle, min(pois) AS least, max(pois) AS most,
               avg(share) AS mean_share, quantile_cont(pois, 0.95) - quantile_cont(pois, 0.05) AS width
        FROM runs GROUP BY {CELL}""",
    "steps": """
        SELECT a.mutation, a.crossover, a.strategy, a.N, a.F, a.mean_share - b.mean_share AS fall
        FROM cells a JOIN cells b USING (mutation, crossover, strategy, N, F) WHERE a.Cr = 0.755 AND b.Cr = 0.99""",
}

COUNTS = {
    "configurations": "count(*)",
    "median": "median(middle)",
    "half": "avg((middle >= 0.5)::int)",
    "nearly_all": "avg((middle >= 0.99)::int)",
    "always_outside": "avg((least >= 0.999)::int)",
    "never_outside": "avg((most <= 0.001)::int)",
    "wide": "avg((width > 0.1)::int)",
}

AUDITS = {
    **{f"findings.every.{name}": f"SELECT {value} FROM cells" for name, value in COUNTS.items()},
    **{f"findings.F_up_to_1.{name}": f"SELECT {value} FROM cells WHERE F <= 1" for name, value in COUNTS.items()},
    "findings.median_by_F.*": "SELECT F, median(middle) FROM cells GROUP BY F",
    "findings.wide_by_N.*": "SELECT N, avg((width > 0.1)::int) FROM cells GROUP BY N",
    "factors.pois_of_crossover.*": "SELECT crossover, avg(mean) FROM cells GROUP BY crossover",
    "factors.change_over_Cr.*": """
        SELECT crossover, avg(mean) FILTER (Cr = 0.99) - avg(mean) FILTER (Cr = 0.05) FROM cells GROUP BY crossover""",
    "collapse.how_often.rows": "SELECT count(*) FROM steps",
    "collapse.how_often.all.0": "SELECT avg((fall > 0.05)::int) FROM steps",
    **{
        f"collapse.how_often.{name}.*.share.0": f"SELECT {name}, avg((fall > 0.05)::int) FROM steps GROUP BY {name}"
        for name in FACTORS[:-1]
    },
}


def at(numbers: Any, place: Place) -> Any:
    """What stands at a place: ``("findings", "wide_by_N", "5")``; of a list of levels the one of this name."""
    for key in place:
        if isinstance(numbers, dict):
            numbers = numbers[key]
        elif isinstance(numbers[0], dict) and "level" in numbers[0]:
            (numbers,) = [row for row in numbers if str(row["level"]) == key]
        else:
            numbers = numbers[int(key)]
    return numbers


def shares(means: Any, noise: float) -> Iterator[tuple[Place, float]]:
    """How much of the variance of cells each factor explains: alone, with all interactions, and by Shapley's value.

    A game: what a set of factors is worth is the variance of the means over all other factors, less what the noise of
    the cells adds to it on average.
    """
    axes = range(means.ndim)
    sets = [some for size in range(means.ndim + 1) for some in combinations(axes, size)]
    averages = {some: means.mean(tuple(set(axes) - set(some))) for some in sets}
    variance = {some: found.var() - noise * (found.size - 1) / means.size for some, found in averages.items()}
    worth = {some: found / variance[tuple(axes)] for some, found in variance.items()}
    for axis, name in enumerate(FACTORS):
        others = [some for some in sets if axis not in some]
        gains = [(len(some), worth[tuple(sorted((*some, axis)))] - worth[some]) for some in others]
        yield (name, "first", "0"), worth[axis,]
        yield (name, "total", "0"), 1 - worth[tuple(one for one in axes if one != axis)]
        yield (name, "shapley", "0"), sum(gain / (means.ndim * comb(means.ndim - 1, size)) for size, gain in gains)


def computed() -> Iterator[tuple[Place, float]]:
    """The place of each number and the number, computed anew."""
    with duckdb.connect() as database:
        for name, query in VIEWS.items():
            database.sql(f"CREATE TABLE {name} AS {query}")
        for path, query in AUDITS.items():
            for *keys, value in database.sql(query).fetchall():
                yield tuple(str(keys[0]) if part == "*" else part for part in path.split(".")), value
        levels = [database.sql(f"SELECT count(DISTINCT {name}) FROM cells").fetchall()[0][0] for name in FACTORS]
        for of in STATISTICS:
            cells = database.sql(f"SELECT {of} FROM cells ORDER BY {CELL}").fetchnumpy()[of].reshape(levels)
            noise = database.sql(f"SELECT avg({of}_noise) FROM cells").fetchall()[0][0]
            for place, share in shares(cells, noise):
                yield ("factors", of, "factors", *place), share


def compare(numbers: Any) -> tuple[int, list[str]]:
    """How many numbers were computed again, and those that differ, in words."""
    every = [(place, at(numbers, place), value) for place, value in computed()]
    wrong = [
        f"{'.'.join(place)} is {stored}, computed again {value:.7g}"
        for place, stored, value in every
        if not np.isclose(stored, value, rtol=TOLERANCE, atol=1e-9)
    ]
    return len(every), wrong


if __name__ == "__main__":
    done, wrong = compare(json.loads((DATA / "numbers.json").read_text("utf-8")))
    sys.exit("\n".join(wrong) if wrong else print(f"{done} numbers computed again, all equal"))
