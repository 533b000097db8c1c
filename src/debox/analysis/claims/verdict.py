"""From a study to verdicts: every claim is tested, p-values are corrected within families, rules decide."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from debox.analysis.claims.finding import Finding, Test
from debox.analysis.claims.levels import NotTestableError, drop_missing_levels, part
from debox.analysis.claims.rules import Verdict, judge
from debox.analysis.claims.statements import CLAIMS, Claim
from debox.analysis.claims.statistics import holm
from debox.analysis.cube import Cube
from debox.analysis.old_runs import Runs, Source
from debox.study.fields import short_repr

Simulations = Mapping[str, Test]


@dataclass(frozen=True)
class Result:
    """What a study says about one claim.

    Attributes
    ----------
    id, family, statement, place, figure, statistic, criterion : str
        The entry of the claim: which it is, its family, its words, its section in the paper, the figure of
        `debox figures` that shows it, what is computed and when it agrees.
    verdict : str
        holds, holds in part, does not hold, not testable.
    effect : float or None
        How much, in `unit`.
    p, p_part : float or None
        Of what the claim promises and of half of the promised share, which decides whether it holds in part; corrected
        by Holm's method within the family. None where nothing is random or testable.
    cells : int
        How many cells, pairs or panels speak.
    agree : float or None
        The share of them that agrees with the claim.
    evidence : str
        A sentence made of these numbers, or why there are none.
    runs, planned : int
        How many runs every configuration of the study has, and how many are planned; 0 if that is not known.
    """

    id: str
    family: str
    statement: str
    place: str
    figure: str
    statistic: str
    criterion: str
    verdict: Verdict
    effect: float | None
    unit: str
    p: float | None
    p_part: float | None
    cells: int
    agree: float | None
    evidence: str
    runs: int
    planned: int


def claims(
    source: Source,
    *,
    only: str | Collection[str] = (),
    simulations: Simulations | None = None,
    **where: Any,
) -> list[Result]:
    """Test the paper's conclusions on a study.

    Parameters
    ----------
    source : store, path, DataFrame or mapping
        A store (`debox.open_store`), its directory or packed file, or a table of runs: a pandas or polars DataFrame, or
        a mapping from column names to arrays.
    only : str or collection of str, default ()
        Ids, families or patterns such as ``"size-*"``, in a text separated by commas; p-values stay corrected for whole
        families.
    simulations : mapping of id to test, optional
        For claims that need other runs than those of a study: `debox.analysis.claims.bound.simulations_of` reads them
        from a file such as data/bound.parquet of debox's repository. Claims without one are not testable.
    **where : int, str or bool, optional
        Of several dimensions, budgets, donors, … the one to look at, such as ``dimension=30``, in short ``n=30``.

    Returns
    -------
    list of Result
        In the order of the paper. What a study lacks makes a claim "not testable" and is named.

    Raises
    ------
    ValueError
        If `source` is none of these or lacks a column, if configurations have no runs or fewer than others, if `only`
        is no text or list of texts or a name in it is unknown, or if there are runs of several dimensions, budgets, …
        between which `where` does not choose.
    StoreError
        If `source` is a path without a store, or a store that cannot be read.

    Examples
    --------
    >>> import debox
    >>> table = {"mutation": ["rand/1"] * 4, "crossover": ["bin", "bin", "exp", "exp"], "strategy": ["mirror"] * 4,
    ...          "N": [5] * 4, "F": [0.5] * 4, "Cr": [0.5] * 4, "dimension": [30] * 4, "budget": [1000] * 4,
    ...          "pois": [0.8, 0.9, 0.1, 0.2]}
    >>> (found,) = debox.claims(table, only="crossover-exp-below-bin")
    >>> round(found.effect, 3), found.agree
    (0.704, 1.0)
    """
    runs = Runs.from_source(source, None, where).require_one_adaptation()
    return judge_all(Cube.of(runs), names_in(only), simulations)


def names_in(only: str | Collection[str]) -> Collection[str]:
    """Names of claims, separated by commas if they are a text."""
    if isinstance(only, str):
        return [name.strip() for name in only.split(",") if name.strip()]
    if not isinstance(only, Collection) or not all(isinstance(name, str) for name in only):
        raise ValueError(f"only must be a text such as 'size-*' or a list of such texts, got {short_repr(only)}")
    return list(only)


def judge_all(cube: Cube, only: Collection[str] = (), simulations: Simulations | None = None) -> list[Result]:
    """The verdicts on the study in a cube; all claims of a family are tested even if one is asked for."""
    wanted = select_claims(only)
    if not isinstance(simulations, Mapping | None):
        raise ValueError(f"simulations must be a mapping of ids to tests, got {short_repr(simulations)}")
    if unknown := sorted(set(simulations or {}) - {claim.id for claim in CLAIMS}):
        raise ValueError(f"simulations: no claim has the id {unknown[0]!r}")
    families = dict.fromkeys(claim.family for claim in wanted)
    results = [result for family in families for result in judge_family(cube, family, simulations or {})]
    ids = {claim.id for claim in wanted}
    return [result for result in results if result.id in ids]


def select_claims(only: Collection[str]) -> list[Claim]:
    """The claims whose id or family matches; all if none is named."""
    for pattern in only:
        if not any(_matches(claim, pattern) for claim in CLAIMS):
            choices = ", ".join(dict.fromkeys(claim.family for claim in CLAIMS))
            ids = ", ".join(claim.id for claim in CLAIMS)
            raise ValueError(f"only: no claim or family is named {pattern!r}; families are {choices}; claims are {ids}")
    return [claim for claim in CLAIMS if not only or any(_matches(claim, pattern) for pattern in only)]


def _matches(claim: Claim, pattern: str) -> bool:
    return fnmatchcase(claim.id, pattern) or fnmatchcase(claim.family, pattern)


def judge_family(cube: Cube, family: str, simulations: Simulations) -> Iterable[Result]:
    """Test the claims of a family; correct their p-values; judge."""
    members = [replace(claim, test=simulations.get(claim.id, claim.test)) for claim in CLAIMS if claim.family == family]
    found = [_run_test(claim, cube) for claim in members]
    p = holm([one.p if isinstance(one, Finding) else None for one in found])
    half = holm([one.p_half if isinstance(one, Finding) else None for one in found])
    for claim, finding, corrected, corrected_half in zip(members, found, p, half, strict=True):
        if isinstance(finding, str):
            yield _result(claim, cube, Verdict.NOT_TESTABLE, None, (None, None), finding)
        else:
            # mathematics is certain: p = 0 for the rules, None for the reader
            p_values = (0.0, 0.0) if corrected is None or corrected_half is None else (corrected, corrected_half)
            verdict, undecided = judge(claim.promised, finding.agree, finding.against, *p_values)
            more = " whether more of it holds" if verdict is Verdict.IN_PART else ""
            doubt = f"; the runs do not decide{more}" if undecided else ""
            yield _result(claim, cube, verdict, finding, (corrected, corrected_half), finding.evidence + doubt)


def _run_test(claim: Claim, cube: Cube) -> Finding | str:
    """What the test of a claim finds, or why it finds nothing."""
    try:
        within, omission = drop_missing_levels(part(cube, claim.where))
        finding = claim.test.find(within, claim.promised)
        return replace(finding, evidence=f"{finding.evidence}; {omission}") if omission else finding
    except NotTestableError as reason:
        return f"not testable here: {reason}"


def _result(
    claim: Claim,
    cube: Cube,
    verdict: Verdict,
    finding: Finding | None,
    p: tuple[float | None, float | None],
    evidence: str,
) -> Result:
    return Result(
        id=claim.id,
        family=claim.family,
        statement=claim.statement,
        place=claim.place,
        figure=claim.figure,
        statistic=claim.test.statistic,
        criterion=claim.criterion,
        verdict=verdict,
        effect=finding.effect if finding else None,
        unit=finding.unit if finding else "",
        p=p[0],
        p_part=p[1],
        cells=finding.cells if finding else 0,
        agree=finding.agree if finding else None,
        evidence=evidence,
        runs=cube.runs,
        planned=cube.planned,
    )
