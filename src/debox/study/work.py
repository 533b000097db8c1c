"""What a worker does: the runs of a chunk, as the columns of a store, if its code is that of the coordinator."""

from __future__ import annotations

import ast
import hashlib
import threading
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import jit, registry
from debox.box import Box
from debox.config import CONFIG_FIELDS
from debox.f0.engines import Results, Setting, choose_engine, do_runs, engine_for, unit_box
from debox.f0.fast.clock import smallest_config_with_same_code
from debox.store.schema import checkpoint_column
from debox.study.plan import Chunk, Task, ids

Columns = dict[str, NDArray[Any]]

PACKAGE = Path(__file__).parents[1]
ROOMS = (  # of the code that a run's numbers depend on
    "jit/**/*.py",
    "de/**/*.py",
    "f0/**/*.py",
    "assemble.py",
    "box.py",
    "config.py",
    "registry/__init__.py",
    "registry/operator.py",
)
# Files of these rooms that change no number: they keep, describe, compare or refuse. The other files of jit/ do:
# marking, specialising and compiling decide which kernel is called, native code writes instructions, pointers have
# types. OPTIONS, which stand in library.py, are part of the digest by themselves.
FILES_THAT_CHANGE_NO_NUMBER = {
    *(f"jit/{name}.py" for name in ("__init__", "binding", "cache", "fingerprint", "folder", "interrupts")),
    *(f"jit/{name}.py" for name in ("library", "locks", "lost_errors", "objectives", "private", "progress", "switch")),
    *(f"f0/{name}.py" for name in ("measure", "measurement", "theory", "trace")),
}


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
        (smallest_config_with_same_code(task.config), _engine_of(task, chunk)): (chunk, task)
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
    results, k = Results.of(runs, setting), len(runs)
    constants = {name: getattr(task.config, name) for name in CONFIG_FIELDS}
    constants |= {"dimension": task.n, "budget": task.budget, "seed": chunk.seed, "engine": _engine_of(task, chunk)}
    return {
        "id": np.array(ids(task, chunk)[:k], object),
        **{name: np.full(k, value, object if isinstance(value, str) else None) for name, value in constants.items()},
        "run": np.array(task.runs[:k], np.int64),
        "pois": results.pois,
        **{checkpoint_column(share): results.pois_at[:, at] for at, share in enumerate(chunk.checkpoints)},
        "accepted": results.accepted,
        "best_f": results.best_f,
        "best_x": results.best_x,
        "seconds": np.array([run.seconds for run in runs]),
    }


def _engine_of(task: Task, chunk: Chunk) -> str:
    """The name of the engine that does the runs of a task."""
    return choose_engine(chunk.engine, task.config.operators, task.config.N, task.budget)


# Is the code of a worker that of the coordinator?


def source_digest(operators: Iterable[registry.Operator] = ()) -> str:
    """The state of the code that a run's numbers depend on: a worker must have the coordinator's.

    Of debox a digest; of each of the operators that is from outside slot, name and fingerprint:
    ``0123456789abcdef strategy:mine=0123456789abcdef``
    """
    from debox.registry.fingerprint import fingerprint

    outside = registry.from_outside(operators)
    return " ".join([own_digest(), *(f"{o.slot}:{o.name}={fingerprint(o)}" for o in outside)])


@cache
def own_digest() -> str:
    """16 hex digits that change with debox's code, not with its comments and docstrings; each Python has its own."""
    paths = [path.relative_to(PACKAGE).as_posix() for room in ROOMS for path in sorted(PACKAGE.glob(room))]
    sources = [(path, (PACKAGE / path).read_text("utf-8")) for path in paths if path not in FILES_THAT_CHANGE_NO_NUMBER]
    code = [f"{path} {without_docstrings(source)}" for path, source in sources]
    return hashlib.sha256("\n".join([repr(jit.OPTIONS), *code]).encode()).hexdigest()[:16]


def without_docstrings(source: str) -> str:
    """The code of a source text in a normal form, without docstrings, comments and layout."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.dump(tree)
