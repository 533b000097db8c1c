"""Calls in threads: Ctrl-C, which only the main thread hears, neither interrupts them nor waits for their end."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

from debox import check

MOST_THREADS = 1024  # more than there are cores are of no use, and a machine starts only so many
NAME_PREFIX = "debox"  # how the names of the threads begin
POLL_SECONDS = 0.2  # the longest wait at a time: a signal that comes just before a wait is handled only at its end
PATIENCE_SECONDS = 1.0  # how long leaving a pool waits for running calls


def check_count(workers: Any) -> int:
    """How many threads `workers` asks for, −1 for one per core; an error if that is no such number."""
    return check.integer("workers", check.workers(workers), 1, most=MOST_THREADS)


@contextmanager
def pool(most: int, stop: threading.Event | None = None) -> Iterator[ThreadPoolExecutor]:
    """Threads for calls; an error that leaves the block sets `stop`, cancels calls that wait and waits for none.

    Python itself ends when the running calls have ended: runs on f0 do so some hundredths of a second after `stop`.
    """
    executor = ThreadPoolExecutor(most, NAME_PREFIX)
    try:
        yield executor
    except BaseException:
        if stop:
            stop.set()
        raise
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for thread in unfinished_threads():
            thread.join(PATIENCE_SECONDS / most)


def wait_for(futures: Iterable[Future[Any]]) -> None:
    """Wait until all are done, or one has failed; in short waits, so that Ctrl-C is handled at once."""
    waiting = list(futures)
    while True:
        done, left = wait(waiting, POLL_SECONDS, FIRST_EXCEPTION)
        if not left or any(future.exception() for future in done):
            return


def unfinished_threads() -> list[threading.Thread]:
    """The threads of pools that are still running."""
    return [thread for thread in threading.enumerate() if thread.name.startswith(NAME_PREFIX)]
