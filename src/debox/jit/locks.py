"""The lock around everything that may compile, and what a fork does about it.

A forked child has only the thread that forked. A lock that another thread held at that moment would stay locked in the
child for ever, so a fork first takes the locks of all compilers, and frees them in both processes.
"""

from __future__ import annotations

import logging  # noqa: F401  # see the end of this file
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any

compiler_lock = threading.RLock()
_held_while_forking = ExitStack()


def _locks_of_compilers() -> Iterator[AbstractContextManager[Any]]:
    """Debox's lock and, if they are loaded, Numba's and LLVM's: in the order in which compiling takes them."""
    yield compiler_lock
    yield getattr(sys.modules.get("numba.core.compiler_lock"), "global_compiler_lock", nullcontext())
    yield getattr(getattr(sys.modules.get("llvmlite.binding.ffi"), "lib", None), "_lock", nullcontext())


def _take_locks() -> None:
    """Before a fork: wait until no thread compiles."""
    for lock in _locks_of_compilers():
        _held_while_forking.enter_context(lock)


def _free_locks() -> None:
    """After a fork, in both processes."""
    _held_while_forking.pop_all().close()  # pop_all: once the first lock is free, another thread may begin to fork


# Python calls what is registered last first. Logging, whose lock Numba takes while it compiles, must have registered
# before: a fork that held that lock would wait here for a thread that compiles and waits for it.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_take_locks, after_in_parent=_free_locks, after_in_child=_free_locks)
