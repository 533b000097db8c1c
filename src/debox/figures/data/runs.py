"""Runs: a table of runs, grouped by configuration once, so that every figure finds its runs at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from debox import check, registry
from debox.config import parse

FACTORS = ("mutation", "crossover", "strategy", "N", "F", "Cr")  # what tells configurations apart
SHARED = ("donors", "reevaluate", "frozen", "n", "budget")  # what all runs of a figure have in common

Table = Mapping[str, ArrayLike]


class Panel(NamedTuple):
    """A mutation, crossover, strategy and N: what one EDPOIS panel shows for all F and Cr."""

    mutation: str
    crossover: str
    strategy: str
    N: int

    @classmethod
    def of(cls, text: str, N: int) -> Panel:
        """``Panel.of("DE/rand/1/exp sat", N=5)``"""
        written = parse(text)
        if written.keys() != {"mutation", "crossover", "strategy"}:
            raise ValueError(f"{text!r} does not read as 'DE/mutation/crossover strategy', e.g. 'DE/rand/1/exp sat'")
        strategy = registry.find("strategy", written["strategy"]).name
        return cls(written["mutation"], written["crossover"], strategy, check.integer("N", N, 1))

    @property
    def name(self) -> str:
        """``DE/curr-to-best/1/bin sat``"""
        mutation, strategy = registry.find("mutation", self.mutation), registry.find("strategy", self.strategy)
        return f"DE/{mutation.short}/{self.crossover} {strategy.short}"

    @property
    def title(self) -> str:
        """``DE/curr-to-best/1/bin sat, N=5``"""
        return f"{self.name}, N={self.N}"


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of a table by configuration; `axes` holds the values of each factor that were planned or are there."""

    table: Mapping[str, NDArray[Any]]
    planned: int  # runs per configuration
    axes: Mapping[str, tuple[Any, ...]]
    rows: Mapping[tuple[Any, ...], NDArray[np.int64]]  # of each configuration, keyed by its FACTORS

    @classmethod
    def of(cls, table: Table, study: Mapping[str, Any] | None = None) -> Runs:
        """Group a table; a study says what was planned, else the most runs of any configuration were."""
        columns = {name: np.asarray(table[name]) for name in table}
        _check(columns)
        study = study or {}
        rows = _grouped([columns[name] for name in FACTORS])
        planned = study.get("runs") or max(map(len, rows.values()), default=0)
        return cls(columns, planned, {name: _axis(name, columns[name], study.get(name)) for name in FACTORS}, rows)

    def values(self, panel: Panel, F: float, Cr: float, column: str = "pois") -> NDArray[Any]:
        """A column of the runs of one configuration, in the table's order; empty if there are none."""
        return self.table[column][self.rows.get((*panel, F, Cr), np.empty(0, dtype=np.int64))]

    def panels(self) -> list[Panel]:
        """All panels, planned or there, crossovers and mutations before strategies before N."""
        names = ("mutation", "crossover", "strategy", "N")
        return [Panel(*values) for values in product(*(self.axes[name] for name in names))]


def _check(columns: Mapping[str, NDArray[Any]]) -> None:
    if missing := [name for name in (*FACTORS, "pois") if name not in columns]:
        raise ValueError(f"the table has no column {', '.join(missing)}; it has {', '.join(columns)}")
    for name in SHARED:
        values = sorted(set(columns[name].tolist())) if name in columns else []
        if len(values) > 1:
            held = ", ".join(map(str, values))
            raise ValueError(f"the table holds runs with {name} = {held}; a figure shows one of them: select it first")


def _grouped(factors: Sequence[NDArray[Any]]) -> dict[tuple[Any, ...], NDArray[np.int64]]:
    """The rows of each combination of the factors' values that occurs."""
    columns = [column.tolist() for column in factors]
    code: NDArray[np.int64] = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:  # numbered by a dictionary, which is ten times faster than sorting text
        number = {value: k for k, value in enumerate(dict.fromkeys(column))}
        code = code * max(len(number), 1) + np.fromiter(map(number.__getitem__, column), np.int64, len(column))
    order = np.argsort(code, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(code[order])) + 1) if len(order) else []
    return {tuple(column[group[0]] for column in columns): group for group in groups}


def _axis(name: str, column: NDArray[Any], planned: Any) -> tuple[Any, ...]:
    """A factor's values: as planned, then what else is there, in rising order."""
    there = set(column.tolist())
    if name in registry.SLOTS:
        first = [registry.find(name, value).name for value in planned or ()]
        return (*dict.fromkeys(first), *sorted(there - set(first), key=str.lower))
    return tuple(sorted(there | set(planned or ())))
