"""run: does the unfinished runs of a study on a concurrent.futures.Executor, and stores them.

A chunk of runs is stored as soon as it is done; whatever interrupts the execution, running again does the rest.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from debox import check, threads
from debox.store.manifest import Manifest
from debox.store.store import Store
from debox.study.drive import Drive, Report
from debox.study.plan import operators_of, parse_shard, plan
from debox.study.study import Study
from debox.study.work import StudyError, source_digest

MANY_PARTS = 16  # more are merged at the end: reading gets slower with every part
CONNECT_SECONDS = 10  # how long connecting to a Dask scheduler may take, when a study is begun
ADDRESS = r"(\w+://)?\S+:\d+|inproc://\S+"  # of a Dask scheduler


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
    """Do what is not yet done of a study, in parallel; every finished chunk of runs is stored at once.

    Parameters
    ----------
    study : Study, str or os.PathLike
        A Study, the name of a built-in one ("paper", "quick", "smoke", "adaptive") or the path of a TOML file.
    store : str or os.PathLike
        The directory of its results, new or begun; run again after any interruption and it goes on.
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
    ValueError
        If an argument is not allowed, or the study file says what a study cannot.
    StoreError
        If the store holds another study, is in use or cannot be written.
    StudyError
        If runs failed: a chunk is tried again up to 3 times, then the rest is done and the error names the runs.

    Notes
    -----
    Events, each with the keys that its dictionary has besides "event":

    - "bad part" (part): a part was damaged and is set aside; its runs are done again
    - "planned" (study, runs, of, chunks, seconds): how many runs are stored, of how many; in how many chunks the others
      are done, and how much CPU time that takes, estimated
    - "running" (runs, of, workers): the first chunks are handed over
    - "waiting" (address): the Dask cluster has no workers
    - "progress" (runs, of, evaluations, seconds, left): a chunk is stored; evaluations done in this execution, in how
      many seconds, and how many seconds are left, estimated
    - "retry" (attempt, error, ids): these runs failed and are tried again
    - "failed" (attempt, error, ids): these runs failed and are given up
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
    _check_executor(executor)
    emit = report or (lambda event: None)
    # All runs are planned first: what is wrong with the study, `only` or `shard` is an error before there is a store.
    # What is left of them is planned again when the store is held, and nobody else can do some meanwhile.
    total = sum(chunk.n_runs for chunk in plan(designed, only=only, shard=own_shard))
    opened = Store.create(store, Manifest(designed, source_digest(operators_of(designed))))
    with opened.locked(own_shard), threads.Shield() as shield:
        for bad in shield(opened.set_aside_bad_parts):
            emit({"event": "bad part", "part": f"{bad.name}: {bad.reason}"})
        left = plan(designed, only=only, shard=own_shard, finished=shield(opened.finished))
        stored = total - sum(chunk.n_runs for chunk in left)
        emit({"event": "planned", "study": designed.name, "runs": stored, "of": total, "chunks": len(left),
              "seconds": sum(chunk.seconds for chunk in left)})  # fmt: skip
        began = perf_counter()
        if left:
            with _open_executor(executor, thread_count) as pool:
                Drive(opened, pool, None if workers == -1 else workers, emit, left, total, shield).run()
        if own_shard is None and len(opened.parts()) > MANY_PARTS:  # also of shards, or of a merge that was killed
            shield(opened.compact)
        emit({"event": "end", "runs": total, "of": total, "seconds": perf_counter() - began})
    return opened


def _check_executor(given: object) -> None:
    """Raise a ValueError about an executor that `run` cannot use, before anything is begun."""
    if isinstance(given, str) and not re.fullmatch(ADDRESS, given):
        raise ValueError(f"the address of a Dask scheduler reads 'tcp://host:8786', got {given!r}")
    if not isinstance(given, Executor | str | None):
        raise ValueError(
            "executor must be a concurrent.futures.Executor that was made (as Pool(4) is, not Pool; of a Dask client: "
            f"client.get_executor(pure=False)), the address of a Dask scheduler or None for threads, got {given!r}"
        )


@contextmanager
def _open_executor(given: Executor | str | None, thread_count: int) -> Iterator[Executor]:
    """The executor given, that of a Dask cluster, or threads."""
    if isinstance(given, Executor):
        yield given
    elif given is not None:
        with _dask_executor(given) as pool:
            yield pool
    else:
        pool = threads.Threads(thread_count)
        try:
            yield pool
        finally:
            pool.close(patience=0)  # `Drive` has waited for running chunks


@contextmanager
def _dask_executor(address: str) -> Iterator[Executor]:
    """The executor of a Dask cluster."""
    try:
        from distributed import Client
        from distributed.comm.addressing import resolve_address
    except ImportError:
        raise StudyError("Dask is not installed: pip install 'debox[dask]'") from None
    with _silence_loggers("distributed", "tornado"):  # errors are reported once, by `run`
        try:
            resolve_address(address)  # raises; a Client with a wrong address would go on in the background
            client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise StudyError(f"no Dask scheduler answers at {address!r}: {error}") from None
        with client:
            yield client.get_executor(pure=False)


@contextmanager
def _silence_loggers(*libraries: str) -> Iterator[None]:
    """Let the loggers of these libraries report critical events only."""
    logs = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.split(".")[0] in libraries]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)
