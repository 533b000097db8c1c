"""StoreError: what a store refuses or cannot do, with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StoreError(Exception):
    """A store that refuses (in use, another study, damaged) or cannot be written or read; the message says why."""


@contextmanager
def explained(path: Path, doing: str = "write") -> Iterator[None]:
    """An error of the operating system, as a StoreError that says what is safe."""
    try:
        yield
    except OSError as error:
        safe = "; what was stored before is whole: make room or access, then run again" if doing == "write" else ""
        raise StoreError(f"cannot {doing} {path}: {error.strerror or error}{safe}") from error
