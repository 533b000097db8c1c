"""The columns of a store: name, type, meaning. What writes, reads, checks or documents them iterates over COLUMNS."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.config import CONFIG_FIELDS, Config

SCHEMA_VERSION = 2


class Column(NamedTuple):
    name: str
    type: str  # DuckDB's
    meaning: str


COLUMNS = (
    Column("id", "VARCHAR", "16 hexadecimal digits: a hash of all that defines the run"),
    Column("mutation", "VARCHAR", "long name of the mutation"),
    Column("crossover", "VARCHAR", "long name of the crossover"),
    Column("strategy", "VARCHAR", "long name of the strategy for trials outside the bounds"),
    Column("donors", "VARCHAR", "whom the mutation may draw"),
    Column("reevaluate", "BOOLEAN", "whether a dismissed trial is evaluated again"),
    Column("frozen", "BOOLEAN", "whether the population stays the initial one"),
    Column("repair", "VARCHAR", "what strategies for whole points repair: trial or mutant; trial if absent"),
    Column("adaptation", "VARCHAR", "how F and Cr adapt, which are then those of the start; fixed if absent"),
    Column("N", "BIGINT", "population size"),
    Column("F", "DOUBLE", "scale factor"),
    Column("Cr", "DOUBLE", "crossover rate"),
    Column("dimension", "BIGINT", "dimension of the box: its number of variables, n"),
    Column("budget", "BIGINT", "evaluations"),
    Column("run", "BIGINT", "number of the run within its configuration, from 0"),
    Column("seed", "BIGINT", "seed of the study"),
    Column("engine", "VARCHAR", "what did the run: fast or plain"),
    Column("pois", "DOUBLE", "infeasible trials ÷ budget"),
    Column("pois_at_third", "DOUBLE", "infeasible trials ÷ evaluations, after a third of the budget"),
    Column("pois_at_two_thirds", "DOUBLE", "infeasible trials ÷ evaluations, after two thirds of the budget"),
    Column("accepted", "BIGINT", "trials that replaced their target"),
    Column("best_f", "DOUBLE", "best value at the end"),
    # A list in the files: Parquet has no list of fixed size, and DuckDB does not write pyarrow's mark for one.
    Column("best_x", "DOUBLE[]", "best point at the end, as many numbers as dimension says"),
    Column("seconds", "DOUBLE", "time the run took; the only column that two executions do not share"),
)

# Columns that came later: stores written before do not have them, and every run there had this value. So that such
# stores stay valid, a run with this value has the id, and a row the checksum, that it had without the column.
LATER_COLUMNS = {"repair": "trial", "adaptation": "fixed"}

# A table is sorted by these: panels together, cells in their order, runs last. id makes the order total. Where a table
# lacks a later column, or has no value in it, the value above counts: tables without it keep their order.
ORDER = (
    *("dimension", "budget", "mutation", "crossover", "strategy", "donors", "reevaluate", "frozen"),
    *LATER_COLUMNS,
    *("N", "F", "Cr", "seed", "run", "id"),
)

CHECKPOINT = "pois_at_"
NEEDED_COLUMNS = [c.name for c in COLUMNS if not c.name.startswith(CHECKPOINT) and c.name not in LATER_COLUMNS]
_NAMED_SHARES = {1 / 3: "third", 2 / 3: "two_thirds"}
_CHECKPOINT_COLUMN = re.compile(CHECKPOINT + r"(0\.\d+|\de-\d+|\d\.\d+e-\d+)")
_DTYPES = {"VARCHAR": object, "BOOLEAN": bool, "BIGINT": np.int64, "DOUBLE": np.float64}


def checkpoint_column(share: float) -> str:
    """1/3 → pois_at_third, 0.1 → pois_at_0.1"""
    return CHECKPOINT + _NAMED_SHARES.get(share, repr(float(share)))


def in_schema_order(names: Iterable[str]) -> tuple[Column, ...]:
    """The columns of these names in the order of the table; checkpoints stand after pois, rising."""
    listed = {column.name: (float(at), column) for at, column in enumerate(COLUMNS)}
    shares = {checkpoint_column(share): share for share in _NAMED_SHARES}
    found = []
    for name in sorted(set(names)):
        written = _CHECKPOINT_COLUMN.fullmatch(name)
        if written or name in shares:
            share = float(written[1]) if written else shares[name]
            found.append((listed["pois"][0] + share, Column(name, "DOUBLE", "as pois, after this share of the budget")))
        elif name in listed:
            found.append(listed[name])
        else:
            raise ValueError(f"unknown column {name!r}; choose from {', '.join(listed)}")
    return tuple(column for _, column in sorted(found))


def ids(config: Config, n: int, budget: int, runs: Iterable[int], of: Any) -> list[str]:
    """16 hex digits of the SHA-256 of all that defines each run, written out; `of` is the study, or a chunk of it."""
    settings = {name: getattr(config, name) for name in CONFIG_FIELDS}
    written = [f"{name}={value}" for name, value in settings.items() if value != LATER_COLUMNS.get(name)]
    written += [f"n={n}", f"budget={budget}", f"seed={of.seed}", f"engine={of.engine}"]
    written += [f"checkpoints={' '.join(map(repr, of.checkpoints))}", "run="]
    before = ", ".join(written)
    return [hashlib.sha256(f"{before}{run}".encode()).hexdigest()[:16] for run in runs]


def check_part(columns: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """The columns of one part, as arrays of the schema's types; an error names what is missing or does not fit."""
    if missing := [name for name in NEEDED_COLUMNS if name not in columns]:
        raise ValueError(f"a part needs every column; missing: {', '.join(missing)}")
    rows = {name: len(values) for name, values in columns.items()}
    if {*rows.values()} != {len({*columns["id"]})} or not rows["id"]:
        raise ValueError(f"a part holds at least one run, no run twice, and columns of one length, got {rows}")
    return {column.name: _array(column, columns[column.name]) for column in in_schema_order(columns)}


def _array(column: Column, values: Any) -> NDArray[Any]:
    if column.type == "DOUBLE[]":
        points = np.empty(len(values), object)
        points[:] = [np.asarray(point, np.float64) for point in values]
        return points
    return np.asarray(values).astype(_DTYPES[column.type], casting="same_kind")
