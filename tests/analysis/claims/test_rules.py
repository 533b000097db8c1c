"""Verdicts from shares and p-values, at every border."""

import pytest

from debox.analysis.claims.rules import Verdict, judge


@pytest.mark.parametrize(
    ("agree", "against", "p", "p_half", "verdict"),
    [
        (0.8, 0.2, 0.04, 0.01, Verdict.HOLDS),
        (0.8, 0.2, 0.05, 0.01, Verdict.IN_PART),  # it may hold in full, but the runs do not decide
        (0.8, 0.2, 0.05, 0.05, Verdict.NOT_TESTABLE),
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
    assert undecided == (verdict is not Verdict.HOLDS and against <= 0.2)


def test_a_cell_more_that_agrees_never_makes_a_verdict_weaker():
    """Of ten cells k agree and the others speak against; p falls as k grows, p_half faster."""
    rank = [Verdict.NOT, Verdict.NOT_TESTABLE, Verdict.IN_PART, Verdict.HOLDS]
    for decisive in (1.0, 0.1, 0.01):
        found = [judge(0.8, k / 10, 1 - k / 10, decisive * 0.5**k, decisive * 0.1**k)[0] for k in range(11)]
        assert [rank.index(verdict) for verdict in found] == sorted(rank.index(verdict) for verdict in found)
