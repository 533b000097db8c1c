"""What lies in the folder of parts, and what kind of thing it is, before anything is opened."""

from __future__ import annotations

import os
import re
import stat
from itertools import count
from pathlib import Path

from debox.store.errors import StoreError

NAME = re.compile(r"[0-9a-f]{32}\.parquet")
LISTINGS = 100  # of a folder that changes; two are enough unless parts come and go all the time
FILE, FOLDER, GONE = "file", "folder", "gone"


def named_as_parts(folder: Path) -> list[Path]:
    """All that have the name of a part.

    A listing that is taken while parts are merged may have missed the new one and come too late for the old ones: so
    the folder is listed until two listings agree.
    """
    listed = _listing(folder)
    for _ in range(LISTINGS):
        before, listed = listed, _listing(folder)
        if before == listed:
            return [folder / name for name in listed]
    raise StoreError(f"the parts in {folder} keep changing; is it being written by many?")


def kind(path: Path) -> str:
    """What has this name; a link counts as itself, wherever it leads."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return GONE
    kinds = {stat.S_IFREG: FILE, stat.S_IFLNK: "link", stat.S_IFDIR: FOLDER, stat.S_IFIFO: "pipe"}
    return kinds.get(stat.S_IFMT(mode), "device or socket")


def free(path: Path) -> Path:
    """The path, or the first with a number behind it, that nothing has."""
    numbered = (path.with_name(f"{path.name}.{number}") for number in count(1))
    return path if not os.path.lexists(path) else next(other for other in numbered if not os.path.lexists(other))


def _listing(folder: Path) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if NAME.fullmatch(name))
    except FileNotFoundError:
        raise StoreError(_why_missing(folder)) from None
    except OSError as error:
        raise StoreError(f"cannot read {folder}: {error.strerror}") from None


def _why_missing(folder: Path) -> str:
    store = folder.parent
    if not os.path.lexists(store):
        return f"the store {store} is gone: it was deleted, moved, or its disk is not there any more"
    return f"{store} has no folder {folder.name} any more: put it back, or `debox run` does all runs again"
