"""Files that a user asks for (reports, figures, packed stores, texts, saved optimizers): where they may be written.

Links are followed, FIFOs and character devices are written into, regular files are replaced atomically. Nobody's data
is overwritten: an output replaces files of its own kind only, never an input, and is never put into a store.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from debox import files

MOST_LINKS = 40  # in a chain; Linux follows no more either
PARQUET = b"PAR1"  # how every Parquet file begins


@dataclass(frozen=True)
class Kind:
    """A kind of output."""

    replaceable: str  # what it may replace, in words
    replaces: Callable[[Path], bool]  # whether a regular file that is not empty may be replaced
    suffix: str = ""  # how its name must end


def kind_by_suffix(*suffixes: str, suffix: str = "") -> Kind:
    """Outputs that replace files with these suffixes, but never a Parquet file, whatever its name."""

    def replaces(path: Path) -> bool:
        return path.suffix.lower() in suffixes and first_bytes(path, len(PARQUET)) != PARQUET

    return Kind(f"a file whose name ends in {' or '.join(suffixes)}", replaces, suffix)


def first_bytes(path: Path, size: int) -> bytes:
    """The first bytes of a file."""
    with path.open("rb") as file:
        return file.read(size)


HTML, CSV = kind_by_suffix(".html", ".htm"), kind_by_suffix(".csv", suffix=".csv")


@contextmanager
def writing(path: Path, kind: Kind, inputs: Iterable[Path] = ()) -> Iterator[Path]:
    """A temporary path to write the output to; at the end it is moved to `path`, which errors name.

    path: absolute     inputs: the files from which the output is made
    """
    try:
        target = destination(path, kind, inputs)
        with _copying_into(target) if is_stream(target) else files.replacing(target) as unfinished:
            yield unfinished
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def destination(path: Path, kind: Kind, inputs: Iterable[Path] = ()) -> Path:
    """Where an output is written that was asked for at `path`, links followed; refuses whatever must not be replaced.

    ValueError: it must not be; OSError: it cannot be
    """
    if is_stream(path):
        _refuse_inputs(path, path.stat(), inputs)
        return path
    if kind.suffix and path.suffix.lower() != kind.suffix:
        raise ValueError(f"the file to write must end in {kind.suffix}, got {str(path)!r}")
    target = Path(os.path.realpath(path))
    if path.exists():
        _refuse_replacing(path, target, kind, inputs)
    files.refuse_stores(path, target)
    target.parent.stat()  # raises the error of a missing folder
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, f"no file can be made in its folder {target.parent}", str(path))
    return target


def _refuse_replacing(path: Path, target: Path, kind: Kind, inputs: Iterable[Path]) -> None:
    """Raise an error if there is a file that this kind of output must not replace."""
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if other := files.OTHER_KINDS.get(stat.S_IFMT(status.st_mode)):
        raise ValueError(f"cannot write {path}: it is {other}; name a file, a FIFO or a character device")
    _refuse_inputs(path, status, inputs)
    if not target.exists() or not os.path.samestat(status, target.stat()):
        raise ValueError(f"cannot write {path}: the file behind it has no name; name a file")
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is read-only", str(path))
    if status.st_size and not kind.replaces(target):
        raise ValueError(f"cannot write {path}: there is a file, and only {kind.replaceable} is replaced; name another")


def _refuse_inputs(path: Path, status: os.stat_result, inputs: Iterable[Path]) -> None:
    """Refuse to write onto a file, by whatever name, that is read."""
    if any(os.path.samestat(status, one.stat()) for one in inputs if one.exists()):
        raise ValueError(f"cannot write {path}: it is what is read, and nothing is written onto itself; name another")


def is_stream(path: Path) -> bool:
    """Whether something takes bytes here one after the other: a FIFO, a terminal, /dev/null, /dev/stdout."""
    if descriptor(path) is not None:
        return True
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def descriptor(path: Path) -> int | None:
    """The number of the open file that a path such as /dev/stdout or /dev/fd/3, or a link to it, stands for.

    It may be a regular file, to which the shell appends: the output is appended, too, and replaces nothing.
    """
    for _ in range(MOST_LINKS):
        folder = os.path.realpath(path.parent)
        if path.name.isdigit() and folder in ("/dev/fd", f"/proc/{os.getpid()}/fd"):
            return int(path.name)
        if not path.is_symlink():
            break
        path = Path(folder, os.readlink(path))
    return None


@contextmanager
def _copying_into(stream: Path) -> Iterator[Path]:
    """A temporary file, which can be written in any order; at the end its bytes are copied into the stream."""
    with tempfile.TemporaryDirectory(prefix="debox-") as folder:
        unfinished = Path(folder, "output")
        yield unfinished
        number = descriptor(stream)
        opened = os.open(stream, os.O_WRONLY | os.O_NOCTTY) if number is None else os.dup(number)
        with unfinished.open("rb") as whole, open(opened, "wb") as file:
            shutil.copyfileobj(whole, file)
