"""Executors: calls of Threads delay neither Ctrl-C nor the program's end, calls of Shield are not interrupted by it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, Executor, Future, ThreadPoolExecutor, wait
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, TypeVar

from debox import check

Result = TypeVar("Result")

MOST_THREADS = 1024  # more than there are cores are of no use, and a machine starts only so many
NAME_PREFIX = "debox"  # how the names of the threads begin
POLL_SECONDS = 0.2  # the longest wait at a time: a signal that comes just before a wait is handled only at its end
PATIENCE_SECONDS = 1.0  # how long `close` waits for running calls


def check_count(workers: Any) -> int:
    """How many threads `workers` asks for, −1 for one per core; an error if that is no such number."""
    return check.integer("workers", check.workers(workers), 1, most=MOST_THREADS)


class Threads(Executor):
    """An executor of at most `most` daemon threads, which end with the program; it would wait for a ThreadPoolExecutor.

    Whoever makes one must `close` it; a thread then ends when its running call does.
    """

    def __init__(self, most: int, name: str = NAME_PREFIX) -> None:
        self._max_workers, self._name = most, name
        self._tasks: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._is_closed = False

    def submit(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Call the function in one of the threads, when one is free."""
        if self._is_closed:
            raise RuntimeError("these threads were told to end")
        future: Future[Result] = Future()
        if len(self._threads) < self._max_workers:
            self._start()
        self._tasks.put((future, lambda: function(*args, **kwargs)))
        return future

    def _start(self) -> None:
        name = f"{self._name}-{len(self._threads) + 1}"
        thread = threading.Thread(target=_work, args=(self._tasks,), name=name, daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # the machine has no more of them
            if self._threads:
                self._max_workers = len(self._threads)
                return
            raise OSError(f"not a single thread can be started: {error}") from None
        self._threads.append(thread)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls; the threads end when the queue is empty."""
        self._is_closed = True
        if cancel_futures:
            self._cancel_waiting_calls()
        for _ in self._threads:
            self._tasks.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _cancel_waiting_calls(self) -> None:
        while True:
            try:
                waiting = self._tasks.get_nowait()
            except Empty:
                return
            if waiting:
                waiting[0].cancel()

    def close(self, patience: float = PATIENCE_SECONDS) -> None:
        """Cancel the calls that wait; running ones go on, for which this waits at most `patience` seconds."""
        self.shutdown(wait=False, cancel_futures=True)
        until = monotonic() + patience
        for thread in self._threads:
            thread.join(max(0.0, until - monotonic()))


def _work(todo: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None]) -> None:
    """Make calls from the queue until it gives None."""
    while (task := todo.get()) is not None:
        future, call = task
        if future.set_running_or_notify_cancel():
            try:
                result = call()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
                del result
        del task, future, call  # or they would keep arguments and results in memory until the next call


def wait_for(futures: Iterable[Future[Any]]) -> None:
    """Wait until all are done, or one has failed; in short waits, so that Ctrl-C is handled at once."""
    waiting = list(futures)
    while True:
        done, left = wait(waiting, POLL_SECONDS, FIRST_EXCEPTION)
        if not left or any(future.exception() for future in done):
            return


def call_in_thread(function: Callable[..., Result], *args: Any) -> Result:
    """The result of a call that is made in a thread, so that Ctrl-C does not wait for its end."""
    pool = Threads(1)
    try:
        future = pool.submit(function, *args)
        wait_for([future])
        return future.result()
    finally:
        pool.close()


def unfinished_threads() -> list[threading.Thread]:
    """The threads that are still running, also those of executors that were closed."""
    return [thread for thread in threading.enumerate() if thread.daemon and thread.name.startswith(NAME_PREFIX)]


class Shield(ThreadPoolExecutor):
    """An executor of one thread, for calls that Ctrl-C must not interrupt: Python lets it interrupt the main one only.

    DuckDB's calls, for one, raise odd errors if Ctrl-C comes while they are made in the main thread. Leaving the `with`
    block waits for the running call, however often Ctrl-C comes, and only then raises KeyboardInterrupt. So what that
    call writes to a store is written whole, and while the store is still locked.
    """

    def __init__(self) -> None:
        super().__init__(1)
        self(int)  # a call of nothing starts the thread now, before a Ctrl-C could interrupt its start

    def __exit__(self, *error: Any) -> None:
        last, interrupted = self.submit(int), False  # a call of nothing, which is done when those before it are
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
