"""POIS of recipes on f0, beside classic DE."""

from typing import Any

import numpy as np
from benchmarks.measure import progress

from debox import measure, operators

CLASSIC = "DE/rand/1/bin {strategy}, N=100, F=0.5, Cr=0.9"
ALGORITHMS = {"DE/rand/1/bin": CLASSIC, **{name: f"{name} {{strategy}}" for name in operators.RECIPES}}
COLUMNS = [(strategy, n) for strategy in ("saturation", "toroidal", "midpoint-target") for n in (10, 30)]
RUNS = 11


def cell(text: str, n: int) -> list[float]:
    """Median, least and largest POIS of a configuration's runs in n dimensions."""
    pois = measure(text, n=n, budget=10_000 * n, runs=RUNS, engine="plain", workers=1).pois
    return [np.median(pois), pois.min(), pois.max()]


def numbers() -> dict[str, Any]:
    """A row for each algorithm: every strategy, then every n."""
    rows = []
    for name, text in ALGORITHMS.items():
        progress(name)
        rows.append({"name": name, "pois": [cell(text.format(strategy=strategy), n) for strategy, n in COLUMNS]})
    return {"runs": RUNS, "columns": COLUMNS, "rows": rows}
