"""Making a folder that nobody else can write to, for machine code: whoever can change it acts in this user's name."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

OWNER_ONLY, OTHERS_WRITE = 0o700, 0o022


class SharedFolderError(Exception):
    """Others can change what is in a folder; the text says which folder and why."""


def private_folder(base: Path, name: str, owns_base: bool) -> Path:
    """The folder `name` in `base`, made if need be; a SharedFolderError if others can write to it or exchange it.

    From the root on, each folder is checked before anything is made or looked for in it, so nobody can exchange what
    lies below. Links are followed once, here.

    owns_base: debox makes `base`, too, so that it may close it to others
    """
    base = base.resolve()
    target = base / name
    for folder in [*reversed(target.parents), target]:
        if not os.path.lexists(folder):
            with suppress(FileExistsError):  # another process was faster
                folder.mkdir(OWNER_ONLY)
        if not stat.S_ISDIR(folder.lstat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if os.name == "posix":
            if folder == target or (folder == base and owns_base):
                _close_to_others(folder)
            _raise_if_shared(folder, is_above=folder in base.parents)
    with tempfile.TemporaryFile(dir=target):  # an OSError if nothing can be written to it
        return target


def _close_to_others(folder: Path) -> None:
    """Close a folder of debox's own to others: with the umask 002 it may have been made writable for a group."""
    status = folder.stat()
    if status.st_uid == os.geteuid() and stat.S_IMODE(status.st_mode) != OWNER_ONLY:
        folder.chmod(OWNER_ONLY)


def _raise_if_shared(folder: Path, is_above: bool) -> None:
    """Raise SharedFolderError if someone but this user and root can put something into a folder or take it away.

    Above the cache a sticky folder (/tmp) is allowed: nobody can rename what others have in it. A folder may be
    writable for the user's private group, as the umask 002 makes them. Whoever owns / can replace Python itself.
    """
    status = folder.stat()
    if status.st_uid not in (os.geteuid(), 0, os.stat("/").st_uid):
        raise SharedFolderError(f"{folder} belongs to another user (uid {status.st_uid})")
    writers = status.st_mode & OTHERS_WRITE
    if is_above and status.st_mode & stat.S_ISVTX:
        return
    if writers and not (writers == stat.S_IWGRP and _is_private(status.st_gid)):
        raise SharedFolderError(f"others can write to {folder} (chmod go-w {folder} prevents it)")


def _is_private(gid: int) -> bool:
    """Whether this is the group of the same name as the user, with no other member listed; never for root.

    Another user whose first group it is would not be listed; nobody gives a user's private group to another user.
    """
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(gid)
    except KeyError:
        return False
    has_own_group = user.pw_gid == gid and user.pw_name == group.gr_name
    return has_own_group and user.pw_uid != 0 and set(group.gr_mem) <= {user.pw_name}
