"""Columns of runs that were never run, for tests of what stores them."""

import hashlib
from dataclasses import asdict

import numpy as np

from debox.config import Config
from debox.store.manifest import Manifest
from debox.store.store import open_store
from debox.study.study import Study

CONFIG = Config("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99")
OPERATORS = {"mutation": "rand/1", "crossover": "exp", "strategy": "saturation"}
STUDY = Study(name="made-up", seed=1, **OPERATORS, N=5, F=0.7, Cr=0.99, dimension=3, budget=300)
MANIFEST = Manifest(STUDY)


def edited(**changes):
    """The study of these rows with other values."""
    return Study(**{**STUDY.as_dict(), **changes})


def rows(runs, config=CONFIG, *, n=3, budget=300, seconds=0.5, checkpoints=("third", "two_thirds")):
    """The runs of these numbers; a function of the arguments."""
    runs, config = list(runs), config if isinstance(config, Config) else Config(config)
    address = [f"{config} n={n} budget={budget} run={run}" for run in runs]
    ids = [hashlib.sha256(text.encode()).hexdigest()[:16] for text in address]
    draws = [np.random.default_rng(int(identifier, 16)) for identifier in ids]
    same = {**asdict(config), "dimension": n, "budget": budget, "seed": 1, "engine": "fast", "seconds": seconds}
    return {
        "id": ids,
        **{name: [value] * len(runs) for name, value in same.items()},
        "run": runs,
        "pois": np.array([rng.integers(budget) for rng in draws]) / budget,
        **{f"pois_at_{share}": np.array([rng.random() for rng in draws]) for share in checkpoints},
        "accepted": [int(rng.integers(budget)) for rng in draws],
        "best_f": np.array([rng.random() for rng in draws]),
        "best_x": [rng.random(n) for rng in draws],
    }


def rows_of(path):
    """The rows of a store as tuples in their order, without the time that the runs took; each run is there once."""
    table = open_store(path).table()
    assert len(set(table["id"])) == len(table["id"])
    points = [point.tobytes() for point in table.pop("best_x")]
    columns = [column.tolist() for name, column in table.items() if name != "seconds"]
    return list(zip(*columns, points, strict=True))


def filled(store, *parts):
    """The store with these parts."""
    with store.locked():
        for part in parts:
            store.append(part)
    return store
