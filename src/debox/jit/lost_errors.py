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


class raise_lost_errors:
    """A block at whose end an exception that was lost inside it, in this thread, is raised."""

    def __enter__(self) -> None:
        before = sys.unraisablehook
        if not isinstance(before, KeepingHook):
            sys.unraisablehook = KeepingHook(before)
        self.outer = getattr(_of_thread, "lost", None)
        _of_thread.lost = []

    def __exit__(self, error: object, *_: object) -> None:
        lost, _of_thread.lost = _of_thread.lost, self.outer
        if lost and error is None:
            raise lost[0]


class KeepingHook:
    """Keeps the first exception of a compiled kernel; anything else is left to the hook that was there before.

    Each knows that one: a user's hook may call the one that it replaced, or be taken away again.
    """

    def __init__(self, before: Any) -> None:
        self.before = before

    def __call__(self, unraisable: Any) -> None:
        lost = getattr(_of_thread, "lost", None)
        is_of_kernel = isinstance(unraisable.object, str) and "numba.core.cpu.CPUContext" in unraisable.object
        if lost is None or not is_of_kernel:
            self.before(unraisable)
        elif not lost:
            lost.append(unraisable.exc_value)
