"""A checksum of rows, whatever their order: what `append` was given in memory, to be found again after any reading.

The hash of a row is mix(Σ mix(value ⊕ key of its column)), the sum over all values that are there, and the checksum of
rows is the sum of their hashes; all modulo 2⁶⁴. NaN counts as not there, since parts differ in their checkpoints.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.store import parquet
from debox.store.table import every_row

Hashes = NDArray[np.uint64]

NOTED = "debox_rows"  # embedded in a part: number and checksum of its rows


def summarise(rows: Hashes) -> str:
    """Number and checksum of rows with these hashes: ``2 rows, 00000000000000f3``."""
    return f"{len(rows)} rows, {int(rows.sum(dtype=np.uint64)):016x}"


def of_rows(table: Mapping[str, NDArray[Any]]) -> Hashes:
    """The hash of each row of a table."""
    total = np.zeros(len(table["id"]), np.uint64)
    for name, values in table.items():
        total += _of_points(name, values) if name == "best_x" else mix(_bits(values) ^ key(name)) * _there(values)
    return mix(total)


def key(name: str) -> np.uint64:
    """A number for a column, so that a value counts differently in each."""
    return np.uint64(of_texts([name])[0])


def of_texts(texts: Iterable[Any]) -> Hashes:
    """A number for each text, from its own letters alone."""
    listed = list(texts)
    numbers = {one: hashlib.blake2b(str(one).encode(errors="replace"), digest_size=8).digest() for one in set(listed)}
    return np.frombuffer(b"".join([numbers[one] for one in listed]), "<u8").astype(np.uint64)


def mix(values: Hashes) -> Hashes:
    """Every bit of a number depends on every bit of the one given (the last steps of SplitMix64); 0 stays 0."""
    mixed = values ^ (values >> np.uint64(30))
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def _bits(values: NDArray[Any]) -> Hashes:
    if values.dtype == object:
        return of_texts(values)
    return values.view(np.uint64) if values.dtype.itemsize == 8 else values.astype(np.uint64)


def _there(values: NDArray[Any]) -> Hashes | np.uint64:
    return (values == values).astype(np.uint64) if values.dtype.kind == "f" else np.uint64(1)


def _of_points(name: str, points: NDArray[Any]) -> Hashes:
    """For each point the sum over its numbers, each with its place."""
    lengths = np.array([len(point) for point in points], np.int64)
    ends = lengths.cumsum()
    flat = np.concatenate([np.empty(0), *points]) if points.dtype == object else np.ascontiguousarray(points).ravel()
    place = np.arange(len(flat)) - np.repeat(ends - lengths, lengths)
    keys = mix(key(name) + np.arange(lengths.max(initial=0), dtype=np.uint64))
    sums = np.append(np.uint64(0), (mix(flat.view(np.uint64) ^ keys[place]) * _there(flat)).cumsum(dtype=np.uint64))
    of_each: Hashes = sums[ends] - sums[ends - lengths]
    return of_each


class Rows(NamedTuple):
    """All rows of some files, those that stand in several of them as well."""

    ids: NDArray[np.int64]  # a number for each id, that of this process alone
    hashes: Hashes
    files: NDArray[np.int64]  # the place of each row's file among those read

    def each_once(self) -> Hashes:
        """The hashes of the rows, those of each id in the first file that has it, rising."""
        order = np.lexsort((self.files, self.ids))
        _, first = np.unique(self.ids[order], return_index=True)
        return np.sort(self.hashes[order[first]])


def note(arrays: Mapping[str, NDArray[Any]]) -> str:
    """What is noted of the rows of a part."""
    return summarise(of_rows(arrays))


def read(paths: Sequence[Path]) -> Rows:
    """The rows of these files."""
    found = every_row(paths)
    places = {path.name: place for place, path in enumerate(sorted(paths))}
    files = {file: places[Path(file).name] for file in set(found[parquet.PART])}
    place = np.array([files[file] for file in found.pop(parquet.PART)], np.int64)
    return Rows(np.array([hash(id) for id in found["id"]], np.int64), of_rows(found), place)


def misread(paths: Sequence[Path], rows: Rows) -> list[str]:
    """The names of the files whose rows are not what was noted; of one without a note nothing is known."""
    embedded, order = parquet.embedded_in(paths), np.argsort(rows.files, kind="stable")
    ends = np.searchsorted(rows.files[order], np.arange(len(paths)), side="right")
    by_file = zip(sorted(paths), np.split(rows.hashes[order], ends[:-1]), strict=True) if paths else ()
    summaries = [(path.name, summarise(hashes)) for path, hashes in by_file]
    return [name for name, found in summaries if embedded[name].get(NOTED, found) != found]
