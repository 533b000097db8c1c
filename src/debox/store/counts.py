"""A complete study as counts: how many trials of every run were infeasible, after each of the study's marks.

All other columns that say which run is meant, ids included, follow from the study. So the paper's study takes a sixth
of the room, and goes into wheels; NumPy alone reads it.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.config import CONFIG_FIELDS, Config, marks
from debox.store import parquet
from debox.store.errors import StoreError, as_store_errors
from debox.store.manifest import Manifest
from debox.store.parts import BadPart, describe_damage
from debox.store.schema import LATER_COLUMNS, ORDER, checkpoint_column, ids
from debox.store.store import Store

# Counts as bytes that compress well.


def infeasible(pois: NDArray[np.float64], evaluations: int) -> NDArray[np.int64]:
    """How many of the evaluations were infeasible; an error if that is no whole number in their range."""
    counts = np.round(pois * evaluations)
    wrong = ~((counts >= 0) & (counts <= evaluations) & (counts / evaluations == pois))
    if wrong.any():
        raise ValueError(
            f"pois must be a whole number of trials ÷ {evaluations} evaluations, in [0, 1], got {pois[wrong][0]!r}"
        )
    return counts.astype(np.int64)


def zigzag_second_differences(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Second differences from mark to mark of each run, from two zeros on, as whole numbers ≥ 0: 0, −1, 1, −2, 2, …

    A run leaves the box nearly as often in one stretch as in the next: these numbers take a sixth less room.
    """
    steps = np.diff(counts, axis=0, prepend=0)
    second = np.diff(steps, axis=0, prepend=0)
    return np.where(second < 0, -2 * second - 1, 2 * second).ravel()


def byte_planes(numbers: NDArray[np.int64], width: int) -> NDArray[np.uint8]:
    """The lowest byte of every number, then the next one of every number, …: equal bytes stand together."""
    return np.array([(numbers >> (8 * k)) & 255 for k in range(width)], np.uint8)


def bytes_needed(numbers: NDArray[np.int64]) -> int:
    """How many bytes the largest of some numbers ≥ 0 takes."""
    return (int(numbers.max()).bit_length() + 7) // 8


def counts_from(planes: NDArray[np.uint8], n_marks: int) -> NDArray[np.int64]:
    """The counts at every mark that `byte_planes` of `zigzag_second_differences` was made of."""
    zigzag = sum(plane.astype(np.int64) << (8 * k) for k, plane in enumerate(planes))
    second = np.where(zigzag % 2, -(zigzag + 1) // 2, zigzag // 2).reshape(n_marks, -1)
    counts: NDArray[np.int64] = second.cumsum(axis=0).cumsum(axis=0)
    return counts


FOLLOW = ("id", *CONFIG_FIELDS, "dimension", "budget", "run", "seed", "engine")  # columns that follow from the study


# The file, and the store that reads it.


def write(path: Path, store: Store) -> None:
    """Write the counts of a complete study of one dimension, all of whose runs were done by one engine."""
    table, columns = store.table(), marks_of(store.manifest)
    (engine,) = set(table["engine"])
    numbers = zigzag_second_differences(np.array([infeasible(table[name], mark) for name, mark in columns.items()]))
    np.savez_compressed(
        path,
        manifest=np.array(store.manifest.to_json()),
        engine=np.array(engine),
        columns=np.array([name for name in table if name in (*FOLLOW, *columns)]),
        planes=byte_planes(numbers, bytes_needed(numbers)),
    )
    written = CountedStore.open(path)
    for name in written.columns:
        if not np.array_equal(written._column(name), table[name]):
            path.unlink()
            raise ValueError(f"the study is not complete: its {name} would not come out as it is")


def marks_of(manifest: Manifest) -> dict[str, int]:
    """The columns of POIS, each with the number of evaluations after which it was noted."""
    shares, (_, budget) = manifest.study.checkpoints, size_of(manifest)
    return dict(zip(map(checkpoint_column, shares), marks(budget, shares).tolist(), strict=True)) | {"pois": budget}


def size_of(manifest: Manifest) -> tuple[int, int]:
    """The one dimension of the study, and its budget."""
    (n,) = manifest.study.dimension
    return n, manifest.study.budget_for(n)


class CountedStore(Store):
    """A store to read whose file holds counts: it has the columns that follow from the study, and those of POIS."""

    def __init__(self, path: Path, manifest: Manifest, engine: str, columns: list[str]) -> None:
        super().__init__(path, manifest)
        self.engine = engine
        self.columns = columns

    @classmethod
    def open(cls, path: Path) -> CountedStore:
        """The store in a file that `write` wrote."""
        manifest = Manifest.from_json(str(_read(path, "manifest")), path)
        return cls(path, manifest, str(_read(path, "engine")), _read(path, "columns").tolist())

    @cached_property
    def _configs(self) -> list[Config]:
        """The configurations in the order of a store's table."""
        names = [name for name in ORDER if name in CONFIG_FIELDS]
        return sorted(self.study.configs(), key=lambda config: [getattr(config, name) for name in names])

    @cached_property
    def _counts(self) -> dict[str, NDArray[np.int64]]:
        """The counts of every run, by the names of the columns."""
        names = marks_of(self.manifest)
        return dict(zip(names, counts_from(_read(self.path, "planes"), len(names)), strict=True))

    def _column(self, name: str) -> NDArray[Any]:
        """A column of all runs."""
        n_runs, (n, budget) = self.study.runs, size_of(self.manifest)
        if name in CONFIG_FIELDS:
            values = [getattr(config, name) for config in self._configs]
            return np.repeat(np.array(values, object if isinstance(values[0], str) else None), n_runs)
        if name == "id":
            return np.array(
                [id for config in self._configs for id in ids(config, n, budget, range(n_runs), self.study)], object
            )
        if name == "run":
            return np.tile(np.arange(n_runs), len(self._configs))
        if mark := marks_of(self.manifest).get(name):
            return self._counts[name] / mark
        same = {"dimension": n, "budget": budget, "seed": self.study.seed, "engine": self.engine}[name]
        return np.full(n_runs * len(self._configs), same, object if isinstance(same, str) else None)

    def _read(self, columns: Sequence[str] | None, where: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
        wanted = self.columns if columns is None else list(columns)
        for name in [*wanted, *(name for name in where if name not in LATER_COLUMNS)]:
            if name not in self.columns:
                there = ", ".join(self.columns)
                raise ValueError(f"unknown column {name!r}; there are {there}{self._where_the_rest_is}")
        rows = np.arange(len(self._configs) * self.study.runs)
        for name, value in where.items():
            rows = rows[self._column(name)[rows] == value]
        return {name: self._column(name)[rows] for name in wanted}

    def _column_names(self) -> list[str]:
        return self.columns

    @property
    def _where_the_rest_is(self) -> str:
        return f"; data/{self.path.stem}.parquet in debox's repository has the others"

    def sql(self, query: str) -> Any:
        """As of other stores."""
        return parquet.ask(query, self._read(None, {}), self._where_the_rest_is)

    def bad_parts(self) -> list[BadPart]:
        """The file, if it is damaged."""
        try:
            _read(self.path, "planes")
        except StoreError as error:
            return [BadPart(self.path.name, str(error))]
        return []

    def finished(self) -> set[str]:
        """The ids of all runs."""
        return set(self._column("id"))

    def pack(self, path: str | PathLike[str], drop: Sequence[str] = ()) -> None:
        """Refused: the file holds counts alone."""
        raise StoreError(
            f"{self.path} holds counts alone and cannot be packed; data/{self.path.stem}.parquet in "
            "debox's repository is the whole study, packed"
        )


def _read(path: Path, name: str) -> NDArray[Any]:
    """An array of the file, which has a checksum of each; a StoreError if it is damaged."""
    with as_store_errors(path, "read"):
        try:
            with np.load(path) as content:
                array: NDArray[Any] = content[name]
                return array
        except (ValueError, KeyError, EOFError, RuntimeError, TokenError, zipfile.BadZipFile, zlib.error) as error:
            raise StoreError(describe_damage(path, [BadPart(path.name, str(error))])) from None
