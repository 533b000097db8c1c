"""The files in which the machine code of kernels is kept: one for each kernel and signature, with a checksum.

Machine code is unpickled and run, so a file from someone else could do anything in this user's name, and a damaged
one can end the process. Therefore the folder must belong to this user alone, and a file is used only if its checksum is
right. What cannot be read or kept is compiled again: that costs time, never a run.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from debox.files import replacing
from debox.jit.private import OTHERS_WRITE
from debox.jit.progress import tell_user

DIGEST = 32  # bytes of a SHA-256


class KernelCache:
    """Loads and saves the machine code of one kernel; takes the place of a Numba dispatcher's own cache."""

    def __init__(self, numba: Any, function: Callable[..., Any], caller: str, folder: Path, state: str) -> None:
        """caller: who calls the machine code

        state: whatever it depends on beside the caller, the signature, the libraries and the processor
        """
        self.numba, self.folder, self.cache_path = numba, folder, str(folder)
        code = function.__code__
        name = f"{Path(code.co_filename).stem}.{function.__qualname__}"
        self.name = re.sub(r"[^\w.\[\] -]", "", name, flags=re.ASCII)[:120]
        self.identity = (code.co_filename, code.co_firstlineno, function.__qualname__, caller)
        self.state = hashlib.sha256(state.encode()).digest()

    def enable(self) -> None:
        """Do nothing; Numba calls this, `disable` and `flush` on any cache."""

    def disable(self) -> None: ...

    def flush(self) -> None: ...

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The machine code for this signature, or None if it must be compiled; the user is told of a damaged file."""
        target.refresh()
        try:
            content = read(self._path(signature, target.codegen()), self.state)
            saved_signature, parts = pickle.loads(content) if content else (None, ())
            if saved_signature != signature:
                return None
            return self.numba.core.compiler.CompileResult._rebuild(target, *parts)
        except ModuleNotFoundError:  # of a kernel that it calls, whose module has another name by now
            return None
        except Exception as error:  # Numba may raise anything when it rebuilds what another machine wrote
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            tell_user(f"a compiled kernel cannot be read ({reason.splitlines()[0]}), it is compiled again")
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep machine code, unless it holds addresses of this process; the user is told if the disk is full."""
        if result.library.has_dynamic_globals or result.lifted:
            return
        try:
            content = self.numba.core.serialize.dumps((signature, result._reduce()))
            write(self._path(signature, result.codegen), self.state, content)
        except OSError as error:
            tell_user(f"the compiled kernel could not be kept ({error.strerror})")

    def _path(self, signature: Any, codegen: Any) -> Path:
        """One file per kernel, caller, signature, processor, Python, Numba and NumPy."""
        versions = (sys.implementation.cache_tag, self.numba.__version__, np.__version__, codegen.magic_tuple())
        key = re.sub("0x[0-9a-f]+", "", repr((self.identity, signature, versions)))  # addresses differ by process
        return self.folder / f"{self.name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.nbc"


def read(path: Path, state: bytes) -> bytes | None:
    """The content that `write` wrote, or None if there is no file or one of another state.

    A ValueError says why a file cannot be trusted: it is a link or a pipe, others can write to it, it is damaged.
    """
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it is no file")
    if os.name == "posix" and (status.st_uid != os.geteuid() or status.st_mode & OTHERS_WRITE):
        raise ValueError("others can write to it")
    data = memoryview(path.read_bytes())
    digest, saved_state, content = data[:DIGEST], data[DIGEST : 2 * DIGEST], data[2 * DIGEST :]
    if digest != _digest(path, saved_state, content):
        raise ValueError("its checksum is wrong")
    return content if saved_state == state else None  # type: ignore[return-value]  # pickle takes it


def write(path: Path, state: bytes, content: bytes) -> None:
    """Put a file with its checksum in its place, whole or not at all; only this user can read it."""
    with replacing(path, owner_only=True, durable=False) as unfinished:  # what a power cut destroys is compiled again
        unfinished.write_bytes(b"".join([_digest(path, state, content), state, content]))


def _digest(path: Path, state: bytes | memoryview, content: bytes | memoryview) -> bytes:
    """The checksum of a file: it covers the name, so that a file renamed to that of another kernel is not used."""
    digest = hashlib.sha256(f"{path.name}\n".encode())
    digest.update(state)
    digest.update(content)
    return digest.digest()
