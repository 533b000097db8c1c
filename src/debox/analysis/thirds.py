"""POIS over a run's life: so far at 1/3, 2/3 and the end of the budget, and within each third."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.analysis.old_runs import Panel, Runs
from debox.analysis.summary import HIGH, LOW
from debox.config import marks
from debox.store.schema import checkpoint_column

THIRDS = (1 / 3, 2 / 3)  # of the budget
SO_FAR = (*map(checkpoint_column, THIRDS), "pois")  # columns
Floats = NDArray[np.float64]


class Life(NamedTuple):
    """The runs of one configuration: medians of POIS so far, and quantiles of POIS within each third; empty without."""

    runs: int = 0
    so_far: tuple[float, ...] = ()
    low: tuple[float, ...] = ()
    within: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


def within_thirds(so_far: Floats, budget: int) -> Floats:
    """POIS within each third of a run, (runs, 3), from POIS so far at the ends of the thirds, (runs, 3)."""
    # Checkpoints lie at whole evaluations: what was counted between two of them, over what was evaluated there.
    ends = np.array([0, *marks(budget, THIRDS), budget])
    infeasible = np.round(so_far * ends[1:])
    counted: Floats = np.diff(infeasible, axis=1, prepend=0)
    return counted / np.maximum(np.diff(ends), 1)


def obstacle(runs: Runs) -> str:
    """Why these runs have no POIS within thirds: the columns that are missing; empty if none is."""
    missing = [name for name in SO_FAR if name not in runs.table or np.isnan(runs.table[name]).any()]
    why = "POIS over a run's life needs the checkpoints 1/3 and 2/3"
    return f"{why}: the table has no column {', '.join(missing)}" if missing else ""


def require_thirds(runs: Runs) -> Runs:
    """The runs themselves; a ValueError if they have no POIS within thirds. It looks at every run: ask once."""
    if reason := obstacle(runs):
        raise ValueError(reason)
    return runs


def so_far(runs: Runs, panel: Panel, F: float, Cr: float) -> Floats:
    """POIS so far at 1/3, 2/3 and the end, a row per run; the runs must have them, see `require_thirds`."""
    return np.column_stack([runs.values(panel, F, Cr, name) for name in SO_FAR])


def summarise_life(runs: Runs, panel: Panel, F: float, Cr: float) -> Life:
    """The life of one configuration's runs in few numbers."""
    values = so_far(runs, panel, F, Cr)
    if len(values) == 0:
        return Life()
    each = within_thirds(values, runs.common("budget"))
    low, median, high = (tuple(row) for row in np.quantile(each, (LOW, 0.5, HIGH), axis=0).tolist())
    return Life(len(values), tuple(np.median(values, axis=0).tolist()), low, median, high)


def drift(runs: Runs, panel: Panel, F: float, Cr: float) -> float:
    """Median over the runs of POIS within the last third minus POIS within the first; NaN without runs."""
    values = so_far(runs, panel, F, Cr)
    if len(values) == 0:
        return np.nan
    thirds = within_thirds(values, runs.common("budget"))
    return float(np.median(thirds[:, 2] - thirds[:, 0]))
