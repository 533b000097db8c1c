"""Parts: files of finished runs that appear whole or not at all, never change, and whose name is their checksum."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox import files
from debox.store import checksum, compare, parquet
from debox.store.checksum import Hashes
from debox.store.database import errors, first_line
from debox.store.errors import StoreError, explained
from debox.store.listing import FILE, FOLDER, GONE, free, kind, named_as_parts
from debox.store.schema import CHECKPOINT, COLUMNS

NEEDED = [column.name for column in COLUMNS if not column.name.startswith(CHECKPOINT)]


class BadPart(NamedTuple):
    name: str
    reason: str


class Parts:
    """The parts in a folder. A writer writes to a name of its own (its token), which no reader looks at."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._whole: set[tuple[str, int, int]] = set()  # the states of parts found whole

    def paths(self) -> list[Path]:
        """The parts: files with the name of one, no links, pipes or folders; one that is gone its reader will miss."""
        return [path for path in named_as_parts(self.folder) if kind(path) in (FILE, GONE)]

    def append(self, arrays: Mapping[str, NDArray[Any]], token: str) -> None:
        """One more part: all of these rows or none."""
        with explained(self.folder):
            parquet.write_arrays(self._unfinished(token), arrays, {compare.NOTED: compare.note(arrays)})
            self._finish(token)

    def merge(self, token: str) -> None:
        """All rows into one part, then remove those it replaces; in between, readers take each id once.

        Nothing is removed unless the rows of every part are those that were appended, and those of the merged part
        the same. Parts of which nothing was noted stay as they are.
        """
        there = self.paths()
        embedded = parquet.embedded_in(there)
        old = [path for path in there if compare.NOTED in embedded[path.name]]
        if len(old) < 2:
            return
        found = compare.read(old)
        if wrong := compare.misread(old, found):
            raise self._will_not_merge(f"the rows of {wrong[0]}, as they are read, are not those that were appended")
        with explained(self.folder):
            self._write_merged(token, old, found.each_once())
            merged = self._finish(token)
            for path in old:
                if path != merged:
                    path.unlink()

    def _write_merged(self, token: str, old: Sequence[Path], expected: Hashes) -> None:
        """Write the rows of the old parts, and read them again to see that they are as expected."""
        rows, unfinished = parquet.in_order(old), self._unfinished(token)
        noted = {compare.NOTED: checksum.summarise(expected)}
        parquet.write_rows(unfinished, rows, parquet.columns_of(rows), noted)
        written = compare.read([unfinished])
        if not np.array_equal(np.sort(written.hashes), expected):
            unfinished.unlink()
            raise self._will_not_merge("the rows of the merged part are not those of the parts")

    def _will_not_merge(self, why: str) -> StoreError:
        return StoreError(f"the parts in {self.folder} were not merged, and all of them are kept: {why}")

    def bad(self) -> list[BadPart]:
        """Those whose content is not what the name says, or that cannot be read."""
        found = ((path, self._what_is_wrong(path)) for path in named_as_parts(self.folder))
        return [BadPart(path.name, reason) for path, reason in found if reason]

    def set_aside(self, parts: Iterable[BadPart], elsewhere: Path) -> None:
        with explained(self.folder):
            for part in parts:
                elsewhere.mkdir(exist_ok=True)
                with suppress(FileNotFoundError):  # another shard was quicker
                    os.replace(self.folder / part.name, free(elsewhere / part.name))

    def remove_leftovers(self, writing: set[str]) -> None:
        """Half-written files of writers that are gone; `writing` are the tokens of those that are not."""
        for path in self.folder.glob(".*.tmp"):
            if path.name[1:-4] not in writing and kind(path) != FOLDER:
                path.unlink(missing_ok=True)

    def _unfinished(self, token: str) -> Path:
        return self.folder / f".{token}.tmp"

    def _finish(self, token: str) -> Path:
        unfinished = self._unfinished(token)
        try:
            part = unfinished.with_name(f"{files.digest(unfinished)}.parquet")
            files.sync(unfinished)
            os.replace(unfinished, part)
            files.sync(self.folder)
        except OSError:
            unfinished.unlink(missing_ok=True)  # it takes room where there may be none
            raise
        return part

    def _what_is_wrong(self, path: Path) -> str:
        if (found := kind(path)) not in (FILE, GONE):
            return f"it is a {found}, not a file"
        state = files.state(path)
        if state in self._whole:
            return ""
        if files.digest(path) != path.stem:
            return "its content does not match its checksum"
        try:
            if wrong := parquet.unlike_schema(path, NEEDED):
                return wrong
        except (errors(), ValueError) as error:
            return f"it cannot be read ({first_line(error)})"
        self._whole.add(state)
        return ""
