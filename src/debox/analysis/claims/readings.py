"""Other readings of the paper's text, and where their runs are found: one entry per reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox import files, operators
from debox.analysis.claims.levels import join_values
from debox.analysis.cube import NAMED, Cube, format_cell, impossible_pois
from debox.analysis.old_runs import Runs, Source, Table, open_source
from debox.store import readings
from debox.store.store import DATA, Store
from debox.study.fields import AXES, with_long_names
from debox.study.study import Study

FILE = "readings.parquet"

AS_WRITTEN = "as written"
READINGS = {
    AS_WRITTEN: "the paper's words: donors are distinct, every trial is evaluated, numbers are rounded one by one",
    "not-target": "no donor is the target",
    "not-parents": "no donor is the target nor, where the mutation uses it, the best",
    "no-reevaluation": "a dismissed trial changes nothing: it is not evaluated again",
    "frozen": "with mirror and dismiss no trial is ever accepted",
    "tolerance": "a component beyond a bound by at most 4·2⁻⁵²·(b − a) is put on it and counts as inside",
    "fused": "the compiler fuses products with the sums they go into",
}

Sources = Mapping[str, Source]


class Replacement(NamedTuple):
    """A study with the runs of a reading in place of its own."""

    before: Cube  # the study itself, in the configurations that exist under the reading and with as many runs
    after: Cube  # the same with the reading's runs; POIS is NaN where a configuration does not exist
    replaced: NDArray[np.bool_]  # the configurations whose runs are the reading's
    absent: NDArray[np.bool_]  # those that do not exist


def tables_of(given: Sources | str | PathLike[str] | None) -> Sources:
    """The runs of every reading: as given, from a file of readings, or those of the paper's study."""
    if isinstance(given, Mapping):
        return given
    if given is not None:
        return readings.read(files.absolute(given, "readings"))
    there = [folder / FILE for folder in DATA if (folder / FILE).is_file()]
    if not there:
        raise ValueError(
            f"the readings of the paper's study are not installed; they are data/{FILE} in debox's repository: "
            "give its path, or for each reading a store (--readings frozen=DIR, in Python readings={'frozen': DIR})"
        )
    return readings.read(there[0])


def replace_runs(cube: Cube, name: str, source: Source, where: Mapping[str, Any] | None = None) -> Replacement:
    """A study with the runs of a reading in place of its own; configurations that the reading lacks keep theirs.

    A reading whose configurations differ in their number of runs, or have a POIS that no run can have, is refused.
    where: of several dimensions, budgets, … of its runs the one to look at: {"dimension": 30}
    """
    content = open_source(source, f"readings: {name}")
    table = content.table() if isinstance(content, Store) else content.table if isinstance(content, Runs) else content
    study = content.study if isinstance(content, Store) else None
    chosen = Runs.of(table, study, open_choices(table, where or {}))
    runs = by_number(chosen.require_one_adaptation().require_runs())
    if wrong := _mismatch(cube, runs):
        raise ValueError(f"reading {name!r} is not one of this study: {wrong}; give its runs, --readings {name}=DIR")
    if wrong := _unequal(runs, study) or impossible_pois(runs, runs.rows, cube.budget):
        raise ValueError(f"reading {name!r}: {wrong}")
    per_cell = min(cube.runs, *map(len, runs.rows.values()))
    donors = str(runs.common("donors", cube.donors))
    before = cube.pois[..., :per_cell].copy()
    absent = _absent(cube, donors)
    before[absent] = np.nan
    after, replaced = before.copy(), np.zeros(absent.shape, np.bool_)
    for key, rows in runs.rows.items():
        place = tuple(cube.axes[factor].index(value) for factor, value in zip(AXES, key, strict=True))
        after[place], replaced[place] = runs.table["pois"][rows[:per_cell]], True
    own = replace(cube, pois=before, planned=per_cell)
    return Replacement(own, replace(own, pois=after, donors=donors), replaced, absent)


def open_choices(table: Table, where: Mapping[str, Any]) -> dict[str, Any]:
    """What `where` says of settings in which the runs of a table differ.

    It is said of the study: a reading whose runs all have other donors is not asked for those of the study.
    """
    asked = with_long_names(where)
    return {
        name: value for name, value in asked.items() if name in table and len(set(np.asarray(table[name]).tolist())) > 1
    }


def by_number(runs: Runs) -> Runs:
    """The same runs, those of each configuration in the order of their numbers, if the table has these."""
    if "run" not in runs.table:
        return runs
    number = runs.table["run"]
    return replace(runs, rows={key: rows[np.argsort(number[rows], kind="stable")] for key, rows in runs.rows.items()})


def _unequal(runs: Runs, study: Study | None) -> str:
    """Which configurations have fewer runs than others, or none though they are planned; empty if there are none."""
    planned = product(*map(study.values, AXES)) if study else ()
    counts = {key: len(runs.rows.get(key, ())) for key in dict.fromkeys([*runs.rows, *planned])}
    most = max(counts.values())
    fewer = [f"{format_cell(key)}: {count}" for key, count in counts.items() if count != most]
    more = f"; and {len(fewer) - NAMED} more" if len(fewer) > NAMED else ""
    why = f"all its configurations need the same {most} runs, these have fewer"
    return f"{why}: {'; '.join(fewer[:NAMED])}{more}" if fewer else ""


def _mismatch(cube: Cube, runs: Runs) -> str:
    """Why these runs cannot stand in the place of a study's; empty if they can."""
    for name in ("dimension", "budget"):
        if (there := int(runs.common(name))) != (own := getattr(cube, name)):
            return f"its runs have {name} = {there}, the study has {own}"
    for name in AXES:
        if unknown := sorted({value for value in runs.axes[name] if value not in cube.axes[name]}):
            return f"its runs have {name} = {unknown[0]}, the study has {join_values(cube.axes[name])}"
    return ""


def _absent(cube: Cube, donors: str) -> NDArray[np.bool_]:
    """Which configurations do not exist under a donor rule, for their N is too small."""
    absent = np.zeros(cube.pois.shape[:-1], np.bool_)
    rule = operators.find_or_none("donors", donors)
    for m, name in enumerate(cube.axes["mutation"]):
        mutation = operators.find_or_none("mutation", name)
        for k, N in enumerate(cube.axes["N"]):
            absent[m, :, :, k] = bool(rule and mutation and operators.smallest_population(mutation, rule) > N)
    return absent
