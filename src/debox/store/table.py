"""The rows of Parquet files as arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check
from debox.store import parquet
from debox.store.database import connect, database_error, first_line, sql_text
from debox.store.errors import StoreError
from debox.store.schema import COLUMNS, OPTIONAL

Table = dict[str, NDArray[Any]]

WORD_COLUMNS = [column.name for column in COLUMNS if column.type == "VARCHAR" and column.name != "id"]


def read(paths: Sequence[Path], columns: Sequence[str] | None = None, where: Mapping[str, Any] | None = None) -> Table:
    """Column name → array, sorted; `where` keeps the rows with these values."""
    rows = parquet.in_order(paths)
    have = [column.name for column in parquet.columns_of(rows)]
    wanted = have if columns is None else list(columns)
    for name in [*wanted, *(name for name in where or {} if name not in OPTIONAL)]:
        if name not in have:
            raise ValueError(f"unknown column {name!r}; there are {', '.join(have)}")
    if where:  # as one row: for single columns DuckDB trusts the statistics in the file and skips rows
        values = ", ".join("?" for _ in where)
        given = ", ".join(parquet.value_of(name, have) for name in where)
        rows = f"(SELECT * FROM {rows} WHERE row({given}) = row({values}))"
    with _naming_files(paths):
        return _arrays(rows, wanted, list((where or {}).values()))


def read_every_row(paths: Sequence[Path]) -> Table:
    """All rows and columns in no order, a row that is in two files twice; FILE_COLUMN names each row's file."""
    have = [column.name for column in parquet.columns_of(parquet.rows_of(paths))]
    with _naming_files(paths):
        return _arrays(parquet.rows_of(paths, named=True), [*have, parquet.FILE_COLUMN], [])


def read_sql(rows: str, paths: Sequence[Path]) -> Table:
    """All columns of the rows that SQL gives, in their order; `paths` are the files they are read from."""
    with _naming_files(paths):
        return _arrays(rows, [column.name for column in parquet.columns_of(rows)], [])


def read_other(path: Path, columns: Sequence[str]) -> Table:
    """Columns of a Parquet file that holds something else than runs of a study."""
    if not path.is_file():
        raise StoreError(f"{path} is not a file")
    try:
        fetched = connect().execute(f"SELECT * FROM {parquet.rows_of([path])}").fetchnumpy()
    except database_error() as error:
        raise StoreError(f"{path} is not a Parquet file ({first_line(error)})") from None
    if absent := [name for name in columns if name not in fetched]:
        raise StoreError(f"{path} has no column {', '.join(absent)}")
    with _naming_files([path]):
        return {name: _fill_missing(name, fetched[name]) for name in columns}


class _OddRows(Exception):
    """Rows that debox does not write: the file was made otherwise. (A damaged file is found by its checksum before.)"""


@contextmanager
def _naming_files(paths: Sequence[Path]) -> Iterator[None]:
    """Turn an error about odd rows into a StoreError that names the file, or the folder of the files."""
    try:
        yield
    except _OddRows as error:
        where = paths[0] if len(paths) == 1 else paths[0].parent
        raise StoreError(f"{where} holds rows that debox does not write: {error}") from None


def _arrays(rows: str, wanted: list[str], values: list[Any]) -> Table:
    plain = dict.fromkeys(["dimension" if name == "best_x" else name for name in wanted])  # best_x needs it
    _refuse_odd_sizes(rows, len(plain), "best_x" in wanted, values)
    words = _distinct_words(rows, [name for name in plain if name in WORD_COLUMNS], values)
    selected = ", ".join(_word_number(name, words[name]) if name in words else parquet.quote(name) for name in plain)
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
        raise _OddRows(f"in {wrong} of them dimension is not the number of variables")
    if (needed := 8 * (n_rows * columns + int(numbers or 0))) > (memory := check.physical_memory()):
        raise _OddRows(f"they need {needed / 1e9:,.0f} GB of memory, this computer has {memory / 1e9:,.0f} GB")


def _distinct_words(rows: str, names: list[str], values: list[Any]) -> dict[str, list[str]]:
    """The different words of these columns; a million rows share them, instead of each having a text of its own."""
    if not names:
        return {}
    distinct = ", ".join(f"list(DISTINCT {name})" for name in names)
    lists = connect().execute(f"SELECT {distinct} FROM {rows}", values).fetchone()
    found = {name: [word for word in words or [] if word is not None] for name, words in zip(names, lists, strict=True)}
    return {
        name: list(dict.fromkeys([OPTIONAL[name], *words])) if name in OPTIONAL else words or [""]
        for name, words in found.items()
    }


def _word_number(name: str, words: list[str]) -> str:
    cases = " ".join(f"WHEN {sql_text(word)} THEN {number}" for number, word in enumerate(words))
    missing = "ELSE 0" if name in OPTIONAL else ""  # a part of an earlier version has no such column
    return f"CASE {name} {cases} {missing} END AS {name}"


def _fill_missing(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """NaN where DuckDB has NULL, as which it stores NaN and reads the column of a checkpoint that a part does not have.

    Columns of other types have a value in every row.
    """
    if not isinstance(array, np.ma.MaskedArray):
        return array
    if array.dtype.kind != "f" and array.mask.any():
        raise _OddRows(f"the column {name} has no value in {array.mask.sum()} of them")
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
        return "".join(f"{value}\n" for value in values).encode()
    return b"".join(np.asarray(point).tobytes() for point in values)


def digest(table: Mapping[str, NDArray[Any]]) -> str:
    """SHA-256 of a table's content, however it is stored."""
    content = hashlib.sha256()
    for name, array in table.items():
        content.update(f"\n{name}\n".encode())
        content.update(_bytes(array))
    return content.hexdigest()[:32]
