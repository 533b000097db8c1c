"""The fingerprint of an operator changes with what it computes, and with nothing else."""

from dataclasses import replace

import pytest

from debox.registry import Operator
from debox.registry.fingerprint import fingerprint

FILE = '''
import debox
import numpy as np
from types import SimpleNamespace

SHARE = 0.25
TABLE = np.array([0.5, 0.25])
SETTING = SimpleNamespace(share=0.25)


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
        ("share=0.25", "share=0.5"),
    ],
    ids=["itself", "a kernel it calls", "a constant of that", "an array", "an attribute"],
)
def test_it_changes_with_what_the_function_computes(old, new):
    assert made(old, new) != made()


@pytest.mark.parametrize(("old", "new"), [("# a comment", "# another"), ('"""a formula"""', '"""another formula"""')])
def test_it_does_not_change_with_words(old, new):
    assert made(old, new) == made()
    assert made(citation="2026") == made() == made(short="m")


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
