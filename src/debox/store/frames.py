"""A table as a data frame of the library that the reader has."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from numpy.typing import NDArray

Table = Mapping[str, NDArray[Any]]


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
