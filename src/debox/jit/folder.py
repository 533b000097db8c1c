"""Where the machine code of kernels is kept: a folder of this user alone, one for each state of the kernel sources."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

from debox.jit.private import SharedFolderError, private_folder
from debox.jit.progress import tell_user


@cache
def cache_folder() -> Path | None:
    """Where machine code is kept: one folder per state of the kernel sources, so an edited helper is never stale.

    It lies in $DEBOX_CACHE_DIR, else in the user's cache folder. None, so that every process compiles anew, if it
    cannot be written or if others can write to it.
    """
    try:
        chosen = os.environ.get("DEBOX_CACHE_DIR")
        base = Path(chosen).expanduser() if chosen else _users_cache() / "debox"
        return private_folder(base, sources_of_kernels(), tighten=not chosen)
    except OSError as error:
        reason = f"cannot write {base} ({error.strerror})"
    except (SharedFolderError, RuntimeError) as error:  # RuntimeError: a user without a home, links in a circle
        reason = str(error).rstrip(".")
    tell_user(f"compiled kernels are not cached: {reason}; set DEBOX_CACHE_DIR to a folder of your own to keep them")
    return None


def _users_cache() -> Path:
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return given if given.is_absolute() else Path.home() / ".cache"  # a relative one is to be ignored


@cache
def sources_of_kernels() -> str:
    """Their state, in 16 hex digits."""
    package = Path(__file__).parents[1]
    sources = [source.read_bytes() for room in ("de", "f0", "jit") for source in sorted((package / room).rglob("*.py"))]
    return hashlib.sha256(b"".join(source for source in sources if b"kernel" in source)).hexdigest()[:16]
