"""StoreError: what a store refuses or cannot do, with the reason."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StoreError(Exception):
    """A store is not there, refuses (in use, another study, damaged) or cannot be written or read; it says why.

    Examples
    --------
    >>> import debox
    >>> try:
    ...     debox.open_store("out/nothing")
    ... except debox.StoreError as error:
    ...     print(type(error).__name__)
    StoreError
    """


@contextmanager
def as_store_errors(path: Path, doing: str = "write") -> Iterator[None]:
    """Turn errors of the operating system into StoreErrors; if room or access is missing, they say what is safe."""
    try:
        yield
    except OSError as error:
        may_retry = doing == "write" and error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EPIPE)
        safe = "; what was stored before is whole: make room or access, then run again" if may_retry else ""
        raise StoreError(f"cannot {doing} {path}: {error.strerror or error}{safe}") from error
