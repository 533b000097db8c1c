"""POIS in several dimensions: data/dimension.parquet, from the paper's study with fewer levels and other dimensions."""

import os
from typing import Any

import numpy as np

import debox
from debox.analysis.runs import Runs
from debox.store import readings
from reproduction.numbers import DATA, OUT

FILE, STORE = DATA / "dimension.parquet", OUT / "dimension"
LEVELS: dict[str, Any] = {
    "dimension": [5, 10, 30, 100],
    "F": [0.266, 0.7, 1.35],
    "Cr": [0.05, 0.52, 0.99],
    "runs": 10,
    "checkpoints": [],
}


def run() -> None:
    """Do the runs, or what is left of them, and write the file; five minutes."""
    study = debox.Study.of({**debox.Study.load("paper").as_dict(), "name": "dimension", **LEVELS})
    store = debox.run(study, STORE, workers=int(os.environ.get("WORKERS", "1")))
    table = store.table([*readings.CELL, "run", "pois"])
    order = np.lexsort([table["run"], *(table[name].astype(str) for name in readings.CELL)])
    readings.write(FILE, {"dimension": {name: column[order] for name, column in table.items()}})


def runs() -> Runs:
    """The runs of the file."""
    return Runs.of(readings.read(FILE)["dimension"])
