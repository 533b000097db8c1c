"""Runs: a table of runs, grouped by configuration once, so that every figure finds its runs at once."""

from __future__ import annotations

from collections import defaultdict
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
    def of(cls, table: Table, study: Mapping[str, Any] | None = None, where: Mapping[str, Any] | None = None) -> Runs:
        """Group a table.

        study: what was planned, as a study file has it; else the most runs of any configuration were
        where: of several n, donors, … the one to show: {"n": 30}
        """
        columns = _selected({name: np.asarray(table[name]) for name in table}, where or {})
        study = study or {}
        rows = _grouped([columns[name] for name in FACTORS])
        planned = study.get("runs") or max(map(len, rows.values()), default=0)
        axes = {name: _axis(name, {key[k] for key in rows}, _planned(study, name)) for k, name in enumerate(FACTORS)}
        return cls(columns, planned, axes, rows)

    def values(self, panel: Panel, F: float, Cr: float, column: str = "pois") -> NDArray[Any]:
        """A column of the runs of one configuration, in the table's order; empty if there are none."""
        return self.table[column][self.rows.get((*panel, F, Cr), np.empty(0, dtype=np.int64))]

    def setting(self, name: str) -> Any:
        """The one value of a setting in SHARED, or None if it makes no difference to any run or is not known."""
        if name not in self.table:
            return None
        values = self.table[name][_concerned(name, self.table["strategy"])]
        return values[0] if len(values) else None

    def panels(self) -> list[Panel]:
        """All panels, planned or there, crossovers and mutations before strategies before N."""
        names = ("mutation", "crossover", "strategy", "N")
        return [Panel(*values) for values in product(*(self.axes[name] for name in names))]


def _selected(columns: dict[str, NDArray[Any]], where: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """The runs that `where` asks for: one n, one budget, …"""
    if missing := [name for name in (*FACTORS, "pois") if name not in columns]:
        raise ValueError(f"the table has no column {', '.join(missing)}; it has {', '.join(columns)}")
    shared = [name for name in SHARED if name in columns]
    for name in where:
        check.choice("where", name, shared)
    for name in shared:
        concerned = _concerned(name, columns["strategy"])
        values = _values(columns[name][concerned])
        if len(values) > 1 or (values and name in where):
            keep = ~concerned | (columns[name] == _the_one(name, values, where))
            columns = {column: array[keep] for column, array in columns.items()}
    return columns


def _concerned(name: str, strategy: NDArray[Any]) -> NDArray[np.bool_]:
    """The runs to which a setting makes a difference: reevaluate only to those that dismiss the whole trial."""
    if name != "reevaluate":
        return np.ones(len(strategy), dtype=np.bool_)
    concerned = np.zeros(len(strategy), dtype=np.bool_)
    for operator in registry.in_slot("strategy"):
        concerned |= operator.whole & (strategy == operator.name)
    return concerned


def _values(column: NDArray[Any]) -> list[Any]:
    """The values of a column, each once, in rising order."""
    return sorted(set(column[_stretches([column])].tolist()))


def _the_one(name: str, values: list[Any], where: Mapping[str, Any]) -> Any:
    """The value asked for, as text or as itself."""
    for value in values:
        if name in where and str(value).lower() == str(where[name]).lower():
            return value
    held = f"the runs have {name} = {', '.join(map(str, values))}"
    if name in where:
        raise ValueError(f"there are no runs where {name} is {where[name]}; {held}")
    raise ValueError(f"{held}; a figure shows one of them: choose it with where, such as {name}={values[0]}")


def _stretches(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """The first row of each stretch of rows that are alike in these columns."""
    changes = np.ones(len(columns[0]), dtype=bool)
    changes[1:] = False
    for column in columns:
        changes[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(changes)


def _grouped(factors: Sequence[NDArray[Any]]) -> dict[tuple[Any, ...], NDArray[np.int64]]:
    """The rows of each configuration. A store's table is sorted, so there are as many stretches as configurations."""
    starts = _stretches(factors)
    stretches = zip(starts, [*starts[1:], len(factors[0])], strict=True) if len(starts) else ()
    found: defaultdict[tuple[Any, ...], list[NDArray[np.int64]]] = defaultdict(list)
    keys = zip(*(column[starts].tolist() for column in factors), strict=True)
    for key, (start, end) in zip(keys, stretches, strict=True):
        found[key].append(np.arange(start, end))
    return {key: np.concatenate(rows) for key, rows in found.items()}


def _planned(study: Mapping[str, Any], name: str) -> Sequence[Any]:
    """The values of a factor in a study; an exact grid is equally spaced, its values are written rounded."""
    values: Sequence[Any] = study.get(name, ())
    if study.get("grid") == "exact" and name in ("F", "Cr") and values:
        return [float(value) for value in np.linspace(values[0], values[-1], len(values))]
    return values


def _axis(name: str, there: set[Any], planned: Sequence[Any]) -> tuple[Any, ...]:
    """A factor's values: operators as planned, then what else is there; numbers in rising order."""
    if name in registry.SLOTS:
        first = [registry.find(name, value).name for value in planned]
        return (*dict.fromkeys(first), *sorted(there - set(first), key=str.lower))
    return tuple(sorted(there | set(planned)))
