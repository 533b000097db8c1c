"""Intervals hold the true share about as often as they say, for every kind of noise."""

import pytest
from true_shares import COVERED, assert_held


@pytest.mark.parametrize(("of", "law", "runs"), COVERED)
def test_intervals_hold_the_true_shares(of, law, runs):
    assert_held(of, law, runs)
