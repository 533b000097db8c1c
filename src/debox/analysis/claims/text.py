"""Results as text: a table of at most 100 columns, JSON, Markdown."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import groupby

from debox.analysis.claims.rules import Verdict
from debox.analysis.claims.verdict import Result
from debox.analysis.cube import runs_in_words

WIDTH, MARGIN = 100, 4
SHARE = "share of a run = infeasible ÷ trials (POIS without the initial population)"


def as_text(results: Sequence[Result]) -> str:
    """Claims by family: verdict, statement, numbers, evidence; at the end how many are what."""
    lines = []
    for family, members in groupby(results, key=lambda result: result.family):
        lines += [family.upper(), ""]
        for result in members:
            lines += [*_entry(result), ""]
    return "\n".join([*lines, SHARE, tally(results), f"on {basis(results)}"])


def _entry(result: Result) -> Iterable[str]:
    yield f"{result.verdict.upper():<14} {result.id}"
    body = [f"{result.statement} ({result.place})."]
    if result.effect is not None:
        body.append(f"{numbers(result)}.")
    body.append(f"{result.evidence[:1].upper()}{result.evidence[1:]}.")
    for text in body:
        yield from textwrap.wrap(text, WIDTH, initial_indent=" " * MARGIN, subsequent_indent=" " * MARGIN)


def numbers(result: Result) -> str:
    """Effect, corrected p, share of cells that agree: never one without the others."""
    effect = f"{result.unit} {result.effect:.4g}" if result.effect is not None else "no effect size"
    agree = f"{result.agree:.1%} of {result.cells} agree" if result.agree is not None else "no cells"
    return f"{effect}; {p_value(result)}; {agree}"


def p_value(result: Result) -> str:
    """The corrected p that decides the verdict: of what is promised, or of half of it where a claim holds in part."""
    return f"p {format_p(result.p_part)} (in part)" if result.verdict is Verdict.IN_PART else f"p {format_p(result.p)}"


def format_p(p: float | None) -> str:
    """A corrected p-value: 0.034, 2e-05, < 1e-12, or none where nothing is random."""
    if p is None:
        return "none (exact)"
    return "< 1e-12" if p < 1e-12 else f"{p:.3f}" if p >= 0.001 else f"{p:.0e}"


def tally(results: Sequence[Result]) -> str:
    """61 claims: 20 hold, …"""
    counts = Counter(result.verdict for result in results)
    words = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict)
    return f"{len(results)} claim{'s' * (len(results) != 1)}: {words}"


def basis(results: Sequence[Result]) -> str:
    """50 runs of every configuration, or 30 of 50 planned runs of it"""
    runs = dict.fromkeys(runs_in_words(result.runs, result.planned) for result in results)  # of one study: one entry
    return f"{', '.join(runs)} of every configuration"


def as_json(results: Sequence[Result]) -> str:
    """Everything, as a list of objects."""
    return json.dumps([asdict(result) for result in results], indent=1, ensure_ascii=False)


def as_markdown(results: Sequence[Result]) -> str:
    """A table of verdicts per family, and below it the evidence of each claim."""
    lines = []
    for family, members in groupby(results, key=lambda result: result.family):
        some = list(members)
        lines += [f"### {family[:1].upper()}{family[1:]}", "", "| claim | § | verdict | effect | p | agree |"]
        lines += ["|---|---|---|---|---|---|", *map(_row, some), ""]
        for result in some:
            lines += [f"- `{result.id}`: {result.evidence}. Figure: {result.figure}."]
            lines += [f"  *{result.statistic}; {result.criterion}.*"]
        lines.append("")
    return "\n".join([*lines, f"{tally(results)}, on {basis(results)}.", ""])


def _row(result: Result) -> str:
    effect = "" if result.effect is None else f"{result.effect:.4g} ({result.unit})"
    agree = "" if result.agree is None else f"{result.agree:.1%} of {result.cells}"
    p = "" if result.effect is None else p_value(result).removeprefix("p ")
    cells = (result.statement, result.place, f"**{result.verdict}**", effect, p, agree)
    return f"| {' | '.join(cell.replace('|', '·') for cell in cells)} |"
