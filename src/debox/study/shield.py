"""Shield: calls that Ctrl-C does not reach."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


class Shield(ThreadPoolExecutor):
    """A thread for what DuckDB does: it makes odd errors of a Ctrl-C that it meets in the main thread.

    Leaving it waits, so that a part that was being written when Ctrl-C came is whole.
    """

    def __init__(self) -> None:
        super().__init__(1)
        self(int)  # the thread is there, whatever comes

    def __call__(self, function: Callable[..., Result], *args: Any) -> Result:
        return self.submit(function, *args).result()
