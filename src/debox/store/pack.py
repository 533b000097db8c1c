"""A packed store: all rows and the manifest in one Parquet file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from debox import files
from debox.store import checksum, parquet, schema, seal
from debox.store.database import database_error, first_line
from debox.store.errors import StoreError, as_store_errors
from debox.store.manifest import Manifest
from debox.store.parts import BROKEN, BadPart, describe_damage

MANIFEST, CONTENT = "debox_manifest", "debox_content"  # names of embedded texts: the manifest and the table's digest


def columns_without(names: Sequence[str], drop: Sequence[str]) -> list[str]:
    """The names of columns without those to drop."""
    if isinstance(drop, str) or not isinstance(drop, Iterable):
        raise ValueError(f"drop must be a list of names, such as ['best_x'], got {drop!r}")
    drop = list(drop)
    droppable = [name for name in names if name not in schema.ORDER]
    if wrong := [name for name in drop if name not in droppable]:
        raise ValueError(f"cannot drop {wrong[0]!r}; choose from {', '.join(droppable)}")
    return [name for name in names if name not in drop]


def write(path: Path, parts: Sequence[Path], manifest: Manifest, drop: Sequence[str] = ()) -> None:
    """Write the rows of these parts without the columns to drop; the file appears whole or not at all.

    It appears only if the rows read are those that were appended, and if it holds the same table as they do.
    """
    names = columns_without(parquet.names_in(parts), drop)
    content = parquet.table_digest({name: column for name, column in _read_as_appended(parts).items() if name in names})
    embedded = {MANIFEST: manifest.to_json(), CONTENT: content, seal.SEAL: seal.UNSEALED}
    with as_store_errors(path), files.replacing(path) as unfinished:
        file = files.in_utf8(unfinished)
        parquet.write_rows(file, parquet.in_order(parts), schema.in_schema_order(names), embedded, parquet.LEVEL_PACKED)
        if parquet.table_digest(parquet.read_table([file])) != content:
            raise StoreError(f"{path} was not written: it would not have read as the parts do")
        seal.write(file)


def _read_as_appended(parts: Sequence[Path]) -> parquet.Table:
    """The table of these parts; a StoreError if its rows are not those that were appended."""
    arrays, rows = parquet.read_table(parts), checksum.read_rows(parts)
    wrong = checksum.misread_files(parts, rows)
    if not wrong and not np.array_equal(np.sort(checksum.hash_rows(arrays)), rows.each_once()):
        wrong = [path.name for path in parts]
    if wrong:
        raise StoreError(f"the rows of {wrong[0]}, as they are read, are not those that were appended; nothing written")
    return arrays


def manifest_of(path: Path) -> Manifest:
    if not path.is_file():
        raise StoreError(f"{path} is neither a directory nor a file: it cannot hold a store")
    with as_store_errors(path, "read"):
        if seal.is_broken(path):
            raise StoreError(describe_damage(path, [BadPart(path.name, BROKEN)]))
        embedded = parquet.texts_in(path)
    if MANIFEST not in embedded:
        raise StoreError(f"{path} is a Parquet file, but not one that `debox store pack` wrote")
    return Manifest.from_json(embedded[MANIFEST], path)


def is_packed(path: Path) -> bool:
    """Whether a file is a packed store, of this version of debox or of another."""
    try:
        return files.begins_with(path, files.PARQUET) and MANIFEST in parquet.texts_in(files.in_utf8(path))
    except (StoreError, ValueError):
        return False


def check_output(path: Path, store: Path) -> None:
    """Refuse to pack into a file that is not a packed store, or that is the one to be read."""
    files.check_output(path, ".parquet")
    if path.exists() and path.samefile(store):
        raise ValueError(f"cannot write {path}: it is what is read; name another")
    if path.exists() and path.stat().st_size and not is_packed(path):
        raise ValueError(f"cannot write {path}: it is not a file that `debox store pack` wrote; name another")


def bad_parts(path: Path) -> list[BadPart]:
    """The file as a bad part, if its content is not what was packed; else none."""
    try:
        reason = _damage(path)
    except (database_error(), StoreError, KeyError, ValueError) as error:
        reason = f"it cannot be read ({first_line(error)})"
    return [BadPart(path.name, reason)] if reason else []


def _damage(path: Path) -> str:
    if seal.is_broken(path):
        return BROKEN
    if wrong := parquet.difference_from_schema(
        path, [name for name in schema.ORDER if name not in schema.LATER_COLUMNS]
    ):
        return wrong
    return "" if parquet.table_digest(parquet.read_table([path])) == parquet.texts_in(path)[CONTENT] else BROKEN
