"""Verdicts from shares and p-values, at every border."""

import pytest

from debox.analysis.claims.rules import Verdict, judge


@pytest.mark.parametrize(
    ("agree", "against", "p", "p_half", "verdict"),
    [
        (0.8, 0.2, 0.04, 0.01, Verdict.HOLDS),
        (0.8, 0.2, 0.05, 0.01, Verdict.NOT_TESTABLE),  # it may hold, but the runs do not decide
        (0.3, 0.2, 1.0, 1.0, Verdict.NOT_TESTABLE),  # half of the cells do not speak
        (0.79, 0.21, 0.001, 0.001, Verdict.IN_PART),
        (0.4, 0.6, 1.0, 0.04, Verdict.IN_PART),
        (0.4, 0.6, 0.001, 0.05, Verdict.NOT),
        (0.39, 0.61, 0.001, 0.001, Verdict.NOT),
        (0.0, 1.0, 1.0, 1.0, Verdict.NOT),
    ],
)
def test_what_is_promised_to_four_fifths_of_the_cells(agree, against, p, p_half, verdict):
    found, undecided = judge(0.8, agree, against, p, p_half)
    assert found is verdict
    assert undecided == (verdict is Verdict.NOT_TESTABLE)
