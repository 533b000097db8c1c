"""Locks of a store: a file that says who writes, so that two coordinators never do the same runs."""

from __future__ import annotations

import json
import os
import socket
import time
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

from debox import check
from debox.store import files
from debox.store.errors import StoreError, explained


@dataclass(frozen=True)
class Owner:
    """Who holds a lock: the process, and which shard (i, n) of the study; None is all of it."""

    pid: int
    host: str
    started: str  # when the process started, as the system counts it: pids are used again
    since: str
    token: str  # no two are the same
    shard: tuple[int, int] | None

    def __str__(self) -> str:
        part = f", shard {self.shard[0]}/{self.shard[1]}" if self.shard else ""
        return f"process {self.pid} on {self.host} since {self.since}{part}"

    @property
    def name(self) -> str:
        """The file's name."""
        return f"lock-{self.shard[0]}-of-{self.shard[1]}" if self.shard else "lock"

    def is_gone(self) -> bool:
        """Whether the process is known to be dead; of other machines nothing is known."""
        if self.host != socket.gethostname() or os.name != "posix":
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            pass  # another user's, but alive
        return process_started(self.pid) not in (self.started, "")

    def excludes(self, other: Owner) -> bool:
        """The whole study excludes all; a shard excludes itself and those of another division."""
        if self.shard is None or other.shard is None:
            return True
        return self.shard == other.shard or self.shard[1] != other.shard[1]


def process_started(pid: int) -> str:
    """When a process started, in ticks since boot; "dead" if it is one's zombie, "" where the system does not say."""
    try:
        state, *numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "dead" if state in "ZX" else numbers[18]


def this_process(shard: tuple[int, int] | None) -> Owner:
    if shard is not None:
        i, n = check.integer("shard", shard[0], 1), check.integer("shards", shard[1], 1)
        if i > n:
            raise ValueError(f"shard must be i/n with 1 ≤ i ≤ n, got {i}/{n}")
        shard = (i, n)
    pid, since = os.getpid(), time.strftime("%Y-%m-%d %H:%M:%S")
    return Owner(pid, socket.gethostname(), process_started(pid), since, uuid.uuid4().hex, shard)


def owners(folder: Path) -> list[Owner]:
    """Those whose locks lie in the folder."""
    found = (_read(path) for path in sorted(folder.glob("lock*")))
    return [owner for owner in found if owner is not None]


def acquire(folder: Path, shard: tuple[int, int] | None) -> Owner:
    """Lock the store, or refuse and name who has it; locks of dead processes are replaced."""
    me = this_process(shard)
    with explained(folder):
        for other in owners(folder):
            if other.is_gone():
                _remove(folder, other)
            elif other.excludes(me):
                raise _in_use(folder, other)
        _place(folder, me)
    for other in owners(folder):  # who came at the same moment: both may give up, never both go on
        if other != me and other.excludes(me):
            release(folder, me)
            raise _in_use(folder, other)
    return me


def release(folder: Path, me: Owner) -> None:
    """Remove the lock, if it is still this one."""
    with explained(folder):
        if holds(folder, me):
            (folder / me.name).unlink()


def holds(folder: Path, me: Owner) -> bool:
    """Whether this lock is still in place."""
    return _read(folder / me.name) == me


def _in_use(folder: Path, other: Owner) -> StoreError:
    lock = folder / other.name
    return StoreError(f"{folder} is in use by {other}; if that process is gone, delete {lock}")


def _read(path: Path) -> Owner | None:
    try:
        found = json.loads(path.read_text())
        return Owner(**{**found, "shard": tuple(found["shard"]) if found["shard"] else None})
    except FileNotFoundError:
        return None  # released since it was listed
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{path} is not a lock that debox wrote ({error}); if no process writes, delete it") from None


def _place(folder: Path, me: Owner) -> None:
    """Only one of those who come at the same moment gets it."""
    try:
        files.place(folder / me.name, json.dumps(asdict(me)))
    except FileExistsError:
        if other := _read(folder / me.name):
            raise _in_use(folder, other) from None
        raise StoreError(f"{folder} was locked by another process a moment ago; try again") from None


def _remove(folder: Path, dead: Owner) -> None:
    """Take a dead owner's lock away; should a living one have replaced it just now, put that back."""
    aside = folder / f".{uuid.uuid4().hex}.tmp"
    try:
        os.rename(folder / dead.name, aside)
    except FileNotFoundError:
        return  # another process took it away
    try:
        if _read(aside) != dead:
            os.link(aside, folder / dead.name)
    finally:
        aside.unlink()
