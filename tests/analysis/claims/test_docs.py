"""docs/claims.md has the verdicts on the paper's study as they are, and the rates of every test."""

import re

import pytest
from benchmarks.claims.__main__ import ERRORS, INTRODUCTION, PAGE, verdicts
from benchmarks.claims.rates import RANDOM


@pytest.mark.slow
def test_the_page_has_the_verdicts_of_the_data():
    page = PAGE.read_text(encoding="utf-8")
    advice = "run `python -m benchmarks.claims verdicts`"
    assert page.startswith(INTRODUCTION), advice
    assert verdicts() in page, advice
    assert ERRORS in page, advice


def test_the_page_has_the_rates_of_every_test():
    page = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w.-]+) \| (\d\.\d+) \| (\d\.\d+) \| (\d\.\d+) \|$", page, re.MULTILINE)
    assert [row[0] for row in rows] == [claim.id for claim in RANDOM], "run `python -m benchmarks.claims`"
    often = {row[0]: row[2] for row in rows if float(row[2]) > 0.05}
    assert not often, "these tests say that a false claim holds more often than they may"
