"""StoreError: what a store refuses or cannot do, with the reason."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StoreError(Exception):
    """A store that refuses (in use, another study, damaged) or cannot be written or read; the message says why."""


@contextmanager
def explained(path: Path, doing: str = "write") -> Iterator[None]:
    """An error of the operating system, as a StoreError that says what is safe where room or access is what lacks."""
    try:
        yield
    except OSError as error:
        lacks_room = doing == "write" and error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EPIPE)
        safe = "; what was stored before is whole: make room or access, then run again" if lacks_room else ""
        raise StoreError(f"cannot {doing} {path}: {error.strerror or error}{safe}") from error
