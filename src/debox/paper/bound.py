"""Is POIS on f0 an upper bound for POIS on other objective functions? Runs on both, pair by pair.

A cell is a function and a configuration, with runs on the function and runs on f0 that no other cell uses. It is shown
to be bounded, or to be above f0, by one-sided tests of Welch of its mean share of infeasible trials, corrected over all
cells; an excess up to TIE breaks no bound. Cells whose function is f0 itself are the control. Cells that are not
`sampled` were known to break the bound before the runs were made, and are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import files
from debox.analysis.estimate import ALPHA, Estimate, discoveries
from debox.analysis.runs import Runs, format_key
from debox.paper.tests import TIE, Finding, NotTestableError
from debox.store.parquet import read_other
from debox.study.fields import AXES

CONTROL = "f0"  # the function of the control
IMPLAUSIBLE = 0.001  # so rare is a control with more cells above or below f0 than the test allows, if nothing is wrong
KEY = ("function", *AXES, "dimension", "budget", "sampled")  # of a cell
COLUMNS = (*KEY, "on_f0", "pois")
Floats = NDArray[np.float64]
Table = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Cells(Estimate):
    """Of every function and configuration the mean share on the function − that on f0, with its error."""

    keys: tuple[dict[str, Any], ...]
    other: Floats  # mean share on the function
    f0: Floats

    @classmethod
    def of(cls, table: Table) -> Cells:
        """The cells of a table of runs, some of each cell on its function and some on f0."""
        trials = table["budget"] - table["N"]
        share = np.round(table["pois"] * table["budget"]) / trials
        if not ((share >= 0) & (share <= 1)).all():
            raise ValueError("the table of runs on other functions has a POIS that no run can have")
        rows: dict[tuple[Any, ...], tuple[list[int], list[int]]] = {}
        keys = zip(*(table[name].tolist() for name in KEY), strict=True)
        for row, (key, on_f0) in enumerate(zip(keys, table["on_f0"].tolist(), strict=True)):
            rows.setdefault(key, ([], []))[on_f0].append(row)
        cells = tuple(dict(zip(KEY, key, strict=True)) for key in rows)
        if few := [cell for cell, of in zip(cells, rows.values(), strict=True) if min(map(len, of)) < 2]:
            raise ValueError(f"{name_of(few[0])} has fewer than 2 runs on the function or on f0")
        numbers = [_moments(share, float(1 / trials[of[0][0]] ** 2), *of) for of in rows.values()]
        other, f0, error, freedom = np.array(numbers, np.float64).reshape(-1, 4).T
        return cls(other - f0, error, freedom, cells, other, f0)

    def take(self, which: Callable[[dict[str, Any]], bool]) -> Cells:
        """Some of the cells."""
        places = [k for k, key in enumerate(self.keys) if which(key)]
        arrays = {name: getattr(self, name)[places] for name in ("value", "error", "freedom", "other", "f0")}
        return replace(self, keys=tuple(self.keys[k] for k in places), **arrays)


def _moments(share: Floats, least: float, *samples: list[int]) -> tuple[float, float, float, float]:
    """Means on the function and on f0, the error of their difference, and Satterthwaite's degrees of freedom.

    least: the variance of runs that are all alike, as if they differed by a trial; no cell is known exactly
    """
    variances = [max(float(share[rows].var(ddof=1)), least) / len(rows) for rows in samples]
    quartic = sum(v**2 / (len(rows) - 1) for v, rows in zip(variances, samples, strict=True))
    other, f0 = (float(share[rows].mean()) for rows in samples)
    return other, f0, sum(variances) ** 0.5, sum(variances) ** 2 / quartic


def name_of(key: Mapping[str, Any]) -> str:
    """``concave, rand/1/bin mirror, N=5, F=0.7, Cr=0.5``"""
    return f"{key['function']}, {format_key({name: key[name] for name in AXES})}"


def tests_of(path: str | PathLike[str]) -> dict[str, Callable[[Runs], Finding]]:
    """The tests of both readings of the words, by the ids of their claims, from a file such as data/bound.parquet."""
    cells = Cells.of(read_other(files.absolute(path, "bound", for_duckdb=True), COLUMNS))
    names = {"amount-upper-bound": False, "amount-upper-bound-without-exception": True}
    return {name: partial(bounded, cells, literally=literally) for name, literally in names.items()}


def bounded(every: Cells, runs: Runs, literally: bool) -> Finding:
    """How many pairs of a function and a configuration are shown to be at most f0's, and above it.

    Taken literally a bound has no exceptions: it is one cell, against which one pair above f0 speaks.
    """
    if (there := {key["dimension"] for key in every.keys}) != {runs.common("dimension")}:
        listing = ", ".join(map(str, sorted(there)))
        raise NotTestableError(
            f"runs on other functions have dimension {listing}, the study {runs.common('dimension')}"
        )
    refuse_odd_control(every.take(lambda key: key["sampled"] and key["function"] == CONTROL))
    cells = every.take(lambda key: key["sampled"] and key["function"] != CONTROL)
    if not cells.keys:
        raise NotTestableError("the table has no sampled runs on other functions than f0")
    above, below = discoveries(cells.p_above(TIE)), discoveries(cells.p_below(TIE))
    counts = (int(below.all()), int(above.any()), 1) if literally else (int(below.sum()), int(above.sum()), len(above))
    at = int(np.where(above, cells.value, -np.inf).argmax())
    worst = f"{name_of(cells.keys[at])} ({cells.other[at]:.3f} against {cells.f0[at]:.3f})" if above.any() else ""
    names = [key["function"] for key in cells.keys]
    per_function = {name: int(above[[one == name for one in names]].sum()) for name in dict.fromkeys(names)}
    by = ", ".join(f"{name} {count}" for name, count in per_function.items() if count)
    budget = ", ".join(f"{one:,}" for one in sorted({key["budget"] for key in cells.keys}))
    said = f"budget {budget}" + f"; above f0: {by}" * bool(by)
    return Finding(float(cells.value.mean()), 0.0, "mean on the function − mean on f0", *counts, worst, said)


def refuse_odd_control(control: Cells) -> None:
    """Raise a NotTestableError if f0 is above or below itself more often than the level of the test allows."""
    from scipy.stats import binom

    m = len(control.keys)
    for side, p in (("above", control.p_above(TIE)), ("below", control.p_below(-TIE))):
        count = int((p < ALPHA).sum())
        if binom.sf(count - 1, m, ALPHA) < IMPLAUSIBLE / 2:
            raise NotTestableError(f"the control fails: f0 is {side} itself in {count} of {m} cells")
