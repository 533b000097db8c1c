"""Donor rules from outside draw distinct individuals, none of those that they avoid."""

import pytest

import debox
from debox import registry
from debox.de import variation
from debox.registry.checks.donors import check


@pytest.mark.parametrize("rule", registry.in_slot("donors"), ids=lambda rule: rule.name)
def test_the_rules_of_debox_pass(rule):
    check(rule)


def test_a_rule_that_is_not_uniform_passes_unless_it_says_so(operator):
    check(operator("donors"))
    with pytest.raises(ValueError, match=r"donors 'first' with N = 5.*: the pair \(0, 1\) came 2000 times in 2000"):
        check(operator("donors", uniform=True))


@debox.kernel
def last_ones(N, target, best, rng, r):
    """r = N, N − 1, …"""
    for k in range(r.size):
        r[k] = N - k


@debox.kernel
def same(N, target, best, rng, r):
    """r = 0, 0, …"""
    for k in range(r.size):
        r[k] = 0


@debox.kernel
def writes_less(N, target, best, rng, r):
    """r_1 = 0"""
    r[0] = 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"function": last_ones},
            r"last_ones\(N=1, target=0, best=0, r=\[.*\]\) left r = \[1\]; allowed are indices from 0 to 0",
        ),
        ({"function": same}, r"left r = \[0, 0\]; donors must be distinct"),
        ({"function": writes_less}, r"allowed are indices from 0 to 1"),
        ({"function": variation.distinct, "avoids": ("target",)}, r"avoids=\('target',\) forbids \[0\]"),
        ({"function": variation.not_target, "avoids": ("target", "best")}, r"avoids=\('target', 'best'\) forbids"),
        ({"function": variation.not_target}, r"not_target\(N=1, .*\) does not end"),
    ],
)
def test_a_wrong_rule_is_told_what_was_passed_and_what_came_out(operator, changed, message):
    with pytest.raises(ValueError, match=f"donors 'first'.*{message}"):
        check(operator("donors", **changed))


def test_a_rule_that_is_wrong_for_large_populations_only_is_refused(operator):
    @debox.kernel
    def late(N, target, best, rng, r):
        """the first ones, or far outside if N > 50"""
        for k in range(r.size):
            r[k] = k if N <= 50 else 10**9 + k

    with pytest.raises(ValueError, match=r"late\(N=100, .*allowed are indices from 0 to 99"):
        check(operator("donors", function=late))
