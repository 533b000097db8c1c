"""Locks of a store: a file that says who writes, so that two coordinators never do the same runs."""

from __future__ import annotations

import json
import os
import socket
import time
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

from debox import check, files
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
        part = f"-{self.shard[0]}-of-{self.shard[1]}" if self.shard else ""
        return f"lock{part}-{self.token[:12]}"

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
    """Lock the store, or refuse and name who has it; locks of dead processes are removed.

    First place one's own lock, then look for others: of two who come at the same moment both may give up, but never
    do both go on. A lock's name is never used again, so that a dead one's is removed without hitting another.
    """
    me = this_process(shard)
    with explained(folder):
        files.replace(folder / me.name, json.dumps(asdict(me)))
        try:
            _refuse_others(folder, me)
        except BaseException:
            release(folder, me)
            raise
    return me


def _refuse_others(folder: Path, me: Owner) -> None:
    for other in owners(folder):
        if other.is_gone():
            release(folder, other)
        elif other != me and other.excludes(me):
            raise StoreError(f"{folder} is in use by {other}; if that process is gone, delete {other.name} there")


def release(folder: Path, me: Owner) -> None:
    """Remove the lock."""
    with explained(folder):
        (folder / me.name).unlink(missing_ok=True)


def holds(folder: Path, me: Owner) -> bool:
    """Whether this lock is still in place: someone may have deleted it."""
    return (folder / me.name).exists()


def _read(path: Path) -> Owner | None:
    try:
        found = json.loads(path.read_text())
        return Owner(**{**found, "shard": tuple(found["shard"]) if found["shard"] else None})
    except FileNotFoundError:
        return None  # released since it was listed
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{path} is not a lock that debox wrote ({error}); if nobody writes, delete it") from None
