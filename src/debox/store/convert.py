"""Stores of schema 1, in which the column `dimension` was called n: checked as schema 1, packed as schema 2.

DuckDB takes n and N for one name, and reads the second of them as n_1.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import files
from debox.store import checksum, pack, parquet, seal
from debox.store.database import database_error, first_line, interruptible
from debox.store.errors import StoreError, as_store_errors
from debox.store.manifest import LARGEST_MANIFEST, Manifest
from debox.store.parts import BROKEN, list_parts
from debox.store.schema import CONVERTIBLE_VERSION, NEEDED_COLUMNS


def is_convertible(store: str | PathLike[str]) -> bool:
    """Whether this is a store of schema 1, a directory or a packed file."""
    try:
        manifest = json.loads(_manifest_text(files.in_utf8(files.absolute(store))))
        return bool(manifest["schema_version"] == CONVERTIBLE_VERSION)
    except (OSError, StoreError, ValueError, KeyError, TypeError, RecursionError):
        return False


def pack_converted(store: str | PathLike[str], path: str | PathLike[str], drop: Sequence[str] = ()) -> None:
    """Write the rows of a store of schema 1, without the columns to drop, and its manifest into a packed file.

    Nothing is written unless every row is what the store's own checksums say.
    """
    old = files.in_utf8(files.absolute(store, "a store"), "a store")
    target = files.in_utf8(files.absolute(path, "the file to write"), "the file to write")
    with as_store_errors(old, "read"):
        manifest = Manifest.from_json(_manifest_text(old), old, CONVERTIBLE_VERSION)
        parts = list_parts(old / "parts") if old.is_dir() else [old]
    with as_store_errors(target):
        pack.check_output(target, old)  # an error comes before everything is read
    with TemporaryDirectory(prefix="debox-") as folder, interruptible():
        converted = [Path(folder) / f"{number}.parquet" for number in range(len(parts))]
        for part, new in zip(parts, converted, strict=True):
            arrays = _read_checked(part, old)
            parquet.write_arrays(new, arrays, {checksum.ROWS_SUMMARY: checksum.summarise_table(arrays)})
        pack.write(target, converted, manifest, drop)


def _manifest_text(store: Path) -> str | bytes:
    """The manifest as it is written; an error if there is none."""
    if store.is_dir():
        return files.read_small(store / "manifest.json", LARGEST_MANIFEST)
    return parquet.texts_in(store)[pack.MANIFEST]


def _read_checked(part: Path, store: Path) -> parquet.Table:
    """The rows of a file of schema 1, with the present names; a StoreError if they are not what was stored."""
    try:
        arrays = _read(part)
        needed = NEEDED_COLUMNS if store.is_dir() else []  # a packed file may have been written without some
        missing = [name for name in needed if name not in arrays]
        reason = f"it lacks the column {missing[0]}" if missing else BROKEN if _is_broken(part, arrays) else ""
    except (database_error(), KeyError, ValueError) as error:
        reason = f"it cannot be read ({first_line(error)})"
    if reason:
        raise StoreError(f"{store} has damaged parts and was not converted, take another copy: {part.name}: {reason}")
    return arrays


def _read(part: Path) -> parquet.Table:
    """All columns of a file of schema 1; best_x as points, each an array, as `append` has them."""
    arrays = parquet.read_sql(f"(SELECT * RENAME (n_1 AS dimension) FROM {parquet.rows_of([part])})", [part])
    if "best_x" in arrays:
        points = np.empty(len(arrays["id"]), object)
        points[:] = list(arrays["best_x"])
        arrays["best_x"] = points
    return arrays


def _is_broken(part: Path, arrays: Mapping[str, NDArray[Any]]) -> bool:
    """Whether a file is not what its name, its seal or the checksums embedded in it say, as far as it has them."""
    as_stored = {"n" if name == "dimension" else name: column for name, column in arrays.items()}
    embedded = parquet.texts_in(part)
    if pack.CONTENT in embedded:
        return seal.is_broken(part) or parquet.table_digest(as_stored) != embedded[pack.CONTENT]
    summary = checksum.summarise(checksum.hash_rows(as_stored))
    return files.digest(part) != part.stem or embedded.get(checksum.ROWS_SUMMARY, summary) != summary
