"""run: does the unfinished runs of a study on a concurrent.futures.Executor, and stores them.

Finished rows stay in memory until a part of the store is due; whatever interrupts the execution, running again does
the rest. A kill loses the rows in memory and the chunks under way.
"""

from __future__ import annotations

import os
import re
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from debox import check, threads
from debox.store.errors import StoreError
from debox.store.manifest import Manifest
from debox.store.store import Store, Writer
from debox.study.plan import Chunk, parse_shard, plan, seconds_of
from debox.study.study import Study
from debox.study.verify import redo
from debox.study.work import Columns, StudyError, WorkerError, operator_set, probes_of, run_chunk
from debox.travel import is_of_operator

# A part is written every 2 % of the time spent, in these bounds in seconds, and whenever so many bytes are in memory.
PART_SHARE, SHORTEST_PART, LONGEST_PART, LARGEST_PART = 0.02, 5.0, 60.0, 64e6
CHUNKS_PER_WORKER = 4  # handed over at a time: workers never wait, and an interruption loses little
PATIENCE_SECONDS = 2.0  # how long an interruption waits for running chunks
POLL_SECONDS = 1.0  # how long to wait for a result before looking whether the executor works and a part is due
SCHEDULER_SECONDS = 5.0  # how long a connected Dask scheduler may take to say how many threads it has
CONNECT_SECONDS = 10  # how long connecting to a Dask scheduler may take, when a study is begun
MOST_SHOWN = 20  # ids, configurations or errors in a message
ADDRESS = r"(\w+://)?\S+:\d+|inproc://\S+"  # of a Dask scheduler

Report = Callable[[dict[str, Any]], None]


def run(
    study: Study | str | os.PathLike[str],
    store: str | os.PathLike[str],
    *,
    executor: Executor | str | None = None,
    workers: int | None = None,
    only: str | Mapping[str, Any] | None = None,
    shard: tuple[int, int] | str | None = None,
    report: Report | None = None,
) -> Store:
    """Do what is not yet done of a study, in parallel; finished runs are stored every few seconds, at most a minute.

    Parameters
    ----------
    study : Study, str or os.PathLike
        A Study, the name of a built-in one ("paper", "quick", "smoke", "adaptive") or the path of a TOML file.
    store : str or os.PathLike
        The directory of its results, new or begun; run again after any interruption and it goes on. A kill loses the
        runs under way and those that were not written yet.
    executor : concurrent.futures.Executor, str or None, default None
        Where the runs are done: None for threads here, or the address of a Dask scheduler, "tcp://host:8786".
    workers : int or None, default None
        Without an executor: how many threads, None or -1 for all cores. With one: how many chunks it does at a time;
        None or -1 for as many as it says that it does or, if it does not say, as there are cores here.
    only : str or mapping, optional
        Some configurations: "strategy=sat,N=5", or {"strategy": "sat", "N": 5}.
    shard : str or (int, int), optional
        "i/n" or (i, n): the i-th of n parts, for job arrays; all shards may share one store.
    report : callable, optional
        Called with a dictionary for every event; "event" says which: see Notes.

    Returns
    -------
    Store
        The store, with all that was wanted finished.

    Raises
    ------
    StoreError
        If the store holds another study or runs that come out differently now, is in use or cannot be written.
    StudyError
        If configurations failed, after all others are done, or the executor broke; the message says what to do.

    Notes
    -----
    Events, each with the keys that its dictionary has besides "event":

    - "bad part" (part): a part was damaged and is set aside; its runs are done again
    - "planned" (study, runs, of, chunks, seconds): how many runs are stored, of how many; in how many chunks the others
      are done, and how much CPU time that takes, estimated
    - "redone" (runs, seconds): so many stored runs were done again, and came out the same to the bit
    - "running" (runs, of, workers): the first chunks are handed over
    - "waiting" (address): the Dask cluster has no workers
    - "progress" (runs, buffered, of, evaluations, seconds, left): runs that are stored and that wait in memory to be;
      evaluations done in this execution, in how many seconds, and how many seconds are left, estimated
    - "split" (error, ids): one of these runs failed; their configurations are done again, each alone
    - "failed" (error, ids): these runs failed and are given up
    - "end" (runs, of, seconds): all runs are stored

    Examples
    --------
    >>> import debox
    >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "tor"], N=5, F=0.7, Cr=0.9)
    >>> study = debox.Study(name="walls", n=2, budget=50, runs=3, **factors)
    >>> store = debox.run(study, "walls", workers=1)
    >>> len(store.finished())
    6
    """
    if not isinstance(study, Study | str | os.PathLike):
        raise ValueError(f"study must be a Study, the name of a built-in one or the path of a TOML file, got {study!r}")
    if report is not None and not callable(report):
        raise ValueError(f"report must be callable, or None, got {report!r}")
    designed = study if isinstance(study, Study) else Study.load(study)
    own_shard = None if shard is None else parse_shard(shard)
    thread_count = (check.workers if executor else threads.check_count)(-1 if workers is None else workers)
    emit = report or (lambda event: None)
    # All runs are planned first: what is wrong with the study, `only` or `shard` is an error before there is a store.
    total = sum(chunk.n_runs for chunk in plan(designed, only=only, shard=own_shard))
    manifest, began = Manifest(designed), perf_counter()
    with open_executor(executor, thread_count) as pool:
        opened = Writer.create(store, manifest)
        with opened.locked(own_shard):
            for bad in opened.set_aside_bad_parts():
                emit({"event": "bad part", "part": str(bad)})
            finished = opened.finished()
            left = plan(designed, only=only, shard=own_shard, finished=finished)
            stored = total - sum(chunk.n_runs for chunk in left)
            emit({"event": "planned", "study": designed.name, "runs": stored, "of": total, "chunks": len(left),
                  "seconds": seconds_of(left)})  # fmt: skip
            if left and finished:
                refuse_other_numbers(opened, thread_count if executor is None else 1, emit)
            opened.note(manifest)  # now that the numbers are the same
            if left:
                Execution(opened, pool, None if workers == -1 else workers, emit, left, total).run()
            emit({"event": "end", "runs": total, "of": total, "seconds": perf_counter() - began})
    return opened


def refuse_other_numbers(store: Store, workers: int, report: Report) -> None:
    """Do some of the stored runs again; a StoreError if one comes out differently than it is stored."""
    began = perf_counter()
    runs, differing = redo(store, workers=workers)
    if differing:
        makers = "; ".join(", ".join(f"{k} {v}" for k, v in m["versions"].items()) for m in store.manifest.makers())
        raise StoreError(
            f"{store.path} cannot go on here: {len(differing)} of {runs} stored runs that were done again come out "
            f"differently. Use the versions and operators that made it ({makers}), or choose another store. "
            + "\n".join(shorten(differing))
        )
    if runs:
        report({"event": "redone", "runs": runs, "seconds": perf_counter() - began})


class Execution:
    """Runs chunks on an executor, a few at a time, and stores their rows; splits those that fail."""

    def __init__(
        self, store: Writer, executor: Executor, workers: int | None, report: Report, chunks: list[Chunk], total: int
    ) -> None:
        self.store, self.executor, self.workers, self.report = store, executor, workers, report
        self.client = getattr(executor, "_client", None)  # of Dask
        self.threads: int | None = None  # of its cluster, when last looked at
        self.queue, self.pending = deque(chunks), dict[Future[Columns], Chunk]()
        self.failed = list[tuple[Chunk, BaseException]]()
        self.total, self.runs = total, total - sum(chunk.n_runs for chunk in chunks)
        self.planned_seconds, self.finished_seconds, self.evaluations = sum(chunk.seconds for chunk in chunks), 0.0, 0
        # Threads stop between two runs when this is set; other workers finish their chunk.
        self.stop = threading.Event() if isinstance(executor, ThreadPoolExecutor) else None
        self.probes = {} if self.stop else probes_of(chunks)  # threads have the code of the coordinator
        self.began = self.written = perf_counter()
        self.buffer, self.writer = list[Columns](), ThreadPoolExecutor(1)  # Ctrl-C interrupts the main thread only
        self.writer.submit(int).result()  # so that its thread runs before a Ctrl-C can interrupt its start

    def run(self) -> None:
        """Run all chunks, until each is stored or given up; StudyError if some are."""
        try:
            self.report({"event": "running", "runs": self.runs, "of": self.total, "workers": self.slots()})
            while self.queue or self.pending:
                self.hand_over_chunks()
                self.collect(wait(self.pending, POLL_SECONDS, "FIRST_COMPLETED").done)
                if is_part_due(self.buffer, perf_counter() - self.written, perf_counter() - self.began):
                    self.write()
            self.write()
        except BaseException as error:
            self.abandon()
            if not isinstance(error, StoreError):  # what could not be written cannot be written now
                self.write()
            if not isinstance(error, WorkerError):
                raise
            stored = f"{self.runs} of {self.total} runs are stored"
            raise StudyError(f"{error}; {stored}: run the same again, and only the rest is done") from error
        finally:
            self.writer.shutdown()
        if self.failed:
            raise StudyError(describe_failures(self.failed, self.total))

    def slots(self) -> int:
        """How many chunks the executor does at a time, as far as it says."""
        if self.client is None:
            return int(self.workers or getattr(self.executor, "_max_workers", None) or os.cpu_count() or 1)
        with suppress(TimeoutError):  # Dask's scheduler is busy; if it is gone, its futures raise
            threads = sum(self.client.sync(self.client.scheduler.ncores, callback_timeout=SCHEDULER_SECONDS).values())
            if threads == 0 != self.threads:
                self.report({"event": "waiting", "address": self.client.scheduler.address})
            self.threads = threads
        return self.workers or self.threads or 1

    def hand_over_chunks(self) -> None:
        """Submit chunks until each worker has CHUNKS_PER_WORKER."""
        try:
            if self.client is not None and self.client.status != "running":
                raise ConnectionError(f"the Dask client is {self.client.status}")
            room = CHUNKS_PER_WORKER * self.slots() - len(self.pending)
            for chunk in [self.queue.popleft() for _ in range(min(room, len(self.queue)))]:
                sets = {operator_set(task.config) for task in chunk.tasks}
                probes = dict(self.probes[one] for one in sets if one in self.probes)
                self.pending[self.executor.submit(run_chunk, chunk, probes, self.stop)] = chunk
        except Exception as error:
            raise broken(error) from error

    def collect(self, done: Iterable[Future[Columns]]) -> None:
        """Keep the rows of finished chunks; failed ones are done again, each configuration alone, or are given up."""
        for future in done:
            chunk = self.pending.pop(future)
            try:
                columns = future.result()
            except (BrokenExecutor, CancelledError) as error:
                raise broken(error) from error
            except WorkerError:
                raise
            except Exception as error:
                is_alone, ids = len(chunk.tasks) == 1, chunk.ids()
                self.report({"event": "failed" if is_alone else "split", "error": describe_error(error), "ids": ids})
                if is_alone:
                    self.failed.append((chunk, error))
                else:
                    self.queue.extendleft(replace(chunk, tasks=(task,)) for task in chunk.tasks)
            else:
                self.keep(chunk, columns)
                self.report_progress()

    def keep(self, chunk: Chunk, columns: Columns) -> None:
        """Keep the rows of a chunk until a part is due."""
        self.buffer += [columns] if columns else []
        self.finished_seconds += chunk.seconds
        self.evaluations += sum(task.budget * len(task.runs) for task in chunk.tasks)

    def report_progress(self) -> None:
        seconds = perf_counter() - self.began
        left = seconds * max(0.0, self.planned_seconds / self.finished_seconds - 1)  # never -0.0
        self.report({"event": "progress", "runs": self.runs, "buffered": rows_in(self.buffer), "of": self.total,
                     "evaluations": self.evaluations, "seconds": seconds, "left": left})  # fmt: skip

    def write(self) -> None:
        """Write the rows in memory as one part."""
        rows, self.buffer, self.written = self.buffer, [], perf_counter()
        if rows:
            self.writer.submit(self.store.append, join(rows)).result()
            self.runs += rows_in(rows)
            self.report_progress()

    def abandon(self) -> None:
        """Cancel all chunks; keep the rows of those that finish within PATIENCE_SECONDS."""
        if self.stop:
            self.stop.set()
        for future in self.pending:
            future.cancel()
        for future in wait(self.pending, PATIENCE_SECONDS).done:
            if not future.cancelled() and future.exception() is None:
                self.keep(self.pending[future], future.result())
        self.pending.clear()


def describe_failures(failed: list[tuple[Chunk, BaseException]], total: int) -> str:
    """The error message about failed chunks, of one configuration each: errors, with their configurations."""
    runs, groups = sum(chunk.n_runs for chunk, _ in failed), defaultdict[str, list[str]](list)
    for chunk, error in failed:
        (task,) = chunk.tasks
        which = f"  in {task.config}, n = {task.n}: runs {', '.join(shorten(chunk.ids()))}"
        groups[describe_error(error)].append(which)
    first = f"{runs} of {total} runs failed, the others are stored; run the same again to try them once more"
    return "\n".join([first, *shorten(["\n".join([why, *shorten(where)]) for why, where in groups.items()])])


def is_part_due(rows: list[Columns], since_last: float, elapsed: float) -> bool:
    """Whether enough seconds have gone by since the last part, or enough is in memory: some 300 bytes a row, and x."""
    size = sum(300 * len(some["id"]) + some["best_x"].nbytes for some in rows)
    return since_last > max(SHORTEST_PART, min(PART_SHARE * elapsed, LONGEST_PART)) or size > LARGEST_PART


def broken(error: Exception) -> WorkerError:
    """The executor takes no more chunks, or loses them."""
    return WorkerError(f"the executor broke ({describe_error(error)}): start it anew")


def join(rows: list[Columns]) -> dict[str, Any]:
    """The rows of several chunks as one; best_x, whose dimensions may differ, as a list of points."""
    columns: dict[str, Any] = {
        name: np.concatenate([one[name] for one in rows]) for name in rows[0] if name != "best_x"
    }
    return columns | {"best_x": [point for one in rows for point in one["best_x"]]}


def rows_in(rows: list[Columns]) -> int:
    return sum(len(columns["id"]) for columns in rows)


def describe_error(error: BaseException) -> str:
    """Type and message of an error and whose it is; NumPy's own MemoryError is called by the common name."""
    whose = "an operator of yours raised " if is_of_operator(error) else ""
    return f"{whose}{'MemoryError' if isinstance(error, MemoryError) else type(error).__name__}: {error}"


def shorten(names: list[str]) -> list[str]:
    """The first of them, and a line with how many more there are."""
    return names if len(names) <= MOST_SHOWN else [*names[:MOST_SHOWN], f"and {len(names) - MOST_SHOWN} more"]


@contextmanager
def open_executor(given: Executor | str | None, thread_count: int) -> Iterator[Executor]:
    """The executor given, that of the Dask cluster with this address, or threads."""
    if isinstance(given, Executor):
        yield given
        return
    if given is None:
        with threads.pool(thread_count) as pool:
            yield pool
        return
    if not isinstance(given, str):
        allowed = "a concurrent.futures.Executor that was made (as Pool(4) is, not Pool; of a Dask client: client."
        allowed += "get_executor(pure=False)), the address of a Dask scheduler or None for threads"
        raise ValueError(f"executor must be {allowed}, got {given!r}")
    if not re.fullmatch(ADDRESS, given):
        raise ValueError(f"the address of a Dask scheduler reads 'tcp://host:8786', got {given!r}")
    try:
        from distributed import Client
        from distributed.comm.addressing import resolve_address
    except ImportError:
        raise StudyError("Dask is not installed: pip install 'debox[dask]'") from None
    try:
        resolve_address(given)  # raises; a Client with a wrong address would go on in the background
        client = Client(given, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise StudyError(f"no Dask scheduler answers at {given!r}: {error}") from None
    with client:
        yield client.get_executor(pure=False)
