"""Parts: files of finished runs that appear whole or not at all, never change, and whose name is their checksum."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

from debox import files
from debox.store import parquet
from debox.store.errors import explained

NAME = re.compile(r"[0-9a-f]{32}\.parquet")


class BadPart(NamedTuple):
    name: str
    reason: str


class Parts:
    """The parts in a folder. A writer writes to a name of its own (its token), which no reader looks at."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._whole: set[tuple[str, int, int]] = set()  # the states of parts found whole

    def paths(self) -> list[Path]:
        return [path for path in sorted(self.folder.glob("*.parquet")) if NAME.fullmatch(path.name)]

    def append(self, arrays: Mapping[str, NDArray[Any]], token: str) -> None:
        """One more part: all of these rows or none."""
        with explained(self.folder):
            parquet.write_arrays(self._unfinished(token), arrays)
            self._finish(token)

    def merge(self, token: str) -> None:
        """All rows into one part, then remove those it replaces; in between, readers take each id once."""
        old = self.paths()
        rows = parquet.in_order(old)
        with explained(self.folder):
            parquet.write_rows(self._unfinished(token), rows, parquet.columns_of(rows), {})
            merged = self._finish(token)
            for path in old:
                if path != merged:
                    path.unlink()

    def bad(self) -> list[BadPart]:
        """Those whose content is not what the name says, or that cannot be read."""
        found = ((path, self._what_is_wrong(path)) for path in self.paths())
        return [BadPart(path.name, reason) for path, reason in found if reason]

    def set_aside(self, parts: Iterable[BadPart], elsewhere: Path) -> None:
        with explained(self.folder):
            for part in parts:
                elsewhere.mkdir(exist_ok=True)
                with suppress(FileNotFoundError):  # another shard was quicker
                    os.replace(self.folder / part.name, elsewhere / part.name)

    def remove_leftovers(self, writing: set[str]) -> None:
        """Half-written files of writers that are gone; `writing` are the tokens of those that are not."""
        for path in self.folder.glob(".*.tmp"):
            if path.name[1:-4] not in writing:
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
        state = files.state(path)
        if state in self._whole:
            return ""
        if files.digest(path) != path.stem:
            return "its content does not match its checksum"
        try:
            parquet.columns_of(parquet.rows_of([path]))
        except (parquet.errors(), ValueError) as error:
            return f"it cannot be read ({error})"
        self._whole.add(state)
        return ""
