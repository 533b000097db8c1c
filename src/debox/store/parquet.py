"""Parquet files, written and read by DuckDB with its guesses switched off."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from debox.store import schema
from debox.store.database import connect, database_error, first_line, interruptible, sql_text, system_errors
from debox.store.errors import StoreError
from debox.store.schema import COLUMNS, Column

# Without Hive's partitioning: a folder named N=5 above a file is no column of it.
READING = "union_by_name = true, hive_partitioning = false, file_row_number = false, binary_as_string = false"
FILE_COLUMN = "debox_part"  # the name of the column with each row's file

SORTED = "debox_sorted"  # embedded in a file whose rows are in order

# zstd levels, measured on the paper's study without best_x and seconds (24 MB in memory)
LEVEL = 3  # while a study runs: 9.1 MB, 0.2 s of CPU time
LEVEL_PACKED = 16  # for packed files; the lowest level that exploits that ids have 16 different letters: 7.5 MB, 4 s


def quote(column: str) -> str:
    """The name of a column in SQL; that of a checkpoint, pois_at_0.1, is no word."""
    return f'"{column}"'


def rows_of(paths: Sequence[Path], named: bool = False) -> str:
    """SQL: the rows of these files; if `named`, with each row's file in FILE_COLUMN."""
    if not paths:
        columns = [
            *((column.type, quote(column.name)) for column in COLUMNS),
            *([("VARCHAR", FILE_COLUMN)] if named else []),
        ]
        return f"(SELECT {', '.join(f'NULL::{kind} AS {name}' for kind, name in columns)} WHERE false)"
    filename = sql_text(FILE_COLUMN) if named else "false"
    return f"(SELECT * FROM read_parquet({_sql_list(paths)}, {READING}, filename = {filename}))"


def _sql_list(paths: Sequence[Path]) -> str:
    return f"[{', '.join(sql_text(_without_pattern(path)) for path in paths)}]"


def _without_pattern(path: Path) -> str:
    """An absolute path with * ? [ escaped: DuckDB would take them for a pattern, and ~ for a home folder."""
    text = path.absolute().as_posix()
    if re.search(r"[*?[].*\\|\\.*[*?[]", text, re.DOTALL):
        raise StoreError(f"{text} cannot be read: its path has both a backslash and one of * ? [, rename a folder")
    return re.sub(r"[*?[]", lambda letter: f"[{letter[0]}]", text)


def each_once(paths: Sequence[Path]) -> str:
    """SQL: as `rows_of`, each id once: a merged part and those it replaces may lie side by side for a moment.

    Of several rows with an id that of the first file counts, so that the same files always give the same rows.
    """
    rows = rows_of(paths)
    if len(paths) > 1:
        (has_duplicates,) = connect().execute(f"SELECT count(*) > count(DISTINCT id) FROM {rows}").fetchone()
        if has_duplicates:
            first = f"row_number() OVER (PARTITION BY id ORDER BY {FILE_COLUMN}) = 1"
            return f"(SELECT * EXCLUDE ({FILE_COLUMN}) FROM {rows_of(paths, named=True)} QUALIFY {first})"
    return rows


def in_order(paths: Sequence[Path]) -> str:
    """SQL: as `each_once`, sorted. Files of `write_rows` are sorted already, and DuckDB reads a file in its order."""
    if len(paths) == 1 and SORTED in texts_in(paths[0]):
        return rows_of(paths)
    rows = each_once(paths)
    have = [column.name for column in columns_of(rows)]
    return f"(SELECT * FROM {rows} ORDER BY {', '.join(value_of(name, have) for name in schema.ORDER if name in have)})"


def value_of(name: str, have: Collection[str]) -> str:
    """SQL: the value of a column; of an optional one the usual value where files of earlier versions do not have it."""
    if name not in schema.OPTIONAL:
        return quote(name)
    usual = sql_text(schema.OPTIONAL[name])
    return f"coalesce({quote(name)}, {usual})" if name in have else usual


def columns_of(rows: str) -> tuple[Column, ...]:
    """The columns that these rows have."""
    names = (name for name, *_ in connect().execute(f"DESCRIBE SELECT * FROM {rows}").fetchall())
    return schema.in_schema_order(names)


def difference_from_schema(path: Path, needed: Collection[str]) -> str:
    """How the columns of a file differ from the schema in name, order or type; "" if not. `needed` are required."""
    columns = [(name, kind) for name, kind, *_ in connect().execute(f"DESCRIBE FROM {rows_of([path])}").fetchall()]
    names = [name for name, _ in columns]
    if missing := [name for name in needed if name not in names]:
        return f"it lacks the column {missing[0]}"
    expected = [(column.name, column.type) for column in schema.in_schema_order(names)]
    wrong = [(*column, *required) for column, required in zip(columns, expected, strict=True) if column != required]
    return "its column {} is {} where {} should be {}".format(*wrong[0]) if wrong else ""


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, str] = {}) -> None:
    """Write columns, whose names and types are checked, with texts to embed, to a new file."""
    connection = connect()
    connection.register("given", dict(arrays))
    columns = schema.in_schema_order(arrays)
    _copy(connection, "given", columns, path, LEVEL, metadata)


def write_rows(
    path: Path, rows: str, columns: Iterable[Column], metadata: Mapping[str, str], level: int = LEVEL
) -> None:
    """Write the rows of a query, which are in order, with texts to embed, to a new file."""
    _copy(connect(), rows, columns, path, level, {**metadata, SORTED: "yes"})


def _copy(
    connection: Any, rows: str, columns: Iterable[Column], path: Path, level: int, metadata: Mapping[str, str]
) -> None:
    """Write a file; after an error it is removed."""
    selected = ", ".join(f"{quote(column.name)}::{column.type} AS {quote(column.name)}" for column in columns)
    entries = ", ".join(f"{key}: {sql_text(value)}" for key, value in metadata.items())
    options = f"FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL {level}, USE_TMP_FILE false"
    options += f", KV_METADATA {{{entries}}}" if entries else ""
    try:
        with system_errors(), interruptible():
            connection.execute(f"COPY (SELECT {selected} FROM {rows}) TO {sql_text(path.absolute())} ({options})")
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def texts_in(path: Path) -> dict[str, str]:
    """The texts embedded in a file."""
    return texts_in_each([path])[path.name]


def texts_in_each(paths: Sequence[Path]) -> dict[str, dict[str, str]]:
    """The texts embedded in each of these files, which lie in one folder, by the file's name."""
    texts: dict[str, dict[str, str]] = {path.name: {} for path in paths}
    try:
        query = f"SELECT file_name, key, value FROM parquet_kv_metadata({_sql_list(paths)})"
        for file, key, value in connect().execute(query).fetchall() if paths else ():
            texts[Path(file).name][key.decode()] = value.decode()
    except (database_error(), UnicodeDecodeError) as error:
        raise StoreError(f"{paths[0]} is not a Parquet file ({first_line(error)})") from None
    return texts
