"""Paths that callers give, files that appear whole or not at all, and folders that remember them after a power cut."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

AnyPath = str | bytes | os.PathLike[str] | os.PathLike[bytes]

OTHER_KINDS = {  # of things in a folder that are no regular files
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a character device",
    stat.S_IFBLK: "a block device",
}


def absolute(given: AnyPath, what: str = "the path") -> Path:
    """A path that a caller gives, text or bytes, with ~ for a home folder, as an absolute path.

    Every path from outside goes through here: neither a later chdir nor another library's reading of ~ changes what it
    means. Links are not resolved, so that messages show their names.
    """
    try:
        text = os.fsdecode(given)
    except TypeError:
        raise ValueError(f"{what} must be a path, got {given!r}") from None
    if not text or "\0" in text:
        raise ValueError(f"{what} must be a path, which is not empty and has no NUL character, got {text!r}")
    if re.match(r"\w{2,}:/", text):  # s3:// would become a directory s3:; Path leaves one slash; C:/ is a disk
        raise ValueError(f"{what} must be a path of this computer (or mounted on it), got {text!r}")
    try:
        return (_expand_home(text, what) if text.startswith("~") else Path(text)).absolute()
    except FileNotFoundError:
        raise ValueError(f"{what} {text!r} is relative, but the folder that debox runs in is gone") from None


def _expand_home(text: str, what: str) -> Path:
    """The path with its leading ~ or ~user replaced by that user's home folder."""
    expanded = Path(os.path.expanduser(text))
    whose = text.partition("/")[0]
    if expanded == Path(text) or not expanded.is_absolute() or (whose == "~" and os.environ.get("HOME") == ""):
        raise ValueError(f"{what} {text!r}: there is no home folder {whose}; if it is a name, write './{text}'")
    return expanded


def in_utf8(path: Path, what: str = "the path") -> Path:
    """The path, unless DuckDB could not take it: it reads and writes names in UTF-8 only."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise ValueError(f"{what} must be a name in UTF-8, which DuckDB needs, got {str(path)!r}") from None
    return path


def read_small(path: Path, most: int, *, follow: bool = True) -> bytes:
    """The bytes of a regular file; a ValueError if they are more than `most`, or if it is no file but, say, a FIFO.

    follow: whether a symbolic link is followed, or an error of the system
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | (0 if follow else getattr(os, "O_NOFOLLOW", 0))
    descriptor = os.open(path, flags)
    try:
        if other := OTHER_KINDS.get(stat.S_IFMT(os.fstat(descriptor).st_mode)):
            raise ValueError(f"{path} is {other}, not a file")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(most + 1)
    finally:
        os.close(descriptor)
    if len(content) > most:
        raise ValueError(f"{path} is larger than {most / 1e6:g} MB: it is no file of this kind")
    return content


def refuse_stores(path: Path, target: Path) -> None:
    """Refuse to write at or below the folder of a store: what lies there is debox's own."""
    for folder in (target, *target.parents):
        if os.path.lexists(folder / "manifest.json") and os.path.isdir(folder / "parts"):
            raise ValueError(f"cannot write {path}: it lies within the store {folder}; name a place outside of it")


@contextmanager
def replacing(path: Path, *, owner_only: bool = False, durable: bool = True) -> Iterator[Path]:
    """A path beside `path` to write to, renamed to it at the end: readers find the old file or the new one.

    The new file has the mode of the old one and, where we may, its owner; nobody else reads it before it is whole.

    owner_only: the new file belongs to this user alone, whatever the old one was
    durable: it is on the disk at the end, so that a power cut leaves the old file or the new one
    """
    unfinished, old = _temporary_path(path), None if owner_only else _status_or_none(path)
    try:
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600 if old or owner_only else 0o666))
        yield unfinished
        if durable:
            sync(unfinished)
        if old:
            with suppress(OSError):
                os.chown(unfinished, old.st_uid, old.st_gid)
            os.chmod(unfinished, stat.S_IMODE(old.st_mode) & 0o777)
        os.replace(unfinished, path)
        if durable:
            sync(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def _status_or_none(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def replace_text(path: Path, text: str) -> None:
    """Replace the content of a file, which need not exist, with this text."""
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def create(path: Path, text: str) -> None:
    """Make a new file with this text, which appears whole; FileExistsError if there is one already."""
    unfinished = _temporary_path(path)
    try:
        unfinished.write_text(text, encoding="utf-8")
        sync(unfinished)
        os.link(unfinished, path)
        sync(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)


def _temporary_path(path: Path) -> Path:
    """A path beside `path` that no other process has, on this host or another; short enough for any file system."""
    return path.with_name(f".{path.name[:40]}.{uuid4().hex}.tmp")


def sync(path: Path) -> None:
    """Wait until a file's content, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def state(path: Path) -> tuple[str, int, int]:
    """Name, size and time of a file: if they have not changed, neither has its content."""
    now = path.stat()
    return path.name, now.st_size, now.st_mtime_ns


def digest(path: Path) -> str:
    """The beginning of the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:32]
