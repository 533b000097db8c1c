"""docs/claims.md has the verdicts on the paper's study as they are, and the rates of every test."""

import pytest
from benchmarks.claims.__main__ import ERRORS, INTRODUCTION, PAGE, ROW, STUDIES, verdicts
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
    rows = {found[1]: found.groups()[1:] for found in ROW.finditer(page)}
    assert list(rows) == [claim.id for claim in RANDOM], "run `python -m benchmarks.claims`"
    kinds = ("small_p", "plainly_false", "border", "small", "true")
    value = {name: dict(zip(kinds, (float(rate[:4]) for rate in of), strict=True)) for name, of in rows.items()}
    assert not {name for name, of in value.items() if of["plainly_false"]}, "a plainly false claim holds"
    assert not {name for name, of in value.items() if of["border"] > 0.05 + 3 * (0.05 * 0.95 / STUDIES) ** 0.5}
    assert not {name for name, of in value.items() if of["small"] > of["true"] + 0.1}, "small effects seen better"
