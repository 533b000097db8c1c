"""Is POIS on f0 an upper bound for POIS on other objective functions? Runs on both, pair by pair."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from os import PathLike

from debox.analysis.claims.bound import Bounded, cells_of, refuse_odd_control
from debox.analysis.claims.levels import NotTestableError as OldError
from debox.analysis.estimate import discoveries
from debox.analysis.runs import Runs
from debox.paper.tests import Finding, NotTestableError


def tests_of(path: str | PathLike[str]) -> dict[str, Callable[[Runs], Finding]]:
    """The tests of both readings of the words, by the ids of their claims, from a file such as data/bound.parquet."""
    test = Bounded.of(path)
    names = {"amount-upper-bound": False, "amount-upper-bound-without-exception": True}
    return {name: partial(bounded, test, literally=literally) for name, literally in names.items()}


def bounded(test: Bounded, runs: Runs, literally: bool) -> Finding:
    """How many pairs of a function and a configuration are shown to be at most f0's, and above it.

    Taken literally a bound has no exceptions: it is one cell, against which one pair above f0 speaks.
    """
    if set(test.table["dimension"].tolist()) != {runs.common("dimension")}:
        raise NotTestableError(f"runs on other functions have another dimension than {runs.common('dimension')}")
    every = cells_of(test.table)
    cells = every.take(~every.is_control & every.sampled)
    try:
        refuse_odd_control(every.take(every.is_control & every.sampled))
    except OldError as error:
        raise NotTestableError(str(error)) from None
    above, below = discoveries(cells.p_above), discoveries(cells.p_bounded)
    at = int(cells.excess.argmax())
    counts = (int(below.all()), int(above.any()), 1) if literally else (int(below.sum()), int(above.sum()), len(above))
    worst = f"{cells.names[at]} ({cells.other[at]:.3f} against {cells.f0[at]:.3f})" if above.any() else ""
    listing = {name: int(above[[one == name for one in cells.functions]].sum()) for name in cells.functions}
    by = "above f0: " + ", ".join(f"{name} {count}" for name, count in listing.items() if count)
    return Finding(float(cells.excess.mean()), 0.0, "mean on the function − mean on f0", *counts, worst, by)
