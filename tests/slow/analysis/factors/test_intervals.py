"""Intervals hold the true share about as often as they say."""

import pytest
from benchmarks import factors as synthetic
from true_shares import COVERED, assert_held


@pytest.mark.parametrize(("of", "law", "runs"), COVERED[::2])
def test_intervals_hold_the_true_shares(of, law, runs):
    """The mean, and one of the two whose noise is removed by halves of the runs; tests/law has both."""
    assert_held(of, law, runs)


def test_bootstrap_percentiles_do_not_hold_the_share_of_a_factor_without_any():
    """The control: drawn again, runs have noise twice, of which once is removed."""
    found = synthetic.percentile_coverage("normal", 10, 20, rounds=100)
    total_of_the_first_factor = found[3]
    assert total_of_the_first_factor < 0.3
