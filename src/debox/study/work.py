"""What a worker does: the runs of a chunk, as the columns of a store."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.box import Box
from debox.config import CONFIG_FIELDS
from debox.f0.fast.tables import stand_in
from debox.f0.measure import Setting, choose_engine, collect, do_runs, engine_for, unit_box
from debox.f0.source import digest as source_digest
from debox.store.schema import checkpoint_column
from debox.study.plan import Chunk, Task, ids

Columns = dict[str, NDArray[Any]]


class StudyError(Exception):
    """Some runs could not be done; all others are stored. The message says why, and how to go on.

    Examples
    --------
    >>> import debox
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> closed = ThreadPoolExecutor(1)
    >>> closed.shutdown()
    >>> factors = dict(mutation="rand/1", crossover="bin", strategy="sat", N=5, F=0.7, Cr=0.9)
    >>> study = debox.Study(name="walls", n=2, budget=50, runs=3, **factors)
    >>> try:
    ...     debox.run(study, "walls", executor=closed)
    ... except debox.StudyError as error:
    ...     print(error)
    the executor broke (RuntimeError: cannot schedule new futures after shutdown); 0 of 3 runs are stored: start it
    anew and run the same again, and only the rest is done
    """


def run_chunk(chunk: Chunk, source: str, stop: threading.Event | None = None) -> Columns:
    """Do the runs of a chunk, a row for each; when `stop` is set, the rows of those that are done.

    source  the digest of the coordinator's kernels: others would give other numbers
    """
    own = source_digest(chunk.operators_here())
    if source != own:
        raise RuntimeError(
            f"this worker has other kernels (source {own}) than the study's coordinator ({source}): "
            "install the same debox on both"
        )
    try:
        parts = [_run_task(task, chunk, stop or threading.Event()) for task in chunk.tasks]
        done = [part for part in parts if part]
        return {name: np.concatenate([part[name] for part in done]) for name in done[0]} if done else {}
    except Exception as error:
        from debox.travel import portable

        failure = portable(error)  # it may be sent to another process
    raise failure  # outside the except block: Dask pickles the context of an error, too


def compile_kernels(chunks: Iterable[Chunk]) -> None:
    """Compile the kernels that the chunks need, each once; on small populations of one variable, to save memory."""
    needed = {
        (stand_in(task.config), choose_engine(chunk.engine, task.config, task.budget)): (chunk, task)
        for chunk in chunks
        for task in chunk.tasks
    }
    for (config, engine), (chunk, task) in needed.items():
        setting = Setting(Box.unit(1), task.budget, chunk.seed, engine, chunk.checkpoints)
        try:
            engine_for(config, setting)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise StudyError(f"{task.config} cannot be compiled, nothing was run; {reason}") from error


def _run_task(task: Task, chunk: Chunk, stop: threading.Event) -> Columns:
    if stop.is_set():
        return {}
    box = unit_box(task.n, task.config)
    setting = Setting(box, task.budget, chunk.seed, chunk.engine, chunk.checkpoints, stop=stop)
    runs = do_runs(task.config, setting, task.runs)
    if not runs:
        return {}
    m, k = collect(task.config, setting, runs), len(runs)
    constants = {name: getattr(task.config, name) for name in CONFIG_FIELDS}
    constants |= {"dimension": task.n, "budget": task.budget, "seed": chunk.seed, "engine": m.engine}
    return {
        "id": np.array(ids(task, chunk.seed, chunk.engine, chunk.checkpoints)[:k], object),
        **{name: np.full(k, value, object if isinstance(value, str) else None) for name, value in constants.items()},
        "run": np.array(task.runs[:k], np.int64),
        "pois": m.pois,
        **{checkpoint_column(share): m.pois_at[:, at] for at, share in enumerate(chunk.checkpoints)},
        "accepted": m.accepted,
        "best_f": m.best_f,
        "best_x": m.best_x,
        "seconds": np.array([run.seconds for run in runs]),
    }
