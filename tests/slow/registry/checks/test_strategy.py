"""Strategies from outside end in the box, in every box and from every place; wrong ones are told where they do not."""

import numpy as np
import pytest

import debox
from debox import registry
from debox.registry.checks.strategy import BOXES, check, points_inside, points_outside


@pytest.mark.parametrize("strategy", registry.in_slot("strategy"), ids=lambda strategy: strategy.name)
def test_the_strategies_of_debox_pass(strategy):
    check(strategy)


def test_places_lie_outside_and_inside_the_box():
    for a, b in BOXES:
        assert not any(a <= u <= b for u in points_outside(a, b))
        assert all(a <= x <= b for x in points_inside(a, b))
        places = list(points_outside(a, b))
        assert np.isnan(places).any()
        assert {-np.inf, np.inf} < set(places)


def keeps(u, x, c, a, b, rng):
    """u"""
    return u


def forgets_nan(u, x, c, a, b, rng):
    """min(max(u, a), b)"""
    return a if u < a else b if u > b else u


def reflects_once(u, x, c, a, b, rng):
    """a + (a − u) or b − (u − b)"""
    return x if np.isnan(u) else a + (a - u) if u < a else b - (u - b)


def returns_nothing(u, x, c, a, b, rng):
    """nothing"""


def steps(u, x, c, a, b, rng):
    """u ± (b − a) until inside"""
    while not a <= u <= b:
        u += (b - a) if u < a else a - b
    return u


CALLS = []


def remembers(u, x, c, a, b, rng):
    """another result every time"""
    CALLS.append(u)
    return a if len(CALLS) % 2 else b


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            keeps,
            r"keeps\(u=-5e-324, x=0.0, c=0.0, a=0.0, b=1.0\) gave -5e-324; allowed is a number in \[a, b\] = \[0.0",
        ),
        (forgets_nan, r"forgets_nan\(u=nan, .*\) gave nan; allowed"),
        (reflects_once, r"reflects_once\(u=-2.5, x=0.0, c=0.0, a=0.0, b=1.0\) gave 2.5; allowed"),
        (returns_nothing, r"gave None; allowed is a number"),
        (steps, r"steps\(u=.*\) does not end"),
        (remembers, r"gave 0.0, then 1.0; with the same random numbers the result must be the same"),
    ],
)
def test_a_wrong_strategy_is_told_what_was_passed_and_what_came_out(operator, function, message):
    with pytest.raises(ValueError, match=f"strategy 'middle': .*{message}"):
        check(operator("strategy", function=debox.kernel(function)))


# Of the whole trial.


def towards_target(u, x, c, a, b, rng):
    """u ← x"""
    for i in range(u.size):
        u[i] = x[i]


def only_the_first(u, x, c, a, b, rng):
    """u_1 ← x_1"""
    u[0] = x[0]


def returns_it(u, x, c, a, b, rng):
    """x"""
    return x


def moves_target(u, x, c, a, b, rng):
    """u ← x ← b"""
    for i in range(u.size):
        x[i] = b[i]
        u[i] = x[i]


def moves_base(u, x, c, a, b, rng):
    """u ← c ← b"""
    for i in range(u.size):
        c[i] = b[i]
        u[i] = c[i]


def moves_lower_bound(u, x, c, a, b, rng):
    """u ← a ← b"""
    for i in range(u.size):
        a[i] = b[i]
        u[i] = a[i]


def moves_upper_bound(u, x, c, a, b, rng):
    """u ← b ← a"""
    for i in range(u.size):
        b[i] = a[i]
        u[i] = b[i]


def to_the_corner(u, x, c, a, b, rng):
    """u ← a"""
    for i in range(u.size):
        u[i] = a[i]


def test_a_strategy_of_the_whole_trial_that_ends_in_the_box_passes(operator):
    check(operator("strategy", function=debox.kernel(towards_target), whole=True, dismisses=True))
    check(operator("strategy", function=debox.kernel(to_the_corner), whole=True))


@pytest.mark.parametrize(
    ("function", "fields", "message"),
    [
        (only_the_first, {}, r"left u = \[.*\]; allowed are components in \[0.0, 1.0\]"),
        (returns_it, {}, r"returned \[.*\]; with whole=True it changes u and returns nothing"),
        (moves_target, {}, r"changed x to \[.*\]; it may change u alone"),
        (moves_base, {}, r"changed c to \[.*\]; it may change u alone"),
        (moves_lower_bound, {}, r"changed a to \[.*\]; it may change u alone"),
        (moves_upper_bound, {}, r"changed b to \[.*\]; it may change u alone"),
        (to_the_corner, {"dismisses": True}, "with dismisses=True the trial must become its target x"),
    ],
)
def test_a_wrong_strategy_of_the_whole_trial_is_told(operator, function, fields, message):
    with pytest.raises(ValueError, match=message):
        check(operator("strategy", function=debox.kernel(function), whole=True, **fields))


@debox.kernel
def leaves_for_some_targets(u, x, c, a, b, rng):
    """the bound, or beyond it for a tenth of all targets"""
    share = (x - a) / (b - a)
    return b + (b - a) if 0.5 < share < 0.6 else a


def test_a_strategy_that_leaves_the_box_for_some_targets_only_is_refused(operator):
    with pytest.raises(ValueError, match=r"leaves_for_some_targets\(.*allowed is a number in \[a, b\]"):
        check(operator("strategy", function=leaves_for_some_targets))
