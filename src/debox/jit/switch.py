"""The switch between compiled kernels and plain Python: DEBOX_JIT=0, NUMBA_DISABLE_JIT=1, or a block of code."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from debox.jit.library import load_numba
from debox.jit.locks import compiler_lock

_interpreted = int(os.environ.get("DEBOX_JIT") == "0")  # how many reasons there are: this one, and open blocks
_counting = threading.Lock()


@contextmanager
def interpreted() -> Iterator[None]:
    """Run kernels as plain Python inside this block."""
    global _interpreted
    with _counting:
        _interpreted += 1
    try:
        yield
    finally:
        with _counting:
            _interpreted -= 1


def is_interpreted() -> bool:
    """Whether kernels run as plain Python, also because Numba is set, in whatever way, to compile nothing."""
    if _interpreted:
        return True
    with compiler_lock:
        return bool(load_numba().config.DISABLE_JIT)
