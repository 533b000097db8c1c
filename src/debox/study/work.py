"""What a worker does: the runs of a chunk, as the columns of a store, if its code is that of the coordinator."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import operators
from debox.box import Box
from debox.config import CONFIG_FIELDS
from debox.f0.engines import Setting, choose_engine, columns, do_runs
from debox.operators.kinds import Operator
from debox.store.schema import checkpoint_column
from debox.study.plan import Chunk, Task, ids

Columns = dict[str, NDArray[Any]]

SOURCE = "1d18543b0dbcbc78"  # in every manifest: the code before the C core, whose runs are the same to the bit


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

    source  the coordinator's `source_digest`: other operators would give other numbers
    """
    own = source_digest(chunk.operators_here())
    if source != own:
        raise RuntimeError(
            f"this worker has other code (source {own}) than the study's coordinator ({source}): "
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


def _run_task(task: Task, chunk: Chunk, stop: threading.Event) -> Columns:
    if stop.is_set():
        return {}
    box = Box.unit(task.n)
    setting = Setting(box, task.budget, chunk.seed, chunk.engine, chunk.checkpoints, stop=stop)
    runs = do_runs(task.config, setting, task.runs)
    if not runs:
        return {}
    results, k = columns(runs, setting), len(runs)
    pois, pois_at = results.pop("pois"), results.pop("pois_at")
    constants = {name: getattr(task.config, name) for name in CONFIG_FIELDS}
    constants |= {"dimension": task.n, "budget": task.budget, "seed": chunk.seed, "engine": _engine_of(task, chunk)}
    return {
        "id": np.array(ids(task, chunk)[:k], object),
        **{name: np.full(k, value, object if isinstance(value, str) else None) for name, value in constants.items()},
        "run": np.array(task.runs[:k], np.int64),
        "pois": pois,
        **{checkpoint_column(share): pois_at[:, at] for at, share in enumerate(chunk.checkpoints)},
        **results,
        "seconds": np.array([run.seconds for run in runs]),
    }


def _engine_of(task: Task, chunk: Chunk) -> str:
    """The name of the engine that does the runs of a task."""
    return choose_engine(chunk.engine, task.config.operators, task.config.N, task.budget)


def source_digest(used: Iterable[Operator] = ()) -> str:
    """The state of the code that a run's numbers depend on: a worker must have the coordinator's.

    Of each of the operators that is from outside it has slot, name and fingerprint:
    ``0123456789abcdef strategy:mine=0123456789abcdef``
    """
    from debox.operators.outside import fingerprint

    return " ".join([SOURCE, *(f"{o.slot}:{o.name}={fingerprint(o)}" for o in operators.from_outside(used))])
