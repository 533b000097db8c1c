"""verify: is a store what it says? Checksums, columns, ids against the plan, and some runs done again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check
from debox.config import Config
from debox.design.study import Study
from debox.f0.measure import choose_engine
from debox.f0.source import digest as source_digest
from debox.store.errors import StoreError
from debox.store.schema import COLUMNS, checkpoint_column
from debox.store.store import Store, open_store
from debox.study.plan import CONFIG_FIELDS, Chunk, Task, ids, operators_of, tasks
from debox.study.work import run_chunk
from debox.threads import aside

Table = dict[str, NDArray[Any]]

NAMED = 10  # runs that a message names
NOT_REPEATED = "seconds"


@dataclass
class Verification:
    """What was looked at, and what is wrong."""

    runs: int = 0  # in the store
    of: int = 0  # in the plan
    others: int = 0  # in the store, but not in the plan as it stands: the study was edited
    repeated: int = 0  # done again and compared
    problems: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return not self.problems

    @property
    def is_complete(self) -> bool:
        return self.runs - self.others == self.of

    def __str__(self) -> str:
        complete = "complete" if self.is_complete else "incomplete"
        others = f", {self.others:,} others of an earlier study" if self.others else ""
        found = f"{len(self.problems) or 'no'} problems, {self.repeated} done again"
        return f"{self.runs - self.others:,} of {self.of:,} runs, {complete}{others}; {found}"


def verify(path: str | os.PathLike[str], *, sample: int = 20, rng: int | None = None) -> Verification:
    """Check a store, a directory or a packed file, and do `sample` of its runs again, to be equal bit for bit.

    rng  seed of the choice of the sample; None: another sample every time
    """
    wanted, random = check.integer("sample", sample, 0), check.generator(rng)
    store = open_store(path)
    study = _installed(store)
    found = Verification(of=study.n_runs)
    found.problems += [f"part {part.name}: {part.reason}" for part in store.bad_parts()]
    if found.problems:  # its rows cannot be trusted
        return found
    unlike = "its rows, as they are read, are not those that were appended"
    found.problems += [f"part {name}: {unlike}" for name in store.misread_parts()]
    table = store.table()
    found.runs = len(table["id"])
    found.problems += list(_wrong_columns(store, study, table))
    if not found.problems:
        found.others = len(_not_planned(study, set(table["id"])))
        found.problems += list(_wrong_rows(study, table))
        chosen = random.choice(found.runs, min(wanted, found.runs), replace=False)
        found.problems += list(_not_repeated(store, study, table, chosen))
        found.repeated = len(chosen)
    return found


def _installed(store: Store) -> Study:
    """The study of the store, if all its operators are installed: else no run could be done again."""
    try:
        store.study.refuse_what_is_not_installed()
    except ValueError as error:
        raise StoreError(f"{store.path} cannot be verified: {error}") from None
    return store.study


def _not_planned(study: Study, found: set[str]) -> set[str]:
    """Those of the ids found that the study, as it stands, does not have."""
    for task in tasks(study):
        found.difference_update(ids(task, study.seed, study.engine, study.checkpoints))
    return found


def _wrong_columns(store: Store, study: Study, table: Table) -> Iterator[str]:
    """Columns that a store of this study must have; a packed file may have been given fewer."""
    wanted = [column.name for column in COLUMNS if not column.name.startswith("pois_at_")]
    wanted += [checkpoint_column(share) for share in study.checkpoints]
    if store.path.is_dir() and (missing := [name for name in wanted if name not in table]):
        yield f"columns are missing: {', '.join(missing)}"


def _wrong_rows(study: Study, table: Table) -> Iterator[str]:
    """Rows whose id is not that of what they say, or whose numbers cannot be."""
    names, engines = [], []
    for chunk in _chunks(study, table):
        names += chunk.ids()
        engines += [choose_engine(study.engine, task.config, task.budget) for task in chunk.tasks for _ in task.runs]
    yield from _named(table, table["id"] != np.array(names, object), "are not what their id says")
    yield from _named(table, table["engine"] != np.array(engines, object), "were not done by the engine of the study")
    if "pois" in table:
        most = 1 - table["N"] / table["budget"]
        impossible = ~((table["pois"] >= 0) & (table["pois"] <= most))
        yield from _named(table, impossible, "have an impossible pois: it lies in [0, 1 − N/budget]")


def _chunks(study: Study, table: Table) -> Iterator[Chunk]:
    """The rows as what a worker is given, those of a configuration that follow each other together."""
    columns = [table[name].tolist() for name in (*CONFIG_FIELDS, "dimension", "budget", "seed")]
    together = groupby(zip(*columns, table["run"].tolist(), strict=True), key=lambda row: row[:-1])
    for (*config, n, budget, seed), rows in together:
        runs = tuple(row[-1] for row in rows)
        task = Task(Config(**dict(zip(CONFIG_FIELDS, config, strict=True))), n, budget, runs, 0.0)
        yield Chunk(seed, study.engine, study.checkpoints, (task,))


def _not_repeated(store: Store, study: Study, table: Table, rows: NDArray[np.int64]) -> Iterator[str]:
    """Rows that come out differently when they are done again."""
    source = source_digest(operators_of(study))
    changed = store.manifest.changed_kernels(source)
    others = f" (other kernels wrote it: {'; '.join(changed)})" if changed else ""
    for row in rows:
        (chunk,) = _chunks(study, {name: column[row : row + 1] for name, column in table.items()})
        try:
            again = aside(run_chunk, chunk, source_digest())
        except MemoryError as error:
            yield f"run {table['id'][row]} cannot be done again: {error}"
            continue
        pairs = {name: (table[name][row], again[name][0]) for name in table if name in again and name != NOT_REPEATED}
        differ = [_difference(name, *pair) for name, pair in pairs.items() if not np.array_equal(*pair)]
        if differ:
            yield f"run {table['id'][row]} comes out differently when done again: {', '.join(differ)}{others}"


def _difference(name: str, stored: Any, again: Any) -> str:
    return name if np.ndim(stored) else f"{name} {stored} ≠ {again}"


def _named(table: Table, wrong: NDArray[np.bool_], what: str) -> Iterator[str]:
    if wrong.any():
        more = f" and {wrong.sum() - NAMED} more" if wrong.sum() > NAMED else ""
        yield f"{wrong.sum()} runs {what}: {', '.join(table['id'][wrong][:NAMED])}{more}"
