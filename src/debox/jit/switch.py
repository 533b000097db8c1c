"""The switch between compiled kernels and plain Python: DEBOX_JIT=0, NUMBA_DISABLE_JIT=1, or a block of code."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from debox.jit.library import load_numba
from debox.jit.locks import compiler_lock

_interpreted = os.environ.get("DEBOX_JIT") == "0"


@contextmanager
def interpreted() -> Iterator[None]:
    """Run kernels as plain Python inside this block."""
    global _interpreted
    before, _interpreted = _interpreted, True
    try:
        yield
    finally:
        _interpreted = before


def is_interpreted() -> bool:
    """Whether kernels run as plain Python, also because Numba is set, in whatever way, to compile nothing."""
    if _interpreted:
        return True
    with compiler_lock:
        return bool(load_numba().config.DISABLE_JIT)
