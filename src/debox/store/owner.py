"""Owner: who holds a lock, written into the lock's file; and what this process can know of other owners."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import time
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

from debox import check

UNKNOWN = "unknown"  # what this process cannot find out: equals nothing, not even another UNKNOWN
NONE = "none"  # what a system without /proc does not have
LARGEST_PID = 2**31 - 1
TOKEN = re.compile("[0-9a-f]{32}")


@dataclass(frozen=True)
class Owner:
    """Who holds a lock: the process, and which shard (i, n) of the study; None is all of it."""

    pid: int
    host: str
    started: str  # when the process started, as the system counts it: pids are used again
    since: str
    token: str  # no two are the same
    shard: tuple[int, int] | None
    namespace: str = UNKNOWN  # in which the pid means this process: containers count their own
    boot: str = UNKNOWN  # of the kernel: another after every start of the machine
    filesystem: str = UNKNOWN  # the type of the one the lock lies on, as the owner sees it
    flock: bool = False  # whether the owner holds a lock of the operating system on the file

    def __str__(self) -> str:
        part = f", shard {self.shard[0]}/{self.shard[1]}" if self.shard else ""
        return f"process {self.pid} on {self.host} since {self.since}{part}"

    @property
    def name(self) -> str:
        """The file's name."""
        part = f"-{self.shard[0]}-of-{self.shard[1]}" if self.shard else ""
        return f"lock{part}-{self.token[:12]}"

    def is_neighbour(self) -> bool:
        """Whether this process can see the owner's process by its pid."""
        here = (socket.gethostname(), boot(), namespace())
        return UNKNOWN not in here and (self.host, self.boot, self.namespace) == here

    def has_ended(self) -> bool:
        """Whether the process of a neighbour is dead."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            pass  # another user's, but alive
        return process_started(self.pid) not in (self.started, "")

    def excludes(self, other: Owner) -> bool:
        """Whether both must not write at once: only different shards of one division may."""
        if self.shard is None or other.shard is None:
            return True
        return self.shard == other.shard or self.shard[1] != other.shard[1]

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: bytes) -> Owner:
        """The owner that `to_json` wrote, of this version or an older one; ValueError if it did not."""
        try:
            fields = json.loads(text)
            shard = fields["shard"]
            owner = cls(**{**fields, "shard": shard if shard is None else _shard(*shard)})
            check.integer("pid", owner.pid, 1, most=LARGEST_PID)
        except (KeyError, TypeError, RecursionError) as error:
            raise ValueError(f"{type(error).__name__}: {error}") from None
        texts = (owner.host, owner.started, owner.since, owner.token, owner.namespace, owner.boot, owner.filesystem)
        if not all(isinstance(value, str) for value in texts) or not TOKEN.fullmatch(owner.token):
            raise ValueError("its fields have other types")
        if not isinstance(owner.flock, bool):
            raise ValueError(f"flock must be true or false, got {owner.flock!r}")
        return owner


def this_process(shard: tuple[int, int] | None) -> Owner:
    """This process as an owner, with a new token; its file system is not known yet."""
    part = None if shard is None else _shard(*shard)
    pid, since = os.getpid(), time.strftime("%Y-%m-%d %H:%M:%S")
    started, token = process_started(pid), uuid.uuid4().hex
    return Owner(pid, socket.gethostname(), started, since, token, part, namespace(), boot())


def _shard(i: object, n: object) -> tuple[int, int]:
    i, n = check.integer("shard", i, 1), check.integer("shards", n, 1)
    if i > n:
        raise ValueError(f"shard must be i/n with 1 ≤ i ≤ n, got {i}/{n}")
    return i, n


def process_started(pid: int) -> str:
    """When a process started, in ticks since boot; "dead" if it is one's zombie, "" where the system does not say."""
    try:
        state, *numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "dead" if state in "ZX" else numbers[18]


def namespace() -> str:
    """Which processes are numbered together with this one: ``pid:[4026531836]``."""
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return UNKNOWN if sys.platform == "linux" else NONE


def boot() -> str:
    """Which kernel runs, since when; the same in all containers of one machine."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip() or UNKNOWN
    except OSError:
        return UNKNOWN if sys.platform == "linux" else NONE


def filesystem(descriptor: int) -> str:
    """The type of the file system, such as ext4, on which an open file lies."""
    try:
        mount = re.search(r"^mnt_id:\s*(\d+)", Path(f"/proc/self/fdinfo/{descriptor}").read_text(), re.MULTILINE)
        mounts = Path("/proc/self/mountinfo").read_bytes().decode(errors="replace").splitlines()
        types = {line.split()[0]: line.partition(" - ")[2].split()[0] for line in mounts}
        return types.get(mount[1], UNKNOWN) if mount else UNKNOWN
    except (OSError, IndexError):
        return UNKNOWN
