"""Cube: the runs of a full factorial study as one array, an axis per factor and a last one for the runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.analysis.runs import FACTORS, Runs

NAMED = 5  # how many incomplete configurations an error names
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Cube:
    """POIS of every configuration and run; `axes` holds the values of each factor, in the order of the array's axes."""

    axes: Mapping[str, tuple[Any, ...]]
    pois: Floats  # mutation × crossover × strategy × N × F × Cr × run
    budget: int
    dimension: int

    @classmethod
    def of(cls, runs: Runs) -> Cube:
        """The cube of these runs; configurations without runs or with fewer than others are refused by name."""
        runs.some()
        keys = list(product(*(runs.axes[name] for name in FACTORS)))
        most = max(map(len, runs.rows.values()))
        incomplete = [(key, len(runs.rows.get(key, ()))) for key in keys]
        incomplete = [(key, count) for key, count in incomplete if count != most]
        if incomplete:
            named = "; ".join(f"{_written(key)}: {count}" for key, count in islice(incomplete, NAMED))
            more = f"; and {len(incomplete) - NAMED} more" if len(incomplete) > NAMED else ""
            raise ValueError(f"every configuration needs the same {most} runs, these have fewer: {named}{more}")
        rows = np.stack([runs.rows[key] for key in keys])
        shape = (*(len(runs.axes[name]) for name in FACTORS), most)
        pois = np.asarray(runs.table["pois"][rows], np.float64).reshape(shape)
        return cls(dict(runs.axes), pois, int(runs.common("budget")), int(runs.common("n")))

    @property
    def runs(self) -> int:
        """Runs of every configuration."""
        return int(self.pois.shape[-1])

    @property
    def infeasible(self) -> Floats:
        """How many trials of each run were infeasible."""
        return np.round(self.pois * self.budget)

    @property
    def trials(self) -> Floats:
        """How many trials a run of each configuration has: all evaluations but those of the initial population.

        Its shape is that of `pois` with length 1 in all axes but that of N.
        """
        N = np.array(self.axes["N"], np.float64)
        return (self.budget - N).reshape(1, 1, 1, -1, 1, 1, 1)

    @property
    def share(self) -> Floats:
        """Infeasible trials ÷ trials, which can be 1 for every N; POIS itself is at most 1 − N/budget."""
        return self.infeasible / self.trials

    @property
    def logit(self) -> Floats:
        """log(p ÷ (1 − p)) of p = (infeasible + ½) ÷ (trials + 1), finite also where none or all are infeasible."""
        p = (self.infeasible + 0.5) / (self.trials + 1)
        return np.asarray(np.log(p) - np.log1p(-p))

    def take(self, **wanted: Any) -> Cube:
        """The part of the cube with these values: ``cube.take(crossover="bin", N=(5, 20))``."""
        axes, pois = dict(self.axes), self.pois
        for name, value in wanted.items():
            if name not in FACTORS:
                raise ValueError(f"unknown factor {name!r}; choose from {', '.join(FACTORS)}")
            values = value if isinstance(value, list | tuple) else (value,)
            if absent := [one for one in values if one not in axes[name]]:
                there = ", ".join(map(str, axes[name]))
                raise ValueError(f"{name} must be one of {there}, got {absent[0]!r}")
            pois = pois.take([axes[name].index(one) for one in values], axis=FACTORS.index(name))
            axes[name] = tuple(values)
        return Cube(axes, pois, self.budget, self.dimension)


def _written(key: tuple[Any, ...]) -> str:
    mutation, crossover, strategy, N, F, Cr = key
    return f"{mutation}/{crossover} {strategy}, N={N}, F={F:g}, Cr={Cr:g}"
