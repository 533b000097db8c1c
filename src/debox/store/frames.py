"""A table as a data frame of the library that the reader has, or as text."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from importlib import import_module
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

Table = Mapping[str, NDArray[Any]]

ROWS_AT_A_TIME = 1000  # of a text


def to_pandas(table: Table) -> Any:
    """A pandas DataFrame; best_x is a column of arrays."""
    columns = {name: list(array) if name == "best_x" else array for name, array in table.items()}
    return _import_library("pandas").DataFrame(columns)


def to_polars(table: Table) -> Any:
    """A polars DataFrame; best_x is an Array column, or a List if the dimension varies."""
    polars = _import_library("polars")

    def column(name: str, array: NDArray[Any]) -> Any:
        if name == "best_x" and not _has_one_dimension(array):
            return polars.Series(list(array), dtype=polars.List(polars.Float64))
        return polars.Series(array, dtype=polars.String if array.dtype == object else None)

    return polars.DataFrame({name: column(name, array) for name, array in table.items()})


def to_arrow(table: Table) -> Any:
    """A pyarrow Table; best_x is a fixed-size list, or a list if the dimension varies."""
    arrow = _import_library("pyarrow")

    def column(name: str, array: NDArray[Any]) -> Any:
        if name != "best_x":
            return arrow.array(array, type=arrow.string() if array.dtype == object else None)
        if _has_one_dimension(array):
            return arrow.FixedSizeListArray.from_arrays(arrow.array(array.ravel()), array.shape[1])
        return arrow.array(list(array), type=arrow.list_(arrow.float64()))

    return arrow.table({name: column(name, array) for name, array in table.items()})


def write_csv(table: Table, file: TextIO) -> None:
    """A line per run; the shortest text that reads back as the same number; best_x between spaces."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(table)
    for first in range(0, len(table["id"]), ROWS_AT_A_TIME):
        some = {name: array[first : first + ROWS_AT_A_TIME] for name, array in table.items()}
        texts = {
            name: [" ".join(map(repr, point)) for point in map(np.ndarray.tolist, some[name])]
            for name in some
            if name == "best_x"
        }
        writer.writerows(zip(*(texts.get(name, array.tolist()) for name, array in some.items()), strict=True))


def _import_library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise ImportError(f"this needs {name}: pip install {name}") from None


def _has_one_dimension(points: NDArray[Any]) -> bool:
    return points.ndim == 2 and len(points) > 0
