"""docs/readings.md: the verdicts under every reading, what changed, and what rounding changes over the grid."""

import re
from functools import cache
from typing import Any

from benchmarks.readings import null
from benchmarks.readings.check import BEGIN, END, section
from benchmarks.readings.pack import DATA
from benchmarks.readings.studies import ROOT
from debox.analysis.claims import compare_text
from debox.analysis.claims.compare import Comparison, compare_claims
from debox.analysis.claims.levels import join_values
from debox.analysis.claims.readings import READINGS, Replacement, by_number, replace_runs
from debox.analysis.claims.shift import Shift, shift_of
from debox.analysis.cube import Cube
from debox.analysis.old_runs import Runs
from debox.store import readings

PAGE, PAPER = ROOT / "docs" / "readings.md", ROOT / "data" / "paper.parquet"
ROUNDING = ("tolerance", "fused")

INTRODUCTION = """# The claims under other readings of the paper's text

`debox claims data/paper.parquet --compare` prints these verdicts. `python -m benchmarks.readings` does the runs,
writes data/readings.parquet and this page. A reading brings runs of the configurations that it changes, all others are
those of the paper's study. Each verdict stands beside the one from the paper's words on the same configurations and as
many runs: a star marks where they differ. Under both other donor rules rand/2 with N = 5 does not exist, since it needs
six individuals. A claim about those cells is not testable; one about more cells is judged without rand/2, on both
sides.
"""


@cache
def study() -> Cube:
    """The paper's study."""
    return Cube.of(by_number(Runs.from_source(PAPER).require_one_adaptation()))


@cache
def replacements() -> dict[str, Replacement]:
    """The study with the runs of every reading."""
    return {name: replace_runs(study(), name, given) for name, given in readings.read(DATA).items()}


def table(comparisons: list[Comparison]) -> str:
    """A row of verdicts for each claim."""
    verdicts = compare_text.columns(comparisons)
    names = [one.name for one in verdicts]
    lines = [f"| claim | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    for k, result in enumerate(comparisons[0].after):
        marks = [one.marks[k] for one in verdicts]
        cells = [f"**{mark[:-1]}**\\*" if mark.endswith("*") else mark for mark in marks]
        lines.append(f"| {result.id} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"{compare_text.KEY.replace('*:', 'bold with a star:')}."])


def changes(comparisons: list[Comparison]) -> str:
    """A sentence for each change, reading by reading."""
    lines = []
    for one in comparisons[1:]:
        lines += [f"### {one.reading}", "", f"{compare_text.describe(one)}.", ""]
        lines += [f"- {told(one, pair)}" for pair in one.changes] or ["No verdict changes."]
        lines.append("")
    return "\n".join(lines)


def told(one: Comparison, pair: null.Pair) -> str:
    """A change, and whether it may be a matter of power."""
    return compare_text.sentence(one, *pair) + " *From or to not testable: perhaps a matter of power.*" * null.of_power(
        [pair]
    )


def only_under(comparisons: list[Comparison]) -> str:
    """Which statements hold under some readings only."""
    lines = [f"- {line}" for line in compare_text.summary(comparisons)]
    return "\n".join(lines or ["Every statement that holds under one reading holds under all."])


def shifts() -> dict[str, Shift]:
    """How far each reading moves the configurations."""
    return {name: shift_of(given) for name, given in replacements().items()}


def shift_rows(found: dict[str, Shift]) -> str:
    """A row for each reading."""
    head = "| reading | configurations | with a run that differs | beyond chance | largest change of the mean | where |"
    rows = [
        f"| {name} | {one.compared} | {one.differ} | {one.beyond_chance} | {moved(one)} |"
        for name, one in found.items()
    ]
    return "\n".join([head, "|---|---|---|---|---|---|", *rows])


def moved(one: Shift) -> str:
    """The largest change and where it is, or nothing."""
    at = one.where
    if not at:
        return " | "
    place = f"DE/{at['mutation']}/{at['crossover']} {at['strategy']}, N={at['N']}, F={at['F']:g}, Cr={at['Cr']:g}"
    return f"{one.largest:+.4f} | {place}"


def rounding(found: dict[str, Shift]) -> str:
    """Where on the grid the two readings of rounding change the mean."""
    lines = []
    for name in ROUNDING:
        if name in found:
            parts = [f"{factor} {in_words(counts)}" for factor, counts in found[name].by_factor.items()]
            lines.append(f"- {name}: configurations that change beyond chance by {'; '.join(parts)}.")
    return "\n".join(lines)


def in_words(counts: dict[Any, int]) -> str:
    """5: 12, 20: 30"""
    return ", ".join(f"{join_values([value])}: {number}" for value, number in counts.items())


def page() -> str:
    """The whole page; some minutes."""
    comparisons, found, by_chance = compare_claims(PAPER, DATA), shifts(), null.nulls(study(), replacements())
    return "\n".join(
        [
            INTRODUCTION,
            null.in_short(comparisons, by_chance),
            *not_run(comparisons),
            *("## Verdicts", "", table(comparisons), ""),
            *("## Which statements hold under some readings only", "", only_under(comparisons), ""),
            *("## What changes", "", changes(comparisons)),
            null.section(comparisons, by_chance, study().runs),
            *("## How far the configurations move", "", SHIFTS, shift_rows(found), "", rounding(found), ""),
            check_there(),
            "",
        ]
    )


SHIFTS = """Runs of the same number are compared, by a paired t of their shares, corrected by Holm's method for all
configurations. With *tolerance* and *fused* they have the seeds of the paper's runs, so that a configuration on which
rounding has no influence has the same counts in every run; only saturation puts components on bounds, so only its
configurations were run, and a sample of the others. There single runs may part from the paper's when last bits differ;
whether that moves a mean was not tested.

Which products are fused is for the compiler to choose. The runs of *fused* were made with LLVM and, when debox was
written in C, anew with GCC: all 60 000 have the same counts.
"""


def not_run(comparisons: list[Comparison]) -> list[str]:
    """Which readings have no runs yet, if there are such."""
    missing = [name for name in READINGS if name not in {one.reading for one in comparisons}]
    return [f"**Not run yet: {', '.join(missing)}.** Nothing below speaks of these readings.", ""] if missing else []


def check_there() -> str:
    """The section of other strategies as the page has it, or its place."""
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    found = re.search(f"{BEGIN}.*?{END}", old, re.DOTALL)
    return found[0] if found else f"{BEGIN}\n{END}"


def write() -> None:
    """Write the page, but for the section of other strategies."""
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.name}")


def write_check() -> None:
    """Run the sample of other strategies, and write its section of the page."""
    PAGE.write_text(PAGE.read_text(encoding="utf-8").replace(check_there(), section()), encoding="utf-8")
