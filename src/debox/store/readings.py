"""Runs under other readings of a text, in one small Parquet file: a row per reading and configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import files
from debox.store.errors import StoreError
from debox.store.parquet import LEVEL_PACKED, READING, connection, files_in_sql, sql_text

Table = dict[str, NDArray[Any]]

COLUMNS = {
    "reading": "VARCHAR",
    "mutation": "VARCHAR",
    "crossover": "VARCHAR",
    "strategy": "VARCHAR",
    "donors": "VARCHAR",
    "N": "INTEGER",
    "F": "DOUBLE",
    "Cr": "DOUBLE",
    "dimension": "INTEGER",
    "budget": "BIGINT",
    "infeasible": "INTEGER[]",  # how many trials were infeasible, run by run
}
CELL = [name for name in COLUMNS if name not in ("reading", "infeasible")]


def write(path: Path, tables: Mapping[str, Mapping[str, NDArray[Any]]]) -> None:
    """Write a table of runs for every reading; each is sorted by configuration, then by run.

    The file appears whole or not at all.
    """
    rows: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for reading, table in tables.items():
        cells: dict[tuple[Any, ...], list[int]] = {}
        counts = np.round(table["pois"] * table["budget"]).astype(np.int64)
        for *cell, count in zip(*(table[name].tolist() for name in CELL), counts.tolist(), strict=True):
            cells.setdefault(tuple(cell), []).append(count)
        for known, counted in cells.items():
            for name, value in zip(COLUMNS, (reading, *known, counted), strict=True):
                rows[name].append(value)
    columns = ", ".join(f'"{name}" {kind}' for name, kind in COLUMNS.items())
    options = f"FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL {LEVEL_PACKED}, USE_TMP_FILE false"
    with files.replacing(path) as unfinished, connection(path) as opened:
        opened.execute(f"CREATE TABLE given ({columns})")
        places = ", ".join("?" * len(COLUMNS))
        opened.executemany(f"INSERT INTO given VALUES ({places})", list(zip(*rows.values(), strict=True)))
        opened.execute(f"COPY given TO {sql_text(unfinished)} ({options})")


def read(path: Path) -> dict[str, Table]:
    """The table of runs of every reading in a file."""
    if not path.is_file():
        raise StoreError(f"{path} is not a file of readings")
    with connection(path) as opened:
        given = f"read_parquet({files_in_sql([path])}, {READING})"
        have = [(name, kind) for name, kind, *_ in opened.execute(f"DESCRIBE FROM {given}").fetchall()]
        if have != list(COLUMNS.items()):
            raise StoreError(f"{path} holds no readings: its columns are {', '.join(name for name, _ in have)}")
        cells = f"SELECT * EXCLUDE (infeasible), len(infeasible) AS runs FROM {given}"
        rows: Table = opened.execute(cells).fetchnumpy()
        flat = opened.execute(f"SELECT unnest(infeasible) AS count FROM {given}").fetchnumpy()["count"]
    table = {name: np.repeat(rows[name], rows["runs"]) for name in ("reading", *CELL)}
    table["pois"] = flat / table["budget"]
    readings = dict.fromkeys(rows["reading"].tolist())
    return {
        one: {name: column[table["reading"] == one] for name, column in table.items() if name != "reading"}
        for one in readings
    }
