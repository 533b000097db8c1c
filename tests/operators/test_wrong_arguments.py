"""What is wrong with an operator, or with its name, is said: the argument, its value, what is allowed."""

import re

import pytest

import debox
from debox import operators
from debox.operators.kinds import NAME_RULE


def without_base(u, x, a, b, rng):
    """as strategies were before they got the base"""
    return x


def with_default(u, x, c, a, b, rng=None):
    """the target"""
    return x


def silent(u, x, c, a, b, rng):
    return x


def learns_more(F_Cr, gain, memory):
    """nothing"""


def target(u, x, c, a, b, rng):
    """the target"""
    return x


NAME = f"must be {NAME_RULE}, got"
FIELDS = [  # slot, field, value, message
    ("strategy", "name", "no name", f"strategy 'no name': name {NAME} 'no name'"),
    ("strategy", "name", "", f"name {NAME} ''"),
    ("strategy", "name", 3, f"strategy 3: name {NAME} 3"),
    ("strategy", "name", "x" * 61, "at most 60, got 'xx"),
    ("strategy", "name", "a=b", f"{NAME} 'a=b'"),
    ("strategy", "short", "../x", f"strategy 'middle': short {NAME} '../x'"),
    ("crossover", "name", "one/2", "crossover 'one/2': name and short must have no '/'"),
    ("mutation", "name", "DE/rand", f"name {NAME} 'DE/rand'"),
    ("strategy", "citation", None, "strategy 'middle': citation must be a text, got None"),
    ("strategy", "function", abs, "function must be a Python function (u, x, c, a, b, rng), got <built-in"),
    ("strategy", "function", without_base, "function must take (u, x, c, a, b, rng), got (u, x, a, b, rng)"),
    ("strategy", "function", with_default, "function must take (u, x, c, a, b, rng), got (u, x, c, a, b, rng=None)"),
    ("strategy", "function", silent, "the first line of the docstring of function must be its formula, got none"),
    ("mutation", "donors", 6, "mutation 'half/1': donors must be an integer from 0 to 5, got 6"),
    ("mutation", "donors", True, "donors must be an integer from 0 to 5, got True"),
    ("mutation", "uses_best", 1, "uses_best must be True or False, got 1"),
    ("mutation", "uses_p_best", True, "uses_p_best=True needs uses_best=True, got False"),
    ("mutation", "base", "r2", "base must be 'r1', 'best' or 'target', got 'r2'"),
    ("mutation", "weights", (0, 1), "weights must be None or a function of F, got (0, 1)"),
    ("crossover", "exchanges", "all", "exchanges must be '', 'each' or 'segment', got 'all'"),
    ("donors", "avoids", ("worst",), "avoids must be (), ('target',), ('best',) or ('target', 'best'), got ('worst',)"),
    ("donors", "avoids", ["target"], "or ('target', 'best'), got ['target']"),
    ("strategy", "dismisses", True, "dismisses=True needs whole=True, got whole=False"),
    ("strategy", "leaves_outside", True, "leaves_outside=True needs whole=True, got whole=False"),
    ("strategy", "redraws", 10_001, "redraws must be an integer from 0 to 10000, got 10001"),
    ("adaptation", "learn", None, "learn must be a Python function (F_Cr, gain, memory, cell), got None"),
    ("adaptation", "learn", print, "learn must be a Python function (F_Cr, gain, memory, cell), got <built-in"),
    ("adaptation", "learn", learns_more, "learn must take (F_Cr, gain, memory, cell), got (F_Cr, gain, memory)"),
    ("adaptation", "memory", -1, "memory must be an integer from 0 to 10000, got -1"),
    ("adaptation", "start", ("a", 1), "start must be a pair of F in (0, 2] and Cr in [0, 1], got ('a', 1)"),
    ("adaptation", "start", (True, 0.5), "start must be a pair of F in (0, 2] and Cr in [0, 1], got (True, 0.5)"),
    ("adaptation", "start", (0.0, 0.5), "start must be a pair of F in (0, 2]"),
    ("adaptation", "start", (0.5, 1.5), "start must be a pair of F in (0, 2]"),
    ("adaptation", "p", True, "p must be a number in (0, 1], got True"),
    ("adaptation", "p", 2, "p must be a number in (0, 1], got 2"),
    ("adaptation", "archives", 100, "archives must be a number, at least 0 and under 100, got 100"),
    ("adaptation", "last_N", 1.5, "last_N must be an integer ≥ 0, got"),
]


@pytest.mark.parametrize(("slot", "field", "value", "message"), FIELDS)
def test_a_wrong_field_is_named_with_its_value_and_what_is_allowed(operator, slot, field, value, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        operator(slot, **{field: value})


def test_fields_that_exclude_each_other_are_named(operator):
    with pytest.raises(ValueError, match="dismisses and redraws exclude each other"):
        operator("strategy", whole=True, dismisses=True, redraws=3)
    with pytest.raises(ValueError, match="uses_archive=True needs a donor, got donors=0"):
        operator("mutation", uses_archive=True, donors=0)


CALLS = [  # call, error, message
    (lambda: debox.strategy(target), TypeError, "@debox.strategy needs a name: write @debox.strategy('name')"),
    (lambda: debox.strategy(), TypeError, "missing 1 required positional argument: 'name'"),
    (lambda: debox.strategy("mine", donors=3), TypeError, "unknown option 'donors'; choose from name, short"),
    (lambda: debox.adaptation("mine")(target), TypeError, "missing 1 required keyword-only argument: 'learn'"),
    (lambda: debox.register("mirror"), TypeError, "register takes an operator, got 'mirror'; make one with @debox."),
    (lambda: debox.register(target), TypeError, "; make one with @debox.mutation, @debox.crossover, @debox.strategy,"),
    (lambda: operators.find("strategy", "torodial"), ValueError, "did you mean 'toroidal'? choose from saturation"),
    (lambda: operators.find("donors", "nottarget"), ValueError, "did you mean 'not-target'?"),
    (lambda: operators.find("crossover", "binn"), ValueError, "unknown crossover 'binn'; did you mean 'bin'?"),
    (lambda: operators.find("strategy", "Clamp"), ValueError, "did you mean 'saturation'?"),
    (lambda: operators.find("strategy", "wrap"), ValueError, "did you mean 'toroidal'?"),
    (lambda: operators.find("strategy", "qqqq"), ValueError, "unknown strategy 'qqqq'; choose from saturation"),
    (lambda: operators.find("strategy", None), ValueError, "strategy must be a name, got None; choose from saturation"),
    (lambda: operators.find("mutation", 0.5), ValueError, "mutation must be a name, got 0.5; the scale factor is F;"),
    (lambda: operators.find("donors", ["all"]), ValueError, "donors must be a name, got ['all']; choose from distinct"),
]


@pytest.mark.parametrize(("call", "error", "message"), CALLS)
def test_a_wrong_call_is_answered_with_what_is_allowed(call, error, message):
    with pytest.raises(error, match=re.escape(message)):
        call()
    assert operators.REGISTRATIONS == ()
