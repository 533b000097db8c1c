"""Verdicts under other readings of the paper's text, each beside the verdict from the study's own runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import files, operators
from debox.analysis import where as conditions
from debox.analysis.runs import Runs, Source, open_source
from debox.config import DEFAULTS
from debox.paper.verdict import Result, judge_all, select
from debox.store import readings as stored
from debox.store.store import DATA, Store
from debox.study.fields import AXES

FILE = "readings.parquet"
READINGS = {
    "not-target": "no donor is the target",
    "not-parents": "no donor is the target nor, where the mutation uses it, the best",
    "no-reevaluation": "a dismissed trial changes nothing: it is not evaluated again",
    "frozen": "with mirror and dismiss no trial is ever accepted",
    "immediate": "an accepted trial takes its target's place at once, not in the next generation",
    "toroidal-literally": "the equation of the toroidal strategy as printed: below the box it mirrors",
    "tolerance": "a component beyond a bound by at most 4·2⁻⁵²·(b − a) is put on it and counts as inside",
    "fused": "the compiler fuses products with the sums they go into",
}
COLUMNS = ("dimension", "budget", "donors", "adaptation", "pois")  # of runs, besides the levels of AXES

Sources = Mapping[str, Source]


@dataclass(frozen=True, eq=False)
class Replacement:
    """A study with the runs of a reading in place of its own.

    before    the study, without configurations that the reading cannot have, and with as many runs as it has
    after     the same with the reading's runs
    replaced  the configurations whose runs are the reading's
    absent    those that do not exist under the reading
    """

    before: Runs
    after: Runs
    replaced: NDArray[np.bool_]
    absent: NDArray[np.bool_]


@dataclass(frozen=True)
class Comparison:
    """The verdicts under one reading.

    Attributes
    ----------
    reading, words : str
        Its name, and what it reads otherwise.
    before : list of Result
        From the study's own runs of the configurations that exist under the reading, as many as it has.
    after : list of Result
        Those with the reading's runs, in the same order.
    cells, absent : int
        How many configurations have other runs, and how many do not exist.
    """

    reading: str
    words: str
    before: list[Result]
    after: list[Result]
    cells: int
    absent: int

    @property
    def changes(self) -> list[tuple[Result, Result]]:
        """The claims whose verdict is another one, before and after."""
        pairs = zip(self.before, self.after, strict=True)
        return [(before, after) for before, after in pairs if before.verdict is not after.verdict]


def compare(
    source: Source,
    readings: Sources | str | PathLike[str] | None = None,
    *,
    only: str | Collection[str] = (),
    **where: Any,
) -> list[Comparison]:
    """Test the paper's conclusions on a study under other readings of the paper's text.

    A reading brings runs of the configurations that it changes; all others keep those of the study. Each verdict stands
    beside the one that the study's own runs give for the same configurations and as many runs.

    Parameters
    ----------
    source : store, path, DataFrame or mapping
        The runs of the study, as in `claims`.
    readings : mapping of name to store, path, DataFrame or mapping; or path, optional
        The runs of every reading, or the path of a file of readings, such as data/readings.parquet of debox's
        repository. Default: those of the paper's study, which come with debox.
    only : str or collection of str, default ()
        Ids or patterns of claims, as in `claims`.
    **where : int, str, bool or tuple, optional
        Of several dimensions, budgets, … the one to test, such as ``dimension=30``, in short ``n=30``, or a part of the
        study; of readings, too, as far as their runs differ in it.

    Returns
    -------
    list of Comparison
        One for each reading.

    Raises
    ------
    ValueError
        If the runs of a reading are of another dimension or budget, or of configurations that the study does not have,
        if its configurations differ in their number of runs or some that its store plans have none, if a POIS is one
        that no run can have, and for what `claims` refuses.
    StoreError
        If `source`, `readings` or one of them is a path without a store, or a store that cannot be read.

    Examples
    --------
    >>> from debox.paper import compare
    >>> (frozen,) = compare("paper", {"frozen": "paper"}, only="crossover-exp-below-bin")
    >>> frozen.cells, str(frozen.before[0].verdict), frozen.changes
    (6000, 'holds', [])
    """
    wanted, study = select(only), Runs.of(source, where=where).require_one().complete()
    found: list[Comparison] = []
    judged: dict[tuple[int, bytes], list[Result]] = {}  # readings often have as many runs of the same configurations
    for name, given in tables_of(readings).items():
        other = replace_runs(study, name, given, where)
        known = other.before.index.shape[-1], other.absent.tobytes()
        before = judged[known] = judged.get(known) or judge_all(other.before, wanted)
        after = judge_all(other.after, wanted)
        counts = int(other.replaced.sum()), int(other.absent.sum())
        found.append(Comparison(name, READINGS.get(name, name), before, after, *counts))
    return found


def tables_of(given: Sources | str | PathLike[str] | None) -> Sources:
    """The runs of every reading: as given, from a file of readings, or those of the paper's study."""
    if isinstance(given, Mapping):
        return given
    if given is not None:
        return stored.read(files.absolute(given, "readings", for_duckdb=True))
    there = [folder / FILE for folder in DATA if (folder / FILE).is_file()]
    if not there:
        raise ValueError(
            f"the readings of the paper's study are not installed; they are data/{FILE} in debox's repository: "
            "give its path, or for each reading a store (--readings frozen=DIR, in Python readings={'frozen': DIR})"
        )
    return stored.read(there[0])


def replace_runs(study: Runs, name: str, source: Source, where: Mapping[str, Any] | None = None) -> Replacement:
    """A complete study with the runs of a reading in place of its own."""
    asked = conditions.read(where or {})
    content = open_source(source, f"readings: {name}")
    several = Runs.of(content).require_runs()
    open_to_choice = {one: asked[one] for one in asked if one in several.axes and one not in AXES}
    other = several.take(**open_to_choice).require_one()
    if wrong := _mismatch(study, other, asked):
        raise ValueError(f"reading {name!r} is not one of this study: {wrong}; give its runs, --readings {name}=DIR")
    if wrong := _why_not(other, isinstance(content, Store)):
        raise ValueError(f"reading {name!r}: {wrong}")
    counts = other.counts
    runs = min(study.index.shape[-1], int(counts.max()))
    absent = _absent(study, str(other.common("donors", study.common("donors", DEFAULTS["donors"]))))
    before = np.where(absent[..., None], -1, study.index[..., :runs])
    after, replaced = before.copy(), np.zeros(absent.shape, np.bool_)
    offset = len(study.table["pois"])
    for cell in zip(*np.nonzero(counts), strict=True):
        key = other.key(int(np.ravel_multi_index(cell, counts.shape)))
        if all(key[factor] in study.axes[factor] for factor in AXES):
            place = tuple(study.axes[factor].index(key[factor]) for factor in AXES)
            rows = other.index[cell]
            after[place], replaced[place] = offset + rows[rows >= 0][:runs], True
    table = {column: np.concatenate([_column(one, column) for one in (study, other)]) for column in COLUMNS}
    own = replace(study, index=before, planned=runs)
    return Replacement(own, replace(own, index=after, table=table), replaced, absent)


def _column(runs: Runs, name: str) -> NDArray[Any]:
    """A column of a table, or the default for each of its rows."""
    return np.asarray(runs.table.get(name, np.full(len(runs.table["pois"]), DEFAULTS.get(name), object)))


def _mismatch(study: Runs, other: Runs, asked: Collection[str]) -> str:
    """Why these runs cannot stand in the place of a study's; empty if they can."""
    for name in ("dimension", "budget"):
        if (there := other.common(name)) != (own := study.common(name)):
            return f"its runs have {name} = {there}, the study has {own}"
    for name in AXES:
        unknown = [level for level in other.axes[name] if level not in study.axes[name]]
        if unknown and (name not in asked or len(unknown) == len(other.axes[name])):
            return f"its runs have {name} = {unknown[0]}, the study has {conditions.join(study.axes[name])}"
    return ""


def _why_not(other: Runs, is_planned: bool) -> str:
    """What is wrong with the runs of a reading: configurations with fewer than others, or a POIS that cannot be."""
    counts = other.counts
    if fewer := np.flatnonzero((counts < counts.max()) & ((counts > 0) | is_planned)).tolist():
        why = f"all its configurations need the same {counts.max()} runs, these have fewer"
        return f"{why}: {other.list_counts(fewer)}"
    return other.impossible


def _absent(study: Runs, donors: str) -> NDArray[np.bool_]:
    """Which configurations do not exist under a donor rule, for their N is too small."""
    absent = np.zeros(study.shape, np.bool_)
    rule = operators.find_or_none("donors", donors)
    for m, name in enumerate(study.axes["mutation"]):
        mutation = operators.find_or_none("mutation", name)
        for k, N in enumerate(study.axes["N"]):
            absent[m, :, :, k] = bool(rule and mutation and operators.smallest_population(mutation, rule) > N)
    return absent
