"""Frequencies are compared with probabilities: 6 standard errors are too far, 5 are not."""

from collections import Counter

import pytest

from debox.registry.checks.frequencies import compare

FAIR = {(0,): 0.5, (1,): 0.5}  # of 10 000 throws a standard error is 50


def test_what_a_law_gives_is_accepted():
    compare("the throw", Counter({(0,): 5250, (1,): 4750}), FAIR, "a fair coin")


def test_what_is_too_far_from_it_is_told():
    with pytest.raises(
        ValueError, match=r"the throw \(0,\) came 5350 times in 10000; with a fair coin it must be about 5000"
    ):
        compare("the throw", Counter({(0,): 5350, (1,): 4650}), FAIR, "a fair coin")


def test_what_a_law_does_not_allow_is_told_if_it_came_once():
    with pytest.raises(ValueError, match=r"\(2,\) came 1 times in 10000; with a fair coin it must be about 0"):
        compare("the throw", Counter({(0,): 5000, (1,): 4999, (2,): 1}), FAIR, "a fair coin")
