"""Tables of runs for the explorer: four cells, and a small study."""

from itertools import product

import numpy as np
from plans import planned

from debox.analysis.runs import Runs
from debox.explore.data import pack
from debox.study.fields import AXES

EVIL = "<img/src=x/onerror=alert(1)>"
CELLS = [("rand/1", "bin", "mirror", 5, F, Cr) for F in (0.5, 1.5) for Cr in (0.1, 0.9)]


def table(runs=(2, 2, 2, 2), budget=60, counts=None):
    """So many runs of each of four cells; the counts of infeasible trials are those given, or 0, 1, 2, …"""
    keys = [cell for cell, number in zip(CELLS, runs, strict=True) for _ in range(number)]
    columns = {name: np.array([key[k] for key in keys]) for k, name in enumerate(AXES)}
    counts = np.arange(len(keys)) if counts is None else np.array(counts)
    at = {"pois_at_third": counts // 3 / round(budget / 3), "pois_at_two_thirds": counts // 2 / round(2 * budget / 3)}
    shared = {"dimension": np.full(len(keys), 3), "budget": np.full(len(keys), budget)}
    return columns | at | {"pois": counts / budget} | shared


def packed(rows, **study):
    return pack(Runs.of(rows, planned(rows, name="small", **study)), planned(rows, name="small", **study))


def small_study():
    """Three runs of 192 configurations with POIS made up, n = 3, budget 3000; not all operators are the page's."""
    grid = (
        ["rand/1", "current-to-rand/1"],
        ["bin", "exp"],
        ["mirror", "saturation", "none", "my-own"],
        [5, 20],
        [0.5, 1.5],
        [0.1, 0.5, 0.9],
    )
    cells = list(product(*grid))
    columns = {name: np.repeat(np.array([cell[k] for cell in cells], object), 3) for k, name in enumerate(AXES)}
    columns |= {name: columns[name].astype(float if name in "FCr" else int) for name in ("N", "F", "Cr")}
    pois = np.random.default_rng(1).integers(0, 11, 3 * len(cells)) / 10
    at = dict.fromkeys(("pois", "pois_at_third", "pois_at_two_thirds"), pois)
    shared = {"run": np.tile(np.arange(3), len(cells)), "dimension": np.full(len(pois), 3)}
    return columns | at | shared | {"budget": np.full(len(pois), 3000)}
