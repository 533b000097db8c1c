"""Drive: runs chunks on an executor, a few at a time, stores their rows, and tries failed ones again."""

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

from debox.store.errors import StoreError
from debox.store.store import Store
from debox.study.plan import Chunk
from debox.study.work import Columns, StudyError, run_chunk, source_digest
from debox.threads import Shield, Threads
from debox.travel import is_of_operator

RETRIES = 3  # of a chunk that fails
CHUNKS_PER_WORKER = 4  # handed over at a time: workers never wait, and an interruption loses little
PATIENCE_SECONDS = 2.0  # how long an interruption waits for running chunks
POLL_SECONDS = 5.0  # how long to wait for a result before looking whether the executor still works
SCHEDULER_SECONDS = 5.0  # how long a connected Dask scheduler may take to say how many threads it has
MOST_SHOWN = 20  # ids, configurations or errors in a message

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
        total: int,
        shield: Shield,
    ) -> None:
        self.store, self.executor, self.workers, self.report = store, executor, workers, report
        self.shield = shield
        self.threads: int | None = None  # of a Dask cluster, when last looked at
        self.queue, self.pending = deque(chunks), dict[Future[Columns], Chunk]()
        self.attempts, self.failed = Counter[Chunk](), list[tuple[Chunk, BaseException]]()
        self.total, self.runs = total, total - sum(chunk.n_runs for chunk in chunks)
        self.planned_seconds, self.finished_seconds, self.evaluations = sum(chunk.seconds for chunk in chunks), 0.0, 0
        # Threads stop between two runs when this is set; other workers finish their chunk.
        self.stop = threading.Event() if isinstance(executor, ThreadPoolExecutor | Threads) else None
        self.source, self.began = source_digest(chunks[0].operators_here()), perf_counter()

    def run(self) -> None:
        """Run all chunks, until each is stored or given up; StudyError if some are."""
        try:
            self.report({"event": "running", "runs": self.runs, "of": self.total, "workers": self.slots()})
            while self.queue or self.pending:
                self.hand_over_chunks()
                self.collect(wait(self.pending, POLL_SECONDS, FIRST_COMPLETED).done)
        except StoreError:
            self.abandon()
            raise
        except BaseException:
            self.store_finished_chunks(self.abandon())
            raise
        if self.failed:
            raise StudyError(self.failure_message())

    def slots(self) -> int:
        """How many chunks the executor does at a time, as far as it says."""
        if client := getattr(self.executor, "_client", None):  # Dask's: the number of its workers changes
            self.count_workers(client)
            return self.workers or self.threads or 1
        return int(self.workers or getattr(self.executor, "_max_workers", None) or os.cpu_count() or 1)

    def count_workers(self, client: Any) -> None:
        """Count the threads of a Dask cluster, and report if there are none any more."""
        try:
            threads = sum(client.sync(client.scheduler.ncores, callback_timeout=SCHEDULER_SECONDS).values())
        except TimeoutError:
            return  # the scheduler is busy; if it is gone, its futures raise
        if threads == 0 != self.threads:
            self.report({"event": "waiting", "address": client.scheduler.address})
        self.threads = threads

    def hand_over_chunks(self) -> None:
        """Submit chunks until each worker has CHUNKS_PER_WORKER."""
        try:
            client = getattr(self.executor, "_client", None)
            if client is not None and client.status != "running":
                raise ConnectionError(f"the Dask client is {client.status}")
            room = CHUNKS_PER_WORKER * self.slots() - len(self.pending)
            for chunk in [self.queue.popleft() for _ in range(min(room, len(self.queue)))]:
                self.pending[self.submit(chunk)] = chunk
        except Exception as error:
            raise self.executor_error(error) from error

    def submit(self, chunk: Chunk) -> Future[Columns]:
        stop = (self.stop,) if self.stop else ()
        return self.executor.submit(run_chunk, chunk, self.source, *stop)

    def collect(self, done: Iterable[Future[Columns]]) -> None:
        """Store the rows of finished chunks; failed ones are tried again or given up."""
        for future in done:
            chunk = self.pending.pop(future)
            try:
                columns = future.result()
            except (BrokenExecutor, CancelledError) as error:
                raise self.executor_error(error) from error
            except Exception as error:
                self.retry_or_give_up(chunk, error)
            else:
                self.store_rows(chunk, columns)

    def store_rows(self, chunk: Chunk, columns: Columns) -> None:
        """Store the rows of a chunk."""
        if columns:
            self.shield(self.store.append, columns)
            self.runs += len(columns["id"])
        self.finished_seconds += chunk.seconds
        self.evaluations += chunk.evaluations
        seconds = perf_counter() - self.began
        left = seconds * (self.planned_seconds / self.finished_seconds - 1)
        self.report({"event": "progress", "runs": self.runs, "of": self.total, "evaluations": self.evaluations,
                     "seconds": seconds, "left": left})  # fmt: skip

    def retry_or_give_up(self, chunk: Chunk, error: Exception) -> None:
        """Put the configurations of a failed chunk back into the queue, each alone, or give up.

        A chunk that killed its workers is given up, for Dask has retried it; so is a configuration whose operator
        raised an error, which it would raise again."""
        attempt = self.attempts.pop(chunk, 0) + 1
        is_hopeless = type(error).__name__ == "KilledWorker" or (is_of_operator(error) and len(chunk.tasks) == 1)
        is_retried = attempt <= RETRIES and not is_hopeless
        self.report({"event": "retry" if is_retried else "failed", "attempt": attempt,
                     "error": describe_error(error), "ids": chunk.ids()})  # fmt: skip
        for alone in [replace(chunk, tasks=(task,)) for task in chunk.tasks] if is_retried else ():
            self.attempts[alone] = attempt
            self.queue.appendleft(alone)
        if not is_retried:
            self.failed.append((chunk, error))

    def abandon(self) -> list[Future[Columns]]:
        """Cancel all chunks; returns those that have finished within PATIENCE_SECONDS."""
        if self.stop:
            self.stop.set()
        for future in self.pending:
            future.cancel()
        return list(wait(self.pending, PATIENCE_SECONDS).done)

    def store_finished_chunks(self, done: Iterable[Future[Columns]]) -> None:
        """Store the rows of chunks that finished before the execution broke or was interrupted; forget the others."""
        for future in done:
            if not future.cancelled() and future.exception() is None:
                self.store_rows(self.pending[future], future.result())
        self.pending.clear()

    def executor_error(self, error: BaseException) -> StudyError:
        """Store the chunks that finished before the executor broke; the error says how many runs are stored."""
        self.store_finished_chunks(self.abandon())
        return StudyError(
            f"the executor broke ({type(error).__name__}: {error}); {self.runs} of {self.total} runs are stored: "
            "start it anew and run the same again, and only the rest is done"
        )

    def failure_message(self) -> str:
        """The error message about failed chunks: each error with its configurations."""
        lines = [f"{sum(chunk.n_runs for chunk, _ in self.failed)} of {self.total} runs failed, the others are stored;"]
        lines[0] += " run the same again to try them once more"
        reasons = [
            "\n".join([reason, *shorten([line for chunk in chunks for line in describe_chunk(chunk)])])
            for reason, chunks in self.failures_by_error().items()
        ]
        return "\n".join([*lines, *shorten(reasons)])

    def failures_by_error(self) -> dict[str, list[Chunk]]:
        """The failed chunks, grouped by their error message."""
        groups: dict[str, list[Chunk]] = {}
        for chunk, error in self.failed:
            groups.setdefault(describe_error(error), []).append(chunk)
        return groups


def describe_error(error: BaseException) -> str:
    """Type and message of an error and whose it is; NumPy's own MemoryError is called by the common name."""
    whose = "an operator of yours raised " if is_of_operator(error) else ""
    return f"{whose}{'MemoryError' if isinstance(error, MemoryError) else type(error).__name__}: {error}"


def describe_chunk(chunk: Chunk) -> Iterator[str]:
    """The configurations of a chunk with the ids of their runs, a line each."""
    for task in chunk.tasks:
        ids = replace(chunk, tasks=(task,)).ids()
        yield f"  in {task.config}, n = {task.n}: runs {', '.join(shorten(ids))}"


def shorten(names: list[str]) -> list[str]:
    """The first of them, and a line with how many more there are."""
    return names if len(names) <= MOST_SHOWN else [*names[:MOST_SHOWN], f"and {len(names) - MOST_SHOWN} more"]
