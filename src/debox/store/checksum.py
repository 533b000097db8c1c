"""A checksum of rows, whatever their order: what `append` was given in memory, to be found again after any reading.

The hash of a row is mix(Σ mix(value ⊕ key of its column)), the sum over all values that are there, and the checksum of
rows is the sum of their hashes; all modulo 2⁶⁴. NaN counts as not there, since parts differ in their checkpoints.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]


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
