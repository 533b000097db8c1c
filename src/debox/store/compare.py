"""Rows as they are read, compared with what was noted of them in memory when they were appended.

Whoever is to remove or replace rows asks here first: a reader that is wrong about a file would be wrong twice in the
same way, and its error would become what is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.store import checksum, parquet, table
from debox.store.checksum import Hashes

NOTED = "debox_rows"  # embedded in a part: number and checksum of its rows


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
    return checksum.summarise(checksum.of_rows(arrays))


def read(paths: Sequence[Path]) -> Rows:
    """The rows of these files."""
    found = table.every_row(paths)
    places = {path.name: place for place, path in enumerate(sorted(paths))}
    files = {file: places[Path(file).name] for file in set(found[parquet.PART])}
    place = np.array([files[file] for file in found.pop(parquet.PART)], np.int64)
    return Rows(np.array([hash(id) for id in found["id"]], np.int64), checksum.of_rows(found), place)


def misread(paths: Sequence[Path], rows: Rows) -> list[str]:
    """The names of the files whose rows are not what was noted; of one without a note nothing is known."""
    embedded, order = parquet.embedded_in(paths), np.argsort(rows.files, kind="stable")
    ends = np.searchsorted(rows.files[order], np.arange(len(paths)), side="right")
    by_file = zip(sorted(paths), np.split(rows.hashes[order], ends[:-1]), strict=True) if paths else ()
    summaries = [(path.name, checksum.summarise(hashes)) for path, hashes in by_file]
    return [name for name, found in summaries if embedded[name].get(NOTED, found) != found]
