"""A packed store: all rows and the manifest in one Parquet file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from debox import files, outputs
from debox.store import parquet, schema, table
from debox.store.errors import StoreError, explained
from debox.store.manifest import Manifest
from debox.store.parts import BadPart

MANIFEST, CONTENT = "debox_manifest", "debox_content"  # what is embedded: the manifest and the table's digest


def kept(parts: Sequence[Path], drop: Sequence[str]) -> list[str]:
    """The columns of these parts without those to drop."""
    names = [column.name for column in parquet.columns_of(parquet.rows_of(parts))]
    droppable = [name for name in names if name not in schema.ORDER]
    if wrong := [name for name in drop if name not in droppable]:
        raise ValueError(f"cannot drop {wrong[0]!r}; choose from {', '.join(droppable)}")
    return [name for name in names if name not in drop]


def write(path: Path, parts: Sequence[Path], manifest: Manifest, drop: Sequence[str] = ()) -> None:
    """Rows of these parts, without the columns to drop; the file appears whole or not at all."""
    names = kept(parts, drop)
    embedded = {MANIFEST: manifest.to_json(), CONTENT: table.digest(table.read(parts, names))}
    with explained(path), outputs.writing(path, PACKED, parts) as aside:
        parquet.write_rows(
            files.in_utf8(aside), parquet.in_order(parts), schema.arranged(names), embedded, parquet.LEVEL_FOR_GOOD
        )


def manifest_of(path: Path) -> Manifest:
    found = parquet.metadata_of(path)
    if MANIFEST not in found:
        raise StoreError(f"{path} is a Parquet file, but not one that `debox store pack` wrote")
    return Manifest.from_json(found[MANIFEST], path)


def is_packed(path: Path) -> bool:
    """Whether a file is a packed store, of this version of debox or of another."""
    try:
        starts = outputs.beginning(path, len(outputs.PARQUET)) == outputs.PARQUET
        return starts and MANIFEST in parquet.metadata_of(files.in_utf8(path))
    except (StoreError, ValueError):
        return False


PACKED = outputs.Kind("a file that `debox store pack` wrote", is_packed, ".parquet")


def bad(path: Path) -> list[BadPart]:
    """The file itself, if its content is not what was packed."""
    try:
        whole = table.digest(table.read([path])) == parquet.metadata_of(path)[CONTENT]
    except (parquet.errors(), StoreError, KeyError, ValueError) as error:
        return [BadPart(path.name, f"it cannot be read ({error})")]
    return [] if whole else [BadPart(path.name, "its content does not match its checksum")]
