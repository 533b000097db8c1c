"""What a worker does: the runs of a chunk, as the columns of a store, if its numbers are those of the coordinator."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.box import Box
from debox.config import CONFIG_FIELDS, Config, Operators
from debox.f0.engines import Setting, choose_engine, columns, do_runs
from debox.store.schema import checkpoint_column
from debox.study.plan import Chunk, Task, ids
from debox.travel import portable

Columns = dict[str, NDArray[Any]]

# A set of operators is what a run depends on besides its numbers.
OPERATOR_SET = tuple(name for name in CONFIG_FIELDS if name not in ("N", "F", "Cr"))
PROBE_DIMENSION, PROBE_BUDGET = 3, 3000  # variables and, if the population is smaller, evaluations of a probe


class StudyError(Exception):
    """Some runs could not be done; all others are stored. The message says why, and how to go on.

    Examples
    --------
    >>> import debox
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> closed = ThreadPoolExecutor(1)
    >>> closed.shutdown()
    >>> try:
    ...     debox.run("smoke", "out", executor=closed)
    ... except debox.StudyError as error:
    ...     print(error)
    the executor broke (RuntimeError: cannot schedule new futures after shutdown): start it anew; 0 of 960 runs are
    stored: run the same again, and only the rest is done
    """


class WorkerError(Exception):
    """A worker cannot do runs of the study, whichever it is given; the message says why, and what to do."""


def run_chunk(chunk: Chunk, probes: Mapping[Chunk, str], stop: threading.Event | None = None) -> Columns:
    """The rows of a chunk's runs, or those done when `stop` is set; a worker whose `probes` differ is refused."""
    if chunk.operators:
        from debox.operators.outside import unpack

        try:
            for parcel in chunk.operators:
                unpack(parcel)
        except RuntimeError as error:
            raise WorkerError(str(error)) from None
    try:
        for probed, expected in probes.items():
            if digest_of(probed, probed.tasks[0].config.operators) != expected:
                one = f"a run of {probed.tasks[0].config} comes out differently on this worker than for the study's"
                both = "install the same debox, and what your operators use in the same versions, on both"
                raise WorkerError(f"{one} coordinator: {both}")
        parts = [_run_task(task, chunk, stop or threading.Event()) for task in chunk.tasks]
        done = [part for part in parts if part]
        return {name: np.concatenate([part[name] for part in done]) for name in done[0]} if done else {}
    except WorkerError:
        raise
    except Exception as error:
        failure = portable(error)  # it may be sent to another process
    raise failure  # outside the except block: Dask pickles the context of an error, too


def probes_of(chunks: Sequence[Chunk]) -> dict[tuple[Any, ...], tuple[Chunk, str]]:
    """A small run for each set of operators, with what it gives here; none for operators that raise an error here."""
    smallest: dict[tuple[Any, ...], Task] = {}
    for task in sorted((task for chunk in chunks for task in chunk.tasks), key=lambda task: task.config.N):
        smallest.setdefault(operator_set(task.config), task)
    probes = {}
    for key, task in smallest.items():
        budget = max(PROBE_BUDGET, 3 * task.config.N)
        small = replace(task, n=PROBE_DIMENSION, budget=budget, runs=(0,), seconds_per_run=0.0)
        probed = replace(chunks[0], tasks=(small,), operators=())
        with suppress(Exception):  # the runs themselves will fail, and say why
            probes[key] = probed, digest_of(probed, task.config.operators)
    return probes


def operator_set(config: Config) -> tuple[Any, ...]:
    return tuple(getattr(config, name) for name in OPERATOR_SET)


@lru_cache(maxsize=2**12)
def digest_of(probed: Chunk, operators: Operators) -> str:
    """A digest of all that the run of a probe gives; `operators` are those that its names stand for now."""
    columns = _run_task(probed.tasks[0], probed, threading.Event())
    told = repr([(name, column.tolist()) for name, column in columns.items() if name != "seconds"])
    return hashlib.sha256(told.encode()).hexdigest()


def _run_task(task: Task, chunk: Chunk, stop: threading.Event) -> Columns:
    if stop.is_set():
        return {}
    setting = Setting(Box.unit(task.n), task.budget, chunk.seed, chunk.engine, chunk.checkpoints, stop=stop)
    runs = do_runs(task.config, setting, task.runs)
    if not runs:
        return {}
    results, k = columns(runs, setting), len(runs)
    pois_at = results.pop("pois_at")
    constants = {name: getattr(task.config, name) for name in CONFIG_FIELDS}
    engine = choose_engine(chunk.engine, task.config.operators, task.config.N, task.budget)
    constants |= {"dimension": task.n, "budget": task.budget, "seed": chunk.seed, "engine": engine}
    return {
        "id": np.array(ids(task, chunk)[:k], object),
        **{name: np.full(k, value, object if isinstance(value, str) else None) for name, value in constants.items()},
        "run": np.array(task.runs[:k], np.int64),
        **{checkpoint_column(share): pois_at[:, at] for at, share in enumerate(chunk.checkpoints)},
        **results,
        "seconds": np.array([run.seconds for run in runs]),
    }
