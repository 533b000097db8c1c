"""Ctrl-C and SIGTERM while a kernel is compiled: their handlers are called between two steps of the compiler.

LLVM calls functions of Python, and an exception that a handler raises in one of them is lost: compiling goes on as if
nothing had happened, or ends in an error about the kernel. A step takes a second or so, the longest some seconds.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Handler = Callable[[int, Any], object]
DELAYED = signal.SIGINT, signal.SIGTERM

_waiting: list[Callable[[], object]] | None = None  # calls of handlers, while the main thread compiles


@contextmanager
def delay_signals() -> Iterator[None]:
    """Let signals of this block wait until `deliver_signals` is called, or the end of the block."""
    global _waiting
    if threading.current_thread() is not threading.main_thread() or _waiting is not None:
        yield  # no other thread gets signals; or this block lies within another
        return
    found = {number: signal.getsignal(number) for number in DELAYED}
    handlers: dict[int, Handler] = {number: handler for number, handler in found.items() if callable(handler)}
    waiting = list[Callable[[], object]]()

    def wait(number: int, frame: Any) -> None:
        waiting.append(lambda: handlers[number](number, frame))

    try:
        _waiting = waiting
        for number in handlers:
            signal.signal(number, wait)
        yield
    finally:
        _waiting = None
        for number in reversed(handlers):  # Ctrl-C last: from then on it may be raised here
            signal.signal(number, handlers[number])
        for call in waiting:
            call()


def deliver_signals() -> None:
    """Call the handler of a signal that waits; most raise."""
    if _waiting and threading.current_thread() is threading.main_thread():
        _waiting.pop(0)()


def step_listener(listener: type) -> Any:
    """A listener, of Numba's class, to the steps of its compiler."""

    class Steps(listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            deliver_signals()

        def on_end(self, event: Any) -> None: ...

    return Steps()
