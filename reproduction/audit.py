"""Numbers of data/numbers.json computed again with SQL and NumPy alone: python -m reproduction.audit

Nothing of debox is imported, so that an error there cannot repeat itself here. A row of AUDITS is the place of numbers
in that file and a query that gives them, one number or a line for each key; it may name the views of VIEWS.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

DATA = Path(__file__).parents[1] / "data"
TOLERANCE = 1e-6  # relative; numbers.json keeps seven digits
FACTORS = ("mutation", "crossover", "strategy", "N", "F", "Cr")
CELL = ", ".join(FACTORS)

# share: infeasible trials ÷ trials; `fall` is the mean share at Cr = 0.755 less that at Cr = 0.99.
VIEWS = {
    "runs": f"SELECT *, pois * budget / (budget - N) AS share FROM read_parquet('{DATA / 'paper.parquet'}')",
    "cells": f"""
        SELECT {CELL}, avg(pois) AS mean, median(pois) AS middle, min(pois) AS least, max(pois) AS most,
               avg(share) AS mean_share, stddev_samp(share) AS sd, count(*) AS runs,
               quantile_cont(pois, 0.95) - quantile_cont(pois, 0.05) AS width
        FROM runs GROUP BY {CELL}""",
    "steps": """
        SELECT a.mutation, a.crossover, a.strategy, a.N, a.F, a.mean_share AS before, b.mean_share AS after,
               a.mean_share - b.mean_share AS fall
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
    "findings.median_by_F": "SELECT F, median(middle) FROM cells GROUP BY F",
    "findings.wide_by_N": "SELECT N, avg((width > 0.1)::int) FROM cells GROUP BY N",
    "findings.mean_by_crossover": "SELECT crossover, avg(mean) FROM cells GROUP BY crossover",
    "findings.falls.steps": "SELECT count(*) FROM steps",
    "findings.falls.number.0": "SELECT count(*) FROM steps WHERE fall > 0.05",
    "findings.falls.by_strategy": "SELECT strategy, avg((fall > 0.05)::int) FROM steps GROUP BY strategy",
    "findings.falls.by_N": "SELECT N, avg((fall > 0.05)::int) FROM steps GROUP BY N",
    "findings.falls.deepest_from": "SELECT arg_max(before, fall) FROM steps",
    "findings.falls.deepest_to": "SELECT arg_max(after, fall) FROM steps",
}


def at(numbers: Any, path: Sequence[str]) -> Any:
    """What stands at a place: ``["findings", "falls", "number", "0"]``"""
    for key in path:
        numbers = numbers[int(key)] if isinstance(numbers, list) else numbers[key]
    return numbers


def computed() -> Iterator[tuple[list[str], float]]:
    """The place of each number and the number, computed anew."""
    with duckdb.connect() as database:
        for name, query in VIEWS.items():
            database.sql(f"CREATE TABLE {name} AS {query}")
        for path, query in AUDITS.items():
            for *key, value in database.sql(query).fetchall():
                yield [*path.split("."), *map(str, key)], float(value)


def compare(numbers: Any) -> tuple[int, list[str]]:
    """How many numbers were computed again, and those that differ, in words."""
    wrong, done = [], 0
    for path, value in computed():
        done += 1
        stored = at(numbers, path)
        if not np.isclose(stored, value, rtol=TOLERANCE, atol=1e-9):
            wrong.append(f"{'.'.join(path)} is {stored}, computed again {value:.7g}")
    return done, wrong


if __name__ == "__main__":
    done, wrong = compare(json.loads((DATA / "numbers.json").read_text("utf-8")))
    sys.exit("\n".join(wrong) if wrong else print(f"{done} numbers computed again, all equal"))
