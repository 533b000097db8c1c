"""Exceptions that compiled code loses: those of kernels that are called through pointers.

Such a kernel cannot hand an exception over to the loop that calls it. Numba prints "Exception ignored", takes a zero
for the result and lets the loop go on, so that a run would silently have wrong numbers. Python tells its
`sys.unraisablehook` of each, in the thread in which it happened: here they are kept, and raised when the loop ends.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

_of_thread = threading.local()  # its `lost`: a list for the first exception since a block began; None outside of blocks
_hook_before: Any = None


class raise_lost_errors:
    """A block at whose end an exception that was lost inside it, in this thread, is raised."""

    def __enter__(self) -> None:
        global _hook_before
        if sys.unraisablehook is not _keep:
            _hook_before, sys.unraisablehook = sys.unraisablehook, _keep
        self.outer = getattr(_of_thread, "lost", None)
        _of_thread.lost = []

    def __exit__(self, error: object, *_: object) -> None:
        lost, _of_thread.lost = _of_thread.lost, self.outer
        if lost and error is None:
            raise lost[0]


def _keep(unraisable: Any) -> None:
    """Keep the first exception of a compiled kernel; anything else is left to the hook that was there before."""
    lost = getattr(_of_thread, "lost", None)
    is_of_kernel = isinstance(unraisable.object, str) and "numba.core.cpu.CPUContext" in unraisable.object
    if lost is None or not is_of_kernel:
        _hook_before(unraisable)
    elif not lost:
        lost.append(unraisable.exc_value)
