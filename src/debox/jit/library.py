"""Numba itself, imported when something is first compiled, and the options that all kernels are compiled with."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from debox.jit.interrupts import step_listener
from debox.jit.locks import compiler_lock
from debox.jit.progress import progress_listener

# No fastmath: it may change a comparison with a bound. No parallel: runs are parallel, and a run releases the GIL.
OPTIONS = {"nogil": True, "error_model": "numpy"}


@cache
def load_numba() -> Any:
    """Numba, which takes half a second to import; the caller must hold `compiler_lock`."""
    import numba
    import numba.core.cgutils
    import numba.core.event
    import numba.extending

    numba.core.event.register("numba:compile", progress_listener(numba.core.event.Listener))
    numba.core.event.register("numba:run_pass", step_listener(numba.core.event.Listener))
    return numba


def is_compiled(fun: object) -> bool:
    """Whether `fun` is a function that its owner compiled with Numba, and Numba may compile what calls it."""
    if "numba" not in sys.modules:
        return False
    with compiler_lock:
        numba = load_numba()
    return not numba.config.DISABLE_JIT and isinstance(fun, numba.core.dispatcher.Dispatcher)
