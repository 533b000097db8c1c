"""Comparisons as text: a table of verdicts of at most 100 columns, a sentence for each change; JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from typing import NamedTuple

from debox.analysis.claims.compare import Comparison, holds_only_as_written, holds_only_elsewhere
from debox.analysis.claims.readings import AS_WRITTEN
from debox.analysis.claims.rules import Verdict
from debox.analysis.claims.text import MARGIN, WIDTH, basis, numbers
from debox.analysis.claims.verdict import Result

SHORT = {Verdict.HOLDS: "holds", Verdict.IN_PART: "part", Verdict.NOT: "no", Verdict.NOT_TESTABLE: "–"}
KEY = "part: holds in part; no: does not hold; –: not testable; *: another verdict than as written, from the same cells"
NONE = "no verdict changes"
COLUMN = 7  # characters


def as_text(comparisons: Sequence[Comparison]) -> str:
    """The readings, a row of verdicts for each claim, a sentence for each change."""
    verdicts = columns(comparisons)
    letters = [chr(ord("A") + k) for k in range(len(verdicts))]
    headings = [f"{letter}  {one.heading}" for letter, one in zip(letters, verdicts, strict=True)]
    width = max(len(result.id) for result in comparisons[0].after)
    lines = [*_wrap(headings), "", " " * width + "".join(f" {letter:<{COLUMN - 1}}" for letter in letters).rstrip()]
    for k, result in enumerate(comparisons[0].after):
        marks = [f" {one.marks[k]:<{COLUMN - 1}}" for one in verdicts]
        lines.append(f"{result.id:<{width}}{''.join(marks)}".rstrip())
    sentences = [sentence(one, *pair) for one in comparisons for pair in one.changes] or [NONE]
    return "\n".join([*lines, "", *_wrap([KEY]), "", *_wrap([*sentences, *summary(comparisons)])])


def _wrap(texts: Sequence[str]) -> list[str]:
    return [line for text in texts for line in textwrap.wrap(text, WIDTH, subsequent_indent=" " * MARGIN)]


class Column(NamedTuple):
    """Verdicts on all claims under one reading."""

    name: str
    heading: str
    marks: list[str]


def columns(comparisons: Sequence[Comparison]) -> list[Column]:
    """A column for each reading; before those with fewer runs or cells, one of the study's verdicts from as many."""
    made, shown = [], [comparisons[0].after]
    for one in comparisons:
        if not any(one.before is known for known in shown):
            shown.append(one.before)
            what = f"{basis(one.before)}{f', without {one.absent} configurations' if one.absent else ''}"
            name = f"{AS_WRITTEN}, {one.before[0].runs} runs{', fewer cells' if one.absent else ''}"
            own = [SHORT[result.verdict] for result in one.before]
            made.append(Column(name, f"{AS_WRITTEN}, what the next are compared with: {what}", own))
        made.append(Column(one.reading, describe(one), [mark(one, k) for k in range(len(one.after))]))
    return made


def describe(one: Comparison) -> str:
    """A reading, how many configurations it changes, and how many verdicts."""
    if not one.cells:
        return f"{one.reading}: {one.words}; {basis(one.after)}"
    absent = f", {one.absent} do not exist" if one.absent else ""
    return (
        f"{one.reading}: {one.words}; {one.cells} configurations have other runs{absent}; "
        f"{basis(one.after)}; {len(one.changes)} of {len(one.after)} verdicts change"
    )


def mark(one: Comparison, k: int) -> str:
    """The verdict on the k-th claim, with a star if it is another one."""
    before, after = one.before[k], one.after[k]
    return SHORT[after.verdict] + "*" * (before.verdict is not after.verdict)


def sentence(one: Comparison, before: Result, after: Result) -> str:
    """What changed under a reading: both verdicts with their numbers."""
    return (
        f"{one.reading}, {after.id}: {before.verdict} becomes {after.verdict}. {after.statement}: "
        f"as written {_numbers(before)}; {one.reading}: {_numbers(after)}."
    )


def _numbers(result: Result) -> str:
    return numbers(result) if result.effect is not None else result.evidence


def summary(comparisons: Sequence[Comparison]) -> list[str]:
    """Which statements hold under some readings only."""
    gained, lost = holds_only_elsewhere(comparisons), holds_only_as_written(comparisons)
    lines = [f"Holds not as written, but under {', '.join(names)}: {id}." for id, names in gained.items()]
    return [*lines, *(f"Holds as written, but not under {', '.join(names)}: {id}." for id, names in lost.items())]


def as_json(comparisons: Sequence[Comparison]) -> str:
    """Everything, as a list of objects."""
    return json.dumps([asdict(one) for one in comparisons], indent=1, ensure_ascii=False)
