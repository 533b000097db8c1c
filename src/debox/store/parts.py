"""Parts: files of finished runs that appear whole or not at all, never change, and whose name is their checksum."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox import files
from debox.store import checksum, parquet
from debox.store.checksum import Hashes
from debox.store.database import database_error, first_line
from debox.store.errors import StoreError, as_store_errors
from debox.store.schema import NEEDED_COLUMNS

PART_NAME = re.compile(r"[0-9a-f]{32}\.parquet")
MOST_LISTINGS = 100  # of a folder that changes while it is listed; mostly two are enough
FILE, FOLDER, GONE = "file", "folder", "gone"
BROKEN = "its content does not match its checksum"


class BadPart(NamedTuple):
    name: str
    reason: str


def describe_damage(path: Path, bad: Sequence[BadPart]) -> str:
    """An error message about the bad parts of a store, a directory or a packed file."""
    names = "; ".join(f"{part.name}: {part.reason}" for part in bad)
    mend = "`debox run` does their runs again" if path.is_dir() else "take another copy or pack it again"
    return f"{path} has damaged parts, {mend}: {names}"


class Parts:
    """The parts in a folder. A writer writes to a name of its own (its token), which no reader looks at."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._whole_parts: set[tuple[str, int, int]] = set()  # name, size and time of parts that were checked

    def paths(self) -> list[Path]:
        """The parts: files with the name of one, no links, pipes or folders; reading one that has gone is an error."""
        return [path for path in list_parts(self.folder) if kind_of(path) in (FILE, GONE)]

    def append(self, arrays: Mapping[str, NDArray[Any]], token: str) -> None:
        """One more part: all of these rows or none."""
        with as_store_errors(self.folder):
            parquet.write_arrays(
                self._temporary_path(token), arrays, {checksum.ROWS_SUMMARY: checksum.summarise_table(arrays)}
            )
            self._finish(token)

    def merge(self, token: str) -> None:
        """All rows into one part, then remove those it replaces; in between, readers take each id once.

        Nothing is removed unless the rows of every part are those that were appended, and those of the merged part
        the same. Parts without a summary of their rows stay as they are.
        """
        paths = self.paths()
        embedded = parquet.texts_in_each(paths)
        old = [path for path in paths if checksum.ROWS_SUMMARY in embedded[path.name]]
        if len(old) < 2:
            return
        rows = checksum.read_rows(old)
        if wrong := checksum.misread_files(old, rows):
            raise self._merge_error(f"the rows of {wrong[0]}, as they are read, are not those that were appended")
        with as_store_errors(self.folder):
            self._write_merged(token, old, rows.each_once())
            merged = self._finish(token)
            for path in old:
                if path != merged:
                    path.unlink()

    def _write_merged(self, token: str, old: Sequence[Path], expected: Hashes) -> None:
        """Write the rows of the old parts, and read them again to see that they are as expected."""
        rows, unfinished = parquet.in_order(old), self._temporary_path(token)
        summary = {checksum.ROWS_SUMMARY: checksum.summarise(expected)}
        parquet.write_rows(unfinished, rows, parquet.columns_of(rows), summary)
        written = checksum.read_rows([unfinished])
        if not np.array_equal(np.sort(written.hashes), expected):
            unfinished.unlink()
            raise self._merge_error("the rows of the merged part are not those of the parts")

    def _merge_error(self, why: str) -> StoreError:
        return StoreError(f"the parts in {self.folder} were not merged, and all of them are kept: {why}")

    def bad(self) -> list[BadPart]:
        """Those whose content is not what the name says, or that cannot be read."""
        damages = ((path, self._damage(path)) for path in list_parts(self.folder))
        return [BadPart(path.name, reason) for path, reason in damages if reason]

    def set_aside(self, parts: Iterable[BadPart], elsewhere: Path) -> None:
        with as_store_errors(self.folder):
            for part in parts:
                elsewhere.mkdir(exist_ok=True)
                with suppress(FileNotFoundError):  # another shard was quicker
                    os.replace(self.folder / part.name, free_path(elsewhere / part.name))

    def remove_leftovers(self, writing: set[str]) -> None:
        """Remove unfinished files, except those of the writers with the tokens `writing`."""
        for path in self.folder.glob(".*.tmp"):
            if path.name[1:-4] not in writing and kind_of(path) != FOLDER:
                path.unlink(missing_ok=True)

    def _temporary_path(self, token: str) -> Path:
        return self.folder / f".{token}.tmp"

    def _finish(self, token: str) -> Path:
        unfinished = self._temporary_path(token)
        try:
            part = unfinished.with_name(f"{files.digest(unfinished)}.parquet")
            files.sync(unfinished)
            os.replace(unfinished, part)
            files.sync(self.folder)
        except OSError:
            unfinished.unlink(missing_ok=True)  # the disk may be full
            raise
        return part

    def _damage(self, path: Path) -> str:
        if (kind := kind_of(path)) not in (FILE, GONE):
            return f"it is a {kind}, not a file"
        state = files.state(path)
        if state in self._whole_parts:
            return ""
        if files.digest(path) != path.stem:
            return BROKEN
        try:
            if wrong := parquet.difference_from_schema(path, NEEDED_COLUMNS):
                return wrong
        except (database_error(), ValueError) as error:
            return f"it cannot be read ({first_line(error)})"
        self._whole_parts.add(state)
        return ""


def list_parts(folder: Path) -> list[Path]:
    """Everything in the folder that has the name of a part.

    A listing that is taken while parts are merged may have neither the new part nor the old ones: so the folder is
    listed until two listings agree.
    """
    names = _listing(folder)
    for _ in range(MOST_LISTINGS):
        before, names = names, _listing(folder)
        if before == names:
            return [folder / name for name in names]
    raise StoreError(f"the parts in {folder} keep changing; is it being written by many?")


def kind_of(path: Path) -> str:
    """What kind of thing has this path; a link is a link, wherever it leads."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return GONE
    kinds = {stat.S_IFREG: FILE, stat.S_IFLNK: "link", stat.S_IFDIR: FOLDER, stat.S_IFIFO: "pipe"}
    return kinds.get(stat.S_IFMT(mode), "device or socket")


def free_path(path: Path) -> Path:
    """The path, or the first of path.1, path.2, … that does not exist."""
    numbered = (path.with_name(f"{path.name}.{number}") for number in count(1))
    return path if not os.path.lexists(path) else next(other for other in numbered if not os.path.lexists(other))


def _listing(folder: Path) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if PART_NAME.fullmatch(name))
    except FileNotFoundError:
        raise StoreError(_why_missing(folder)) from None
    except OSError as error:
        raise StoreError(f"cannot read {folder}: {error.strerror}") from None


def _why_missing(folder: Path) -> str:
    store = folder.parent
    if not os.path.lexists(store):
        return f"the store {store} is gone: it was deleted, moved, or its disk is not there any more"
    return f"{store} has no folder {folder.name} any more: put it back, or `debox run` does all runs again"
