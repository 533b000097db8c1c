"""Whether a store is what it should be, how far its study is, and whether its runs come out the same when done again.

Numbers decide whether a study can go on, not source text: `redo` does some stored runs again, before a study is
resumed, for `debox status` and in `verify`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import groupby
from time import perf_counter
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check, threads
from debox.config import CONFIG_FIELDS, Config
from debox.store import parts
from debox.store.schema import LATER_COLUMNS
from debox.store.store import Store
from debox.study import cost
from debox.study.plan import Chunk, Task, plan, seconds_of
from debox.study.study import Study, not_installed
from debox.study.work import OPERATOR_SET, Columns, run_chunk

MOST_NAMED = 10  # runs in a message
REDO_SECONDS, GLANCE_SECONDS = 5.0, 1.0  # for runs that are done again: at least; where it is only shown


def redo(
    store: Store, sample: Sequence[str] | None = None, *, glance: bool = False, workers: int = 1
) -> tuple[int, list[str]]:
    """Do stored runs again: how many, and a message for each that comes out differently.

    sample  ids of these runs; None: one of each set of operators and N, then of each engine and dimension as well until
            REDO_SECONDS are spent
    glance  within GLANCE_SECONDS, as far as that is enough
    """
    first, then = choose(store) if sample is None else (sample, ())
    needed, seconds = set(first), GLANCE_SECONDS if glance else REDO_SECONDS
    began, stop = perf_counter(), threading.Event()

    def difference(chosen: tuple[Columns, Chunk]) -> str | None:
        """How a run differs from its row, "" if it does not; None if there is no time for it."""
        row, chunk = chosen
        (id,), spent = row["id"], perf_counter() - began
        if stop.is_set() or ((glance or id not in needed) and spent + chunk.seconds > seconds):
            return None
        try:
            again = run_chunk(chunk, {}, stop)
        except Exception as error:
            return f"run {id} cannot be done again: {type(error).__name__}: {error}"
        return describe_differences(row, again) if again else None

    rows = sorted(rows_of(store, [*first, *then]), key=lambda row: (row["id"][0] not in needed, row["id"][0]))
    chosen = [(row, chunk) for row in rows for chunk, _ in chunks_of(store.study, row)]
    messages = threads.call_all(difference, chosen, workers, stop)
    found = [message for message in messages if message is not None]
    return len(found), [message for message in found if message]


def choose(store: Store) -> tuple[Sequence[str], Sequence[str]]:
    """Ids of a run of each set of operators and N, and of others for each engine and dimension: the smallest hashes."""
    columns = store.sql("SELECT * FROM runs LIMIT 0").columns
    kinds = ", ".join(name for name in (*OPERATOR_SET, "N") if name in columns)
    query = "SELECT min(id) AS id FROM runs GROUP BY {} ORDER BY id"
    first, every = (store.sql(query.format(by)).fetchall() for by in (kinds, f"{kinds}, engine, dimension"))
    return [id for (id,) in first], [id for (id,) in every if (id,) not in set(first)]


def rows_of(store: Store, chosen: Sequence[str]) -> Iterator[Columns]:
    """The rows of these runs, each as a table of its own."""
    names = ", ".join(f"'{id}'" for id in ("", *chosen))
    found = store.sql(f"SELECT * FROM runs WHERE id IN ({names})")
    kinds = {str: object, list: float, NoneType: float}  # NULL, in points too, is a NaN that was stored
    for row in found.fetchall():
        yield {name: np.array([value], kinds.get(type(value))) for name, value in zip(found.columns, row, strict=True)}


def chunks_of(study: Study, table: Columns) -> Iterator[tuple[Chunk, Sequence[str]]]:
    """Successive rows of one configuration as a chunk of runs, and their ids; none of operators not installed."""
    fields = [name for name in CONFIG_FIELDS if name in table or name not in LATER_COLUMNS]
    columns = [table[name].tolist() for name in (*fields, "dimension", "budget", "seed", "run", "id")]
    for (*values, n, budget, seed), rows in groupby(zip(*columns, strict=True), key=lambda row: row[:-2]):
        named = dict(zip(fields, values, strict=True))
        if not not_installed({name: [value] for name, value in named.items()}):
            *_, runs, ids = zip(*rows, strict=True)
            config = Config(**named)
            task = Task(config, n, budget, runs, cost.seconds(config, n, budget, study.engine))
            yield Chunk(seed, study.engine, study.checkpoints, (task,)), ids


def describe_differences(row: Columns, again: Columns) -> str:
    """Columns in which a run that was done again differs from its row, with both values; "" if there are none."""
    wrong = [name for name in row if name in again and name != "seconds" and not same(row[name], again[name])]
    values = [name if row[name].ndim > 1 else f"{name} {row[name][0]} stored, {again[name][0]} now" for name in wrong]
    return f"run {row['id'][0]} comes out differently when done again: {', '.join(values)}" if wrong else ""


def same(stored: NDArray[Any], now: NDArray[Any]) -> bool:
    """Whether the values are the same to the bit, and NaN where NaN is; of text, the same text."""
    if stored.dtype != np.float64:
        return bool(np.array_equal(stored, now))
    return bool(np.where(np.isnan(stored), np.nan, stored).tobytes() == np.where(np.isnan(now), np.nan, now).tobytes())


def status_of(store: Store, **how: Any) -> dict[str, Any]:
    """How far the study of a store is, what is wrong with it, and who writes; runs are done again as `redo` does it."""
    study, finished, bad = store.study, store.finished(), store.bad_parts()
    missing = study.not_installed  # without them nothing can be planned: runs are counted as they are
    left = [] if missing else plan(study, finished=finished)
    runs = len(finished) if missing else study.n_runs - sum(chunk.n_runs for chunk in left)
    redone, differing = redo(store, **how) if finished and not bad else (0, [])
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


def verify(store: Store, *, sample: int | str | None = None, rng: int | None = None) -> dict[str, Any]:
    """The status of a store, whose ids are checked, too, with "problems": messages about all that is wrong.

    sample  how many runs to do again, or "all"; None: those that are done again before a study is resumed
    rng     seed of the choice of the sample; None: another sample every time
    """
    generator = check.generator(rng)
    wanted = None if sample is None or sample == "all" else check.integer("sample", sample, 0)
    problems, wrong, chosen = [f"part {part}" for part in store.bad_parts()], list[str](), None
    if not problems:  # else its rows cannot be trusted
        table = store.table()
        for chunk, ids in chunks_of(store.study, table):
            wrong += [id for id, expected in zip(ids, chunk.ids(), strict=True) if id != expected]
        if wrong:
            problems.append(f"{len(wrong)} runs are not what their id says: {', '.join(wrong[:MOST_NAMED])}")
        size = len(table["id"]) if wanted is None else min(wanted, len(table["id"]))
        chosen = None if sample is None else generator.choice(table["id"], size, replace=False).tolist()
    status = status_of(store, sample=chosen, workers=threads.check_count(-1))
    return status | {"problems": problems + status["differing"]}
