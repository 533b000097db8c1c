import numpy as np
from compared import BOX, comparison, corner

import debox
from debox.optimize.compare import (
    LEVEL,
    holm,
    signed_rank,
)


def test_equal_strategies_are_called_worse_no_more_often_than_stated():
    """Of 4 strategies with the same distribution, at most 5 % of 400 comparisons name any as worse.

    If the rate is 5 %, more than 36 of 400 happen in 0.03 % of cases; the draws are seeded.
    """
    rng = np.random.default_rng(1)
    draws = rng.lognormal(sigma=3, size=(400, 4, 15))
    assert sum(bool(comparison(values).worse) for values in draws) <= 36


def test_correcting_for_the_pairs_with_the_best_only_would_be_too_little():
    """The control: with 18 equal strategies more than 5 % have a pair with the best that looks worse.

    The best is chosen by the same runs. If the rate were 5 %, 36 or more of 400 would happen in 0.05 % of cases.
    """
    rng = np.random.default_rng(2)
    wrong = 0
    for values in rng.normal(size=(400, 18, 15)):
        best = np.argmin(np.median(values, axis=1))
        p = holm([signed_rank(row, values[best]) for k, row in enumerate(values) if k != best])
        wrong += min(p) <= LEVEL
    assert wrong >= 36


def test_the_same_strategy_under_other_seeds_is_not_called_worse_more_often_than_stated():
    """30 pairs of 15 runs that differ in their seeds alone. If 5 % are called worse, 6 or more happen in 0.3 %."""
    rows = [debox.compare(corner, BOX, ["mirror"], budget=100, rng=seed).values[0] for seed in range(60)]
    wrong = [bool(comparison(pair).worse) for pair in zip(rows[::2], rows[1::2], strict=True)]
    assert sum(wrong) <= 5
