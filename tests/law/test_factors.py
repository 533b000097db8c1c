"""Intervals of shares hold the true ones about as often as they say, for every kind of noise."""

import pytest
from reproduction import factors as synthetic

# Of 4000 studies of each case with another seed, the interval that does worst held its share in 0.93. With that chance
# fewer than 0.89 of 1000 studies are held once in three million; a first-order share that is 0 has 0.02 more room.
LEAST, LEAST_OF_NOTHING = 0.89, 0.87


@pytest.mark.parametrize(("of", "law", "runs"), synthetic.CASES)
def test_intervals_hold_the_true_shares(of, law, runs):
    held = synthetic.coverage(of, law, runs, 1000)
    assert held[0] >= LEAST_OF_NOTHING
    assert min(held[1:]) >= LEAST
    assert 0.92 <= held.mean() <= 0.99
