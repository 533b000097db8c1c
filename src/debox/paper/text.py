"""Verdicts, and how they change under other readings, as text and JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from itertools import groupby

from debox.analysis.estimate import GROUPS
from debox.analysis.runs import runs_in_words
from debox.paper.readings import Comparison
from debox.paper.verdict import Result, tally

WIDTH, INDENT = 100, "    "
SHARE = "share = infeasible ÷ trials of a run; between [a, b] % is the share of cells that agree"


def as_text(results: Sequence[Result]) -> str:
    """Each sentence with its readings: verdict, numbers, evidence; at the end how many sentences are what."""
    lines = []
    for sentence, members in groupby(results, key=lambda result: result.claim.sentence):
        readings = list(members)
        lines += [*textwrap.wrap(f"{sentence} ({readings[0].claim.section})", WIDTH), ""]
        for one in readings:
            words = "; ".join(filter(None, (one.claim.reading, numbers(one), one.evidence)))
            lines += [f"  {one.verdict.upper():<14} {one.id}"]
            lines += [*textwrap.wrap(words, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT), ""]
    return "\n".join([*lines, SHARE, *textwrap.wrap(tally(results), WIDTH), f"on {basis(results)}"])


def numbers(one: Result) -> str:
    """The interval of the share of cells that agree, beside what is promised; what was measured on average."""
    if not (found := one.finding):
        return ""
    cells = "cell" if found.cells == 1 else "cells"
    return f"{interval(one)} of {found.cells} {cells}, {one.claim.promised:.0%} promised; {measured(one)}"


def measured(one: Result) -> str:
    """``share of cells 0.155 ± 0.01``: the average over all cells and its 95 % interval; empty if not testable."""
    if not (found := one.finding):
        return ""
    from scipy.special import stdtrit  # of Student's t

    half = stdtrit(min(GROUPS, one.runs) - 1, 0.975) * found.error
    return f"{found.unit} {found.effect:.3g}" + (f" ± {half:.1g}" if half else "")


def interval(one: Result) -> str:
    """``[94.1, 96.0] %``; one number if no cell is open; nothing if there is none."""
    low, high = (f"{100 * end:.1f}" for end in one.interval)
    return "" if not one.finding else f"{low} %" if low == high else f"[{low}, {high}] %"


def basis(results: Sequence[Result]) -> str:
    """``50 runs of every configuration``"""
    runs = dict.fromkeys(runs_in_words(result.runs, result.planned) for result in results)  # of one study: one entry
    return f"{', '.join(runs)} of every configuration"


def as_json(results: Sequence[Result]) -> str:
    """Everything, as a list of objects."""
    return json.dumps([one.as_dict() for one in results], indent=1, ensure_ascii=False)


def comparisons_as_text(found: Sequence[Comparison]) -> str:
    """Of each reading how many verdicts it changes; each change with both intervals."""
    lines = []
    for one in found:
        lines += [*textwrap.wrap(describe(one), WIDTH), ""]
        for before, after in one.changes:
            ends = (f"{result.verdict} {interval(result)}".rstrip() for result in (before, after))
            lines += [*textwrap.wrap(f"{after.id}: {' → '.join(ends)}", WIDTH, initial_indent="  "), ""]
    return "\n".join([*lines, "verdict from the study's own runs → verdict with the reading's"])


def describe(one: Comparison) -> str:
    """``frozen: with mirror …; 2400 configurations have other runs; 50 runs of every …; 5 of 100 verdicts change``"""
    absent = f", {one.absent} do not exist" if one.absent else ""
    counts = f"{one.cells} configurations have other runs{absent}"
    changes = f"{len(one.changes)} of {len(one.after)} verdicts change"
    return f"{one.reading}: {one.words}; {counts}; {basis(one.after)}; {changes}"


def comparisons_as_json(found: Sequence[Comparison]) -> str:
    """Of each reading a list of claims: what `as_json` says of each, and the verdict from the study's own runs."""
    every = []
    for one in found:
        pairs = zip(one.before, one.after, strict=True)
        claims = [{**after.as_dict(), "before": str(before.verdict)} for before, after in pairs]
        counts = {"cells": one.cells, "absent": one.absent}
        every.append({"reading": one.reading, "words": one.words, **counts, "claims": claims})
    return json.dumps(every, indent=1, ensure_ascii=False)
