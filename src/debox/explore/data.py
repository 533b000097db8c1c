"""What the page shows of a study: a header, and how many trials of every run were infeasible, exactly."""

from __future__ import annotations

import base64
import gzip
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox import check, operators
from debox.analysis.runs import Runs
from debox.config import DEFAULTS, marks
from debox.operators.kinds import Mutation
from debox.store.counts import byte_planes, bytes_needed, infeasible
from debox.store.schema import checkpoint_column
from debox.study.fields import ADAPTATION, FIELDS, MATTERS_IF, SHARED
from debox.study.study import Study
from debox.version import __version__

FEWEST_BYTES = 3  # of a number; large budgets need more
ALIKE = tuple(name for name in SHARED if name != ADAPTATION)  # settings that must be the same in all runs of a page
MOST_CELLS = 200_000  # that a page holds: every combination of the factors' values is one
FACTS = {  # what the page must know of an operator to run it
    "mutation": ("donors", "base", "uses_best", "uses_target"),
    "crossover": ("exchanges",),
    "strategy": ("whole", "redraws", "penalises"),
    "donors": ("avoids",),
    "adaptation": (),
}
RUNS_HERE: Mapping[str, Callable[[Any], bool]] = {  # what the fast engine runs (f0/tables.py), the page does
    "mutation": lambda o: not (o.uses_p_best or o.draws_K),
    "crossover": lambda o: o.exchanges,
    "strategy": lambda o: not o.leaves_outside,
    "donors": lambda o: o.uniform,
    "adaptation": lambda o: o.name == "fixed",
}


class Packed(NamedTuple):
    """What page/study.js reads."""

    header: dict[str, Any]  # values that JSON has
    counts: str  # base64 of gzip of the numbers of infeasible trials: their lowest bytes, their second bytes, …


def pack(runs: Runs, study: Study | None = None) -> Packed:
    """Pack runs for the page; cells are ordered by the factors, the last of which changes first."""
    check_cells(runs)
    dimension, budget = (check.integer(name, runs.common(name), 1) for name in ("dimension", "budget"))
    rows = runs.index.reshape(-1, runs.index.shape[-1])
    there = rows >= 0
    lengths = there.sum(axis=1).tolist()
    shares = study.checkpoints if study else FIELDS["checkpoints"].default
    columns = checkpoints(runs.table, shares, budget) | {"pois": budget}
    counts = np.array([infeasible(runs.table[name][rows[there]], end) for name, end in columns.items()]).ravel()
    width = max(FEWEST_BYTES, bytes_needed(counts))
    header = {
        "version": __version__,
        "name": runs.name,
        "caption": runs.caption,
        "axes": {name: list(levels) for name, levels in runs.axes.items()},
        "operators": operators_of(runs.axes),
        "planned": runs.planned,
        "numbered": is_numbered(runs, rows, there),  # a run's place in its cell is its number
        "runs": lengths[0] if len(set(lengths)) == 1 else lengths,  # of every cell; a list if they differ
        "dimension": dimension,
        "budget": budget,
        "settings": settings(runs),
        "seed": study.seed if study else None,
        "engine": study.engine if study else None,
        "shares": list(shares),
        "marks": list(columns.values()),  # evaluations after which the counts were noted; the last is the budget
        "bytes": width,
    }
    compressed = gzip.compress(byte_planes(counts, width).tobytes(), 9, mtime=0)
    return Packed(header, base64.b64encode(compressed).decode("ascii"))


def check_cells(runs: Runs) -> None:
    """Raise a ValueError about more cells than a page holds."""
    number = math.prod(runs.shape)
    if number > MOST_CELLS:
        values = ", ".join(f"{len(levels)} of {name}" for name, levels in runs.axes.items())
        raise ValueError(
            f"the page holds at most {MOST_CELLS} cells, one for each combination of the factors' values, "
            f"got {number} ({values}) for {(runs.counts > 0).sum()} configurations with runs: choose fewer with `where`"
        )


def checkpoints(table: Mapping[str, NDArray[Any]], shares: tuple[float, ...], budget: int) -> dict[str, int]:
    """The columns of checkpoints that every run has, and after how many evaluations each lies."""
    there = dict(zip(map(checkpoint_column, shares), marks(budget, shares).tolist(), strict=True))
    return {name: mark for name, mark in there.items() if name in table and not np.isnan(table[name]).any()}


def operators_of(axes: Mapping[str, tuple[Any, ...]]) -> dict[str, dict[str, dict[str, Any]]]:
    """What the page must know of every operator of debox, by slot and name.

    short     its short name; the full one where an operator of the study is called as the short
    formula   what it does, in one line
    here      does the page run it?
    function  its name in C
    minds     of a strategy: settings that make a difference to it
    weights   of a mutation: those of target, best, r1, … for F = 0 and F = 1, between which they are linear
    """
    found: dict[str, dict[str, dict[str, Any]]] = {slot: {} for slot in operators.SLOTS}
    for o in operators.OPERATORS:
        facts = {name: getattr(o, name) for name in FACTS[o.slot]}
        facts["short"] = o.name if o.short in axes.get(o.slot, ()) else o.short
        facts |= {"formula": o.formula, "function": o.function.__name__}
        facts["here"] = bool(RUNS_HERE[o.slot](o))
        if o.slot == "strategy":
            facts["minds"] = [setting for setting, fact in MATTERS_IF.items() if getattr(o, fact)]
        if isinstance(o, Mutation) and o.weights and facts["here"]:
            facts["weights"] = [[*o.weights(F), 0, 0, 0][:7] for F in (0, 1)]
        found[o.slot][o.name] = facts
    return found


def is_numbered(runs: Runs, rows: NDArray[np.int32], there: NDArray[np.bool_]) -> bool:
    """Are the runs of every cell 0, 1, 2, …, in this order?"""
    places = there.cumsum(axis=1) - 1
    return "run" in runs.table and bool((runs.table["run"][rows[there]] == places[there]).all())


def settings(runs: Runs) -> dict[str, Any]:
    """The settings with other values than usual; and donors where F and Cr adapt, for then others are usual."""
    values = {name: runs.common_if_it_matters(name) for name in DEFAULTS if name not in runs.axes}
    others = {name: value for name, value in values.items() if value not in (None, DEFAULTS[name])}
    return others | ({"donors": values["donors"]} if runs.adapts and values["donors"] is not None else {})
