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
    """The folder in which machine code is kept, made if need be: another one for each state of the kernel sources.

    It lies in $DEBOX_CACHE_DIR, else in the user's cache folder. None, so that every process compiles anew, if debox
    cannot write to it or others can; the user is told why.
    """
    try:
        chosen = os.environ.get("DEBOX_CACHE_DIR")
        base = Path(chosen).expanduser() if chosen else _users_cache() / "debox"
        return private_folder(base, digest_of_kernel_sources(), owns_base=not chosen)
    except OSError as error:
        reason = f"cannot write {base} ({error.strerror})"
    except (SharedFolderError, RuntimeError) as error:  # RuntimeError: a user without a home, links in a circle
        reason = str(error).rstrip(".")
    tell_user(f"compiled kernels are not cached: {reason}; set DEBOX_CACHE_DIR to a folder of your own to keep them")
    return None


def _users_cache() -> Path:
    """$XDG_CACHE_HOME, else ~/.cache; the standard says that a relative path in that variable is ignored."""
    folder = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return folder if folder.is_absolute() else Path.home() / ".cache"


@cache
def digest_of_kernel_sources() -> str:
    """16 hex digits that change with any edit of a file in which kernels are written or compiled.

    Kernels are compiled in jit/; outside of it, a file with kernels has that word in it. Values that kernels take from
    other files are in their fingerprints.
    """
    package = Path(__file__).parents[1]
    paths = [path for room in ("de", "f0", "jit") for path in sorted((package / room).rglob("*.py"))]
    sources = [(path.relative_to(package).as_posix(), path.read_bytes()) for path in paths]
    compiled = [(name, text) for name, text in sources if name.startswith("jit/") or b"kernel" in text]
    return hashlib.sha256(repr(compiled).encode()).hexdigest()[:16]
