"""Chunks on their way through an executor into a store: a few at a time, tried again when they fail."""

from __future__ import annotations

import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import replace
from time import perf_counter
from typing import Any

from debox.f0.source import digest as source_digest
from debox.store.errors import StoreError
from debox.store.store import Store
from debox.study.plan import Chunk
from debox.study.work import Columns, StudyError, run_chunk
from debox.threads import Shield, Threads

RETRIES = 3
WINDOW = 4  # chunks handed over per worker: it never waits, and an interruption leaves little undone
PATIENCE = 2.0  # seconds that an interruption waits for the runs under way
LOOK = 5.0  # seconds between looks whether a silent executor is still there
ANSWER = 5.0  # seconds for a Dask scheduler to answer
SHOWN = 20  # ids, configurations or errors in a message

Report = Callable[[dict[str, Any]], None]


class Drive:
    """The execution of a list of chunks."""

    def __init__(
        self,
        store: Store,
        executor: Executor,
        workers: int | None,
        report: Report,
        chunks: list[Chunk],
        of: int,
        shielded: Shield,
    ) -> None:
        self.store, self.executor, self.workers, self.report = store, executor, workers, report
        self.shielded = shielded
        self.threads: int | None = None  # of a Dask cluster, when last looked at
        self.queue, self.pending = deque(chunks), dict[Future[Columns], Chunk]()
        self.attempts, self.failed = Counter[Chunk](), list[tuple[Chunk, BaseException]]()
        self.of, self.runs = of, of - sum(chunk.n_runs for chunk in chunks)
        self.cost, self.cost_done, self.evaluations = sum(chunk.seconds for chunk in chunks), 0.0, 0
        # Threads can be told to stop between two runs; others finish their chunk.
        self.stop = threading.Event() if isinstance(executor, ThreadPoolExecutor | Threads) else None
        self.source, self.began = source_digest(chunks[0].operators_here()), perf_counter()

    def run(self) -> None:
        """Until all is stored or has failed for good."""
        try:
            self.report({"event": "running", "runs": self.runs, "of": self.of, "workers": self.slots()})
            while self.queue or self.pending:
                self.fill()
                self.take(wait(self.pending, LOOK, FIRST_COMPLETED).done)
        except StoreError:
            self.abandon()
            raise
        except BaseException:
            self.take_what_is_there(self.abandon())
            raise
        if self.failed:
            raise StudyError(self.why())

    def slots(self) -> int:
        """How many chunks the executor does at a time, as far as it says."""
        if client := getattr(self.executor, "_client", None):  # Dask's, whose workers come and go
            self.look_for_workers(client)
            return self.workers or self.threads or 1
        return int(self.workers or getattr(self.executor, "_max_workers", None) or os.cpu_count() or 1)

    def look_for_workers(self, client: Any) -> None:
        """Count the threads of a Dask cluster, and say so if there are none any more."""
        try:
            threads = sum(client.sync(client.scheduler.ncores, callback_timeout=ANSWER).values())
        except TimeoutError:
            return  # a busy scheduler; if it is gone, its futures say so
        if threads == 0 != self.threads:
            self.report({"event": "waiting", "address": client.scheduler.address})
        self.threads = threads

    def fill(self) -> None:
        """Hand over chunks, but not too many at once."""
        try:
            client = getattr(self.executor, "_client", None)
            if client is not None and client.status != "running":
                raise ConnectionError(f"the Dask client is {client.status}")
            room = WINDOW * self.slots() - len(self.pending)
            for chunk in [self.queue.popleft() for _ in range(min(room, len(self.queue)))]:
                self.pending[self.submit(chunk)] = chunk
        except Exception as error:
            raise self.broken(error) from error

    def submit(self, chunk: Chunk) -> Future[Columns]:
        told = (self.stop,) if self.stop else ()
        return self.executor.submit(run_chunk, chunk, self.source, *told)

    def take(self, done: Iterable[Future[Columns]]) -> None:
        """Store what is done; what failed goes back into the queue, or is given up."""
        for future in done:
            chunk = self.pending.pop(future)
            try:
                columns = future.result()
            except (BrokenExecutor, CancelledError) as error:
                raise self.broken(error) from error
            except Exception as error:
                self.fail(chunk, error)
            else:
                self.keep(chunk, columns)

    def keep(self, chunk: Chunk, columns: Columns) -> None:
        """Store the rows of a chunk."""
        if columns:
            self.shielded(self.store.append, columns)
            self.runs += len(columns["id"])
        self.cost_done += chunk.seconds
        self.evaluations += chunk.evaluations
        seconds = perf_counter() - self.began
        left = seconds * (self.cost / self.cost_done - 1)
        self.report({"event": "progress", "runs": self.runs, "of": self.of, "evaluations": self.evaluations,
                     "seconds": seconds, "left": left})  # fmt: skip

    def fail(self, chunk: Chunk, error: Exception) -> None:
        """Try again, each configuration apart, or give up: a chunk that killed its Dask workers has had its tries."""
        attempt = self.attempts.pop(chunk, 0) + 1
        again = attempt <= RETRIES and type(error).__name__ != "KilledWorker"
        self.report({"event": "retry" if again else "failed", "attempt": attempt,
                     "error": in_words(error), "ids": chunk.ids()})  # fmt: skip
        for alone in [replace(chunk, tasks=(task,)) for task in chunk.tasks] if again else ():
            self.attempts[alone] = attempt
            self.queue.appendleft(alone)
        if not again:
            self.failed.append((chunk, error))

    def abandon(self) -> list[Future[Columns]]:
        """Stop as soon as the runs under way allow; those chunks that are done."""
        if self.stop:
            self.stop.set()
        for future in self.pending:
            future.cancel()
        return list(wait(self.pending, PATIENCE).done)

    def take_what_is_there(self, done: Iterable[Future[Columns]]) -> None:
        """Store the runs of a broken or interrupted execution that came through; nothing more is waited for."""
        for future in done:
            if not future.cancelled() and future.exception() is None:
                self.keep(self.pending[future], future.result())
        self.pending.clear()

    def broken(self, error: BaseException) -> StudyError:
        """Store what came through before the executor broke, and say how much is stored."""
        self.take_what_is_there(self.abandon())
        return StudyError(
            f"the executor broke ({type(error).__name__}: {error}); {self.runs} of {self.of} runs are stored: "
            "start it anew and run the same again, and only the rest is done"
        )

    def why(self) -> str:
        """What failed and why, configuration by configuration."""
        lines = [f"{sum(chunk.n_runs for chunk, _ in self.failed)} of {self.of} runs failed, the others are stored;"]
        lines[0] += " run the same again to try them once more"
        reasons = [
            "\n".join([reason, *shortened([line for chunk in chunks for line in named(chunk)])])
            for reason, chunks in self.reasons().items()
        ]
        return "\n".join([*lines, *shortened(reasons)])

    def reasons(self) -> dict[str, list[Chunk]]:
        """The chunks that failed, by what their error says."""
        found: dict[str, list[Chunk]] = {}
        for chunk, error in self.failed:
            found.setdefault(in_words(error), []).append(chunk)
        return found


def in_words(error: BaseException) -> str:
    """Which error, and what it says; NumPy has a name of its own for a MemoryError."""
    return f"{'MemoryError' if isinstance(error, MemoryError) else type(error).__name__}: {error}"


def named(chunk: Chunk) -> Iterator[str]:
    """What failed: the configurations of a chunk and the ids of their runs."""
    for task in chunk.tasks:
        ids = replace(chunk, tasks=(task,)).ids()
        yield f"  in {task.config}, n = {task.n}: runs {', '.join(shortened(ids))}"


def shortened(names: list[str]) -> list[str]:
    """The first of them, and how many more there are."""
    return names if len(names) <= SHOWN else [*names[:SHOWN], f"and {len(names) - SHOWN} more"]
