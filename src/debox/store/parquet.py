"""Parquet files, written and read by DuckDB; the only place that imports it."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from debox.store import footer, schema
from debox.store.errors import StoreError
from debox.store.schema import COLUMNS, Column

# For DuckDB n and N are one name. In its SQL n is called dimension. It reads the column after N that differs from it in
# case as n_1, and writes it under a stand-in, which is replaced in the file: other readers tell n from N.
DIMENSION = "dimension"
READ_AS = "n_1"
STAND_IN = "debox stand-in for n"

SORTED = "debox_sorted"  # embedded in a file whose rows are in order

# zstd levels, measured on the paper's study without best_x and seconds (24 MB in memory)
LEVEL = 3  # while a study runs: 9.1 MB, 0.2 s of CPU time
LEVEL_FOR_GOOD = 16  # the least that sees that an id is made of 16 letters: 7.5 MB, 4 s


@cache
def _database() -> Any:
    import duckdb

    spill = Path(tempfile.gettempdir()) / f"debox-{os.getpid()}"  # made when needed; DuckDB's own choice is ./.tmp
    options: dict[str, Any] = {
        "python_enable_replacements": False,
        "autoinstall_known_extensions": False,
        "temp_directory": str(spill),
    }
    return duckdb.connect(config=options)


def connect() -> Any:
    """A connection of its own to this process's in-memory database."""
    return _database().cursor()


def errors() -> type[Exception]:
    """What DuckDB raises."""
    import duckdb

    return duckdb.Error


def sql_name(column: str) -> str:
    """The name of a column in SQL."""
    return DIMENSION if column == "n" else column


def quoted(column: str) -> str:
    return f'"{sql_name(column)}"'


def text(value: object) -> str:
    return "'" + str(value).replace("'", "''") + "'"


def rows_of(paths: Sequence[Path]) -> str:
    """SQL: the rows of these files, with the names that SQL uses."""
    if not paths:
        nothing = ", ".join(f"NULL::{column.type} AS {quoted(column.name)}" for column in COLUMNS)
        return f"(SELECT {nothing} WHERE false)"
    files = ", ".join(text(_literally(path)) for path in paths)
    return f"(SELECT * RENAME ({READ_AS} AS {DIMENSION}) FROM read_parquet([{files}], union_by_name = true))"


def _literally(path: Path) -> str:
    """A path in which DuckDB sees no pattern."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in str(path))


def each_once(paths: Sequence[Path]) -> str:
    """SQL: as `rows_of`, each id once: a merged part and those it replaces may lie side by side for a moment."""
    rows = rows_of(paths)
    if len(paths) > 1:
        (twice,) = connect().execute(f"SELECT count(*) > count(DISTINCT id) FROM {rows}").fetchone()
        if twice:
            return f"(SELECT DISTINCT ON (id) * FROM {rows})"
    return rows


def in_order(paths: Sequence[Path]) -> str:
    """SQL: as `each_once`, sorted. What `write_rows` wrote is, and DuckDB keeps a file's order."""
    if len(paths) == 1 and SORTED in metadata_of(paths[0]):
        return rows_of(paths)
    return f"(SELECT * FROM {each_once(paths)} ORDER BY {', '.join(quoted(name) for name in schema.ORDER)})"


def columns_of(rows: str) -> tuple[Column, ...]:
    """The columns that these rows have."""
    names = (name for name, *_ in connect().execute(f"DESCRIBE SELECT * FROM {rows}").fetchall())
    return schema.arranged("n" if name == DIMENSION else name for name in names)


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write columns, whose names and types are checked, to a new file."""
    connection = connect()
    connection.register("given", {sql_name(name): array for name, array in arrays.items()})
    columns = schema.arranged(arrays)
    _copy(connection, "given", columns, path, LEVEL, {})


def write_rows(
    path: Path, rows: str, columns: Iterable[Column], metadata: Mapping[str, str], level: int = LEVEL
) -> None:
    """Write what SQL gives in order, with texts to embed, to a new file."""
    _copy(connect(), rows, columns, path, level, {**metadata, SORTED: "yes"})


def _copy(
    connection: Any, rows: str, columns: Iterable[Column], path: Path, level: int, metadata: Mapping[str, str]
) -> None:
    """Write a file; what is left of a failure is removed."""
    named = ", ".join(f'{quoted(c.name)}::{c.type} AS "{STAND_IN if c.name == "n" else c.name}"' for c in columns)
    entries = ", ".join(f"{key}: {text(value)}" for key, value in metadata.items())
    options = f"FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL {level}, USE_TMP_FILE false"
    options += f", KV_METADATA {{{entries}}}" if entries else ""
    try:
        with _system_errors(), interruptible():
            connection.execute(f"COPY (SELECT {named} FROM {rows}) TO {text(path)} ({options})")
        footer.rename(path, STAND_IN, "n")
    except BaseException:
        path.unlink(missing_ok=True)
        raise


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C is a KeyboardInterrupt also while DuckDB works, which makes a RuntimeError of it."""
    try:
        yield
    except RuntimeError as error:
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from None
        raise


@contextmanager
def _system_errors() -> Iterator[None]:
    """What the system did not allow DuckDB to do, as the OSError it was."""
    import duckdb

    try:
        yield
    except duckdb.IOException as error:
        number = re.search(r'"errno":"(\d+)"', str(error))  # it wraps the errors of its own threads
        raise (OSError(int(number[1]), os.strerror(int(number[1]))) if number else OSError(str(error))) from error


def metadata_of(path: Path) -> dict[str, str]:
    """The texts embedded in a file."""
    try:
        found = connect().execute(f"SELECT key, value FROM parquet_kv_metadata({text(_literally(path))})").fetchall()
    except errors() as error:
        raise StoreError(f"{path} is not a Parquet file ({error})") from None
    return {key.decode(): value.decode() for key, value in found}
