"""What chance alone does to verdicts: the paper's own runs in place of a reading's, in the same configurations."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace

import numpy as np

from debox.analysis.claims.compare import Comparison
from debox.analysis.claims.readings import Replacement
from debox.analysis.claims.rules import Verdict
from debox.analysis.claims.verdict import Result, judge_all
from debox.analysis.cube import Cube

SPLITS = 5
TEXT = """## What chance alone changes

Verdicts also change when nothing but chance does. For each reading the paper's own runs were split at random
{splits} times into a part that is the study and another from which exactly the configurations that the reading changes
take their runs, as many as the reading has, {half} at most. No verdict should change; below are the numbers of those
that do, in each split, beside those that change under the reading. A change from or to "not testable" says that the
runs decide in one case and not in the other, which may be a matter of power alone, and is counted apart. The runs of
*tolerance* and *fused* have the seeds of the paper's, so that chance changes less there than in these splits.
"""
SHORT = """Of {claims} verdicts so many change under each reading, and so many by chance alone, in {splits} trials with
other runs of the paper's study in the same configurations. A reading whose number is not beyond what chance does need
not matter.
"""
HEAD = "| reading | other verdicts | by chance, in each split | from or to not testable | by chance, in each split |"

Pair = tuple[Result, Result]
Null = list[list[Pair]]  # of each split, the verdicts that differ


def split(study: Cube, given: Replacement, seed: int) -> tuple[Cube, Cube]:
    """A part of the study's runs; and the same with runs of another part where a reading has others."""
    runs = min(given.after.runs, study.runs // 2)
    order = np.random.default_rng(seed).permutation(study.runs)
    first, second = (study.pois[..., order[part]] for part in (slice(runs), slice(runs, 2 * runs)))
    first[given.absent] = np.nan
    mixed = np.where(given.replaced[..., None], second, first)
    before = replace(study, pois=first, planned=runs)
    return before, replace(before, pois=mixed)


def null_of(study: Cube, given: Replacement, only: Collection[str] = ()) -> Null:
    """The verdicts that differ by chance, in each split."""
    return [differing(*split(study, given, seed), only) for seed in range(SPLITS)]


def nulls(study: Cube, replacements: dict[str, Replacement]) -> dict[str, Null]:
    """Those of every reading; readings that change the same configurations share one."""
    known: dict[tuple[int, bytes, bytes], Null] = {}
    found = {}
    for name, given in replacements.items():
        key = (given.after.runs, given.replaced.tobytes(), given.absent.tobytes())
        found[name] = known[key] = known.get(key) or null_of(study, given)
    return found


def differing(before: Cube, after: Cube, only: Collection[str] = ()) -> list[Pair]:
    """The claims on which two studies have other verdicts."""
    pairs = zip(judge_all(before, only), judge_all(after, only), strict=True)
    return [(a, b) for a, b in pairs if a.verdict is not b.verdict]


def of_power(pairs: Iterable[Pair]) -> int:
    """How many changes are from or to "not testable"."""
    return sum(Verdict.NOT_TESTABLE in (before.verdict, after.verdict) for before, after in pairs)


def section(comparisons: list[Comparison], found: dict[str, Null], most: int) -> str:
    """How many verdicts change by chance beside how many change under each reading, and which."""
    rows, lines = [], []
    for one in comparisons[1:]:
        null, power = found[one.reading], of_power(one.changes)
        clear = [len(pairs) - of_power(pairs) for pairs in null]
        numbers = (len(one.changes) - power, _listed(clear), power, _listed(map(of_power, null)))
        rows.append(f"| {one.reading} | {' | '.join(map(str, numbers))} |")
        lines.append(f"- {one.reading}: by chance change {counts(null) or 'none'}.")
    return "\n".join([TEXT.format(splits=SPLITS, half=most // 2), HEAD, "|---|---|---|---|---|", *rows, "", *lines, ""])


def counts(null: Null) -> str:
    """collapse-exists (2 of 5), …: in how many splits each claim changes"""
    times = Counter(after.id for pairs in null for _, after in pairs)
    return ", ".join(f"{id} ({count} of {len(null)})" for id, count in sorted(times.items()))


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def in_short(comparisons: list[Comparison], found: dict[str, Null]) -> str:
    """The introduction's sentence on chance."""
    parts = []
    for one in comparisons[1:]:
        numbers = [len(pairs) for pairs in found[one.reading]]
        power = f", {of_power(one.changes)} of them from or to not testable" if one.changes else ""
        parts.append(f"- {one.reading}: {len(one.changes)}{power}; by chance {min(numbers)} to {max(numbers)}.")
    head = SHORT.format(claims=len(comparisons[0].after), splits=SPLITS)
    return "\n".join([head, *parts, ""])
