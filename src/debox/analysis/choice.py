"""Which rows of a table figures show: those that the study plans, and of several dimensions, budgets, … one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check
from debox.design.checks import installed_operator
from debox.design.fields import FACTORS, SHARED
from debox.design.study import Study
from debox.store.schema import CHECKPOINT, checkpoint_column

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
    """The runs that `where` asks for: one dimension, one budget, …"""
    shared = [name for name in SHARED if name in columns]
    for name in where:
        check.choice("where", name, shared)
    for name in shared:
        matters = rows_affected_by(name, columns)
        values = sorted(set(columns[name][matters].tolist()))
        if len(values) > 1 or (values and name in where):
            columns = keep_rows(columns, ~matters | (columns[name] == value_asked_for(name, values, where)))
    return columns


def rows_affected_by(name: str, columns: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """The runs to which a setting makes a difference: reevaluate only to those that dismiss the whole trial.

    A strategy that dismisses need not be installed: that one of its runs has False shows it, since Config stores True
    for all others.
    """
    strategy = columns["strategy"]
    if name != "reevaluate":
        return np.ones(len(strategy), dtype=np.bool_)
    dismissing = set(strategy[np.isin(columns[name], [False])].tolist())
    for other in set(strategy.tolist()) - dismissing:
        operator = installed_operator("strategy", other)
        if operator and operator.dismisses:
            dismissing.add(other)
    return np.isin(strategy, sorted(dismissing))


def value_asked_for(name: str, values: list[Any], where: Mapping[str, Any]) -> Any:
    """The value asked for, as text or as itself."""
    for value in values:
        if name in where and str(value).lower() == str(where[name]).lower():
            return value
    offer = f"the runs have {name} = {', '.join(map(str, values))}"
    if name in where:
        raise ValueError(f"there are no runs where {name} is {where[name]}; {offer}")
    one = f"{name}={values[0]!r}"
    raise ValueError(
        f"{offer}; a figure shows one of them: --where {name}={values[0]} on the command line, pass {one} in Python"
    )
