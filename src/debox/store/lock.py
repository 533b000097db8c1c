"""Locks of a store: a file that says who writes, so that two coordinators never do the same runs.

The writer also holds an flock on its file. The operating system releases it when the process ends, whatever ends it,
also across containers: where both processes can rely on flock, it alone decides whether an owner is gone.

First comes `Owner`, what a lock's file says, with what this process can know of other owners; then come the locks.
"""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import time
import uuid
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from debox import check, files
from debox.store.errors import StoreError, as_store_errors

LARGEST_FILE = 100_000  # bytes of a lock's file
# File systems that belong to one kernel, which knows all processes that have a file open there.
LOCAL_FILESYSTEMS = {"ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "bcachefs", "jfs", "nilfs2"}  # on disks
LOCAL_FILESYSTEMS |= {"tmpfs", "ramfs", "overlay"}  # in memory, of containers

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

    def is_visible_here(self) -> bool:
        """Whether this process can see the owner's process by its pid."""
        here = (socket.gethostname(), boot(), namespace())
        return UNKNOWN not in here and (self.host, self.boot, self.namespace) == here

    def has_ended(self) -> bool:
        """Whether the owner's process, which is visible here, is dead."""
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


_descriptors: dict[str, int] = {}  # the files of the locks that this process holds, by token


def _close_in_child() -> None:
    """In a forked child, close the parent's locks: it must not hold them when the parent has ended."""
    for descriptor in _descriptors.values():
        with suppress(OSError):
            os.close(descriptor)
    _descriptors.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_in_child)


def owners(folder: Path) -> list[Owner]:
    """The owners of the locks in the folder."""
    read = (_read(path) for path in sorted(folder.glob("lock*")))
    return [owner for owner in read if owner is not None]


def living_owners(folder: Path) -> list[Owner]:
    """The owners that may still write."""
    return [owner for owner in owners(folder) if not is_gone(folder, owner)]


def acquire(folder: Path, shard: tuple[int, int] | None) -> Owner:
    """Lock the store, or refuse and name who has it; locks of dead processes are removed.

    First place one's own lock, then look for others: of two processes at the same moment both may give up, but never
    do both go on. A lock's name is never used again, so that removing a dead one's never removes another.
    """
    me = this_process(shard)
    with as_store_errors(folder):
        me = _place(folder, me)
        try:
            _refuse_others(folder, me)
        except BaseException:
            release(folder, me)
            raise
    return me


def _place(folder: Path, me: Owner) -> Owner:
    """Put one's lock into the folder; it is held by flock, if the file system has it, before it gets its name."""
    unfinished = folder / f".{me.name}.{me.token}.tmp"
    descriptor = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), 0o666)
    _descriptors[me.token] = descriptor
    try:
        me = replace(me, flock=_flock(descriptor, exclusive=True), filesystem=filesystem(descriptor))
        os.write(descriptor, me.to_json().encode())
        os.fsync(descriptor)
        os.rename(unfinished, folder / me.name)
    except BaseException:
        os.close(_descriptors.pop(me.token))
        unfinished.unlink(missing_ok=True)
        raise
    files.sync(folder)
    return me


def _flock(descriptor: int, *, exclusive: bool) -> bool:
    """Try to lock an open file until it is closed; whether that worked. OSError: there are no such locks here."""
    try:
        import fcntl
    except ImportError:
        if exclusive:
            return False
        raise OSError("this system has no flock") from None
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        if exclusive:
            return False
        raise
    return True


def is_gone(folder: Path, owner: Owner) -> bool:
    """Whether the owner is known to have ended; in doubt it has not."""
    if owner.flock:
        with suppress(OSError):
            return _is_released(folder / owner.name, owner)
    return owner.is_visible_here() and owner.has_ended()


def _is_released(path: Path, owner: Owner) -> bool:
    """Whether nobody holds the flock on a lock's file; OSError if flock cannot tell.

    It can if one kernel knows all who may hold it: if the owner and this process run on the same kernel, or if both see
    the file on a file system that belongs to one kernel (of a machine that may have been restarted since).
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
    try:
        same_kernel = owner.boot == boot() and owner.boot not in (NONE, UNKNOWN)
        if not same_kernel and not {owner.filesystem, filesystem(descriptor)} <= LOCAL_FILESYSTEMS:
            raise OSError("the owner may hold it elsewhere")
        return _flock(descriptor, exclusive=False)  # shared: two processes that ask at once do not hinder each other
    finally:
        os.close(descriptor)


def _refuse_others(folder: Path, me: Owner) -> None:
    for other in owners(folder):
        if other.token == me.token:
            continue
        if is_gone(folder, other):
            (folder / other.name).unlink(missing_ok=True)
        elif other.excludes(me):
            raise StoreError(
                f"{folder} is in use by {other}; wait for it or stop it; "
                f"only if you know that it is gone, delete {other.name} there"
            )


def release(folder: Path, me: Owner) -> None:
    """Remove one's own lock; a forked child, which does not hold its parent's, leaves it alone."""
    if me.token not in _descriptors:
        return
    with as_store_errors(folder):
        try:
            (folder / me.name).unlink(missing_ok=True)
        finally:
            os.close(_descriptors.pop(me.token))


def holds(folder: Path, me: Owner) -> bool:
    """Whether this lock is still in place: someone may have deleted it."""
    return me.token in _descriptors and os.path.lexists(folder / me.name)


def _read(path: Path) -> Owner | None:
    """The owner of a lock; None if it was released since it was listed."""
    try:
        owner = Owner.from_json(files.read_small(path, LARGEST_FILE, follow=False))
        if owner.name != path.name:  # locks are removed by this name
            raise ValueError(f"its name should be {owner.name}")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"cannot read the lock {path}: {error.strerror}; if nobody writes, delete it") from None
    except ValueError as error:
        raise StoreError(f"{path} is not a lock that debox wrote ({error}); if nobody writes, delete it") from None
    return owner
