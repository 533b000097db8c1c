"""From the stores of the studies to data/readings.parquet."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import debox
from benchmarks.readings.studies import PARTS, ROOT, STORES
from debox.analysis.claims.readings import READINGS
from debox.store import readings
from debox.study.status import status_of

DATA = ROOT / "data" / "readings.parquet"
KEPT = (*readings.CELL, "run", "pois")

Table = dict[str, NDArray[Any]]


def pack() -> None:
    """Write the runs of all readings whose studies are complete."""
    done = {name for name in PARTS if is_complete(STORES / name)}
    parts: dict[str, list[str]] = {}
    for name, part in PARTS.items():
        parts.setdefault(part.reading, []).append(name)
    whole = [reading for reading, names in parts.items() if done.issuperset(names)]
    tables = {reading: [table_of(STORES / name) for name in parts[reading]] for reading in whole}
    if "not-parents" in tables and "not-target" in tables:
        tables["not-parents"] += [without_best(table) for table in tables["not-target"]]
    else:
        tables.pop("not-parents", None)
    in_order = [reading for reading in READINGS if reading in tables]
    readings.write(DATA, {reading: joined(tables[reading]) for reading in in_order})
    print(f"{DATA.name}: {DATA.stat().st_size / 1e6:.2f} MB, {', '.join(in_order)}")


def is_complete(store: Path) -> bool:
    """Whether all runs of the study in a store are done."""
    if not store.is_dir():
        return False
    facts = status_of(store)
    return bool(facts["runs"] == facts["of"])


def table_of(store: Path) -> Table:
    """The runs of the study as it stands in a store."""
    opened = debox.open_store(store)
    table = opened.table()
    planned = table["run"] < opened.study.runs
    return {name: table[name][planned] for name in KEPT}


def without_best(table: Table) -> Table:
    """The runs of mutations that do not use the best: for them not-parents is not-target."""
    keep = np.isin(table["mutation"], ["rand/1", "rand/2"])
    chosen = {name: column[keep] for name, column in table.items()}
    return chosen | {"donors": np.full(keep.sum(), "not-parents", object)}


def joined(parts: list[Table]) -> Table:
    """Tables one after another, sorted by configuration, then run."""
    whole = {name: np.concatenate([part[name] for part in parts]) for name in KEPT}
    order = np.lexsort(
        [whole[name].astype(str if whole[name].dtype == object else None) for name in reversed(KEPT[:-1])]
    )
    return {name: column[order] for name, column in whole.items()}
