"""Calls in threads: Ctrl-C, which only the main thread hears, neither interrupts them nor waits for their end."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from debox import check

Task = TypeVar("Task")
Result = TypeVar("Result")

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


def call_all(call: Callable[[Task], Result], tasks: Iterable[Task], most: int, stop: threading.Event) -> list[Result]:
    """What a function gives for each task, by threads; the first error sets `stop` and is raised.

    Ctrl-C may interrupt the main thread while it holds a lock, for which threads would then wait for ever. So it makes
    few calls of the executor, which locks in Python, and waits at a queue, which does not.
    """
    left, results = deque(enumerate(tasks)), dict[int, Result]()
    done = SimpleQueue[tuple[int, Any, BaseException | None]]()

    def work() -> None:
        while left and not stop.is_set():
            with suppress(IndexError):  # another thread was faster
                k, task = left.popleft()
                try:
                    done.put((k, call(task), None))
                except BaseException as error:
                    done.put((k, None, error))

    wanted = len(left)
    with pool(most, stop) as executor:
        for _ in range(min(most, wanted)):
            executor.submit(work)
        while len(results) < wanted:
            with suppress(Empty):
                k, result, error = done.get(timeout=POLL_SECONDS)
                if error:
                    raise error
                results[k] = result
    return [results[k] for k in range(wanted)]


def unfinished_threads() -> list[threading.Thread]:
    """The threads of pools that are still running; one whose start was interrupted is not alive."""
    return [one for one in threading.enumerate() if one.name.startswith(NAME_PREFIX) and one.is_alive()]
