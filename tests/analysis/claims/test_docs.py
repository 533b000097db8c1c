"""docs/claims.md and docs/readings.md have the verdicts on the paper's study as they are; the rates of every test."""

import re
from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
from benchmarks.claims.__main__ import PAGE, ROW, STUDIES
from benchmarks.claims.rates import RANDOM
from benchmarks.readings import null
from benchmarks.readings import page as readings_page
from benchmarks.readings.pack import DATA

from debox.analysis.claims.bound import IN_GENERAL, LITERALLY
from debox.analysis.claims.compare_text import SHORT
from debox.analysis.claims.readings import Replacement
from debox.analysis.claims.rules import Verdict
from debox.analysis.claims.statements import CLAIMS


class Told(NamedTuple):
    """What a null reads of a result."""

    id: str
    verdict: Verdict


def test_the_page_has_the_rates_of_every_test():
    page = PAGE.read_text(encoding="utf-8")
    rows = {found[1]: found.groups()[1:] for found in ROW.finditer(page)}
    assert list(rows) == [claim.id for claim in RANDOM], "run `python -m benchmarks.claims`"
    kinds = ("small_p", "plainly_false", "border", "small", "true")
    value = {name: dict(zip(kinds, (float(rate[:4]) for rate in of), strict=True)) for name, of in rows.items()}
    assert not {name for name, of in value.items() if of["plainly_false"]}, "a plainly false claim holds"
    assert not {name for name, of in value.items() if of["border"] > 0.05 + 3 * (0.05 * 0.95 / STUDIES) ** 0.5}
    assert not {name for name, of in value.items() if of["small"] > of["true"] + 0.1}, "small effects seen better"


def test_the_page_on_readings_has_every_claim_with_the_verdict_of_the_page_on_claims():
    rows = re.findall(r"^\| ([\w.-]+) \| ([^|]+) \|", readings_page.PAGE.read_text("utf-8"), re.MULTILINE)
    told = dict(re.findall(r"^\| ([^|]+) \| [\d., ]+ \| \*\*([^*|]+)\*\* \|", PAGE.read_text("utf-8"), re.MULTILINE))
    short = {verdict.value: mark for verdict, mark in SHORT.items()}
    verdict_of = dict(rows)
    assert len(told) > 60
    for claim in CLAIMS:
        assert claim.id in verdict_of, "run `python -m benchmarks.readings page`"
        if claim.id in (IN_GENERAL, LITERALLY):
            assert verdict_of[claim.id] == "–"  # runs on other functions were made under one reading
        elif sum(other.statement == claim.statement for other in CLAIMS) == 1:
            assert verdict_of[claim.id] == short[told[claim.statement]], claim.id


def test_a_null_has_other_runs_of_the_study_where_the_reading_has_others(cube_of):
    """Runs are told apart by their numbers: four of ten in all cells, and four others in those of one mutation."""
    study = cube_of(lambda **_: np.arange(10) / 10)
    replaced, absent = np.zeros((2, *study.pois.shape[:-1]), bool)
    replaced[0], absent[3, :, :, 0] = True, True
    given = Replacement(study, replace(study, pois=study.pois[..., :4]), replaced, absent)
    for seed in range(3):
        before, after = null.split(study, given, seed)
        assert (before.runs, before.planned, np.isnan(before.pois[absent]).all()) == (4, 4, True)
        assert np.array_equal(before.pois[~replaced], after.pois[~replaced], equal_nan=True)
        first, other = (set(one.pois[0, 0, 0, 0, 0, 0].tolist()) for one in (before, after))
        assert (len(first), len(other), first & other) == (4, 4, set())
    of_all = replace(study, pois=study.pois)
    assert null.split(study, Replacement(study, of_all, replaced, absent), 0)[1].runs == 5, "half of them at most"


def test_changes_from_or_to_not_testable_are_counted_apart():
    pairs = [(Told("a", old), Told("a", new)) for old, new in product(Verdict, Verdict) if old is not new]
    assert (len(pairs), null.of_power(pairs)) == (12, 6)
    assert null.counts([pairs[:1], [], pairs[:1]]) == "a (2 of 3)"
    one = SimpleNamespace(reading="mine", changes=pairs, after=[1] * 20)
    told = null.section([one, one], {"mine": [pairs[:1], [], pairs]}, 50)
    assert "| mine | 6 | 1, 0, 6 | 6 | 0, 0, 6 |" in told
    assert "- mine: 12, 6 of them from or to not testable; by chance 0 to 12." in null.in_short(
        [one, one], {"mine": [pairs[:1], [], pairs]}
    )


def test_the_readings_are_small():
    assert DATA.stat().st_size < 5e6
