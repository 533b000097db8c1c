"""Parts: files of finished runs that appear whole or not at all, never change, and whose name is their checksum.

A packed file, which anyone may rename, has the checksum of its other bytes embedded instead: its seal. A lock lets one
process write, or one for each shard; it saves work, no more: rows that two processes store are read once.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import re
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple
from uuid import uuid4

from numpy.typing import NDArray

from debox import files
from debox.store import parquet
from debox.store.errors import StoreError, as_store_errors

PART_NAME = re.compile(r"[0-9a-f]{32}\.parquet")
BROKEN = "its content does not match its checksum"
_whole: set[tuple[str, int, int]] = set()  # path, size and time of files that this process has checked


class BadPart(NamedTuple):
    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


def describe_damage(path: Path, bad: Sequence[BadPart]) -> str:
    """An error message about the bad parts of a store, a directory or a packed file."""
    if path.is_dir():
        return f"{path} has damaged parts, `debox run` does their runs again: {'; '.join(map(str, bad))}"
    return f"{path} is damaged or not a store, take another copy or pack it again: {bad[0].reason}"


def paths(folder: Path) -> list[Path]:
    """The parts in a folder: each is whole, and one that appears meanwhile is listed or not."""
    with as_store_errors(folder, "read"):
        return sorted(folder / name for name in os.listdir(folder) if PART_NAME.fullmatch(name))


def append(folder: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """One more part: it is written aside and flushed to the disk before it has its name, and then its name is, too."""
    unfinished = folder / f".{uuid4().hex}.tmp"
    with as_store_errors(folder):
        try:
            parquet.write(unfinished, arrays)
            files.sync(unfinished)
            os.replace(unfinished, folder / f"{files.digest(unfinished)}.parquet")
            files.sync(folder)
        finally:
            unfinished.unlink(missing_ok=True)


def damage(path: Path, is_packed: bool) -> str:
    """Why a part or a packed file cannot be trusted, "" if it can; a file that has not changed is not read again."""
    try:
        state = files.state(path)
        if state in _whole:
            return ""
        stands = seal(path) if is_packed else (path.stem, files.digest(path))
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if stands is None or stands[-2] != stands[-1]:
        return NO_SEAL if stands is None else BROKEN
    _whole.add(state)
    return ""


def damaged(listed: Sequence[Path], is_packed: bool) -> list[BadPart]:
    """Those of these files that cannot be trusted."""
    return [BadPart(path.name, reason) for path in listed if (reason := damage(path, is_packed))]


# The seal of a packed file.

SEAL = "debox_file"  # the name of the embedded text
UNSEALED = "0" * 32  # as which the seal's own digits count
NO_SEAL = "it lacks the checksum that `debox store pack` writes"
_MARK = re.compile(rb"\x18\x0adebox_file\x18\x20([0-9a-f]{32})")  # field, length, letters, as Thrift writes texts


def seal(path: Path) -> tuple[int, str, str] | None:
    """Where the seal of a file stands, what it is and what it should be; None if it has none."""
    if path.stat().st_size < 12:  # as an empty file, which cannot be mapped
        return None
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
        marks = [match.span(1) for match in _MARK.finditer(content, max(footer, 0))]
        if not marks:
            return None
        begin, end = marks[-1]
        with memoryview(content) as view, view[:begin] as before, view[end:] as after:
            digest = hashlib.sha256(before)
            digest.update(UNSEALED.encode())
            digest.update(after)
        return begin, content[begin:end].decode(), digest.hexdigest()[: len(UNSEALED)]


def write_seal(path: Path) -> None:
    """Put its seal into a file that was written with UNSEALED in its place."""
    found = seal(path)
    assert found
    with path.open("r+b") as file:
        file.seek(found[0])
        file.write(found[2].encode())


# The lock of a store.

PATIENCE = 0.25  # seconds in which a lock is tried again: `writers` has it for a moment

# What `writers` says of this process, by its number, which a forked child does not share, and folder. Locks of the
# system are between processes, and a process loses one when it closes any descriptor of the file: so it holds one of a
# store at a time, be it of a shard.
_held: dict[tuple[int, str], str] = {}


@contextmanager
def lock(folder: Path, shard: tuple[int, int] | None) -> Iterator[None]:
    """Hold a store, or a shard, which shares `lock` and has a file of its own; without locks of the system go on.

    What killed writers left is removed if nobody else can write. The folder of the parts is made if it was lost.
    """
    text = f"process {os.getpid()} on {socket.gethostname()} since {time.strftime('%Y-%m-%d %H:%M:%S')}"
    names = ["lock"]
    if shard is not None:
        text += f", shard {shard[0]}/{shard[1]}"
        names.append(f"lock-{shard[0]}-of-{shard[1]}")
    place = os.getpid(), os.path.realpath(folder)
    if _held.setdefault(place, text) is not text:
        raise _in_use(folder)
    with ExitStack() as stack:
        stack.callback(_held.pop, place, None)
        with as_store_errors(folder):
            opened = [stack.enter_context((folder / name).open("a+b")) for name in names]
            locked = [_try_lock(file, file is opened[-1], PATIENCE) for file in opened]
            if False in locked:
                stack.close()
                raise _in_use(folder)
            opened[-1].truncate(0)
            opened[-1].write(text.encode())
            opened[-1].flush()
            (folder / "parts").mkdir(exist_ok=True)  # git and some copying tools drop empty folders
            for leftover in (folder / "parts").glob(".*.tmp") if shard is None and all(locked) else ():
                leftover.unlink(missing_ok=True)
        yield


def _in_use(folder: Path) -> StoreError:
    others = "; ".join(writers(folder)) or "another process"
    return StoreError(f"{folder} is in use by {others}; wait for it or stop it")


def _try_lock(file: IO[bytes], exclusive: bool, patience: float) -> bool | None:
    """Whether a lock of the system is now held; None where there are none."""
    try:
        import fcntl
    except ImportError:
        return None
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.lockf(file, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
            return True
        except (BlockingIOError, PermissionError):
            if time.monotonic() >= end:
                return False
            time.sleep(0.02)
        except OSError:
            return None


def writers(folder: Path) -> list[str]:
    """Who writes to a store now: process, host, since when; of a job array also the shard."""
    if mine := _held.get((os.getpid(), os.path.realpath(folder))):
        return [mine]
    texts = []
    with as_store_errors(folder, "read"):
        for path in sorted(folder.glob("lock*")):
            with path.open("rb") as file:
                if _try_lock(file, exclusive=False, patience=0) is False:
                    texts.append(file.read().decode(errors="replace"))
    return texts
