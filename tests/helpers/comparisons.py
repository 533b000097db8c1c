"""Compares what should be the same: results to the bit, means within their error."""

from math import sqrt

import numpy as np


def assert_same_result(one, other):
    """Fail unless two results of `minimize` are the same in every field, to the bit."""
    assert one.keys() == other.keys()
    for name in one.keys() - {"history"}:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)
    for name in one["history"].dtype.names if "history" in one else ():  # NumPy takes NaN in records for different
        np.testing.assert_array_equal(one["history"][name], other["history"][name], err_msg=name)


def standard_errors_off(outcomes, expected):
    """How far the mean of independent outcomes is from what is expected, in standard errors of the mean."""
    return abs(np.mean(outcomes) - expected) / (np.std(outcomes, ddof=1) / sqrt(len(outcomes)))
