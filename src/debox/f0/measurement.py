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
    """POIS of independent runs of one configuration on f0, and what else they left; `measure` makes it.

    Attributes
    ----------
    config : Config
        The configuration.
    n, budget, seed : int
        Dimension, evaluations per run and seed.
    engine : {"plain", "fast"}
        Which engine did the runs.
    checkpoints : tuple of float
        Shares of the budget at which `pois_at` was noted.
    pois : ndarray of float, shape (runs,)
        Infeasible trials divided by the budget. This and the other arrays are not writeable.
    pois_at : ndarray of float, shape (runs, checkpoints)
        Infeasible trials so far divided by evaluations so far.
    accepted : ndarray of int, shape (runs,)
        Trials that replaced their target.
    best_f : ndarray of float, shape (runs,)
        The best value at the end.
    best_x : ndarray of float, shape (runs, n)
        The point that has it.
    seconds : float
        CPU time of the runs, over all threads.
    trace : Trace or None, default None
        Diagnostics of the population along the runs; None unless asked for.

    Examples
    --------
    >>> from debox import measure
    >>> m = measure("DE/rand/1/bin dism, N=5, F=0.7, Cr=0.9", n=2, budget=100, runs=3)
    >>> m.engine, m.checkpoints == (1 / 3, 2 / 3), m.pois_at.shape
    ('fast', True, (3, 2))
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
        from debox import edpois, notebook

        low, _, median, _, high = self.quantiles()
        entries = [
            ("on f0", f"n = {self.n}, budget {self.budget:,}, {len(self.pois)} runs, seed {self.seed}, {self.engine}"),
            ("mean POIS", self.mean()),
            ("5 %, 50 %, 95 %", (low, median, high)),
        ]
        bars = notebook.histogram(self.histogram().tolist(), edpois.COLOURS[self.colour()])
        return notebook.table(str(self.config), entries) + bars

    def mean(self) -> float:
        """Mean POIS over the runs.

        Returns
        -------
        float
            The mean, in [0, 1].

        Examples
        --------
        >>> from debox import measure
        >>> m = measure("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9", n=2, budget=100, runs=3)
        >>> bool(m.pois.min() <= m.mean() <= m.pois.max())
        True
        """
        return float(self.pois.mean())

    def quantiles(self, q: Sequence[float] = (0.05, 0.25, 0.5, 0.75, 0.95)) -> Floats:
        """Quantiles of POIS over the runs, interpolated between them.

        Parameters
        ----------
        q : sequence of float, default (0.05, 0.25, 0.5, 0.75, 0.95)
            Which, in [0, 1].

        Returns
        -------
        ndarray of float
            One per entry of `q`.

        Raises
        ------
        ValueError
            If an entry of `q` lies outside [0, 1].

        Examples
        --------
        >>> from debox import measure
        >>> m = measure("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9", n=2, budget=100, runs=3)
        >>> bool((m.quantiles([0, 1]) == [m.pois.min(), m.pois.max()]).all())
        True
        """
        return np.quantile(self.pois, q)

    def histogram(self) -> NDArray[np.int64]:
        """Runs per tenth of POIS: [0, 0.1], (0.1, 0.2], …, (0.9, 1].

        Returns
        -------
        ndarray of int, shape (10,)
            How many runs each tenth holds.

        Examples
        --------
        >>> from debox import measure
        >>> m = measure("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9", n=2, budget=100, runs=3)
        >>> int(m.histogram().sum())
        3
        """
        from debox import edpois

        return edpois.histogram(self.pois)

    def colour(self) -> str:
        """teal: all runs within 0.001 of 0, or all of 1; orange: all at 0.001 to 0.01 from it; else violet.

        Returns
        -------
        {"teal", "orange", "violet"}
            The colour in which the paper draws such a distribution.

        Examples
        --------
        With F = 2 in 100 dimensions no trial of uniform points stays in the box; the first 5 evaluations are no
        trials, so that POIS is 0.9995:

        >>> from debox import measure
        >>> measure("DE/rand/1/bin sat, N=5, F=2, Cr=1, frozen=True", n=100, budget=10_000, runs=2).colour()
        'teal'
        """
        from debox import edpois

        return edpois.colour(self.pois)
