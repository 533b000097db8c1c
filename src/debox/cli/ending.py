"""How the command ends: at once, whatever it was doing, with an exit code."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

from debox import threads

SIGTERM_CODE = 143  # the exit code after SIGTERM


@contextmanager
def sigterm_as_exit() -> Iterator[None]:
    """Let SIGTERM, which batch systems send, end the command as Ctrl-C does, with SIGTERM_CODE."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(SIGTERM_CODE))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def exit_with(code: int) -> NoReturn:
    """End the process with this code, without waiting for threads that are still running."""
    if threads.unfinished_threads():
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, AttributeError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def escape_unprintable() -> None:
    """Let output escape what the terminal cannot show, such as a path that is no text, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
