"""Intervals of shares hold the true ones about as often as they say: some cases of tests/law, in fewer studies."""

import pytest
from reproduction import factors as synthetic

from debox.analysis import factors

STUDIES = 250
LEAST = 0.87  # the interval that does worst holds its share with chance 0.93: fewer are held with chance 0.0004


@pytest.mark.parametrize(
    ("of", "law", "runs"), [("mean", "two values", 10), ("spread", "uneven", 10), ("quantiles", "uneven", 50)]
)
def test_intervals_hold_the_true_shares(of, law, runs):
    held = synthetic.coverage(of, law, runs, STUDIES)
    assert min(held) >= LEAST
    assert held.mean() <= 0.99


def test_without_the_removal_of_noise_they_do_not_hold_the_share_of_a_factor_that_does_nothing(monkeypatch):
    """The control: its total share is too large in all studies."""
    monkeypatch.setattr(factors, "mean_noise", lambda replicates: 0.0)
    total_of_a = synthetic.coverage("mean", "normal", 10, 50)[3]
    assert total_of_a < 0.2
