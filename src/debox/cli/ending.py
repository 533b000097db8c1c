"""How the command ends: at once, whatever it was doing, with a code that says why."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

from debox import threads

KILLED = 143  # the exit code after SIGTERM


@contextmanager
def kind_to_batch_systems() -> Iterator[None]:
    """SIGTERM ends the command as Ctrl-C does."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(KILLED))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def end(code: int) -> NoReturn:
    """Leave with this code, and do not wait for runs that were left behind."""
    if threads.unfinished_threads():
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, AttributeError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def write_anything() -> None:
    """Print what the terminal cannot show, such as a path that is no text, as an escape instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
