"""Locks of a store: a file that says who writes, so that two coordinators never do the same runs.

The writer also holds an flock on its file. The operating system lets go of it when the process ends, whatever ends it,
and does so across containers: where both sides can rely on it, it alone decides whether an owner is gone.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from debox import files
from debox.store.errors import StoreError, explained
from debox.store.owner import NONE, UNKNOWN, boot, filesystem, this_process
from debox.store.owner import Owner as Owner

LARGEST = 100_000  # bytes of a lock's file
# File systems that one kernel has to itself: whoever has a file open there is known to it.
LOCAL = {
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

_open: dict[str, int] = {}  # the files of the locks that this process holds, by token


def _close_all() -> None:
    """In a child that was forked: it must not keep its parent's locks when the parent is gone."""
    for descriptor in _open.values():
        with suppress(OSError):
            os.close(descriptor)
    _open.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_all)


def owners(folder: Path) -> list[Owner]:
    """Those whose locks lie in the folder."""
    found = (_read(path) for path in sorted(folder.glob("lock*")))
    return [owner for owner in found if owner is not None]


def living(folder: Path) -> list[Owner]:
    """Those who may still write."""
    return [owner for owner in owners(folder) if not is_gone(folder, owner)]


def acquire(folder: Path, shard: tuple[int, int] | None) -> Owner:
    """Lock the store, or refuse and name who has it; locks of dead processes are removed.

    First place one's own lock, then look for others: of two who come at the same moment both may give up, but never
    do both go on. A lock's name is never used again, so that a dead one's is removed without hitting another.
    """
    me = this_process(shard)
    with explained(folder):
        me = _place(folder, me)
        try:
            _refuse_others(folder, me)
        except BaseException:
            release(folder, me)
            raise
    return me


def _place(folder: Path, me: Owner) -> Owner:
    """Put one's lock into the folder; it is held by flock, if that works there, before it has its name."""
    unfinished = folder / f".{me.name}.{me.token}.tmp"
    descriptor = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), 0o666)
    _open[me.token] = descriptor
    try:
        me = replace(me, flock=_flock(descriptor, exclusive=True), filesystem=filesystem(descriptor))
        os.write(descriptor, me.to_json().encode())
        os.fsync(descriptor)
        os.rename(unfinished, folder / me.name)
    except BaseException:
        os.close(_open.pop(me.token))
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
    """Whether the owner is known to be dead; in doubt it is not."""
    if owner.flock:
        with suppress(OSError):
            return _let_go(folder / owner.name, owner)
    return owner.is_neighbour() and owner.has_ended()


def _let_go(path: Path, owner: Owner) -> bool:
    """Whether nobody holds the flock on a lock's file; OSError if that tells nothing.

    It tells something if one kernel knows all who hold it: if owner and we run on the same one, or if both see the file
    on a file system that belongs to one kernel (that of a machine that has been started anew since).
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
    try:
        same_kernel = owner.boot == boot() and owner.boot not in (NONE, UNKNOWN)
        if not same_kernel and not {owner.filesystem, filesystem(descriptor)} <= LOCAL:
            raise OSError("the owner may hold it elsewhere")
        return _flock(descriptor, exclusive=False)  # shared: two who look at once do not see each other
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
    if me.token not in _open:
        return
    with explained(folder):
        try:
            (folder / me.name).unlink(missing_ok=True)
        finally:
            os.close(_open.pop(me.token))


def holds(folder: Path, me: Owner) -> bool:
    """Whether this lock is still in place: someone may have deleted it."""
    return me.token in _open and os.path.lexists(folder / me.name)


def _read(path: Path) -> Owner | None:
    """The owner of a lock; None if it was released since it was listed."""
    try:
        owner = Owner.from_json(files.read_small(path, LARGEST, follow=False))
        if owner.name != path.name:  # by which it would be removed
            raise ValueError(f"its name should be {owner.name}")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"cannot read the lock {path}: {error.strerror}; if nobody writes, delete it") from None
    except ValueError as error:
        raise StoreError(f"{path} is not a lock that debox wrote ({error}); if nobody writes, delete it") from None
    return owner
