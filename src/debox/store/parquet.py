"""Parquet files: written from arrays, read as arrays.

DuckDB writes and reads them, with its guesses switched off. Functions whose docstring begins with "SQL" return a piece
of a query, such as the rows of some files in their order; `read_table` and those after it turn rows into arrays.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check
from debox.store import schema
from debox.store.database import connect, database_error, first_line, interruptible, sql_text, system_errors
from debox.store.errors import StoreError
from debox.store.schema import COLUMNS, Column

Table = dict[str, NDArray[Any]]

# Without Hive's partitioning: a folder named N=5 above a file is no column of it.
READING = "union_by_name = true, hive_partitioning = false, file_row_number = false, binary_as_string = false"
FILE_COLUMN = "debox_part"  # the name of the column with each row's file
SORTED = "debox_sorted"  # embedded in a file whose rows are in order
# Columns of a few different words, which many rows share; every id is another.
WORD_COLUMNS = [column.name for column in COLUMNS if column.type == "VARCHAR" and column.name != "id"]

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
    """SQL: the value of a column; of a later one the usual value where files of earlier versions do not have it."""
    if name not in schema.LATER_COLUMNS:
        return quote(name)
    usual = sql_text(schema.LATER_COLUMNS[name])
    return f"coalesce({quote(name)}, {usual})" if name in have else usual


def columns_of(rows: str) -> tuple[Column, ...]:
    """The columns that these rows have."""
    names = (name for name, *_ in connect().execute(f"DESCRIBE SELECT * FROM {rows}").fetchall())
    return schema.in_schema_order(names)


def names_in(paths: Sequence[Path]) -> list[str]:
    """The names of the columns that these files have."""
    return [column.name for column in columns_of(rows_of(paths))]


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


def read_table(
    paths: Sequence[Path], columns: Sequence[str] | None = None, where: Mapping[str, Any] | None = None
) -> Table:
    """Column name → array, sorted; `where` keeps the rows with these values."""
    rows = in_order(paths)
    have = [column.name for column in columns_of(rows)]
    wanted = have if columns is None else list(columns)
    for name in [*wanted, *(name for name in where or {} if name not in schema.LATER_COLUMNS)]:
        if name not in have:
            raise ValueError(f"unknown column {name!r}; there are {', '.join(have)}")
    if where:  # as one row: for single columns DuckDB trusts the statistics in the file and skips rows
        values = ", ".join("?" for _ in where)
        given = ", ".join(value_of(name, have) for name in where)
        rows = f"(SELECT * FROM {rows} WHERE row({given}) = row({values}))"
    with _naming_files(paths):
        return _arrays(rows, wanted, list((where or {}).values()))


def read_every_row(paths: Sequence[Path]) -> Table:
    """All rows and columns in no order, a row that is in two files twice; FILE_COLUMN names each row's file."""
    have = [column.name for column in columns_of(rows_of(paths))]
    with _naming_files(paths):
        return _arrays(rows_of(paths, named=True), [*have, FILE_COLUMN], [])


def read_sql(rows: str, paths: Sequence[Path]) -> Table:
    """All columns of the rows that SQL gives, in their order; `paths` are the files they are read from."""
    with _naming_files(paths):
        return _arrays(rows, [column.name for column in columns_of(rows)], [])


def read_other(path: Path, columns: Sequence[str]) -> Table:
    """Columns of a Parquet file that holds something else than runs of a study."""
    if not path.is_file():
        raise StoreError(f"{path} is not a file")
    try:
        fetched = connect().execute(f"SELECT * FROM {rows_of([path])}").fetchnumpy()
    except database_error() as error:
        raise StoreError(f"{path} is not a Parquet file ({first_line(error)})") from None
    if absent := [name for name in columns if name not in fetched]:
        raise StoreError(f"{path} has no column {', '.join(absent)}")
    with _naming_files([path]):
        return {name: _fill_missing(name, fetched[name]) for name in columns}


class _ForeignRowsError(Exception):
    """Rows that debox does not write: the file was made otherwise. (A damaged file is found by its checksum before.)"""


@contextmanager
def _naming_files(paths: Sequence[Path]) -> Iterator[None]:
    """Turn an error about such rows into a StoreError that names the file, or the folder of the files."""
    try:
        yield
    except _ForeignRowsError as error:
        where = paths[0] if len(paths) == 1 else paths[0].parent
        raise StoreError(f"{where} holds rows that debox does not write: {error}") from None


def _arrays(rows: str, wanted: list[str], values: list[Any]) -> Table:
    plain = dict.fromkeys(["dimension" if name == "best_x" else name for name in wanted])  # best_x needs it
    _refuse_odd_sizes(rows, len(plain), "best_x" in wanted, values)
    words = _distinct_words(rows, [name for name in plain if name in WORD_COLUMNS], values)
    selected = ", ".join(_word_number(name, words[name]) if name in words else quote(name) for name in plain)
    fetched = connect().execute(f"SELECT {selected} FROM {rows}", values).fetchnumpy()
    arrays = {name: _fill_missing(name, fetched[name]) for name in plain}
    arrays |= {name: np.array(of, object)[arrays[name]] for name, of in words.items()}
    if "best_x" in wanted:
        flat = connect().execute(f"SELECT unnest(best_x) AS x FROM {rows}", values).fetchnumpy()["x"]
        arrays["best_x"] = _points(_fill_missing("best_x", flat), arrays["dimension"])
    return {name: arrays[name] for name in wanted}


def _refuse_odd_sizes(rows: str, columns: int, points: bool, values: list[Any]) -> None:
    """Raise an error about wrong dimensions, or rows that do not fit into memory, before memory is taken for them."""
    odd = "dimension IS NULL OR dimension < 1" + (" OR len(best_x) IS DISTINCT FROM dimension" if points else "")
    query = f"SELECT count(*), {'sum(len(best_x))' if points else '0'}, count(*) FILTER ({odd}) FROM {rows}"
    n_rows, numbers, wrong = connect().execute(query, values).fetchone()
    if wrong:
        raise _ForeignRowsError(f"in {wrong} of them dimension is not the number of variables")
    if (needed := 8 * (n_rows * columns + int(numbers or 0))) > (memory := check.physical_memory()):
        raise _ForeignRowsError(f"they need {needed / 1e9:,.0f} GB of memory, this computer has {memory / 1e9:,.0f} GB")


def _distinct_words(rows: str, names: list[str], values: list[Any]) -> dict[str, list[str]]:
    """The different words of these columns; a million rows share them, instead of each having a text of its own."""
    if not names:
        return {}
    combinations = connect().execute(f"SELECT DISTINCT {', '.join(names)} FROM {rows}", values).fetchall()
    found = {name: list({row[k] for row in combinations} - {None}) for k, name in enumerate(names)}
    return {
        name: list(dict.fromkeys([schema.LATER_COLUMNS[name], *words]))
        if name in schema.LATER_COLUMNS
        else words or [""]
        for name, words in found.items()
    }


def _word_number(name: str, words: list[str]) -> str:
    cases = " ".join(f"WHEN {sql_text(word)} THEN {number}" for number, word in enumerate(words))
    missing = "ELSE 0" if name in schema.LATER_COLUMNS else ""  # a part of an earlier version has no such column
    return f"CASE {name} {cases} {missing} END AS {name}"


def _fill_missing(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """NaN where DuckDB has NULL, as which it stores NaN and reads the column of a checkpoint that a part does not have.

    Columns of other types have a value in every row.
    """
    if not isinstance(array, np.ma.MaskedArray):
        return array
    if array.dtype.kind != "f" and array.mask.any():
        raise _ForeignRowsError(f"the column {name} has no value in {array.mask.sum()} of them")
    return array.filled(np.nan) if array.dtype.kind == "f" else array.data


def _points(flat: NDArray[Any], dimension: NDArray[Any]) -> NDArray[Any]:
    """(rows, dimension), or an array of arrays if the dimension varies"""
    if len(dimension) == 0:
        return np.empty((0, 0))
    if (dimension == dimension[0]).all():
        return flat.reshape(len(dimension), dimension[0])
    points = np.empty(len(dimension), object)
    points[:] = np.split(flat, np.cumsum(dimension)[:-1])
    return points


def _bytes(array: NDArray[Any]) -> bytes:
    """Texts end with a new line; points follow each other, whether the dimension varies or not."""
    if array.dtype != object:
        return array.tobytes()
    values = array.tolist()
    if values and isinstance(values[0], str):
        return "\n".join([*map(str, values), ""]).encode()
    return b"".join(np.asarray(point).tobytes() for point in values)


def table_digest(table: Mapping[str, NDArray[Any]]) -> str:
    """SHA-256 of a table's content, however it is stored."""
    content = hashlib.sha256()
    for name, array in table.items():
        content.update(f"\n{name}\n".encode())
        content.update(_bytes(array))
    return content.hexdigest()[:32]
