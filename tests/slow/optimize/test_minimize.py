"""minimize: what a run returns, shows and heeds, whatever the kind of objective."""

import pytest
from comparisons import assert_same_result
from objectives import BOUNDS, squares

import debox
from debox import loop, minimize


@pytest.mark.filterwarnings("ignore:the C core")
def test_without_the_core_operators_of_users_are_given_one_of_numpy_s_numbers_at_a_time(monkeypatch):
    @debox.mutation("either/1", donors=3)
    def either(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F, K):
        """v = x_r1 + F (x_r2 − x_r3) or x_r1 + K F"""
        return x_r1 + F * (x_r2 - x_r3) if x_r2 > x_r3 else x_r1 + K * F

    @debox.strategy("across")
    def across(u, x, c, a, b, rng):
        """the other bound"""
        return a if (u - a) / (x - x) > 0 else b  # by zero: infinite, where Python's numbers raise an error

    options = {"mutation": either, "strategy": across, "F": 0.9, "N": 8, "budget": 75, "rng": 1}
    expected = minimize(squares, BOUNDS, **options)
    assert expected.n_infeasible > 0
    monkeypatch.setattr(loop, "_core", None)
    assert_same_result(minimize(squares, BOUNDS, **options), expected)
