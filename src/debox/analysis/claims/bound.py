"""Is POIS on f0 an upper bound for POIS on other objective functions? A test of runs on both, cell by cell.

A cell is a function, a configuration and a budget, and has runs on the function and runs on f0 that no other cell uses,
so cells are independent. What is compared is the mean share of infeasible trials, as in every claim.

bounded    a one-sided t shows, at ALPHA, that the mean is at most f0's + TIE: a tie is no breach of a bound
above      one shows that it is more than f0's + TIE, at ALPHA corrected by Holm's method for all cells
control    cells whose function is f0 itself: at most a share ALPHA may look above it, and as many below, not corrected

The words have two readings, and each is a claim: a bound for nearly all cells, and one without exception, which a
single cell above f0 refutes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.analysis.claims.finding import Finding, Test
from debox.analysis.claims.levels import NotTestableError
from debox.analysis.claims.rules import ALPHA, TIE
from debox.analysis.claims.statistics import holm, rejections, welch
from debox.analysis.cube import Cube, format_cell
from debox.store.parquet import read_other
from debox.study.fields import AXES

IN_GENERAL, LITERALLY = "amount-upper-bound", "amount-upper-bound-without-exception"  # ids of both readings
CONTROL = "f0"  # the function of the control
IMPLAUSIBLE = 0.001  # so rare is a control with more cells above or below f0 than the test allows, if nothing is wrong
KEY = ("function", *AXES, "dimension", "budget")  # of a cell
COLUMNS = (*KEY, "sampled", "on_f0", "pois")
Floats = NDArray[np.float64]
Table = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Cells:
    """Of every function and configuration: how much more is infeasible on it than on f0, and who it is."""

    names: tuple[str, ...]
    functions: tuple[str, ...]
    sampled: NDArray[np.bool_]  # chosen at random; not: known beforehand, and told, but not counted
    other: Floats  # mean share on the function
    f0: Floats
    variance: Floats  # of their difference
    freedom: Floats

    @property
    def excess(self) -> Floats:
        """Mean share on the function − that on f0."""
        return self.other - self.f0

    @property
    def is_control(self) -> NDArray[np.bool_]:
        """Which cells compare f0 with itself."""
        return np.array([name == CONTROL for name in self.functions])

    @property
    def p_above(self) -> Floats:
        """p for "the excess is more than TIE"."""
        return np.asarray(welch(self.excess - TIE, self.variance, self.freedom))

    @property
    def p_bounded(self) -> Floats:
        """p for "the excess is less than TIE"."""
        return np.asarray(welch(TIE - self.excess, self.variance, self.freedom))

    @property
    def p_below(self) -> Floats:
        """p for "the excess is less than −TIE"."""
        return np.asarray(welch(-self.excess - TIE, self.variance, self.freedom))

    def take(self, which: NDArray[np.bool_]) -> Cells:
        """Some of the cells."""
        names = tuple(np.array(self.names, object)[which])
        functions = tuple(np.array(self.functions, object)[which])
        numbers = (array[which] for array in (self.other, self.f0, self.variance, self.freedom))
        return Cells(names, functions, self.sampled[which], *numbers)


def refuse_odd_columns(table: Table) -> None:
    """Raise a ValueError if a column is missing or of another kind, or if a run has a POIS that none can have."""
    what = "the table of runs on other functions"
    if absent := [name for name in COLUMNS if name not in table]:
        raise ValueError(f"{what} has no column {', '.join(absent)}")
    numbers, flags = ("N", "F", "Cr", "dimension", "budget", "pois"), ("sampled", "on_f0")
    for names, kinds, words in ((numbers, "iuf", "numbers"), (flags, "b", "true and false")):
        if odd := [name for name in names if table[name].dtype.kind not in kinds and len(table[name])]:
            raise ValueError(f"{what}: the column {odd[0]} must hold {words}, got {table[odd[0]][0]!r}")
    if odd := [name for name in table["function"].tolist() if not isinstance(name, str)]:
        raise ValueError(f"{what}: the column function must hold names, got {odd[0]!r}")
    budget, N, pois = (np.asarray(table[name], np.float64) for name in ("budget", "N", "pois"))
    possible = (budget > N) & (pois >= 0) & (np.round(pois * budget) <= budget - N)
    if len(rows := np.flatnonzero(~possible)):
        k = rows[0]
        limit = "budget must be larger than N, and pois from 0 to 1 − N/budget"
        raise ValueError(f"{what}: {limit}; row {k} has budget {budget[k]:g}, N {N[k]:g}, pois {pois[k]:g}")


def cells_of(table: Table) -> Cells:
    """The cells of a table of runs, some of each cell on its function and some on f0."""
    refuse_odd_columns(table)
    rows: dict[tuple[Any, ...], tuple[list[int], list[int]]] = {}
    keys = zip(*(table[name].tolist() for name in KEY), strict=True)
    for row, (key, on_f0) in enumerate(zip(keys, table["on_f0"].tolist(), strict=True)):
        rows.setdefault(key, ([], []))[on_f0].append(row)
    if few := [key for key, of in rows.items() if min(map(len, of)) < 2]:
        raise ValueError(f"{_names(few)[0]} has fewer than 2 runs on the function or on f0")
    trials = table["budget"] - table["N"]
    share = np.round(table["pois"] * table["budget"]) / trials
    numbers = np.array([_moments(share, trials, *of) for of in rows.values()], np.float64).reshape(-1, 4).T
    sampled = np.array([bool(table["sampled"][of[0][0]]) for of in rows.values()])
    return Cells(_names(rows), tuple(key[0] for key in rows), sampled, *numbers)


def _moments(share: Floats, trials: Floats, *samples: list[int]) -> tuple[float, float, float, float]:
    """Means on the function and on f0, the variance of their difference, and Satterthwaite's degrees of freedom."""
    least = 1 / float(trials[samples[0][0]]) ** 2  # as if runs differed by a trial: no cell is known exactly
    variances = [max(float(share[rows].var(ddof=1)), least) / len(rows) for rows in samples]
    quartic = sum(v**2 / (len(rows) - 1) for v, rows in zip(variances, samples, strict=True))
    other, f0 = (float(share[rows].mean()) for rows in samples)
    return other, f0, sum(variances), sum(variances) ** 2 / quartic


@dataclass(frozen=True, eq=False)
class Bounded:
    """POIS on other objective functions is at most that on f0.

    exceptions: may some cells be above it? If not, one of them refutes the bound, and p is the largest of all cells'
    """

    table: Table
    exceptions: bool = True

    @classmethod
    def of(cls, path: str | PathLike[str]) -> Bounded:
        """The test of the runs in a file such as data/bound.parquet."""
        return cls(read_other(Path(path), COLUMNS))

    @property
    def statistic(self) -> str:
        """What is computed."""
        what = "the promised share" if self.exceptions else "all of them, the largest p"
        return (
            "mean share on a function minus that on f0, same configuration and budget; one-sided t in each cell for "
            + what
        )

    @property
    def criterion(self) -> str:
        """When a cell agrees."""
        return (
            f"a cell agrees if a test at {ALPHA:g} shows an excess below {TIE:g}, speaks against if one shows an "
            f"excess above {TIE:g}, corrected for all cells" + "; one cell against refutes it" * (not self.exceptions)
        )

    def find(self, cube: Cube, promised: float) -> Finding:
        """How many cells are bounded by f0; which are above it and by how much."""
        if (there := set(self.table["dimension"].tolist())) != {cube.dimension}:
            listing = ", ".join(map(str, sorted(there)))
            raise NotTestableError(f"runs on other functions have dimension {listing}, the study {cube.dimension}")
        every = cells_of(self.table)
        control = every.take(every.is_control & every.sampled)
        cells = every.take(~every.is_control & every.sampled)
        if not (m := len(cells.names)):
            raise NotTestableError("the table has no sampled runs on other functions than f0")
        refuse_odd_control(control)
        above = np.array(holm(cells.p_above.tolist()), np.float64) < ALPHA
        bounded = int((cells.p_bounded < ALPHA).sum())
        budget = ", ".join(map(str, sorted(set(self.table["budget"].tolist()))))
        evidence = (
            f"with a budget of {budget} at most f0's in {bounded} of {m} pairs of a function and a configuration, "
            f"above it beyond chance in {int(above.sum())}{_worst(cells, above)}{_known(every)}{_of_control(control)}"
        )
        share = float(above.mean())
        p = self._p(cells, bounded, promised)
        return Finding(share, "share of cells above f0", *p, m, bounded / m, share, evidence)

    def _p(self, cells: Cells, bounded: int, promised: float) -> tuple[float, float]:
        """p of the promised share and of half of it; half of a bound without exception is none."""
        if not self.exceptions:
            return float(cells.p_bounded.max()), 1.0
        p, half = (rejections(bounded, len(cells.names), share, ALPHA) for share in (promised, promised / 2))
        return p, half


def simulations_of(path: str | PathLike[str]) -> dict[str, Test]:
    """The tests of both readings of the words, by the ids of their claims, from a file such as data/bound.parquet."""
    test = Bounded.of(path)
    return {IN_GENERAL: test, LITERALLY: replace(test, exceptions=False)}


def refuse_odd_control(control: Cells) -> None:
    """Raise a NotTestableError if f0 is above or below itself more often than the level of the test allows."""
    from scipy.stats import binom

    m = len(control.names)
    for side, p in (("above", control.p_above), ("below", control.p_below)):
        count = int((p < ALPHA).sum())
        if binom.sf(count - 1, m, ALPHA) < IMPLAUSIBLE / 2:
            raise NotTestableError(f"the control fails: f0 is {side} itself in {count} of {m} cells")


def _worst(cells: Cells, above: NDArray[np.bool_]) -> str:
    """By how much the bound is broken, where most, and by which functions."""
    if not above.any():
        return ""
    excess = np.where(above, cells.excess, -np.inf)
    most = int(excess.argmax())
    counts = {name: sum(above[k] for k, of in enumerate(cells.functions) if of == name) for name in cells.functions}
    listing = ", ".join(f"{name} {count}" for name, count in counts.items() if count)
    return (
        f": by {float(np.median(cells.excess[above])):.3f} in the median and most by {excess[most]:.3f} on "
        f"{cells.names[most]} ({cells.other[most]:.3f} against {cells.f0[most]:.3f}); by function: {listing}"
    )


def _known(every: Cells) -> str:
    """Cells of configurations that were known to break the bound, and do so also here; they are not counted."""
    known = every.take(~every.sampled & ~every.is_control)
    again = np.array(holm(known.p_above.tolist()), np.float64) < ALPHA
    which = [f"{known.names[k]}, {known.other[k]:.3f} against {known.f0[k]:.3f}" for k in np.flatnonzero(again)]
    return f"; not counted, of what was known to break the bound: {'; '.join(which)}" if which else ""


def _of_control(control: Cells) -> str:
    if not control.names:
        return ""
    above, below = (int((p < ALPHA).sum()) for p in (control.p_above, control.p_below))
    m = len(control.names)
    return f"; f0 against itself is above in {above} of {m} and below in {below} at {ALPHA:g}, not corrected"


def _names(keys: Collection[tuple[Any, ...]]) -> tuple[str, ...]:
    """Of each cell its function and configuration, and its dimension and budget where there are several."""
    several = [k for k, name in enumerate(KEY) if name in ("dimension", "budget") and len({key[k] for key in keys}) > 1]
    return tuple(", ".join([key[0], format_cell(key[1:-2]), *(f"{KEY[k]}={key[k]}" for k in several)]) for key in keys)
