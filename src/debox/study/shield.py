"""Shield: calls that Ctrl-C does not reach."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


class Shield(ThreadPoolExecutor):
    """A thread for what DuckDB does: it makes odd errors of a Ctrl-C that it meets in the main thread.

    Leaving it waits, however often Ctrl-C comes, so that what was being written is whole and under its lock.
    """

    def __init__(self) -> None:
        super().__init__(1)
        self(int)  # the thread is there, whatever comes

    def __exit__(self, *error: Any) -> None:
        last, interrupted = self.submit(int), False
        while not last.done():  # joining the thread would end at a second Ctrl-C
            try:
                last.result()
            except KeyboardInterrupt:
                interrupted = True
        super().__exit__(*error)
        if interrupted:
            raise KeyboardInterrupt

    def __call__(self, function: Callable[..., Result], *args: Any) -> Result:
        return self.submit(function, *args).result()
