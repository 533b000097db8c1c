"""Paths that callers give, and files that appear whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

AnyPath = str | bytes | os.PathLike[str] | os.PathLike[bytes]


def absolute(given: AnyPath, what: str = "the path", for_duckdb: bool = False) -> Path:
    """A path from outside, text or bytes, with ~ for a home folder, as an absolute path, which no chdir changes.

    Links are not resolved, so that messages show their names. DuckDB reads and writes names in UTF-8 only, and takes a
    backslash for a slash where a name has a letter of patterns: it would read another file.
    """
    try:
        text = os.fsdecode(given)
    except TypeError:
        raise ValueError(f"{what} must be a path, got {given!r}") from None
    if not text or "\0" in text:
        raise ValueError(f"{what} must be a path, which is not empty and has no NUL character, got {text!r}")
    if re.match(r"\w{2,}:/", text):  # s3:// would become a directory s3:; Path leaves one slash; C:/ is a disk
        raise ValueError(f"{what} must be a path of this computer (or mounted on it), got {text!r}")
    expanded = os.path.expanduser(text)
    if text.startswith("~") and not os.path.isabs(expanded):
        raise ValueError(f"{what} {text!r}: there is no such home folder; if it is a name, write './{text}'")
    path = Path(expanded).absolute()
    if for_duckdb and re.search("[\ud800-\udfff]", str(path)):  # as Python writes other bytes
        raise ValueError(f"{what} must be a name in UTF-8, which DuckDB needs, got {str(path)!r}")
    if for_duckdb and re.search(r"(?s)\\.*[*?[]|[*?[].*\\", path.as_posix()):
        raise ValueError(f"{what} must not have both a backslash and one of * ? [ in its path, got {str(path)!r}")
    return path


def check_output(path: Path, *suffixes: str) -> None:
    """Raise an error if an output cannot be written there; it replaces only files of its kind, and follows links."""
    target = Path(os.path.realpath(path))
    if suffixes and target.suffix.lower() not in suffixes:
        shown = f"{str(path)!r}, a link to {str(target)!r}" if path.is_symlink() else repr(str(path))
        raise ValueError(f"the file to write must end in {' or '.join(suffixes)}, got {shown}")
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {target.parent}", str(path))
    if target.exists() and not target.is_file():
        raise ValueError(f"cannot write {path}: it is not a file; name another")
    if target.exists() and ".parquet" not in suffixes:
        with target.open("rb") as file:
            if file.read(4) == b"PAR1":  # perhaps a store under another name, even what is read
                raise ValueError(f"cannot write {path}: it is a Parquet file, which is not replaced; name another")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise PermissionError(errno.EACCES, "you may not write there", str(path))


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to, renamed to `path` at the end: readers, and a power cut, find the old file or the new one.

    A link stays, and the file behind it is replaced. The new file has the mode of the old one. Errors name `path`.
    """
    target = Path(os.path.realpath(path))
    unfinished = target.with_name(f".{target.name[:40]}.{uuid4().hex}.tmp")  # of no other process
    try:
        unfinished.touch(exist_ok=False)
        if target.exists():
            shutil.copymode(target, unfinished)
        yield unfinished
        sync(unfinished)
        os.replace(unfinished, target)
        sync(target.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
    finally:
        unfinished.unlink(missing_ok=True)


def replace_text(path: Path, text: str) -> None:
    """Replace the content of a file, which need not exist, with this text."""
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def sync(path: Path) -> None:
    """Wait until a file's content, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def digest(path: Path) -> str:
    """The beginning of the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:32]


def state(path: Path) -> tuple[str, int, int]:
    """Path, size and time of a file: if they have not changed, neither has its content."""
    now = path.stat()
    return str(path), now.st_size, now.st_mtime_ns
