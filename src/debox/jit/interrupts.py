"""Ctrl-C while a kernel is compiled.

LLVM calls functions of Python, and a KeyboardInterrupt raised in one of them is lost: compiling goes on as if nothing
had happened, or ends in an error about the kernel.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def keep_interrupts() -> Iterator[None]:
    """Raise the KeyboardInterrupt of a Ctrl-C inside this block at its end if it was lost or became another error."""
    in_main_thread = threading.current_thread() is threading.main_thread()  # the one that signals interrupt
    if not in_main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    came = False

    def note(number: int, frame: Any) -> None:
        nonlocal came
        came = True
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    except Exception as error:
        if came:
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if came:
        raise KeyboardInterrupt
