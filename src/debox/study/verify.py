"""verify: checks a store: checksums, columns, ids against the plan; and does some of its runs again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check
from debox.config import CONFIG_FIELDS, Config
from debox.f0.engines import choose_engine
from debox.operators import SLOTS, find_or_none
from debox.store.schema import LATER_COLUMNS, NEEDED_COLUMNS, checkpoint_column
from debox.store.store import Store, open_store
from debox.study.plan import Chunk, Task, ids, tasks
from debox.study.status import count_planned
from debox.study.study import Study
from debox.study.work import run_chunk, source_digest
from debox.threads import call_in_thread

Table = dict[str, NDArray[Any]]

MOST_NAMED = 10  # runs in a message
TIME_COLUMN = "seconds"  # differs when a run is repeated


@dataclass
class Verification:
    """The result of `verify`: what was checked, and what is wrong."""

    runs: int = 0  # in the store
    of: int = 0  # in the plan
    others: int = 0  # in the store, but not in the plan as it stands: the study was edited
    repeated: int = 0  # done again and compared
    not_installed: tuple[str, ...] = ()  # operators without which no run can be done again
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
        problems = f"{len(self.problems) or 'no'} problems"
        again = self.why_none_repeated or f"{self.repeated} done again"
        return f"{self.runs - self.others:,} of {self.of:,} runs, {complete}{others}; {problems}, {again}"

    @property
    def why_none_repeated(self) -> str:
        """``runs not done again: strategy mine not installed``; empty if all operators are there."""
        return f"runs not done again: {', '.join(self.not_installed)} not installed" if self.not_installed else ""


def verify(path: str | os.PathLike[str], *, sample: int = 20, rng: int | None = None) -> Verification:
    """Check a store, a directory or a packed file, and do `sample` of its runs again, to be equal bit for bit.

    An operator from outside that is not the one that wrote the store is a problem, whatever comes of the runs. Without
    some operator ids are not checked and no run is done again; the rest is checked.

    rng  seed of the choice of the sample; None: another sample every time
    """
    wanted, generator = check.integer("sample", sample, 0), check.generator(rng)
    store = open_store(path)
    study = store.study
    result = Verification(of=study.n_runs, not_installed=_not_installed(study, {}))
    result.problems += store.manifest.changed_operators()
    damaged = [f"part {part.name}: {part.reason}" for part in store.bad_parts()]
    if damaged:  # its rows cannot be trusted
        result.problems += damaged
        return result
    table = store.table()
    result.runs, result.not_installed = len(table["id"]), _not_installed(study, table)
    missing = list(_missing_columns(store, study, table))
    result.problems += missing
    if not missing:
        result.of = count_planned(study, table)
        result.problems += [*_impossible_pois(table), *_other_seeds(study, table)]
        if not result.not_installed:
            result.others = len(_ids_outside_plan(study, set(table["id"])))
            result.problems += list(_wrong_rows(study, table))
            chosen = generator.choice(result.runs, min(wanted, result.runs), replace=False)
            result.problems += list(_repeat_runs(store, study, table, chosen))
            result.repeated = len(chosen)
    return result


def _not_installed(study: Study, table: Table) -> tuple[str, ...]:
    """Operators of the study, and of the rows, which an earlier study may have asked for, that are not there."""
    named = {slot: {*getattr(study, slot), *table.get(slot, ())} for slot in SLOTS}
    every = [(slot, name) for slot, names in named.items() for name in sorted(names)]
    return tuple(f"{slot} {name}" for slot, name in every if find_or_none(slot, name) is None)


def _ids_outside_plan(study: Study, stored: set[str]) -> set[str]:
    """Those of the ids that the study, as it stands, does not have."""
    for task in tasks(study):
        stored.difference_update(ids(task, study))
    return stored


def _missing_columns(store: Store, study: Study, table: Table) -> Iterator[str]:
    """A message about columns that are missing in a store; a packed file may have fewer."""
    wanted = NEEDED_COLUMNS + [checkpoint_column(share) for share in study.checkpoints]
    if store.path.is_dir() and (missing := [name for name in wanted if name not in table]):
        yield f"columns are missing: {', '.join(missing)}"


def _wrong_rows(study: Study, table: Table) -> Iterator[str]:
    """Messages about rows that do not fit their id or the study's engine."""
    names, engines = [], []
    for chunk in _chunks(study, table):
        names += chunk.ids()
        for task in chunk.tasks:
            config, runs = task.config, len(task.runs)
            engines += [choose_engine(study.engine, config.operators, config.N, task.budget)] * runs
    yield from _name_runs(table, table["id"] != np.array(names, object), "are not what their id says")
    yield from _name_runs(
        table, table["engine"] != np.array(engines, object), "were not done by the engine of the study"
    )


def _other_seeds(study: Study, table: Table) -> Iterator[str]:
    """A message about rows of another seed: the seed of a study never changes in its store."""
    if "seed" in table:
        yield from _name_runs(table, table["seed"] != study.seed, f"have another seed than the study, {study.seed}")


def _impossible_pois(table: Table) -> Iterator[str]:
    """A message about rows whose pois no run has."""
    if "pois" in table:
        most = 1 - table["N"] / table["budget"]
        impossible = ~((table["pois"] >= 0) & (table["pois"] <= most))
        yield from _name_runs(table, impossible, "have an impossible pois: it lies in [0, 1 − N/budget]")


def _chunks(study: Study, table: Table) -> Iterator[Chunk]:
    """The rows as chunks of runs, one for successive rows of the same configuration."""
    fields = [name for name in CONFIG_FIELDS if name in table or name not in LATER_COLUMNS]
    columns = [table[name].tolist() for name in (*fields, "dimension", "budget", "seed")]
    together = groupby(zip(*columns, table["run"].tolist(), strict=True), key=lambda row: row[:-1])
    for (*config, n, budget, seed), rows in together:
        runs = tuple(row[-1] for row in rows)
        task = Task(Config(**dict(zip(fields, config, strict=True))), n, budget, runs, 0.0)
        yield Chunk(seed, study.engine, study.checkpoints, (task,))


def _repeat_runs(store: Store, study: Study, table: Table, rows: NDArray[np.int64]) -> Iterator[str]:
    """Repeat these runs; a message for each that differs from its row, and one that other code wrote them, if so."""
    any_differs = False
    for row in rows:
        (chunk,) = _chunks(study, {name: column[row : row + 1] for name, column in table.items()})
        try:
            again = call_in_thread(run_chunk, chunk, source_digest())
        except MemoryError as error:
            yield f"run {table['id'][row]} cannot be done again: {error}"
            continue
        pairs = {name: (table[name][row], again[name][0]) for name in table if name in again and name != TIME_COLUMN}
        differ = [_difference(name, *pair) for name, pair in pairs.items() if not np.array_equal(*pair)]
        if differ:
            any_differs = True
            yield f"run {table['id'][row]} comes out differently when done again: {', '.join(differ)}"
    changed = store.manifest.changed_code(source_digest())  # debox's own: `changed_operators` names the others
    if any_differs and changed:
        yield f"other code of debox wrote the store: {'; '.join(changed)}"


def _difference(name: str, stored: Any, again: Any) -> str:
    return name if np.ndim(stored) else f"{name} {stored} ≠ {again}"


def _name_runs(table: Table, wrong: NDArray[np.bool_], what: str) -> Iterator[str]:
    if wrong.any():
        more = f" and {wrong.sum() - MOST_NAMED} more" if wrong.sum() > MOST_NAMED else ""
        yield f"{wrong.sum()} runs {what}: {', '.join(table['id'][wrong][:MOST_NAMED])}{more}"
