"""A table as a data frame of the library that the reader has."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from importlib import import_module
from typing import Any, TextIO

from numpy.typing import NDArray

Table = Mapping[str, NDArray[Any]]

ROWS_AT_A_TIME = 1000

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet calculates texts that start so


def to_pandas(table: Table) -> Any:
    """A pandas DataFrame; best_x is a column of arrays."""
    columns = {name: list(array) if name == "best_x" else array for name, array in table.items()}
    return _import_library("pandas").DataFrame(columns)


def to_polars(table: Table) -> Any:
    """A polars DataFrame; best_x is an Array column, or a List if the dimension varies."""
    polars = _import_library("polars")
    return polars.DataFrame({name: _polars_column(polars, name, array) for name, array in table.items()})


def to_arrow(table: Table) -> Any:
    """A pyarrow Table; best_x is a fixed-size list, or a list if the dimension varies."""
    arrow = _import_library("pyarrow")
    return arrow.table({name: _arrow_column(arrow, name, array) for name, array in table.items()})


def write_csv(table: Table, file: TextIO) -> None:
    """A line per run; the shortest text that reads back as the same number; best_x between spaces.

    A text that a spreadsheet would take for a formula has an apostrophe before it. debox writes no such text, but a
    file from elsewhere may have one.
    """
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(table)
    for first in range(0, len(table["id"]), ROWS_AT_A_TIME):
        rows = slice(first, first + ROWS_AT_A_TIME)
        writer.writerows(zip(*(_csv_texts(name, array[rows]) for name, array in table.items()), strict=True))


def _csv_texts(name: str, array: NDArray[Any]) -> list[Any]:
    if name == "best_x":
        return [" ".join(map(repr, point.tolist())) for point in array]
    if array.dtype == object:
        return [_escape_formula(text) for text in array.tolist()]
    return list(array.tolist())


def _escape_formula(text: str) -> str:
    """The text as no spreadsheet calculates it; a return, which csv does not quote, would begin a new line."""
    return ("'" if text.startswith(FORMULA_STARTS) else "") + text.replace("\r", "\\r")


def _import_library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise ImportError(f"this needs {name}: pip install {name}") from None


def _has_one_dimension(points: NDArray[Any]) -> bool:
    return points.ndim == 2 and len(points) > 0


def _polars_column(polars: Any, name: str, array: NDArray[Any]) -> Any:
    if name != "best_x":
        return polars.Series(array, dtype=polars.String if array.dtype == object else None)
    return (
        polars.Series(array)
        if _has_one_dimension(array)
        else polars.Series(list(array), dtype=polars.List(polars.Float64))
    )


def _arrow_column(arrow: Any, name: str, array: NDArray[Any]) -> Any:
    if name != "best_x":
        return arrow.array(array, type=arrow.string() if array.dtype == object else None)
    if _has_one_dimension(array):
        return arrow.FixedSizeListArray.from_arrays(arrow.array(array.ravel()), array.shape[1])
    return arrow.array(list(array), type=arrow.list_(arrow.float64()))
