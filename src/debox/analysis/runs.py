"""Runs: the runs of a study as dense arrays: an axis for every factor that varies, a last one for the runs, NaN where
a run is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from numbers import Real
from os import PathLike
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from debox import operators
from debox.analysis import where as conditions
from debox.config import DEFAULTS, defaults_with
from debox.operators import find_or_none
from debox.store.schema import CHECKPOINT, LATER_COLUMNS, checkpoint_column
from debox.store.store import Store, open_store
from debox.study.fields import ADAPTATION, AXES, FACTORS, MATTERS_IF, SHARED, check_name, short_repr
from debox.study.study import Study

MOST_ENTRIES = 2 * 10**8  # of one array: 1.6 GB
NAMED = 5  # how many configurations an error names
TEXT_COLUMNS = (*operators.SLOTS, "engine")
NUMBER_COLUMNS = ("N", "F", "Cr", "dimension", "budget", "run", "pois")
NEEDED = (*FACTORS, "budget", "seed", "run", "pois")  # columns that are read of a store, and its checkpoints

Table = Mapping[str, ArrayLike]
Columns = dict[str, NDArray[Any]]
Floats = NDArray[np.float64]


class Frame(Protocol):
    """What the DataFrames of pandas and polars, which need not be installed, have in common."""

    @property
    def columns(self) -> Iterable[Any]: ...

    def __getitem__(self, name: Any, /) -> Any: ...


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of a study. ``runs["pois"]`` has an axis for each of `axes` and a last one for the runs.

    Attributes
    ----------
    axes : mapping of str to tuple
        The levels of mutation, crossover, strategy, N, F and Cr, planned or with runs, and, between N and F, of what
        else varies: dimension, donors, adaptation, …
    planned : int
        Runs of every configuration.
    left_out : int
        Runs of the table that the study, as it stands, does not plan.
    name : str
        Of the study.
    where : mapping of str to tuple
        The conditions that chose the runs: ``{"dimension": (30,)}``.
    """

    axes: Mapping[str, tuple[Any, ...]]
    table: Mapping[str, NDArray[Any]]
    index: NDArray[np.int32]  # the row of the table that has a run, -1 where it is missing
    planned: int
    left_out: int = 0
    name: str = ""
    where: conditions.Where = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        source: Source,
        study: Study | Mapping[str, Any] | None = None,
        where: Mapping[str, Any] | Iterable[str] = (),
        argument: str = "source",
    ) -> Runs:
        """The runs of a store, its path, a DataFrame or a mapping from column names to arrays.

        source: of Runs those that `where` chooses
        study: what was planned; a store knows its own. Without one: as many runs as any configuration has
        where: which runs, ``{"N": (5, 20), "F": "<=1"}`` or ``["N=5,20", "F<=1"]``
        argument: what errors call the source
        """
        if not isinstance(study, Study | Mapping | None):
            raise ValueError(f"study must be a debox.Study or a mapping of its keys, got {short_repr(study)}")
        content = open_source(source, argument)
        planned = Study.stored(study) if isinstance(study, Mapping) else study
        asked = conditions.read(where)
        if isinstance(content, Runs) and not (planned or asked):
            return content
        if isinstance(content, Store):
            return _arrange(_read(content), planned or content.study, asked)
        table = content.table if isinstance(content, Runs) else content
        return _arrange({name: np.asarray(table[name]) for name in table}, planned, asked)

    def __getitem__(self, column: str) -> Floats:
        """A column as an array, NaN where a run is missing."""
        if column not in self.table:
            raise ValueError(f"the table has no column {column}, which this needs; it has {', '.join(self.table)}")
        values = np.asarray(self.table[column], np.float64)
        if not len(values):
            return np.full(self.index.shape, np.nan)
        return np.asarray(np.where(self.index >= 0, values[self.index], np.nan))

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of levels of each factor."""
        return tuple(map(len, self.axes.values()))

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many runs each configuration has."""
        return np.asarray((self.index >= 0).sum(-1))

    @property
    def budget(self) -> Floats:
        """Evaluations of each run; of length 1 in every axis if all runs have the same."""
        budgets = self.table.get("budget", np.empty(0))
        if len(budgets) and (budgets == budgets[0]).all():
            return np.full((1,) * self.index.ndim, float(budgets[0]))
        return self["budget"]

    @property
    def trials(self) -> Floats:
        """All evaluations of each run but those of its initial population."""
        return np.asarray(self.budget - self.along("N", np.array(self.axes["N"], np.float64)))

    @property
    def infeasible(self) -> Floats:
        """How many trials of each run were infeasible."""
        return np.round(self["pois"] * self.budget)

    @property
    def share(self) -> Floats:
        """Infeasible trials ÷ trials, which can be 1 for every N; POIS itself is at most 1 − N/budget."""
        return self.infeasible / self.trials

    @property
    def logit(self) -> Floats:
        """log(p ÷ (1 − p)) of p = (infeasible + ½) ÷ (trials + 1), finite also where none or all are infeasible."""
        p = (self.infeasible + 0.5) / (self.trials + 1)
        return np.asarray(np.log(p) - np.log1p(-p))

    def axis(self, factor: str) -> int:
        """Which axis of the arrays a factor is."""
        return list(self.axes).index(factor)

    def along(self, factor: str, values: Floats) -> Floats:
        """A number for each level of a factor, to be broadcast against arrays of runs."""
        return values.reshape([-1 if k == self.axis(factor) else 1 for k in range(self.index.ndim)])

    def arrange(self, values: NDArray[Any], *factors: str) -> NDArray[Any]:
        """The same array with its axes in this order; the factors left out must have one level, and lose their axis."""
        others = [name for name in self.axes if name not in factors]
        order = [self.axis(name) for name in (*factors, *others)]
        moved = values.transpose(*order, *range(len(order), values.ndim))  # the axis of runs, if any, stays the last
        return moved.squeeze(tuple(range(len(factors), len(order))))

    def take(self, **wanted: Any) -> Runs:
        """The part with these levels: ``runs.take(mutation="rand/1", N=(5, 20), F="<=1")``."""
        axes, index = dict(self.axes), self.index
        for name, asked in conditions.read(wanted).items():
            if name not in axes:
                raise ValueError(f"where: the runs do not vary in {name}; they do in {', '.join(axes)}")
            chosen = conditions.levels(name, axes[name], asked)
            index = index.take([axes[name].index(level) for level in chosen], axis=list(axes).index(name))
            axes[name] = chosen
        return replace(self, axes=axes, index=index)

    def key(self, flat: int, shape: tuple[int, ...] | None = None) -> dict[str, Any]:
        """The levels of the configuration at a place of the flattened array; without axes that have length 1 there."""
        shape = shape or self.shape
        at = np.unravel_index(flat, shape)
        pairs = zip(self.axes.items(), at, shape, strict=True)
        return {name: levels[int(k)] for (name, levels), k, length in pairs if length == len(levels)}

    def require_runs(self) -> Runs:
        """Itself; a ValueError if it has no run."""
        if reason := self.no_runs:
            raise ValueError(reason)
        return self

    @property
    def no_runs(self) -> str:
        """That there is no run; empty if there is one."""
        return "" if len(self._rows) else "there are no runs" + (f"; {self.omission}" if self.left_out else " yet")

    def require_one(self, *settings: str) -> Runs:
        """The same runs without an axis for these settings (all but mutation, …, N, F and Cr, if none is named).

        A ValueError offers a choice if runs differ in one of them; levels that are planned and have no runs yet do not.
        """
        names = [name for name in self.axes if name not in AXES and (not settings or name in settings)]
        offered = {}
        for name in names:
            counts = self.counts.sum(tuple(k for k in range(len(self.axes)) if k != self.axis(name)))
            offered[name] = [level for level, count in zip(self.axes[name], counts.tolist(), strict=True) if count]
        refuse_open_choices({name: levels for name, levels in offered.items() if len(levels) > 1})
        places = {name: self.axes[name].index((offered[name] or self.axes[name])[0]) for name in names}
        index = self.index[tuple(places.get(name, slice(None)) for name in self.axes)]
        return replace(self, axes={name: axis for name, axis in self.axes.items() if name not in names}, index=index)

    def complete(self, least: int = 1, what: str = "this") -> Runs:
        """The same runs with no NaN among them: every configuration must have as many, which may be less than planned.

        A ValueError names those with fewer, or a run whose POIS is impossible.
        """
        if reason := self.obstacle(least, what):
            raise ValueError(reason)
        if (self.index >= 0).all():
            return self
        rows = self.index.reshape(-1, self.index.shape[-1])
        return replace(self, index=rows[rows >= 0].reshape(*self.shape, -1))

    def obstacle(self, least: int = 1, what: str = "this") -> str:
        """What `complete` would refuse; empty if nothing. `what` needs at least so many runs of every configuration."""
        if self.no_runs:
            return self.no_runs
        if absent := [name for name in ("budget", "dimension") if name not in self.table]:
            return f"the table has no column {', '.join(absent)}, which this needs"
        counts = self.counts
        most = counts.max()
        if fewer := np.flatnonzero(counts.ravel() != most).tolist():
            return f"every configuration needs the same {most} runs, these have fewer: {self.list_counts(fewer)}"
        if most < least:
            return f"{what} needs at least {least} runs of every configuration, these have {most}"
        if (self.trials <= 0).any():
            return f"budget must be larger than N, else a run has no trials; it is {self.budget.min():g}"
        return self.impossible

    def list_counts(self, cells: Sequence[int]) -> str:
        """Configurations at these places of the flattened array, each with its number of runs: at most NAMED."""
        named = "; ".join(f"{format_key(self.key(k))}: {self.counts.ravel()[k]}" for k in cells[:NAMED])
        return named + (f"; and {len(cells) - NAMED} more" if len(cells) > NAMED else "")

    @property
    def impossible(self) -> str:
        """The first POIS that no run can have, and of which configuration; empty if there is none."""
        possible = (self.infeasible >= 0) & (self.infeasible <= self.trials)
        wrong = np.flatnonzero((self.index >= 0) & ~possible)
        if not wrong.size:
            return ""
        key, row = self.key(wrong[0] // self.index.shape[-1]), self.index.ravel()[wrong[0]]
        limit = "pois must be from 0 to 1 − N/budget, for the first population is feasible"
        return f"{limit}; {format_key(key)} has {self.table['pois'][row]:g}"

    def common(self, name: str, default: Any = None) -> Any:
        """The value that all runs have in this column; the default if the table has no such column."""
        if name not in self.table and default is None:
            raise ValueError(f"the table has no column {name}, which this needs")
        return _plain(self.table[name][self._rows[0]]) if name in self.table and len(self._rows) else default

    @property
    def adaptations(self) -> tuple[str, ...]:
        """How F and Cr adapt in these runs: a name for each level of the factor, or that of all runs."""
        return self.axes.get(ADAPTATION) or (str(self.common(ADAPTATION, "fixed")),)

    @property
    def adapts(self) -> bool:
        """Do F and Cr adapt in any run?"""
        return set(self.adaptations) != {"fixed"}

    @property
    def missing(self) -> str:
        """How many of the planned runs there are, ``30 of 50 runs``; empty if none is missing."""
        return missing_runs(self.counts, self.planned)

    @property
    def omission(self) -> str:
        """Which runs of the table are left out, in words."""
        return f"{self.left_out:,} {'run is' if self.left_out == 1 else 'runs are'} not of this study"

    def common_if_it_matters(self, name: str) -> Any:
        """The one value of a setting among the runs to which it makes a difference; None if there are none."""
        if name not in self.table:
            return None
        there = {column: self.table[column][self._rows] for column in ("strategy", name)}
        values = there[name][rows_affected_by(name, there)]
        return _plain(values[0]) if len(values) else None

    @cached_property
    def _rows(self) -> NDArray[np.int32]:
        """The rows of the table that have these runs."""
        return self.index[self.index >= 0]

    @cached_property
    def caption(self) -> str:
        """What all runs have in common: ``paper: n = 30, budget 300 000, 50 runs``."""
        known = [name for name in SHARED if name in self.table and len(self._rows) and name not in self.axes]
        one = {name: self.common_if_it_matters(name) for name in known}
        common = {name: self.common(name) if value is None else value for name, value in one.items()}
        facts = [f"n = {common['dimension']}"] if "dimension" in common else []
        if "budget" in common and len(np.unique(self.table["budget"][self._rows])) == 1:
            facts += [f"budget {common['budget']:,}".replace(",", " ")]
        facts += [f"{self.planned} run{'s' * (self.planned != 1)}"]
        rules = {defaults_with(name)["donors"] for name in self.adaptations}
        usual = {**DEFAULTS, "donors": rules.pop() if len(rules) == 1 else ""}
        asked = [name for name in self.where if name not in self.axes]
        others = [name for name, value in usual.items() if name in asked or common.get(name, value) != value]
        facts += [f"{name} = {common[name]}" for name in others if name in common]
        where = " where they adapt" * ("fixed" in self.adaptations)
        facts += [f"F and Cr at the start{where}"] if self.adapts else []
        return f"{self.name}: {', '.join(facts)}" if self.name else ", ".join(facts)

    def say_starting_values(self, text: str) -> str:
        """The text, in which F and Cr are called starting F and starting Cr where they adapt."""
        return re.sub(r"(?<![\w/-])(F|Cr)(?!\w)", r"starting \1", text) if self.adapts else text

    @property
    def options(self) -> str:
        """Settings other than the usual, as a configuration writes them, of the first run: ``, adaptation=JADE``."""
        first = self.index[self.index >= 0][0]
        found = {name: self.table[name][first] if name in self.table else usual for name, usual in DEFAULTS.items()}
        usual = defaults_with(str(found[ADAPTATION]))
        return "".join(f", {name}={value}" for name, value in found.items() if value != usual[name])


Source = Store | Runs | str | PathLike[str] | Table | Frame  # what functions take that need the runs of a study


def open_source(source: Source, argument: str = "source") -> Store | Runs | Table:
    """A store, also if its path is given; Runs as they are; else a table, into which a frame is turned."""
    content = open_store(source) if isinstance(source, str | PathLike) else source
    if isinstance(content, Store | Runs):
        return content
    names = content if isinstance(content, Mapping) else getattr(content, "columns", None)
    if names is not None:
        with suppress(TypeError):  # where columns are not found by their names, as in a table of pyarrow
            return {name: content[name] for name in names}
    allowed = "a store, its path, a DataFrame or a mapping of columns"
    raise ValueError(f"{argument} must be {allowed}, got {short_repr(content)}")


def format_key(key: Mapping[str, Any]) -> str:
    """A configuration by its factors: ``rand/1/bin mirror, N=5, F=0.5, Cr=0.5``, or ``…, N=5, JADE, F=0.5, …``"""
    variant = "/".join(str(key[name]) for name in ("mutation", "crossover") if name in key)
    words = [" ".join(filter(None, (variant, str(key.get("strategy", "")))))]
    for name, value in key.items():
        if name not in ("mutation", "crossover", "strategy"):
            written = f"{value:g}" if isinstance(value, float) else str(value)
            words.append(written if name == ADAPTATION else f"{name}={written}")
    return ", ".join(filter(None, words))


def runs_in_words(runs: int, planned: int) -> str:
    """``50 runs``, or ``30 of 50 planned runs``"""
    return f"{runs} of {planned} planned runs" if runs < planned else f"{runs} run{'s' * (runs != 1)}"


def missing_runs(runs: ArrayLike, planned: int) -> str:
    """How many of the planned runs configurations have, ``30 of 50 runs``; empty if none is missing."""
    counts = np.unique(np.asarray(runs)).tolist()
    if counts in ([], [planned]):
        return "" if counts else "nothing planned"
    if counts == [0]:
        return "no runs"
    number = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"{number} of {planned} runs"


def rows_affected_by(name: str, columns: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """The runs to which a setting makes a difference: reevaluate and repair only to those of some strategies.

    Such a strategy need not be installed: that one of its runs has another value than the default shows it, since
    Config stores the default for all others.
    """
    strategy = columns["strategy"]
    if name not in MATTERS_IF:
        return np.ones(len(strategy), dtype=np.bool_)
    affected = set(strategy[columns[name] != DEFAULTS[name]].tolist())
    affected |= {
        one for one in set(strategy.tolist()) if getattr(find_or_none("strategy", one), MATTERS_IF[name], False)
    }
    return np.isin(strategy, sorted(affected))


def refuse_open_choices(offered: Mapping[str, Sequence[Any]]) -> None:
    """Raise a ValueError about settings in which runs differ, with a choice that is enough."""
    if offered:
        first = {name: levels[0] for name, levels in offered.items()}
        offer = " and ".join(f"{name} = {', '.join(map(str, levels))}" for name, levels in offered.items())
        command = " ".join(f"--where {name}={value}" for name, value in first.items())
        python = ", ".join(f"{name}={value!r}" for name, value in first.items())
        one = "one of each" if len(first) > 1 else "one"
        raise ValueError(f"the runs have {offer}; choose {one}: {command} (in Python: {python})")


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _read(store: Store) -> Columns:
    """The columns of a store that say which run a row is, and how many of its trials were infeasible."""
    names = store._column_names()
    return store.table([name for name in names if name in NEEDED or name.startswith(CHECKPOINT)])


def _arrange(columns: Columns, study: Study | None, where: conditions.Where) -> Runs:
    """Put the rows of a table that are planned and asked for into their places."""
    _check_table(columns)
    is_planned = _in_plan(columns, study) if study else np.ones(len(columns["pois"]), dtype=np.bool_)
    chosen = _keep(columns, is_planned)
    for name, wanted in where.items():
        chosen = _choose(chosen, name, wanted, study)
    axes = _axes(chosen, study, where)
    codes = [_codes(chosen[name], levels) for name, levels in axes.items()]
    runs, number = _numbers(chosen, codes, study)
    shape = (*map(len, axes.values()), runs)
    if prod(shape) > MOST_ENTRIES:
        sizes = " × ".join(f"{len(levels)} {name}" for name, levels in axes.items() if len(levels) > 1)
        longest = max(axes, key=lambda name: len(axes[name]))
        raise ValueError(
            f"these levels make an array of {prod(shape):,} runs ({sizes} × {runs} runs), more than {MOST_ENTRIES:,}; "
            f"choose some levels, such as {longest}={axes[longest][0]}"
        )
    index = np.full(shape, -1, np.int32)
    if len(number):
        place = np.ravel_multi_index([*codes, number], shape)
        index.ravel()[place] = np.arange(len(place))
        if (index >= 0).sum() < len(place):
            repeated = np.flatnonzero(index.ravel()[place] != np.arange(len(place)))[0]
            key = {name: _plain(chosen[name][repeated]) for name in axes}
            raise ValueError(f"run {number[repeated]} of {format_key(key)} is there more than once")
    return Runs(
        axes, chosen, index, study.runs if study else runs, int((~is_planned).sum()), study.name if study else "", where
    )


def _check_table(columns: Mapping[str, NDArray[Any]]) -> None:
    """Refuse a table that lacks columns or rows of some, whose names are no names, or whose numbers are no numbers."""
    if "n" in columns and "dimension" not in columns:
        raise ValueError("the table has a column n, which is called dimension: rename it")
    if missing := [name for name in (*AXES, "pois") if name not in columns]:
        raise ValueError(f"the table has no column {', '.join(missing)}; it has {', '.join(columns)}")
    shapes = {name: column.shape for name, column in columns.items()}
    if uneven := [name for name in shapes if shapes[name][:1] != shapes["mutation"][:1]]:
        both = f"mutation has the shape {shapes['mutation']}, {uneven[0]} {shapes[uneven[0]]}"
        raise ValueError(f"all columns must have as many rows; {both}")
    for name in TEXT_COLUMNS:
        for value in set(columns[name].tolist()) if name in columns else ():
            check_name(f"the column {name}", value)
    for name in NUMBER_COLUMNS:
        if name in columns and columns[name].dtype.kind not in "iuf":
            wrong = [value for value in columns[name].tolist() if not isinstance(value, Real)]
            if wrong:
                raise ValueError(f"the column {name} must hold numbers, got {short_repr(wrong[0])}")
    for name in ("N", "F", "Cr"):
        if len(infinite := columns[name][~np.isfinite(columns[name].astype(float))]):
            raise ValueError(f"the column {name} must hold finite numbers, got {infinite[0]:g}")


def _in_plan(columns: Columns, study: Study) -> NDArray[np.bool_]:
    """Which rows belong to the study as it stands; a store keeps those of its earlier versions, too."""
    keep = np.ones(len(columns["pois"]), dtype=np.bool_)
    checkpoints = {checkpoint_column(share) for share in study.checkpoints}
    for name in columns:
        if name.startswith(CHECKPOINT):  # rows have numbers at the study's checkpoints and NaN at others
            keep &= np.isfinite(columns[name]) == (name in checkpoints)
    for name in FACTORS:
        if name in columns:
            keep &= np.isin(columns[name], study.values(name)) | ~rows_affected_by(name, columns)
    for dimension in study.dimension if {"budget", "dimension"} <= columns.keys() else ():
        keep &= (columns["dimension"] != dimension) | (columns["budget"] == study.budget_for(dimension))
    if "seed" in columns:
        keep &= columns["seed"] == study.seed
    if "run" in columns:
        keep &= columns["run"] < study.runs
    return keep


def _keep(columns: Columns, keep: NDArray[np.bool_]) -> Columns:
    return columns if keep.all() else {name: column[keep] for name, column in columns.items()}


def _choose(columns: Columns, name: str, wanted: tuple[Any, ...], study: Study | None) -> Columns:
    """The rows that meet a condition, and those to which the setting makes no difference."""
    if name not in columns and name in LATER_COLUMNS:
        columns = {**columns, name: np.full(len(columns["pois"]), LATER_COLUMNS[name], object)}
    if name not in columns:
        raise ValueError(f"where: the table has no column {name}, so runs cannot be chosen by it")
    affected = rows_affected_by(name, columns)
    there = _levels(name, columns[name][affected], study)
    if not there:
        return columns
    return _keep(columns, ~affected | np.isin(columns[name], conditions.levels(name, there, wanted)))


def _levels(name: str, present: NDArray[Any], study: Study | None) -> tuple[Any, ...]:
    """A factor's levels: operators as planned, then others that have runs; numbers in rising order."""
    values, planned = set(present.tolist()), study.values(name) if study and name in FACTORS else ()
    if name in operators.SLOTS:
        return (*dict.fromkeys(planned), *sorted(values - set(planned), key=str.lower))
    return tuple(sorted(values | set(planned)))


def _axes(columns: Columns, study: Study | None, where: conditions.Where) -> dict[str, tuple[Any, ...]]:
    """The factors that have an axis, with their levels: those of AXES, and others that vary where they matter.

    The budget does not vary if it follows from the dimension.
    """
    varying = []
    for name in SHARED:
        if name in columns:
            values = columns[name][rows_affected_by(name, columns)].tolist()
            there = set(values)
            if name == ADAPTATION and name not in where and study:
                there |= set(study.values(name))
            if name == "budget" and "dimension" in columns:
                dimensions = columns["dimension"].tolist()
                there = there if len(set(zip(dimensions, values, strict=True))) > len(set(dimensions)) else set()
            if len(there) > 1:
                varying.append(name)
    axes = {}
    for name in (*AXES[:-2], *varying, *AXES[-2:]):
        is_planned = name in (*AXES, ADAPTATION)
        levels = _levels(name, columns[name], study if is_planned else None)
        axes[name] = conditions.levels(name, levels, where[name]) if is_planned and name in where else levels
    return axes


def _codes(column: NDArray[Any], levels: Sequence[Any]) -> NDArray[np.intp]:
    """The place of each value among the levels, looked up where it changes: the table of a store is sorted."""
    if not len(column):
        return np.zeros(0, np.intp)
    starts = np.flatnonzero(np.concatenate([[True], column[1:] != column[:-1]]))
    place = {level: k for k, level in enumerate(levels)}
    found = np.array([place[value] for value in column[starts].tolist()], np.intp)
    return np.repeat(found, np.diff([*starts, len(column)]))


def _numbers(columns: Columns, codes: list[NDArray[np.intp]], study: Study | None) -> tuple[int, NDArray[np.intp]]:
    """The length of the axis of runs, and the place of each row on it: by run numbers, if the table has them.

    Else it is the place within the configuration, in the order of the table.
    """
    if "run" in columns:
        if study:
            return study.runs, np.asarray(columns["run"], np.intp)
        numbers, place = np.unique(columns["run"], return_inverse=True)
        return len(numbers), place
    cells = np.unique(codes, axis=1, return_inverse=True)[1].ravel()
    order = np.argsort(cells, kind="stable")
    place = np.empty(len(cells), np.intp)
    place[order] = np.arange(len(cells)) - np.searchsorted(cells[order], cells[order])
    return max(study.runs if study else 0, int(place.max(initial=-1)) + 1), place
