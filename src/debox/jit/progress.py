"""What debox says on stderr while kernels are compiled: which one, and how long it took."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import Any

from debox.jit.marking import is_kernel


def tell_user(text: str) -> None:
    """Print a line on stderr; an error of a full or closed log is ignored, so that compiling goes on."""
    _print(f"debox: {text}\n")


def _print(text: str) -> None:
    with suppress(OSError):
        print(text, end="", file=sys.stderr, flush=True)


def progress_listener(listener: type) -> Any:
    """A listener, of Numba's class, to its compilations: it reports the outermost kernel, not those that it calls."""

    class Progress(listener):  # type: ignore[misc]
        outermost, started = None, 0.0

        def on_start(self, event: Any) -> None:
            dispatcher = event.data["dispatcher"]
            if self.outermost is None and is_kernel(dispatcher.py_func):
                self.outermost, self.started = dispatcher, time.perf_counter()
                note = " (once, then cached)" if dispatcher._cache.cache_path else ""
                _print(f"debox: compiling {dispatcher.py_func.__name__}{note} … ")

        def on_end(self, event: Any) -> None:
            if event.data["dispatcher"] is self.outermost:
                self.outermost = None
                _print(f"{time.perf_counter() - self.started:.1f} s\n")

    return Progress()
