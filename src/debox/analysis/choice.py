"""Which rows of a table figures show: those that the study plans, and of several dimensions, budgets, … one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check
from debox.config import DEFAULTS
from debox.operators import find_or_none
from debox.store.schema import CHECKPOINT, LATER_COLUMNS, checkpoint_column
from debox.study.fields import ADAPTATION, FACTORS, MATTERS_IF, SHARED
from debox.study.study import Study

Columns = dict[str, NDArray[Any]]


def keep_rows(columns: Columns, keep: NDArray[np.bool_]) -> Columns:
    """The rows of a table that `keep` marks."""
    return columns if keep.all() else {name: column[keep] for name, column in columns.items()}


def in_plan(columns: Columns, study: Study) -> NDArray[np.bool_]:
    """Which rows belong to the study as it stands; a store keeps those of its earlier versions, too."""
    keep = has_checkpoints(columns, study)
    for name in FACTORS:
        if name in columns:
            planned = np.isin(columns[name], study.values(name))
            keep &= planned | ~rows_affected_by(name, columns)
    for dimension in study.dimension if {"budget", "dimension"} <= columns.keys() else ():
        keep &= (columns["dimension"] != dimension) | (columns["budget"] == study.budget_for(dimension))
    if "seed" in columns:
        keep &= columns["seed"] == study.seed
    if "run" in columns:
        keep &= columns["run"] < study.runs
    return keep


def has_checkpoints(columns: Columns, study: Study) -> NDArray[np.bool_]:
    """Which rows have POIS at the study's checkpoints and at no others; elsewhere it is NaN."""
    keep = np.ones(len(columns["pois"]), dtype=bool)
    planned = {checkpoint_column(share) for share in study.checkpoints}
    for name in columns:
        if name.startswith(CHECKPOINT):
            keep &= np.isfinite(columns[name]) == (name in planned)
    return keep


def choose_rows(columns: Columns, where: Mapping[str, Any]) -> Columns:
    """The runs that `where` asks for: one dimension, one budget, …; a ValueError if a choice is left open.

    Runs may differ in their adaptation, which is then a factor. A table of an earlier version without a column has its
    usual value in all rows.
    """
    for name in where:
        if check.choice("where", name, SHARED) in LATER_COLUMNS and name not in columns:
            columns = {**columns, name: np.full(len(columns["pois"]), LATER_COLUMNS[name], object)}
        if name not in columns:
            raise ValueError(f"where: the table has no column {name}, so runs cannot be chosen by it")
    shared = [name for name in SHARED if name in columns]
    for name in shared:
        if name in where and (values := values_that_matter(columns, name)):
            columns = rows_with(columns, name, value_asked_for(name, values, where[name]))
    refuse_open_choices(columns, [name for name in shared if name != ADAPTATION])
    return columns


def refuse_open_choices(columns: Columns, shared: Sequence[str]) -> None:
    """Raise a ValueError if runs differ in a shared setting; it names all such settings and a choice that is enough.

    Each is looked for among the runs with the values proposed before: a budget that follows from the dimension is no
    choice.
    """
    open_choices = {}
    for name in shared:
        values = values_that_matter(columns, name)
        if len(values) > 1:
            open_choices[name] = values
            columns = rows_with(columns, name, values[0])
    if open_choices:
        first = {name: values[0] for name, values in open_choices.items()}
        offer = " and ".join(f"{name} = {', '.join(map(str, values))}" for name, values in open_choices.items())
        command = ",".join(f"{name}={value}" for name, value in first.items())
        python = ", ".join(f"{name}={value!r}" for name, value in first.items())
        one = "one of each" if len(first) > 1 else "one"
        raise ValueError(f"the runs have {offer}; choose {one}: --where {command} (in Python: {python})")


def values_that_matter(columns: Columns, name: str) -> list[Any]:
    """The values of a setting in the runs to which it makes a difference."""
    return sorted(set(columns[name][rows_affected_by(name, columns)].tolist()))


def rows_with(columns: Columns, name: str, value: Any) -> Columns:
    """The runs with this value of a setting, and those to which it makes no difference."""
    return keep_rows(columns, ~rows_affected_by(name, columns) | (columns[name] == value))


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


def value_asked_for(name: str, values: list[Any], wanted: Any) -> Any:
    """The one of these values that is wanted, as text or as itself."""
    for value in values:
        if str(value).lower() == str(wanted).lower():
            return value
    raise ValueError(
        f"there are no runs where {name} is {wanted}; the runs have {name} = {', '.join(map(str, values))}"
    )
