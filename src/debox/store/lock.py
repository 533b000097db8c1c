"""Locks of a store: a file that says who writes, so that two coordinators never do the same runs.

The writer also holds an flock on its file. The operating system releases it when the process ends, whatever ends it,
also across containers: where both processes can rely on flock, it alone decides whether an owner is gone.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from debox import files
from debox.store.errors import StoreError, as_store_errors
from debox.store.owner import NONE, UNKNOWN, boot, filesystem, this_process
from debox.store.owner import Owner as Owner

LARGEST_FILE = 100_000  # bytes of a lock's file
# File systems that belong to one kernel, which knows all processes that have a file open there.
LOCAL_FILESYSTEMS = {
    "ext2",
    "ext3",
    "ext4",
    "xfs",
    "btrfs",
    "zfs",
    "f2fs",
    "bcachefs",
    "jfs",
    "nilfs2",
    "tmpfs",
    "ramfs",
    "overlay",
}

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
    return owner.is_neighbour() and owner.has_ended()


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
