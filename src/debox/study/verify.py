"""Whether a store is what it should be, how far its study is, and whether its runs come out the same when done again.

Numbers decide whether a study can go on, not source text: `redo` does some stored runs again, before a study is
resumed, for `debox status` and in `verify`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from time import perf_counter
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check, operators, threads
from debox.config import CONFIG_FIELDS, Config
from debox.store import parts
from debox.store.schema import LATER_COLUMNS, NEEDED_COLUMNS, checkpoint_column
from debox.store.store import Store, open_store
from debox.study import cost
from debox.study.plan import Chunk, Task, ids, plan, seconds_of, tasks
from debox.study.study import Study, not_installed
from debox.study.work import OPERATOR_SET, Columns, run_chunk

Table = dict[str, NDArray[Any]]

MOST_NAMED = 10  # runs in a message
REDO_SECONDS, GLANCE_SECONDS = 5.0, 1.0  # for runs that are done again: at least; where it is only shown


# Runs done again.


def redo(
    store: Store, sample: Sequence[str] | None = None, *, glance: bool = False, workers: int = 1
) -> tuple[int, list[str]]:
    """Do stored runs again: how many, and a message for each that comes out differently.

    sample  ids of these runs; None: one of each set of operators and N, then of each engine and dimension as well until
            REDO_SECONDS are spent
    glance  within GLANCE_SECONDS, as far as that is enough
    """
    first, then = (list(sample), []) if sample is not None else choose(store)
    rows = {row["id"][0]: row for row in rows_of(store, [*first, *then])}
    began, seconds, stop = perf_counter(), GLANCE_SECONDS if glance else REDO_SECONDS, threading.Event()

    def difference(numbered: tuple[int, Table]) -> str | None:
        """How a run differs from its row, "" if it does not; None if there is no time for it."""
        number, row = numbered
        (chunk,) = chunks_of(store.study, row)
        optional, spent = glance or number >= len(first), perf_counter() - began
        if stop.is_set() or (optional and spent + chunk.seconds > seconds):
            return None
        try:
            again = run_chunk(chunk, {}, stop)
        except Exception as error:
            return f"run {row['id'][0]} cannot be done again: {type(error).__name__}: {error}"
        return describe_differences(row, again) if again else None

    chosen = [row for id in [*first, *then] if not not_installed(row := rows[id])]
    messages = threads.call_all(difference, enumerate(chosen), workers, stop)
    found = [message for message in messages if message is not None]
    return len(found), [message for message in found if message]


def choose(store: Store) -> tuple[list[str], list[str]]:
    """Ids of a run of each set of operators and N, and of others for each engine and dimension: the smallest hashes."""
    columns = store.sql("SELECT * FROM runs LIMIT 0").columns
    kinds = ", ".join(name for name in (*OPERATOR_SET, "N") if name in columns)
    query = "SELECT min(id) AS id FROM runs GROUP BY {} ORDER BY id"
    first, every = (store.sql(query.format(by)).fetchall() for by in (kinds, f"{kinds}, engine, dimension"))
    return [id for (id,) in first], [id for (id,) in every if (id,) not in set(first)]


def rows_of(store: Store, chosen: Sequence[str]) -> Iterator[Table]:
    """The rows of these runs, each as a table of its own."""
    names = ", ".join(f"'{id}'" for id in ("", *chosen))
    found = store.sql(f"SELECT * FROM runs WHERE id IN ({names})")
    kinds = {str: object, list: float, NoneType: float}  # NULL, in points too, is a NaN that was stored
    for row in found.fetchall():
        yield {name: np.array([value], kinds.get(type(value))) for name, value in zip(found.columns, row, strict=True)}


def describe_differences(row: Table, again: Columns) -> str:
    """Columns in which a run that was done again differs from its row, with both values; "" if there are none."""
    wrong = [name for name in row if name in again and name != "seconds" and not same(row[name], again[name])]
    values = [name if row[name].ndim > 1 else f"{name} {row[name][0]} stored, {again[name][0]} now" for name in wrong]
    return f"run {row['id'][0]} comes out differently when done again: {', '.join(values)}" if wrong else ""


def same(stored: NDArray[Any], now: NDArray[Any]) -> bool:
    """Whether the values are the same to the bit, and NaN where NaN is; of text, the same text."""
    if stored.dtype != np.float64:
        return bool(np.array_equal(stored, now))
    return bool(np.where(np.isnan(stored), np.nan, stored).tobytes() == np.where(np.isnan(now), np.nan, now).tobytes())


# How far a study is.


def status_of(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What `debox status` prints about a store, a directory or a packed file."""
    store = open_store(path)
    study, finished = store.study, store.finished()
    missing = study.not_installed  # without them nothing can be planned: runs are counted as they are
    left = [] if missing else plan(study, finished=finished)
    runs = len(finished) if missing else study.n_runs - sum(chunk.n_runs for chunk in left)
    bad = store.bad_parts()
    redone, differing = redo(store, glance=True) if finished and not bad else (0, [])
    return {
        "study": study.name,
        "runs": runs,
        "of": study.n_runs,
        "seconds_left": None if missing else seconds_of(left),
        "not_installed": [f"{slot} {name}" for slot, name in missing],
        "redone": redone,
        "differing": differing,
        "other_runs": len(finished) - runs,
        "parts": len(store.parts()),
        "bad_parts": [str(part) for part in bad],
        "writers": parts.writers(store.path),
    }


# All of a store.


@dataclass
class Verification:
    """The result of `verify`: what was checked, and what is wrong."""

    runs: int = 0  # in the store
    of: int = 0  # in the plan
    others: int = 0  # in the store, but not in the plan as it stands: the study was edited
    repeated: int = 0  # done again and compared
    not_installed: tuple[str, ...] = ()  # operators without which no run can be done again
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        wanted = self.runs - self.others
        runs = f"{wanted:,} of {self.of:,} runs, {'complete' if wanted == self.of else 'incomplete'}"
        others = f", {self.others:,} others of an earlier study" if self.others else ""
        again = self.why_none_repeated or f"{self.repeated:,} done again"
        return f"{runs}{others}; {len(self.problems) or 'no'} problems, {again}"

    @property
    def why_none_repeated(self) -> str:
        """``runs not done again: strategy mine not installed``; empty if all operators are there."""
        return f"runs not done again: {', '.join(self.not_installed)} not installed" if self.not_installed else ""


def verify(path: str | os.PathLike[str], *, sample: int | str | None = None, rng: int | None = None) -> Verification:
    """Check a store and do some of its runs again; where an operator is not installed, neither ids nor its runs.

    sample  how many runs to do again, or "all"; None: those that are done again before a study is resumed
    rng     seed of the choice of the sample; None: another sample every time
    """
    generator = check.generator(rng)
    wanted = None if sample is None or sample == "all" else check.integer("sample", sample, 0)
    store = open_store(path)
    study = store.study
    result = Verification(of=study.n_runs, not_installed=_not_installed(study, {}))
    result.problems += [f"part {part}" for part in store.bad_parts()]
    if result.problems:  # its rows cannot be trusted
        return result
    table = store.table()
    result.runs, result.not_installed = len(table["id"]), _not_installed(study, table)
    needed = [*NEEDED_COLUMNS, *map(checkpoint_column, study.checkpoints)] if store.path.is_dir() else []
    if missing := [name for name in needed if name not in table]:  # a packed file may have fewer
        result.problems.append(f"columns are missing: {', '.join(missing)}")
        return result
    if not result.not_installed:
        planned = {id for task in tasks(study) for id in ids(task, study)}
        result.others = len(set(table["id"]) - planned)
        expected = [id for chunk in chunks_of(study, table) for id in chunk.ids()]
        if (wrong := table["id"][table["id"] != np.array(expected, object)]).size:
            result.problems.append(f"{wrong.size} runs are not what their id says: {', '.join(wrong[:MOST_NAMED])}")
    size = result.runs if wanted is None else min(wanted, result.runs)
    chosen = None if sample is None else generator.choice(table["id"], size, replace=False).tolist()
    result.repeated, differing = redo(store, chosen, workers=threads.check_count(-1))
    result.problems += differing
    return result


def _not_installed(study: Study, table: Table) -> tuple[str, ...]:
    """Operators of the study, and of the rows, which an earlier study may have asked for, that are not there."""
    named = {slot: sorted({*getattr(study, slot), *table.get(slot, ())}) for slot in operators.SLOTS}
    return tuple(f"{slot} {name}" for slot, name in not_installed(named))


def chunks_of(study: Study, table: Table) -> Iterator[Chunk]:
    """The rows as chunks of runs, one for successive rows of the same configuration."""
    fields = [name for name in CONFIG_FIELDS if name in table or name not in LATER_COLUMNS]
    columns = [table[name].tolist() for name in (*fields, "dimension", "budget", "seed")]
    together = groupby(zip(*columns, table["run"].tolist(), strict=True), key=lambda row: row[:-1])
    for (*config, n, budget, seed), rows in together:
        runs = tuple(row[-1] for row in rows)
        made = Config(**dict(zip(fields, config, strict=True)))
        task = Task(made, n, budget, runs, cost.seconds(made, n, budget, study.engine))
        yield Chunk(seed, study.engine, study.checkpoints, (task,))
