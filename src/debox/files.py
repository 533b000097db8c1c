"""Small files that appear whole or not at all, and folders that remember them after a power cut."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4


def local(path: str | os.PathLike[str]) -> Path:
    """The path, unless it is the address of something elsewhere, of which a directory `s3:` would be made."""
    if re.match(r"\w{2,}:/", os.fspath(path)):  # a Path has but one slash left; C:/ is a disk
        raise ValueError(f"a store is a directory or file of this computer (or mounted on it), got {os.fspath(path)!r}")
    return Path(path)


def ending(path: str | os.PathLike[str], suffix: str) -> Path:
    """The path of a file to write, if its name says what it will hold: so no file of another kind is overwritten."""
    if Path(path).suffix.lower() != suffix:
        raise ValueError(f"the file to write must end in {suffix}, got {os.fspath(path)!r}")
    return Path(path)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A name beside `path` to write to, renamed at the end: whoever reads finds the old file or the new one."""
    aside = _beside(path)
    try:
        yield aside
        sync(aside)
        os.replace(aside, path)
        sync(path.parent)
    finally:
        aside.unlink(missing_ok=True)


def replace(path: Path, text: str) -> None:
    """Put a text in the place of the file."""
    with replacing(path) as aside:
        aside.write_text(text, encoding="utf-8")


def place(path: Path, text: str) -> None:
    """A new file with this text; FileExistsError if there is one already. It, too, appears whole."""
    aside = _beside(path)
    try:
        aside.write_text(text, encoding="utf-8")
        sync(aside)
        os.link(aside, path)
        sync(path.parent)
    finally:
        aside.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    """A name that no other process has, on whatever host it writes to the same disk."""
    return path.with_name(f".{path.name}.{uuid4().hex}.tmp")


def sync(path: Path) -> None:
    """See that a file's content, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def state(path: Path) -> tuple[str, int, int]:
    """Name, size and time of a file: as long as they stay, so does what was found in it."""
    stat = path.stat()
    return path.name, stat.st_size, stat.st_mtime_ns


def digest(path: Path) -> str:
    """The beginning of the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:32]
