"""docs/claims.md and docs/readings.md have the verdicts on the paper's study as they are; the rates of every test."""

import re

from benchmarks.claims.__main__ import ERRORS, INTRODUCTION, PAGE, verdicts
from benchmarks.readings import null
from benchmarks.readings import page as readings_page

from debox.analysis.claims.compare import compare_cubes


def test_the_page_has_the_verdicts_of_the_data():
    page = PAGE.read_text(encoding="utf-8")
    advice = "run `python -m benchmarks.claims verdicts`"
    assert page.startswith(INTRODUCTION), advice
    assert verdicts() in page, advice
    assert ERRORS in page, advice


def test_the_page_on_readings_has_the_verdicts_and_shifts_of_the_data():
    """One family, to be quick; `python -m benchmarks.readings page` judges all."""
    page, advice = readings_page.PAGE.read_text("utf-8"), "run `python -m benchmarks.readings page`"
    compared = compare_cubes(readings_page.study(), readings_page.replacements().items(), ["amount"])
    found = readings_page.table(compared)
    for line in found.splitlines():
        assert line in page, advice
    assert readings_page.shift_rows(readings_page.shifts()) in page, advice
    assert readings_page.INTRODUCTION in page, advice
    assert null.TEXT.format(splits=null.SPLITS, half=readings_page.study().runs // 2) in page, advice


def test_the_page_on_readings_has_the_null_of_the_data():
    """One reading and one family, to be quick."""
    page = readings_page.PAGE.read_text("utf-8")
    listed = re.search(r"^- not-target: by chance change (.*)\.$", page, re.MULTILINE)[1]
    of_family = [one for one in listed.split(", ") if one.startswith("collapse")]
    found = null.null_of(readings_page.study(), readings_page.replacements()["not-target"], ["collapse"])
    assert null.counts(found) == ", ".join(of_family), "run `python -m benchmarks.readings page`"
