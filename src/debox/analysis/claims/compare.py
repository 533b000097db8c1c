"""Verdicts under other readings of the paper's text, each beside the verdict that the study itself gets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from debox.analysis.claims.readings import (
    AS_WRITTEN,
    READINGS,
    Replacement,
    Sources,
    by_number,
    replace_runs,
    tables_of,
)
from debox.analysis.claims.rules import Verdict
from debox.analysis.claims.verdict import Result, judge_all, names_in, select_claims
from debox.analysis.cube import Cube
from debox.analysis.old_runs import Runs, Source


@dataclass(frozen=True)
class Comparison:
    """The verdicts under one reading.

    Attributes
    ----------
    reading, words : str
        Its name, and what it reads otherwise.
    before : list of Result
        The verdicts on the study itself, on the configurations that exist under the reading and on as many runs.
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


def compare_claims(
    source: Source,
    readings: Sources | str | PathLike[str] | None = None,
    *,
    only: str | Collection[str] = (),
    **where: Any,
) -> list[Comparison]:
    """Test the paper's conclusions on a study as it is, and under other readings of the paper's text.

    A reading brings runs of the configurations that it changes; all others keep those of the study. Each verdict stands
    beside the one that the study itself gets from the same configurations and as many runs, so that a reading under
    which some do not exist, or which has fewer runs, is compared with what it can be compared with.

    Parameters
    ----------
    source : store, path, DataFrame or mapping
        The runs of the study, as in `claims`.
    readings : mapping of name to store, path, DataFrame or mapping; or path, optional
        The runs of every reading, or the path of a file of readings, such as data/readings.parquet of debox's
        repository. Default: those of the paper's study, which come with debox.
    only : str or collection of str, default ()
        Ids, families or patterns of claims, as in `claims`.
    **where : int, str or bool, optional
        Of several dimensions, budgets, … the one to look at, such as ``dimension=30``, in short ``n=30``; of the study,
        and of readings whose runs have several.

    Returns
    -------
    list of Comparison
        The first has the study as it is; then one for each reading.

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
    >>> import debox
    >>> study = {"mutation": ["rand/1"] * 4, "crossover": ["bin", "bin", "exp", "exp"], "strategy": ["mirror"] * 4,
    ...          "N": [5] * 4, "F": [0.5] * 4, "Cr": [0.5] * 4, "dimension": [30] * 4, "budget": [1000] * 4,
    ...          "pois": [0.8, 0.9, 0.1, 0.2]}
    >>> as_it_is, frozen = debox.compare_claims(study, {"frozen": study | {"pois": [0.3, 0.4, 0.6, 0.7]}},
    ...                                         only="crossover-exp-below-bin")
    >>> as_it_is.after[0].agree, frozen.after[0].agree
    (1.0, 0.0)
    """
    names = names_in(only)
    select_claims(names)  # an unknown name is refused before the readings are read
    cube = Cube.of(by_number(Runs.from_source(source, None, where).require_one_adaptation()))
    others = ((name, replace_runs(cube, name, table, where)) for name, table in tables_of(readings).items())
    return compare_cubes(cube, others, names)


def compare_cubes(
    cube: Cube, readings: Iterable[tuple[str, Replacement]], names: Collection[str] = ()
) -> list[Comparison]:
    """The comparisons of a study with its readings, whose runs are put in the place of its own."""
    own = judge_all(cube, names)
    judged_before = {(cube.runs, bytes(cube.pois[..., 0].size)): own}
    comparisons = [Comparison(AS_WRITTEN, READINGS[AS_WRITTEN], own, own, 0, 0)]
    for name, other in readings:
        known = (other.before.runs, other.absent.tobytes())  # readings often share both
        before = judged_before[known] = judged_before.get(known) or judge_all(other.before, names)
        after = judge_all(other.after, names)
        counts = int(other.replaced.sum()), int(other.absent.sum())
        comparisons.append(Comparison(name, READINGS.get(name, name), before, after, *counts))
    return comparisons


def holds_only_elsewhere(comparisons: Sequence[Comparison]) -> dict[str, list[str]]:
    """Statements that hold under a reading, but neither on what it is compared with nor on the whole study.

    id → the readings. What holds on the whole study and not on fewer runs or cells lacks runs, not another reading.
    """
    on_the_whole = {result.id for result in comparisons[0].after if result.verdict is Verdict.HOLDS}
    return {id: names for id, names in _only(comparisons, before=False).items() if id not in on_the_whole}


def holds_only_as_written(comparisons: Sequence[Comparison]) -> dict[str, list[str]]:
    """Statements that hold as written and no longer under a reading: id → the readings."""
    return _only(comparisons, before=True)


def _only(comparisons: Sequence[Comparison], before: bool) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in comparisons:
        for old, new in one.changes:
            if (old if before else new).verdict is Verdict.HOLDS:
                found.setdefault(new.id, []).append(one.reading)
    return found
