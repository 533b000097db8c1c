"""From the stores of the studies to data/readings.parquet."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import debox
from benchmarks.readings.studies import PARTS, ROOT, STORES
from debox.analysis.claims.readings import READINGS
from debox.store import readings

DATA = ROOT / "data" / "readings.parquet"
KEPT = (*readings.CELL, "run", "pois")

Table = dict[str, NDArray[Any]]


def pack() -> None:
    """Write of every reading as many runs as all of its configurations have."""
    tables: dict[str, list[Table]] = {}
    for name, part in PARTS.items():
        tables.setdefault(part.reading, []).append(table_of(STORES / name))
    tables["not-parents"] += [without_best(table) for table in tables["not-target"]]
    joint = {reading: joined(tables[reading]) for reading in READINGS if reading in tables}
    there = {reading: table for reading, table in joint.items() if table["run"].size}
    readings.write(DATA, there)
    runs = ", ".join(f"{reading} {table['run'].max() + 1}" for reading, table in there.items())
    print(f"{DATA.name}: {DATA.stat().st_size / 1e6:.2f} MB; runs: {runs}")


def table_of(path: Path) -> Table:
    """The runs 0, 1, … that all configurations of the study in a store have; none if it was not begun."""
    if not path.is_dir():
        return {name: np.empty(0, object) for name in KEPT}
    store = debox.open_store(path)
    table = store.table()
    everywhere = np.bincount(table["run"]) == store.study.n_configs
    complete = table["run"] < np.argmin(np.append(everywhere, False))
    return {name: table[name][complete] for name in KEPT}


def without_best(table: Table) -> Table:
    """The runs of mutations that do not use the best: for them not-parents is not-target."""
    keep = np.isin(table["mutation"], ["rand/1", "rand/2"])
    chosen = {name: column[keep] for name, column in table.items()}
    return chosen | {"donors": np.full(keep.sum(), "not-parents", object)}


def joined(parts: list[Table]) -> Table:
    """Tables one after another, with as many runs as all of them have, sorted by configuration, then run."""
    least = min(part["run"].max(initial=-1) for part in parts)
    chosen = [{name: part[name][part["run"] <= least] for name in KEPT} for part in parts]
    whole = {name: np.concatenate([part[name] for part in chosen]) for name in KEPT}
    order = sorted(range(len(whole["run"])), key=list(zip(*(whole[name] for name in KEPT), strict=True)).__getitem__)
    return {name: column[order] for name, column in whole.items()}
