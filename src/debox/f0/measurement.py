"""Measurement: what the runs of one configuration gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from debox.config import Config

if TYPE_CHECKING:
    from debox.f0.trace import Trace

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Measurement:
    """POIS of independent runs of one configuration on f0, and what else they left; one row per run.

    pois      infeasible trials ÷ budget            pois_at   at the checkpoints: infeasible trials ÷ evaluations so far
    accepted  trials that replaced their target     best_f, best_x   best value and point at the end
    seconds   CPU time of the runs, over all threads   trace    see `Trace`; None unless asked for
    """

    config: Config
    n: int
    budget: int
    seed: int
    engine: str
    checkpoints: tuple[float, ...]
    pois: Floats  # (runs,): infeasible trials ÷ budget
    pois_at: Floats  # (runs, checkpoints): infeasible trials so far ÷ evaluations so far
    accepted: NDArray[np.int64]  # (runs,)
    best_f: Floats  # (runs,)
    best_x: Floats  # (runs, n)
    seconds: float
    trace: Trace | None = None

    def __post_init__(self) -> None:
        for array in (self.pois, self.pois_at, self.accepted, self.best_f, self.best_x):
            array.flags.writeable = False

    def __repr__(self) -> str:
        return f"<Measurement {self.config}: {len(self.pois)} runs, mean POIS {self.mean():.4f}>"

    def _repr_html_(self) -> str:
        from debox import notebook

        low, _, median, _, high = self.quantiles()
        entries = [
            ("on f0", f"n = {self.n}, budget {self.budget:,}, {len(self.pois)} runs, seed {self.seed}, {self.engine}"),
            ("mean POIS", self.mean()),
            ("5 %, 50 %, 95 %", (low, median, high)),
        ]
        return notebook.table(str(self.config), entries) + notebook.histogram(self.histogram().tolist(), self.colour())

    def mean(self) -> float:
        """Mean POIS over the runs."""
        return float(self.pois.mean())

    def quantiles(self, q: Sequence[float] = (0.05, 0.25, 0.5, 0.75, 0.95)) -> Floats:
        """Quantiles of POIS over the runs."""
        return np.quantile(self.pois, q)

    def histogram(self) -> NDArray[np.int64]:
        """Runs per tenth of POIS: [0, 0.1], (0.1, 0.2], …, (0.9, 1]."""
        from debox import edpois

        return edpois.histogram(self.pois)

    def colour(self) -> str:
        """teal: all runs within 0.001 of 0, or all of 1; orange: all at 0.001 to 0.01 from it; else violet."""
        from debox import edpois

        return edpois.colour(self.pois)
