"""Parquet files, written from arrays and read as arrays; the only place that imports DuckDB.

Every call has a database of its own and closes it: a forked child finds no threads of its parent's to wait for, and
nothing is remembered of a file that has changed since.
"""

from __future__ import annotations

import glob
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.store.errors import StoreError
from debox.store.schema import COLUMNS, LATER_COLUMNS, ORDER, in_schema_order

Table = dict[str, NDArray[Any]]

# A folder named N=5 above a file is not a column of it.
READING = "union_by_name = true, hive_partitioning = false"
# Columns of a few different words, which all rows share, instead of each having a text of its own.
WORD_COLUMNS = {column.name for column in COLUMNS if column.type == "VARCHAR"} - {"id"}

# zstd levels, measured on the paper's study without best_x and seconds (24 MB in memory)
LEVEL = 3  # while a study runs: 9.1 MB, 0.2 s of CPU time
LEVEL_PACKED = 16  # for packed files; the lowest level that exploits that ids have 16 different letters: 7.5 MB, 4 s


@contextmanager
def connection(*paths: Path, stays_open: bool = False) -> Iterator[Any]:
    """A new database, closed at the end unless it stays open; its errors become StoreErrors that name the paths."""
    import duckdb

    spill = str(Path(tempfile.gettempdir()) / f"debox-{os.getpid()}")  # for what does not fit; made when needed
    # A query for a table that is not there must not find a variable of debox with its name.
    opened = duckdb.connect(config={"python_enable_replacements": "false", "temp_directory": spill})
    try:
        yield opened
    except BaseException as error:
        opened.close()
        if isinstance(error, duckdb.Error):
            where = os.path.commonpath(paths) if paths else "runs"
            raise StoreError(f"cannot read {where}: {_first_line(error)}") from error
        if isinstance(error, RuntimeError) and str(error) == "Query interrupted":  # what DuckDB says at Ctrl-C
            raise KeyboardInterrupt from None
        raise
    if not stays_open:
        opened.close()


def _first_line(error: Exception) -> str:
    """The first line of an error message; the query and places in DuckDB's source follow it."""
    return str(error).partition("\n")[0]


def sql_text(value: object) -> str:
    """A value as a text literal of SQL."""
    return "'" + str(value).replace("'", "''") + "'"


def quote(column: str) -> str:
    """The name of a column in SQL; the name of a checkpoint, such as pois_at_0.1, is not a word."""
    return f'"{column}"'


def files_in_sql(paths: Sequence[Path]) -> str:
    """SQL: these files. DuckDB takes names with * ? [ for patterns, and ~ for a home folder."""
    return f"[{', '.join(sql_text(glob.escape(path.absolute().as_posix())) for path in paths)}]"


def rows_of(opened: Any, paths: Sequence[Path]) -> tuple[str, list[str]]:
    """SQL: the rows of these files, each run once, whoever stored it, as `row`; and the names of the columns."""
    if not paths:
        columns = ", ".join(f"NULL::{column.type} AS {column.name}" for column in COLUMNS)
        return f"(SELECT {columns} WHERE false) AS row", [column.name for column in COLUMNS]
    rows = f"read_parquet({files_in_sql(paths)}, {READING})"
    try:
        names = [column.name for column in in_schema_order(opened.sql(f"FROM {rows}").columns)]
    except ValueError as error:  # a later debox may have more columns
        raise StoreError(f"{paths[0].parent} has rows that this debox does not know: {error}") from None
    later = {name: f"coalesce({quote(name)}, {sql_text(value)})" for name, value in LATER_COLUMNS.items()}
    columns = ", ".join(f"{later.get(name, quote(name))} AS {quote(name)}" for name in names)
    return f"(SELECT {'DISTINCT ON (id) ' if len(paths) > 1 else ''}{columns} FROM {rows}) AS row", names


def order_of(have: Sequence[str]) -> str:
    """SQL: the order of rows."""
    return f"ORDER BY {', '.join(f'row.{quote(name)}' for name in ORDER if name in have)}"


def read(paths: Sequence[Path], columns: Sequence[str] | None = None, where: Mapping[str, Any] | None = None) -> Table:
    """Column name → array, sorted; `where` keeps the rows with these values."""
    with connection(*paths) as opened:
        rows, have = rows_of(opened, paths)
        wanted, chosen = have if columns is None else list(columns), where or {}
        for name in [*wanted, *(name for name in chosen if name not in LATER_COLUMNS)]:
            if name not in have:
                raise ValueError(f"unknown column {name!r}; there are {', '.join(have)}")
        stored = (quote(name) if name in have else sql_text(LATER_COLUMNS[name]) for name in chosen)
        conditions = " AND ".join(f"{value} = ?" for value in stored) or "true"
        query = f"SELECT {', '.join(map(quote, wanted))} FROM {rows} WHERE {conditions} {order_of(have)}"
        fetched = opened.execute(query, list(chosen.values())).fetchnumpy()
    return {name: _filled(name, fetched[name]) for name in wanted}


def _filled(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """NaN where DuckDB has NULL, as which it stores NaN; points as rows of one array if their dimension is the same."""
    if name == "best_x":
        points = np.empty(len(array), object)
        points[:] = [np.ma.filled(point, np.nan) for point in array]
        if len(points) == 0:
            return np.empty((0, 0))
        return np.stack(points.tolist()) if len({len(point) for point in points}) == 1 else points
    if array.dtype.kind == "f":
        return np.ma.filled(array, np.nan)
    if missing := np.ma.getmaskarray(array).sum():
        raise StoreError(f"the column {name} has no value in {missing} rows, which debox does not write")
    values = np.ma.getdata(array)
    return np.array([*map(sys.intern, values)], object) if name in WORD_COLUMNS else values


def ask(query: str, source: Sequence[Path] | Table, hint: str = "") -> Any:
    """A relation with the answer to a query, in which `runs` is a view of rows; it owns its connection."""
    import duckdb

    with connection(*([] if isinstance(source, dict) else source), stays_open=True) as opened:
        if isinstance(source, dict):
            opened.register("runs", source)
        else:
            opened.execute(f"CREATE TEMP VIEW runs AS FROM {rows_of(opened, source)[0]}")
        try:
            opened.execute(f"CREATE TEMP TABLE answer AS {query}")
        except duckdb.Error as error:
            names = ", ".join(opened.sql("FROM runs").columns)
            wrong = f"the query {query!r} is wrong: {_first_line(error)}"
            raise StoreError(f"{wrong}; the table runs has the columns {names}{hint}") from None
        for threads in ("threads = 1", "async_threads = 0"):  # a forked child could not end others
            with suppress(duckdb.CatalogException):  # of an older DuckDB
                opened.execute(f"SET {threads}")
        return opened.sql("FROM answer")


def read_other(path: Path, columns: Sequence[str]) -> Table:
    """Columns of a Parquet file that holds something else than runs of a study."""
    with connection(path) as opened:
        fetched = opened.execute(f"FROM read_parquet({files_in_sql([path])}, {READING})").fetchnumpy()
    if absent := [name for name in columns if name not in fetched]:
        raise StoreError(f"{path} has no column {', '.join(absent)}")
    return {name: _filled(name, fetched[name]) for name in columns}


def texts_in(path: Path) -> dict[str, str]:
    """The texts embedded in a file."""
    with connection(path) as opened:
        rows = opened.execute(f"SELECT key, value FROM parquet_kv_metadata({files_in_sql([path])})").fetchall()
    return {key.decode(): value.decode() for key, value in rows}


def write(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write columns, whose names and types are checked, to a new file."""
    with connection(path) as opened:
        opened.register("given", dict(arrays))
        _copy(opened, "given", list(arrays), path, f"COMPRESSION_LEVEL {LEVEL}")


def pack(path: Path, paths: Sequence[Path], names: Sequence[str], texts: Mapping[str, str]) -> None:
    """Write these columns of files, each run once and sorted, with texts to embed, to a new file."""
    with connection(path) as opened:
        rows, have = rows_of(opened, paths)
        embedded = ", ".join(f"{key}: {sql_text(text)}" for key, text in texts.items())
        options = f"COMPRESSION_LEVEL {LEVEL_PACKED}, KV_METADATA {{{embedded}}}"
        _copy(opened, f"{rows} {order_of(have)}", names, path, options)


def _copy(opened: Any, rows: str, names: Sequence[str], path: Path, options: str) -> None:
    import duckdb

    columns = ", ".join(f"{quote(c.name)}::{c.type} AS {quote(c.name)}" for c in in_schema_order(names))
    options = f"FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false, {options}"
    try:
        opened.execute(f"COPY (SELECT {columns} FROM {rows}) TO {sql_text(path.absolute())} ({options})")
    except duckdb.IOException as error:  # names the number of the system's error if a thread of DuckDB raised it
        number = re.search(r'"errno":"(\d+)"', str(error))
        code = int(number[1]) if number else 0
        raise (OSError(code, os.strerror(code)) if code else OSError(_first_line(error))) from error
