"""The fingerprint of an operator changes with what it computes, and with nothing else."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

import debox
from debox import registry
from debox.registry import Operator
from debox.registry.fingerprint import check_values, fingerprint

FILE = '''
import debox
import numpy as np
import types

SHARE = 0.25
TABLE = np.array([0.5, 0.25])
SETTING = types.ModuleType("setting")
SETTING.share = 0.25


@debox.kernel
def helper(a, b):
    return a + SHARE * (b - a)


@debox.kernel
def mine(u, x, c, a, b, rng):
    """a formula"""
    # a comment
    return min(helper(a, b) + SETTING.share * TABLE[1] * 0.0, b)


def weights(F):
    return 0, 0, 1, F, -F
'''


def made(old="", new="", **fields):
    """The fingerprint of the strategy in FILE, one text of which is exchanged"""
    assert old in FILE
    space = {"__name__": "somebody"}
    exec(FILE.replace(old, new), space)
    return fingerprint(Operator(slot="strategy", name="mine", function=space["mine"], **fields))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("* 0.0, b)", "* 0.0, a)"),
        ("SHARE * (b - a)", "SHARE * (a - b)"),
        ("SHARE = 0.25", "SHARE = 0.5"),
        ("TABLE = np.array([0.5, 0.25])", "TABLE = np.array([0.5, 0.75])"),
        ("share = 0.25", "share = 0.5"),
    ],
    ids=["itself", "a kernel it calls", "a constant of that", "an array", "an attribute of a module"],
)
def test_it_changes_with_what_the_function_computes(old, new):
    assert made(old, new) != made()


@pytest.mark.parametrize(("old", "new"), [("# a comment", "# another"), ('"""a formula"""', '"""another formula"""')])
def test_it_does_not_change_with_words(old, new):
    assert made(old, new) == made()
    assert made(citation="2026") == made() == made(short="m")


def test_it_does_not_change_with_what_is_checked_of_an_adaptation_only():
    lshade = registry.find("adaptation", "L-SHADE")
    assert fingerprint(replace(lshade, has_terminal_cells=False)) == fingerprint(lshade)
    assert fingerprint(replace(lshade, memory=5)) != fingerprint(lshade)


def test_it_changes_with_the_fields_that_numbers_depend_on(operator):
    mutation = operator("mutation")
    others = [
        replace(mutation, weights=None),
        replace(mutation, weights=lambda F: (0, 0, 1, F, -F)),
        replace(mutation, base="best"),
        replace(mutation, name="other"),
    ]
    found = {fingerprint(one) for one in (mutation, *others)}
    assert len(found) == 5


def test_it_is_16_hexadecimal_digits():
    assert len(made()) == 16
    int(made(), 16)


def unmarked(a):
    return a


SETTINGS = SimpleNamespace(share=0.5)


@debox.kernel
def calls_unmarked(u, x, c, a, b, rng):
    """a"""
    return unmarked(a)


@debox.kernel
def asks_an_object(u, x, c, a, b, rng):
    """a"""
    return a + SETTINGS.share * (b - a)


NUMBERS = [0.5]


@debox.kernel
def asks_for_a_list(u, x, c, a, b, rng):
    """a"""
    return a + NUMBERS[0]


@debox.kernel
def asks_for_nothing(u, x, c, a, b, rng):
    """a"""
    return a + nowhere  # noqa: F821


@debox.kernel
def calls_another(u, x, c, a, b, rng):
    """a"""
    return asks_for_a_list(u, x, c, a, b, rng)


@pytest.mark.parametrize(
    ("function", "value"),
    [
        (calls_unmarked, r"the function .*unmarked, which is no kernel"),
        (asks_an_object, r"SETTINGS\.share, a value of types\.SimpleNamespace"),
        (asks_for_a_list, r"NUMBERS, a value of builtins\.list"),
        (asks_for_nothing, r"nowhere, which is not defined"),
        (calls_another, r"NUMBERS, a value of builtins\.list"),
    ],
)
def test_values_whose_changes_nobody_could_tell_are_refused(operator, function, value):
    wrong = operator("strategy", function=function)
    with pytest.raises(
        ValueError, match=rf"'middle': {function.__name__} uses {value}; allowed are numbers.*@debox.kernel"
    ):
        check_values(wrong)
    with pytest.raises(ValueError, match=value):
        debox.register(wrong)


def asks_for_weights(F):
    return 0, 0, 1, F * SETTINGS.share, -F / 2


def test_weights_whose_changes_nobody_could_tell_are_refused(operator):
    """The fast engine and the theory compute with them."""
    wrong = operator("mutation", weights=asks_for_weights)
    with pytest.raises(
        ValueError, match=r"'half/1': asks_for_weights uses SETTINGS\.share, a value of types\.SimpleNamespace; allowed"
    ):
        debox.register(wrong)
