"""A table as a data frame of the library that the reader has."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from importlib import import_module
from typing import Any, TextIO

from numpy.typing import NDArray

Table = Mapping[str, NDArray[Any]]

ROWS_AT_A_TIME = 1000


def to_pandas(table: Table) -> Any:
    """A pandas DataFrame; best_x is a column of arrays."""
    return _library("pandas").DataFrame({name: _rows(array) for name, array in table.items()})


def to_polars(table: Table) -> Any:
    """A polars DataFrame; best_x is an Array column, or a List if n varies."""
    polars = _library("polars")
    return polars.DataFrame({name: _polars_series(polars, name, array) for name, array in table.items()})


def to_arrow(table: Table) -> Any:
    """A pyarrow Table; best_x is a fixed-size list, or a list if n varies."""
    arrow = _library("pyarrow")
    return arrow.table({name: _arrow_array(arrow, array) for name, array in table.items()})


def write_csv(table: Table, file: TextIO) -> None:
    """A line per run; the shortest text that reads back as the same number; best_x between spaces."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(table)
    for first in range(0, len(table["id"]), ROWS_AT_A_TIME):
        rows = slice(first, first + ROWS_AT_A_TIME)
        writer.writerows(zip(*(_texts(name, array[rows]) for name, array in table.items()), strict=True))


def _texts(name: str, array: NDArray[Any]) -> list[Any]:
    if name == "best_x":
        return [" ".join(map(repr, point.tolist())) for point in array]
    return list(array.tolist())


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise ImportError(f"this needs {name}: pip install {name}") from None


def _rows(array: NDArray[Any]) -> Any:
    return list(array) if array.ndim == 2 else array


def _polars_series(polars: Any, name: str, array: NDArray[Any]) -> Any:
    dtypes = {"object": polars.List(polars.Float64) if name == "best_x" else polars.String}
    return polars.Series(name, array, dtype=dtypes.get(str(array.dtype)))


def _arrow_array(arrow: Any, array: NDArray[Any]) -> Any:
    if array.ndim == 2:
        return arrow.FixedSizeListArray.from_arrays(arrow.array(array.ravel()), array.shape[1])
    return arrow.array(array)
