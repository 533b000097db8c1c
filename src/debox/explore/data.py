"""What the page shows of a study: a header, and how many trials of every run were infeasible, exactly."""

from __future__ import annotations

import base64
import gzip
import math
from collections.abc import Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox import check, operators
from debox.analysis import headline
from debox.analysis.old_runs import Runs
from debox.analysis.thirds import THIRDS
from debox.config import DEFAULTS, marks
from debox.store.counts import byte_planes, bytes_needed, infeasible, zigzag_second_differences
from debox.store.schema import checkpoint_column
from debox.study.study import Study
from debox.version import __version__

FEWEST_BYTES = 3  # of a number; large budgets need more
MOST_CELLS = 200_000  # that a page holds: every combination of the factors' values is one


class Packed(NamedTuple):
    """What page/data.js reads."""

    header: dict[str, Any]  # values that JSON has
    counts: str  # base64 of gzip of the numbers of infeasible trials, see `zigzag_second_differences` and `byte_planes`


def settings(runs: Runs) -> dict[str, Any]:
    """The settings with other values than usual; and donors where F and Cr adapt, for then others are usual."""
    values = {name: runs.setting(name) for name in DEFAULTS if name not in runs.axes}
    others = {name: value for name, value in values.items() if value not in (None, DEFAULTS[name])}
    return others | ({"donors": values["donors"]} if runs.adapts and values["donors"] is not None else {})


def names_of(axes: Mapping[str, tuple[Any, ...]]) -> dict[str, dict[str, str]]:
    """The short name of every operator of debox; the full one where an operator of the study is called as the short."""
    shorts: dict[str, dict[str, str]] = {slot: {} for slot in operators.SLOTS}
    for o in operators.OPERATORS:
        shorts[o.slot][o.name] = o.name if o.short in axes.get(o.slot, ()) else o.short
    return shorts


def formulas() -> dict[str, dict[str, str]]:
    """What every operator of debox does, in one line."""
    lines: dict[str, dict[str, str]] = {slot: {} for slot in operators.SLOTS}
    for o in operators.OPERATORS:
        lines[o.slot][o.name] = (o.function.__doc__ or "").partition("\n")[0]
    return lines


def cells_of(runs: Runs) -> list[tuple[Any, ...]]:
    """Every combination of the axes' values; an error if they are no numbers, or more than a page holds."""
    for name in ("N", "F", "Cr"):
        wrong = [value for value in runs.axes[name] if not math.isfinite(value)]
        if wrong:
            raise ValueError(f"{name} must be finite, got {wrong[0]!r}")
    number = math.prod(map(len, runs.axes.values()))
    if number > MOST_CELLS:
        values = ", ".join(f"{len(levels)} of {name}" for name, levels in runs.axes.items())
        raise ValueError(
            f"the page holds at most {MOST_CELLS} cells, one for each combination of the factors' values, "
            f"got {number} ({values}) for {len(runs.rows)} configurations with runs: choose fewer with `where`"
        )
    return list(product(*runs.axes.values()))


def pack(runs: Runs, study: Study | None = None) -> Packed:
    """Pack runs for the page; cells are ordered by the factors, the last of which changes first."""
    cells = cells_of(runs)
    dimension, budget = (check.integer(name, runs.common(name), 1) for name in ("dimension", "budget"))
    rows = [runs.rows.get(cell, np.empty(0, np.int64)) for cell in cells]
    order = np.concatenate([np.empty(0, np.int64), *rows])
    columns = checkpoints(runs.table, study, budget) | {"pois": budget}
    every_count = np.array([infeasible(runs.table[name][order], end) for name, end in columns.items()])
    counts = zigzag_second_differences(every_count)
    lengths = [len(found) for found in rows]
    width = max(FEWEST_BYTES, bytes_needed(counts))
    header = {
        "version": __version__,
        "name": runs.name,
        "caption": runs.caption,
        "axes": {name: list(levels) for name, levels in runs.axes.items()},
        "operators": names_of(runs.axes),
        "formulas": formulas(),
        "planned": runs.planned,
        "numbered": is_numbered(runs, rows),  # a run's place in its cell is its number
        "runs": lengths[0] if len(set(lengths)) == 1 else lengths,  # of every cell; a list if they differ
        "dimension": dimension,
        "budget": budget,
        "settings": settings(runs),
        "where": dict(runs.where),
        "seed": study.seed if study else None,
        "engine": study.engine if study else None,
        "shares": study.checkpoints if study else THIRDS,
        "marks": list(columns.values()),  # evaluations after which the counts were noted; the last is the budget
        "bytes": width,
        "half": headline.counts(headline.summarise(runs)).share("half"),
    }
    compressed = gzip.compress(byte_planes(counts, width).tobytes(), 9, mtime=0)
    return Packed(to_json_values(header), base64.b64encode(compressed).decode("ascii"))


def is_numbered(runs: Runs, rows: list[NDArray[np.int64]]) -> bool:
    """Are the runs of every cell 0, 1, 2, …, in this order?"""
    return "run" in runs.table and all((runs.table["run"][one] == np.arange(len(one))).all() for one in rows)


def checkpoints(table: Mapping[str, NDArray[Any]], study: Study | None, budget: int) -> dict[str, int]:
    """The columns of checkpoints that every run has, and after how many evaluations each lies."""
    shares = study.checkpoints if study else THIRDS
    there = {checkpoint_column(share): int(mark) for share, mark in zip(shares, marks(budget, shares), strict=True)}
    return {name: mark for name, mark in there.items() if name in table and not np.isnan(table[name]).any()}


def to_json_values(value: Any) -> Any:
    """The same with Python's own numbers, which JSON takes."""
    if isinstance(value, dict):
        return {key: to_json_values(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [to_json_values(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value
