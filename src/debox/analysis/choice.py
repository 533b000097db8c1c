"""Which rows of a table figures show: those that the study plans, and of several n, budget, … one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check, registry
from debox.analysis import names
from debox.store.schema import CHECKPOINT, checkpoint_column

FACTORS = ("mutation", "crossover", "strategy", "N", "F", "Cr")  # what tells configurations apart
SHARED = ("donors", "reevaluate", "frozen", "n", "budget")  # what all runs of a figure have in common

Columns = dict[str, NDArray[Any]]


def only(columns: Columns, keep: NDArray[np.bool_]) -> Columns:
    """The rows to keep."""
    return columns if keep.all() else {name: column[keep] for name, column in columns.items()}


def in_plan(columns: Columns, study: Mapping[str, Any]) -> NDArray[np.bool_]:
    """Which rows belong to the study as it stands; a store keeps those of its earlier versions, too."""
    keep = np.ones(len(columns["pois"]), dtype=bool)
    for name in (*FACTORS, *SHARED, "seed"):
        if name in study and name in columns and name not in ("reevaluate", "budget"):
            keep &= np.isin(columns[name], planned_values(study, name))
    if "reevaluate" in study and "reevaluate" in columns:
        planned = np.isin(columns["reevaluate"], planned_values(study, "reevaluate"))
        keep &= planned | ~rows_affected_by("reevaluate", columns["strategy"])
    if "budget" in study and {"budget", "n"} <= columns.keys():
        keep &= columns["budget"] == budgets(study["budget"], columns["n"])
    if "runs" in study and "run" in columns:
        keep &= columns["run"] < study["runs"]
    return keep & has_checkpoints(columns, study)


def budgets(written: int | str, n: NDArray[np.int64]) -> int | NDArray[np.int64]:
    """A number, or so many for every variable: '10000 n'."""
    return int(written.split()[0]) * n if isinstance(written, str) else written


def has_checkpoints(columns: Columns, study: Mapping[str, Any]) -> NDArray[np.bool_]:
    """Which rows were noted at the study's checkpoints and at no others; what was not noted is NaN."""
    keep = np.ones(len(columns["pois"]), dtype=bool)
    if "checkpoints" in study:
        planned = {checkpoint_column(share) for share in study["checkpoints"]}
        for name in columns:
            if name.startswith(CHECKPOINT):
                keep &= np.isfinite(columns[name]) == (name in planned)
    return keep


def planned_values(study: Mapping[str, Any], name: str) -> Sequence[Any]:
    """The values of a factor in a study, as a table has them; those of an exact grid are written rounded."""
    given = study.get(name, ())
    values: Sequence[Any] = given if isinstance(given, list | tuple) else [given]
    if name in registry.SLOTS:
        return [names.full(name, value) for value in values]
    if study.get("grid") == "exact" and name in ("F", "Cr") and values:
        return [float(value) for value in np.linspace(values[0], values[-1], len(values))]
    return values


def chosen(columns: Columns, where: Mapping[str, Any]) -> Columns:
    """The runs that `where` asks for: one n, one budget, …"""
    shared = [name for name in SHARED if name in columns]
    for name in where:
        check.choice("where", name, shared)
    for name in shared:
        matters = rows_affected_by(name, columns["strategy"])
        values = sorted(set(columns[name][matters].tolist()))
        if len(values) > 1 or (values and name in where):
            columns = only(columns, ~matters | (columns[name] == value_asked_for(name, values, where)))
    return columns


def rows_affected_by(name: str, strategy: NDArray[Any]) -> NDArray[np.bool_]:
    """The runs to which a setting makes a difference: reevaluate only to those that dismiss the whole trial."""
    if name != "reevaluate":
        return np.ones(len(strategy), dtype=np.bool_)
    return np.isin(strategy, [operator.name for operator in registry.in_slot("strategy") if operator.dismisses])


def value_asked_for(name: str, values: list[Any], where: Mapping[str, Any]) -> Any:
    """The value asked for, as text or as itself."""
    for value in values:
        if name in where and str(value).lower() == str(where[name]).lower():
            return value
    held = f"the runs have {name} = {', '.join(map(str, values))}"
    if name in where:
        raise ValueError(f"there are no runs where {name} is {where[name]}; {held}")
    one = f"{name}={values[0]!r}"
    raise ValueError(
        f"{held}; a figure shows one of them: --where {name}={values[0]} on the command line, pass {one} in Python"
    )
