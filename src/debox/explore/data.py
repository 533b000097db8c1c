"""What the page shows of a study: a header, and how many trials of every run were infeasible, exactly."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.analysis import headline, names
from debox.analysis.runs import DEFAULTS, Runs
from debox.config import marks
from debox.design.fields import AXES
from debox.design.study import Study
from debox.store.schema import checkpoint_column
from debox.version import __version__

FEWEST_BYTES = 3  # of a number of trials; budgets beyond 2²⁴ need more


class Packed(NamedTuple):
    """What page/data.js reads."""

    header: dict[str, Any]  # values that JSON has
    counts: str  # base64 of gzip of the numbers of infeasible trials, see `planes`


def pack(runs: Runs, study: Study | None = None) -> Packed:
    """Pack runs for the page; cells are ordered by their AXES, the last of which changes first."""
    cells = list(product(*(runs.axes[name] for name in AXES)))
    rows = [runs.rows.get(cell, np.empty(0, np.int64)) for cell in cells]
    order = np.concatenate([np.empty(0, np.int64), *rows])
    budget = int(runs.common("budget"))
    columns = checkpoints(runs.table, study, budget) | {"pois": budget}
    counts = np.concatenate([infeasible(runs.table[name][order], end) for name, end in columns.items()])
    lengths = [len(found) for found in rows]
    width = max(FEWEST_BYTES, (budget.bit_length() + 7) // 8)
    header = {
        "version": __version__,
        "name": runs.name,
        "caption": runs.caption,
        "axes": {name: list(runs.axes[name]) for name in AXES},
        "short": {
            slot: {name: names.short(slot, name) for name in runs.axes[slot]} for slot in ("mutation", "strategy")
        },
        "planned": runs.planned,
        "runs": lengths[0] if len(set(lengths)) == 1 else lengths,  # of every cell; a list if they differ
        "dimension": int(runs.common("dimension")),
        "budget": budget,
        **{name: default if (value := runs.setting(name)) is None else value for name, default in DEFAULTS.items()},
        "seed": study.seed if study else None,
        "engine": study.engine if study else None,
        "shares": study.checkpoints if study else (1 / 3, 2 / 3),
        "marks": list(columns.values()),  # evaluations after which the counts were noted; the last is the budget
        "bytes": width,
        "half": headline.counts(headline.summarise(runs)).share("half"),
    }
    return Packed(plain(header), base64.b64encode(gzip.compress(planes(counts, width), 9, mtime=0)).decode("ascii"))


def checkpoints(table: Mapping[str, NDArray[Any]], study: Study | None, budget: int) -> dict[str, int]:
    """The columns of checkpoints that every run has, and after how many evaluations each lies."""
    shares = study.checkpoints if study else (1 / 3, 2 / 3)
    there = {checkpoint_column(share): int(mark) for share, mark in zip(shares, marks(budget, shares), strict=True)}
    return {name: mark for name, mark in there.items() if name in table and not np.isnan(table[name]).any()}


def infeasible(pois: NDArray[np.float64], evaluations: int) -> NDArray[np.int64]:
    """How many of the evaluations were infeasible; an error if that is no whole number in their range."""
    counts = np.round(pois * evaluations)
    if not ((counts >= 0) & (counts <= evaluations) & (counts / evaluations == pois)).all():
        wrong = pois[~((counts >= 0) & (counts <= evaluations) & (counts / evaluations == pois))][0]
        raise ValueError(f"pois must be a whole number of trials ÷ {evaluations} evaluations, in [0, 1], got {wrong!r}")
    return counts.astype(np.int64)


def planes(counts: NDArray[np.int64], width: int) -> bytes:
    """The lowest byte of every number, then the next one of every number, …: equal bytes stand together."""
    return b"".join(((counts >> (8 * k)) & 255).astype(np.uint8).tobytes() for k in range(width))


def plain(value: Any) -> Any:
    """The same with Python's own numbers, which JSON takes."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value
