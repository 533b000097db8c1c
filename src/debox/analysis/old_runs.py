"""Runs: a table of runs, grouped by configuration, so that a figure finds the runs of a configuration quickly."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from os import PathLike
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from debox import operators
from debox.analysis import names
from debox.analysis.choice import choose_rows, in_plan, keep_rows, refuse_open_choices, rows_affected_by
from debox.analysis.names import Panel, with_adaptation
from debox.config import DEFAULTS, defaults_with
from debox.store.store import Store, open_store
from debox.study.fields import ADAPTATION, AXES, SHARED, short_repr, with_long_names
from debox.study.study import Study

__all__ = ["Panel", "Runs", "Source", "Table", "factor_names", "open_source", "with_adaptation"]

Table = Mapping[str, ArrayLike]


class Frame(Protocol):
    """What the DataFrames of pandas and polars, which need not be installed, have in common."""

    @property
    def columns(self) -> Iterable[Any]: ...

    def __getitem__(self, name: Any, /) -> Any: ...


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of a table by configuration; `axes` holds the values of each factor that were planned or have runs.

    The factors are those of AXES, and after N the adaptation, if runs differ in it.
    """

    table: Mapping[str, NDArray[Any]]
    planned: int  # runs per configuration
    axes: Mapping[str, tuple[Any, ...]]
    rows: Mapping[tuple[Any, ...], NDArray[np.int64]]  # of each configuration, keyed by its values of `axes`
    left_out: int = 0  # runs of the table that the study, as it stands, does not plan
    name: str = ""  # of the study
    where: Mapping[str, Any] = field(default_factory=dict)  # the settings that chose the rows: {"dimension": 30}

    @classmethod
    def of(cls, table: Table, study: Study | None = None, where: Mapping[str, Any] | None = None) -> Runs:
        """Group a table.

        study: what was planned; without one, the most runs of any configuration
        where: of several dimensions, donors, … the one to show: {"dimension": 30}, or in short {"n": 30}
        """
        where, whole = with_long_names(where or {}), {name: np.asarray(table[name]) for name in table}
        names.check_table(whole)
        is_planned = in_plan(whole, study) if study else np.ones(len(whole["pois"]), dtype=bool)
        columns = choose_rows(keep_rows(whole, is_planned), where)
        names.check_where(where)
        adaptations = set(columns.get(ADAPTATION, ())) | set(study.values(ADAPTATION) if study else ())
        factors = factor_names(len(adaptations) > 1 and ADAPTATION in columns and ADAPTATION not in where)
        rows = _group_rows([columns[name] for name in factors])
        planned = study.runs if study else max(map(len, rows.values()), default=0)
        present = {name: {key[k] for key in rows} for k, name in enumerate(factors)}
        axes = {name: _axis(name, present[name], study.values(name) if study else ()) for name in factors}
        return cls(columns, planned, axes, rows, int((~is_planned).sum()), study.name if study else "", where)

    @classmethod
    def from_source(
        cls,
        source: Source,
        study: Study | Mapping[str, Any] | None = None,
        where: Mapping[str, Any] | None = None,
        argument: str = "source",
    ) -> Runs:
        """Group the runs of a store, its path, a DataFrame or a mapping; runs that are grouped already stay so.

        study: what was planned, or the keys of it; a store knows its own
        argument: what errors call the source
        """
        if not isinstance(study, Study | Mapping | None):
            raise ValueError(f"study must be a debox.Study or a mapping of its keys, got {short_repr(study)}")
        content = open_source(source, argument)
        planned = Study.stored(study) if isinstance(study, Mapping) else study
        if isinstance(content, Runs):
            return cls.of(content.table, planned, where) if planned or where else content
        if isinstance(content, Store):
            return cls.of(content.table(), planned or content.study, where)
        return cls.of(content, planned, where)

    @property
    def omission(self) -> str:
        """Which runs of the table are left out, in words."""
        return f"{self.left_out:,} {'run is' if self.left_out == 1 else 'runs are'} not of this study"

    @property
    def caption(self) -> str:
        """What all runs have in common: ``paper: n = 30, budget 300 000, 50 runs``."""
        known = [name for name in SHARED if name in self.table and self.rows and name not in self.axes]
        common = {name: self.table[name][0] if (one := self.setting(name)) is None else one for name in known}
        facts = [f"n = {common['dimension']}"] if "dimension" in common else []
        facts += [f"budget {common['budget']:,}".replace(",", " ")] if "budget" in common else []
        facts += [f"{self.planned} run{'s' * (self.planned != 1)}"]
        usual = {**DEFAULTS, "donors": self.usual_donors}
        others = [name for name, value in usual.items() if name in self.where or common.get(name, value) != value]
        facts += [f"{name} = {common[name]}" for name in others]
        where = " where they adapt" * ("fixed" in self.adaptations)
        facts += [f"F and Cr at the start{where}"] if self.adapts else []
        return f"{self.name}: {', '.join(facts)}" if self.name else ", ".join(facts)

    def say_starting_values(self, text: str) -> str:
        """The text, in which F and Cr are called starting F and starting Cr where they adapt."""
        return re.sub(r"(?<![\w/-])(F|Cr)(?!\w)", r"starting \1", text) if self.adapts else text

    @property
    def adaptations(self) -> tuple[str, ...]:
        """How F and Cr adapt in these runs: a name for each level of the factor, or that of all runs."""
        return self.axes.get(ADAPTATION) or (str(self.common(ADAPTATION, "fixed")),)

    @property
    def usual_donors(self) -> str:
        """The rule by which runs of these adaptations choose donors if nothing else is said; empty if rules differ."""
        rules = {defaults_with(name)["donors"] for name in self.adaptations}
        return rules.pop() if len(rules) == 1 else ""

    @property
    def adapts(self) -> bool:
        """Do F and Cr adapt in any run?"""
        return set(self.adaptations) != {"fixed"}

    @property
    def panel_adaptations(self) -> tuple[str, ...]:
        """What panels name as their adaptation: each of several, or nothing."""
        return self.axes.get(ADAPTATION, ("",))

    def require_one_adaptation(self) -> Runs:
        """The same runs, whose adaptation is no factor; a ValueError that offers a choice if they have several.

        A study may plan several of which only one has runs.
        """
        if ADAPTATION not in self.axes:
            return self
        refuse_open_choices(dict(self.table), [ADAPTATION])
        place = list(self.axes).index(ADAPTATION)
        rows = {(*key[:place], *key[place + 1 :]): found for key, found in self.rows.items()}
        return replace(self, rows=rows, axes={name: self.axes[name] for name in self.axes if name != ADAPTATION})

    @property
    def options(self) -> str:
        """Settings other than the usual, as a configuration writes them, of the first run: ``, adaptation=JADE``."""
        first = next(iter(self.rows.values()))[0]
        found = {name: self.table[name][first] if name in self.table else usual for name, usual in DEFAULTS.items()}
        usual = defaults_with(str(found["adaptation"]))
        return "".join(f", {name}={value}" for name, value in found.items() if value != usual[name])

    def require_runs(self) -> Runs:
        """Itself; a ValueError if it has no run."""
        if not self.rows:
            raise ValueError("there are no runs" + (f"; {self.omission}" if self.left_out else " yet"))
        return self

    def has_any_of(self, panels: Iterable[Panel]) -> bool:
        """Is there a run of one of these panels?"""
        return any(panel in self.panels_with_runs for panel in panels)

    @cached_property
    def panels_with_runs(self) -> frozenset[Panel]:
        """The panels that have runs."""
        return frozenset(Panel(*key[:-2]) for key in self.rows)

    def values(self, panel: Panel, F: float, Cr: float, column: str = "pois") -> NDArray[Any]:
        """A column of the runs of one configuration, in the table's order; empty if there are none."""
        return self.table[column][self.rows.get((*panel.levels, F, Cr), np.empty(0, dtype=np.int64))]

    def setting(self, name: str) -> Any:
        """The one value of a setting in SHARED, or None if it makes no difference to any run or is not known."""
        if name not in self.table:
            return None
        values = self.table[name][rows_affected_by(name, self.table)]
        return values[0] if len(values) else None

    def common(self, name: str, default: Any = None) -> Any:
        """The value that all runs have in this column; the default if the table has no such column."""
        if name not in self.table and default is None:
            raise ValueError(f"the table has no column {name}, which this needs")
        return self.table[name][:1].tolist()[0] if name in self.table and self.rows else default

    def panels(self) -> list[Panel]:
        """All panels, planned or with runs, ordered by mutation, crossover, strategy, N and adaptation."""
        return [Panel(*values) for values in product(*list(self.axes.values())[:-2])]


Source = Store | Runs | str | PathLike[str] | Table | Frame  # what functions take that need the runs of a study


def open_source(source: Source, argument: str = "source") -> Store | Runs | Table:
    """A store, also if its path is given; runs that are grouped already; else a table, into which a frame is turned."""
    content = open_store(source) if isinstance(source, str | PathLike) else source
    if isinstance(content, Store | Runs):
        return content
    names = content if isinstance(content, Mapping) else getattr(content, "columns", None)
    if names is not None:
        with suppress(TypeError):  # where columns are not found by their names, as in a table of pyarrow
            return {name: content[name] for name in names}
    allowed = "a store, its path, a DataFrame or a mapping of columns"
    raise ValueError(f"{argument} must be {allowed}, got {short_repr(content)}")


def factor_names(several_adaptations: bool) -> tuple[str, ...]:
    """The factors of runs, in the order of their keys; all but the last two are a panel's."""
    return (*AXES[:-2], ADAPTATION, *AXES[-2:]) if several_adaptations else AXES


def _stretch_starts(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """The first row of each stretch of rows that are alike in these columns."""
    changes = np.ones(len(columns[0]), dtype=bool)
    changes[1:] = False
    for column in columns:
        changes[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(changes)


def _group_rows(factors: Sequence[NDArray[Any]]) -> dict[tuple[Any, ...], NDArray[np.int64]]:
    """The rows of each configuration. A store's table is sorted, so there are as many stretches as configurations."""
    starts = _stretch_starts(factors)
    stretches = zip(starts, [*starts[1:], len(factors[0])], strict=True) if len(starts) else ()
    grouped: defaultdict[tuple[Any, ...], list[NDArray[np.int64]]] = defaultdict(list)
    keys = zip(*(column[starts].tolist() for column in factors), strict=True)
    for key, (start, end) in zip(keys, stretches, strict=True):
        grouped[key].append(np.arange(start, end))
    return {key: np.concatenate(rows) for key, rows in grouped.items()}


def _axis(name: str, present: set[Any], planned: Sequence[Any]) -> tuple[Any, ...]:
    """A factor's values: operators as planned, then others that have runs; numbers in rising order."""
    if name in operators.SLOTS:
        return (*dict.fromkeys(planned), *sorted(present - set(planned), key=str.lower))
    return tuple(sorted(present | set(planned)))
