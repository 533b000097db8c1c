"""A checksum of rows in any order, computed when they are appended and compared with the rows as they are read.

Before rows are removed or replaced they are compared: a reader that is wrong about a file is wrong in the same way
each time, and its error would become what is stored.

The hash of a row is mix(Σ mix(value ⊕ key of its column)), the sum over all values that are present, and the checksum
of rows is the sum of their hashes; all modulo 2⁶⁴. NaN counts as absent, since parts differ in their checkpoints.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.store import parquet
from debox.store.schema import LATER_COLUMNS

Hashes = NDArray[np.uint64]

ROWS_SUMMARY = "debox_rows"  # the name of the text embedded in a part: number and checksum of its rows


def summarise(rows: Hashes) -> str:
    """Number and checksum of rows with these hashes: ``2 rows, 00000000000000f3``."""
    return f"{len(rows)} rows, {int(rows.sum(dtype=np.uint64)):016x}"


def hash_rows(table: Mapping[str, NDArray[Any]]) -> Hashes:
    """The hash of each row of a table."""
    total = np.zeros(len(table["id"]), np.uint64)
    for name, values in table.items():
        total += (
            _hash_points(name, values)
            if name == "best_x"
            else mix(_bits(values) ^ column_key(name)) * _is_present(values, LATER_COLUMNS.get(name))
        )
    return mix(total)


def column_key(name: str) -> np.uint64:
    """A number for a column, so that the same value has another hash in each column."""
    return np.uint64(hash_texts([name])[0])


def hash_texts(texts: Iterable[Any]) -> Hashes:
    """A number for each text."""
    listed = list(texts)
    numbers = {
        text: hashlib.blake2b(str(text).encode(errors="replace"), digest_size=8).digest() for text in set(listed)
    }
    return np.frombuffer(b"".join([numbers[text] for text in listed]), "<u8").astype(np.uint64)


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
        return hash_texts(values)
    return values.view(np.uint64) if values.dtype.itemsize == 8 else values.astype(np.uint64)


def _is_present(values: NDArray[Any], absent: str | None = None) -> Hashes | np.uint64:
    """1, but 0 for NaN and for the value that a column has where it is not there."""
    if absent is not None:
        is_there: Hashes = np.not_equal(values, absent).astype(np.uint64)
        return is_there
    return (values == values).astype(np.uint64) if values.dtype.kind == "f" else np.uint64(1)


def _hash_points(name: str, points: NDArray[Any]) -> Hashes:
    """For each point the sum over its numbers, each mixed with its index."""
    lengths = np.array([len(point) for point in points], np.int64)
    ends = lengths.cumsum()
    flat = np.concatenate([np.empty(0), *points]) if points.dtype == object else np.ascontiguousarray(points).ravel()
    place = np.arange(len(flat)) - np.repeat(ends - lengths, lengths)
    keys = mix(column_key(name) + np.arange(lengths.max(initial=0), dtype=np.uint64))
    sums = np.append(
        np.uint64(0), (mix(flat.view(np.uint64) ^ keys[place]) * _is_present(flat)).cumsum(dtype=np.uint64)
    )
    of_each: Hashes = sums[ends] - sums[ends - lengths]
    return of_each


class Rows(NamedTuple):
    """All rows of some files; a row that is in several of them counts each time."""

    ids: NDArray[np.int64]  # Python's hash of each id, which differs between processes
    hashes: Hashes
    files: NDArray[np.int64]  # the index of each row's file in the sorted list

    def each_once(self) -> Hashes:
        """The hashes, sorted, of one row per id: the row in the first file that has the id."""
        order = np.lexsort((self.files, self.ids))
        _, first = np.unique(self.ids[order], return_index=True)
        return np.sort(self.hashes[order[first]])


def summarise_table(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Number and checksum of a table's rows, to be embedded in its part."""
    return summarise(hash_rows(arrays))


def read_rows(paths: Sequence[Path]) -> Rows:
    """The rows of these files."""
    table = parquet.read_every_row(paths)
    places = {path.name: place for place, path in enumerate(sorted(paths))}
    files = {file: places[Path(file).name] for file in set(table[parquet.FILE_COLUMN])}
    place = np.array([files[file] for file in table.pop(parquet.FILE_COLUMN)], np.int64)
    return Rows(np.array([hash(id) for id in table["id"]], np.int64), hash_rows(table), place)


def misread_files(paths: Sequence[Path], rows: Rows) -> list[str]:
    """The names of the files whose rows differ from the embedded summary; a file without one is taken as right."""
    embedded, order = parquet.texts_in_each(paths), np.argsort(rows.files, kind="stable")
    ends = np.searchsorted(rows.files[order], np.arange(len(paths)), side="right")
    by_file = zip(sorted(paths), np.split(rows.hashes[order], ends[:-1]), strict=True) if paths else ()
    summaries = [(path.name, summarise(hashes)) for path, hashes in by_file]
    return [name for name, summary in summaries if embedded[name].get(ROWS_SUMMARY, summary) != summary]
