"""Threads: an executor that nobody has to wait for, neither a prompt after Ctrl-C nor the end of a program."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, Executor, Future, ThreadPoolExecutor, wait
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, TypeVar

from debox import check

Result = TypeVar("Result")

MOST = 1024  # threads: far more than cores help nobody, and a machine has only so many
NAME = "debox"  # how the names of the threads begin
POLL_SECONDS = 0.2  # seconds: a signal that comes just before a wait is heard after it only
PATIENCE = 1.0  # seconds that an interruption waits for what is under way


def count(workers: Any) -> int:
    """As many threads as `workers` asks for; −1 means all cores."""
    return check.integer("workers", check.workers(workers), 1, most=MOST)


class Threads(Executor):
    """At most so many daemon threads. (For those of `concurrent.futures` a program waits at its end: hours, maybe.)

    Whoever makes one must `leave` it: that ends the threads, at the latest when what they are doing is done.
    """

    def __init__(self, most: int, name: str = NAME) -> None:
        self._max_workers, self._name = most, name
        self._todo: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._ended = False

    def submit(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Call the function in one of the threads, when one is free."""
        if self._ended:
            raise RuntimeError("these threads were told to end")
        future: Future[Result] = Future()
        if len(self._threads) < self._max_workers:
            self._start()
        self._todo.put((future, lambda: function(*args, **kwargs)))
        return future

    def _start(self) -> None:
        name = f"{self._name}-{len(self._threads) + 1}"
        thread = threading.Thread(target=_work, args=(self._todo,), name=name, daemon=True)
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
        self._ended = True
        if cancel_futures:
            self._cancel_what_waits()
        for _ in self._threads:
            self._todo.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _cancel_what_waits(self) -> None:
        while True:
            try:
                waiting = self._todo.get_nowait()
            except Empty:
                return
            if waiting:
                waiting[0].cancel()

    def leave(self, patience: float = PATIENCE) -> None:
        """Begin nothing more, and wait so many seconds for what is under way; what takes longer is left behind."""
        self.shutdown(wait=False, cancel_futures=True)
        until = monotonic() + patience
        for thread in self._threads:
            thread.join(max(0.0, until - monotonic()))


def _work(todo: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None]) -> None:
    """What a thread does until it is told to end."""
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
        del task, future, call  # or a waiting thread would keep what it gave


def wait_for(futures: Iterable[Future[Any]]) -> None:
    """Until all are done, or one has failed; again and again, so that no Ctrl-C is slept over."""
    waiting = list(futures)
    while True:
        done, left = wait(waiting, POLL_SECONDS, FIRST_EXCEPTION)
        if not left or any(future.exception() for future in done):
            return


def aside(function: Callable[..., Result], *args: Any) -> Result:
    """What the call gives, made in a thread, so that a Ctrl-C need not wait for its end."""
    pool = Threads(1)
    try:
        future = pool.submit(function, *args)
        wait_for([future])
        return future.result()
    finally:
        pool.leave()


def alive() -> list[threading.Thread]:
    """The threads that were left behind and are still at it."""
    return [thread for thread in threading.enumerate() if thread.daemon and thread.name.startswith(NAME)]


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
