"""Verdicts: what the runs of a study say of each claim.

The cells that are shown to agree and those that are shown to disagree bound the share that does: it lies in
[agree ÷ cells, 1 − disagree ÷ cells]. A claim promises a share; its verdict compares the two.

holds          the lower end is at least the promise
holds in part  the lower end is at least half of it
does not hold  the upper end is below half of it
open           else: the runs do not decide
not testable   the study lacks levels or runs, or no study of f0 can say

Fewer runs make the interval wider, so they cannot refute a claim.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from math import nan
from typing import Any

import numpy as np

from debox.analysis.runs import Runs, Source
from debox.analysis.where import describe, join
from debox.paper.statements import CLAIMS, Claim
from debox.paper.tests import Finding, NotTestableError
from debox.study.fields import AXES, short_repr

ROUNDOFF = 1e-9  # 1 − 0.2 is less than 0.8
Others = Mapping[str, Callable[[Runs], Finding]]


class Verdict(StrEnum):
    """What may be said of a claim."""

    HOLDS = "holds"
    IN_PART = "holds in part"
    NOT = "does not hold"
    OPEN = "open"
    NOT_TESTABLE = "not testable"


@dataclass(frozen=True)
class Result:
    """What a study says of one claim.

    Attributes
    ----------
    claim : Claim
        The row of the table: id, sentence, reading, section, figure, promised, where, ….
    finding : Finding or None
        How many cells are counted, agree and disagree, and the average of what was measured; None if not testable.
    evidence : str
        Which part of the study it is about, the cell that disagrees most, how many agree along a factor; or why the
        claim cannot be tested.
    runs, planned : int
        How many runs every configuration has, and how many are planned.
    """

    claim: Claim
    finding: Finding | None
    evidence: str
    runs: int
    planned: int

    @property
    def id(self) -> str:
        """Which claim."""
        return self.claim.id

    @property
    def interval(self) -> tuple[float, float]:
        """The share of cells that agree lies between them; NaN if it is not testable."""
        one = self.finding
        return (one.agree / one.cells, 1 - one.against / one.cells) if one else (nan, nan)

    @property
    def verdict(self) -> Verdict:
        """holds, holds in part, does not hold, open, not testable."""
        return judge(self.claim.promised, *self.interval) if self.finding else Verdict.NOT_TESTABLE

    def as_dict(self) -> dict[str, Any]:
        """Everything as numbers and texts; None for what is not known."""
        names = ("id", "sentence", "reading", "section", "figure", "promised")
        numbers = asdict(self.finding) if self.finding else dict.fromkeys(Finding.__dataclass_fields__)
        low, high = self.interval if self.finding else (None, None)
        words = {name: getattr(self.claim, name) for name in names}
        return {**words, "verdict": str(self.verdict), "low": low, "high": high, **numbers, "evidence": self.evidence}


def judge(promised: float, low: float, high: float) -> Verdict:
    """The verdict on a promised share, of the ends between which the share of cells that agree lies."""
    if low >= promised - ROUNDOFF:
        return Verdict.HOLDS
    if low >= promised / 2 - ROUNDOFF:
        return Verdict.IN_PART
    return Verdict.NOT if high < promised / 2 - ROUNDOFF else Verdict.OPEN


def claims(
    source: Source, *, only: str | Collection[str] = (), others: Others | None = None, **where: Any
) -> list[Result]:
    """Test the paper's conclusions on a study.

    Parameters
    ----------
    source : store, path, DataFrame or mapping
        A store (`debox.open_store`), its directory or packed file, or a table of runs: a pandas or polars DataFrame, or
        a mapping from column names to arrays.
    only : str or collection of str, default ()
        Ids or patterns such as ``"size-*"``, in a text separated by commas.
    others : mapping of id to function, optional
        Tests, from `Runs` to a Finding, of claims that need other runs than those of a study:
        `debox.paper.bound.tests_of` reads some from a file such as data/bound.parquet of debox's repository.
    **where : int, str, bool or tuple, optional
        Of several dimensions, budgets, … the one to test, such as ``dimension=30``, in short ``n=30``; or a part of the
        study. Runs of several dimensions are right for the claims about the dimension alone.

    Returns
    -------
    list of Result
        In the order of the paper. What a study lacks makes a claim "not testable" and is named.

    Raises
    ------
    ValueError
        If `source` is none of these or lacks a column, if configurations have fewer runs than others, if `only` names
        no claim, or if there are runs of several budgets, … between which `where` does not choose.
    StoreError
        If `source` is a path without a store, or a store that cannot be read.

    Examples
    --------
    >>> from debox.paper import claims
    >>> (found,) = claims("paper", only="crossover-exp-below-bin")
    >>> str(found.verdict), found.finding.agree, found.finding.against, found.finding.cells
    ('holds', 2640, 58, 2999)
    """
    if not isinstance(others, Mapping | None):
        raise ValueError(f"others must be a mapping, as from debox.paper.bound.tests_of, got {short_repr(others)}")
    wanted, runs = select(only), Runs.of(source, where=where)
    compared = set.intersection(*(claim.compares for claim in wanted))
    settings = [name for name in runs.axes if name not in (*AXES, *compared)]
    return judge_all((runs.require_one(*settings) if settings else runs).complete(), wanted, others)


def select(only: str | Collection[str] = ()) -> list[Claim]:
    """The claims whose id matches a pattern; all if there is none."""
    patterns = only.split(",") if isinstance(only, str) else only
    if not isinstance(patterns, Collection) or not all(isinstance(pattern, str) for pattern in patterns):
        raise ValueError(f"only must be a text such as 'size-*' or a list of such texts, got {short_repr(only)}")
    patterns = [pattern.strip() for pattern in patterns if pattern.strip()]
    for pattern in patterns:
        if not any(fnmatchcase(claim.id, pattern) for claim in CLAIMS):
            raise ValueError(f"only: no claim matches {pattern!r}; there are {', '.join(one.id for one in CLAIMS)}")
    return [claim for claim in CLAIMS if not patterns or any(fnmatchcase(claim.id, one) for one in patterns)]


def judge_all(runs: Runs, wanted: Sequence[Claim] = CLAIMS, others: Others | None = None) -> list[Result]:
    """The verdicts on these runs; where they lack configurations, on the levels whose configurations are all there."""
    return [_result(claim, runs, others or {}) for claim in wanted]


def _result(claim: Claim, runs: Runs, others: Others) -> Result:
    count = int(runs.index.shape[-1]), runs.planned
    try:
        part, omission = without_absent(part_of(runs, claim.where))
        found = others[claim.id](part) if claim.id in others else claim.test(part, **claim.options)
    except NotTestableError as reason:
        return Result(claim, None, str(reason), *count)
    facts = describe(claim.where), found.worst and f"most against it {found.worst}", found.by, omission
    return Result(claim, found, "; ".join(filter(None, facts)), *count)


def part_of(runs: Runs, where: Mapping[str, Any]) -> Runs:
    """The part of the study that a claim is about."""
    try:
        return runs.take(**where) if where else runs
    except ValueError as error:
        raise NotTestableError(str(error)) from None


def without_absent(runs: Runs) -> tuple[Runs, str]:
    """The runs without the levels that have configurations without runs, and in words which levels those are.

    A complete study has none; under another reading of the paper some configurations do not exist.
    """
    left_out = []
    while (absent := (runs.index < 0).any(-1)).any():
        if absent.all():
            raise NotTestableError("none of its configurations exists")
        remaining = {
            (int(np.delete(absent, k, axis).sum()), 1 / len(levels), name, k): level
            for axis, (name, levels) in enumerate(runs.axes.items())
            for k, level in enumerate(levels)
            if len(levels) > 1
        }
        best = min(remaining)
        name, level = best[2], remaining[best]
        left_out.append(f"{name} {join([level])}")
        runs = runs.take(**{name: tuple(one for one in runs.axes[name] if one != level)})
    return runs, f"without {', '.join(left_out)}, which some of the cells cannot have" if left_out else ""


DEPENDS = "depends on the reading"
PLURAL = {
    "holds": "hold",
    "holds in part": "hold in part",
    "does not hold": "do not hold",
    DEPENDS: "depend on the reading",
}


def by_sentence(results: Sequence[Result]) -> dict[str, str]:
    """The verdict on each sentence of the paper: that of its readings if they have the same, else that it depends."""
    found: dict[str, set[str]] = {}
    for result in results:
        found.setdefault(result.claim.sentence, set()).add(str(result.verdict))
    return {sentence: next(iter(kinds)) if len(kinds) == 1 else DEPENDS for sentence, kinds in found.items()}


def tally(results: Sequence[Result]) -> str:
    """``59 sentences of the paper: under each reading 15 hold, …; 17 depend on it``"""
    counts = Counter(by_sentence(results).values())
    words = ", ".join(
        f"{counts[kind]} {PLURAL.get(kind, kind) if counts[kind] > 1 else kind}"
        for kind in (*map(str, Verdict), DEPENDS)
        if counts[kind]
    )
    sentences, readings = sum(counts.values()), len(results)
    return (
        f"{sentences} sentence{'s' * (sentences != 1)} of the paper, {readings} reading{'s' * (readings != 1)}: {words}"
    )
