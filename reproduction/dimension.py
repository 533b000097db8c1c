"""POIS in several dimensions: data/dimension.parquet, from the paper's study with fewer levels and other dimensions."""

import os
from typing import Any

import debox
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
    if FILE.exists():
        FILE.unlink()
    store.pack(FILE)
