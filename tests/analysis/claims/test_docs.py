"""docs/claims.md and docs/readings.md have the verdicts on the paper's study as they are; the rates of every test."""

import re

import pytest
from benchmarks.claims.__main__ import ERRORS, INTRODUCTION, PAGE, ROW, STUDIES, verdicts
from benchmarks.claims.rates import RANDOM
from benchmarks.readings import page as readings_page
from benchmarks.readings.pack import DATA

from debox.analysis.claims.compare import compare_claims
from debox.analysis.claims.compare_text import SHORT
from debox.analysis.claims.statements import CLAIMS


@pytest.mark.slow
def test_the_page_has_the_verdicts_of_the_data():
    page = PAGE.read_text(encoding="utf-8")
    advice = "run `python -m benchmarks.claims verdicts`"
    assert page.startswith(INTRODUCTION), advice
    assert verdicts() in page, advice
    assert ERRORS in page, advice


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
        if sum(other.statement == claim.statement for other in CLAIMS) == 1:
            assert verdict_of[claim.id] == short[told[claim.statement]], claim.id


@pytest.mark.slow
def test_the_page_on_readings_has_the_verdicts_and_shifts_of_the_data():
    """One family, to be quick; `python -m benchmarks.readings page` judges all."""
    page, advice = readings_page.PAGE.read_text("utf-8"), "run `python -m benchmarks.readings page`"
    found = readings_page.table(compare_claims(readings_page.PAPER, DATA, only="amount"))
    for line in found.splitlines():
        assert line in page, advice
    assert readings_page.shift_rows(readings_page.shifts()) in page, advice
    assert readings_page.INTRODUCTION in page, advice


def test_the_readings_are_small():
    assert DATA.stat().st_size < 5e6
