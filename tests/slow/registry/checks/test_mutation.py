"""Mutations from outside have the parents and the weights that they say they have."""

from math import sqrt

import pytest

import debox
from debox import registry
from debox.registry.checks.mutation import check


@pytest.mark.parametrize("mutation", registry.in_slot("mutation"), ids=lambda mutation: mutation.name)
def test_the_mutations_of_debox_pass(mutation):
    check(mutation)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"donors": 2, "weights": None}, "depends on x_r1, x_r2, x_r3; donors must be 3, got 2"),
        ({"donors": 4, "weights": None}, "depends on x_r1, x_r2, x_r3; donors must be 3, got 4"),
        ({"uses_best": True}, "uses_best must be False, got True"),
        ({"uses_target": True}, "uses_target must be False, got True"),
        ({"base": "best"}, "depends on x_r1, x_r2, x_r3; base must be 'r1', got 'best'"),
        (
            {"weights": lambda F: (0, 0, 1, F, -F)},
            r"half_difference\(x=.*\) gave .*; its weights \(0, 0, 1, 0.05, -0.05\) give",
        ),
        (
            {"weights": lambda F: (0, 0, 1, F)},
            r"weights\(0.05\) gave \(0, 0, 1, 0.05\); allowed is a tuple of 5 numbers",
        ),
        ({"weights": lambda F: [0, 0, 1, F, -F]}, r"gave \[0, 0, 1, 0.05, -0.05\]; allowed is a tuple"),
        ({"weights": lambda F: (0, 0, 1, F / 2, F / 2)}, r"which add up to 1.04999\d*; they must add up to 1"),
        ({"weights": lambda F: 1 / 0}, r"weights\(0.05\) raised ZeroDivisionError"),
    ],
)
def test_a_field_that_is_not_so_is_named_with_what_is(operator, changed, message):
    with pytest.raises(ValueError, match=f"mutation 'half/1'.*{message}"):
        check(operator("mutation", **changed))


@debox.kernel
def root(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = √x_r1"""
    return sqrt(x_r1)


@debox.kernel
def overflow(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_r1/0"""
    return x_r1 / (F - F)


@pytest.mark.parametrize(
    ("function", "message"),
    [(root, r"root\(x=.*\) raised ValueError"), (overflow, "gave -?inf; allowed is a finite number")],
)
def test_a_result_that_is_no_finite_number_is_told(operator, function, message):
    with pytest.raises(ValueError, match=message):
        check(operator("mutation", function=function, donors=1, weights=None))


@debox.kernel
def larger(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = max(x_t, x_best)"""
    return max(x, x_best)


def test_a_mutation_without_donors_and_weights_passes_if_it_says_its_base(operator):
    fields = {"function": larger, "donors": 0, "weights": None, "uses_best": True, "uses_target": True}
    check(operator("mutation", base="best", **fields))
    with pytest.raises(ValueError, match="depends on x, x_best; base must be 'target' or 'best', got 'r1'"):
        check(operator("mutation", **fields))
