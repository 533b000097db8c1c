"""What an operator says of itself is checked when it is made."""

import re

import pytest

import debox
from debox import Operator
from debox.de import strategies
from debox.registry import OPERATORS
from debox.registry.operator import ARGUMENTS, FIELDS_BY_SLOT


def test_fields_have_defaults_of_which_the_short_name_is_the_name():
    made = Operator(slot="strategy", name="mine", function=strategies.saturation)
    assert (made.short, made.citation, made.whole, made.formula) == ("mine", "", False, "the violated bound")


@pytest.mark.parametrize(
    ("slot", "changed", "message"),
    [
        ("strategy", {"name": "no name"}, "name of a strategy must be a name of letters, .*, got 'no name'"),
        ("strategy", {"name": ""}, "name of a strategy must be a name of letters, .*, got ''"),
        ("strategy", {"name": 3}, "name of a strategy must be a name of letters, .*, got 3"),
        ("strategy", {"name": "x" * 61}, "at most 60, got 'x"),
        ("strategy", {"name": "a,b"}, "got 'a,b'"),
        ("strategy", {"name": "a=b"}, "got 'a=b'"),
        ("strategy", {"short": "../x"}, "short of a strategy must be a name .*, got '../x'"),
        ("crossover", {"name": "one/2"}, "must have no '/': .*, got 'one/2'"),
        ("mutation", {"name": "DE/rand"}, "must not begin with 'DE/', .*, got 'DE/rand'"),
        ("strategy", {"citation": None}, "strategy 'middle': citation must be a text, got None"),
        ("strategy", {"function": abs}, r"function must be a Python function \(u, x, c, a, b, rng\), got <built-in"),
        ("mutation", {"donors": 6}, "mutation 'half/1': donors must be an integer from 0 to 5, got 6"),
        ("mutation", {"donors": True}, "donors must be an integer from 0 to 5, got True"),
        ("mutation", {"uses_best": 1}, "uses_best must be True or False, got 1"),
        ("mutation", {"base": "r2"}, "base must be 'r1', 'best' or 'target', got 'r2'"),
        ("mutation", {"weights": (0, 1)}, r"weights must be None or a function of F, got \(0, 1\)"),
        ("crossover", {"exchanges": "all"}, "exchanges must be '', 'each' or 'segment', got 'all'"),
        ("donors", {"avoids": ("worst",)}, r"avoids must be \(\), .*, got \('worst',\)"),
        ("donors", {"avoids": ["target"]}, r"avoids must be \(\), .*, got \['target'\]"),
        ("strategy", {"donors": 3}, "strategy 'middle': donors belongs to the slot mutation, got donors=3"),
        ("mutation", {"whole": True}, "mutation 'half/1': whole belongs to the slot strategy, got whole=True"),
        ("strategy", {"dismisses": True}, "dismisses=True needs whole=True, got whole=False"),
        ("adaptation", {"learn": None}, r"'lasting': learn is required: a function \(F_Cr, gain, memory, cell\), got"),
        ("adaptation", {"start": ("a", 1)}, r"start must be a pair of F in \(0, 2\] and Cr in .*, got \('a', 1\)"),
        ("adaptation", {"start": (True, 0.5)}, r"start must be a pair of F"),
        ("adaptation", {"p": True}, r"p must be a number in \(0, 1\], got True"),
        ("adaptation", {"p": 2}, r"p must be a number in \(0, 1\], got 2"),
        ("adaptation", {"archives": 100}, "archives must be a number, at least 0 and under 100, got 100"),
    ],
)
def test_a_wrong_field_is_named_with_its_value_and_what_is_allowed(operator, slot, changed, message):
    with pytest.raises(ValueError, match=message):
        operator(slot, **changed)


def test_an_unknown_slot_is_answered_with_the_slots():
    with pytest.raises(
        ValueError, match="slot must be one of mutation, crossover, strategy, donors, adaptation, got 'selection'"
    ):
        Operator(slot="selection", name="mine", function=strategies.saturation)


def test_a_function_must_be_marked_as_a_kernel(operator):
    def plain(u, x, c, a, b, rng):
        """the target"""
        return x

    with pytest.raises(ValueError, match=r"function 'plain' must be marked with @debox\.kernel"):
        operator("strategy", function=plain)
    assert operator("strategy", function=debox.kernel(plain)).function is plain


def without_base(u, x, a, b, rng):
    """as strategies were before they got the base"""
    return x


def with_default(u, x, c, a, b, rng=None):
    """the target"""
    return x


def silent(u, x, c, a, b, rng):
    return x


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (without_base, "the function must take (u, x, c, a, b, rng), got (u, x, a, b, rng)"),
        (with_default, "the function must take (u, x, c, a, b, rng), got (u, x, c, a, b, rng=None)"),
        (silent, "the first line of the function's docstring must be its formula, got none"),
    ],
)
def test_arguments_and_formula_are_those_of_the_slot(operator, function, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        operator("strategy", function=debox.kernel(function))


def test_every_field_belongs_to_one_slot_or_to_all():
    own = [field for fields in FIELDS_BY_SLOT.values() for field in fields]
    assert len(own) == len(set(own))
    assert {"slot", "name", "short", "function", "citation", *own} == set(Operator.__dataclass_fields__)
    assert {operator.slot for operator in OPERATORS} == set(FIELDS_BY_SLOT) == set(ARGUMENTS)


def test_whole_numbers_are_numbers_too_and_kept_as_floats(operator):
    made = operator("adaptation", p=1, archives=2, start=(1, 0))
    assert [type(value) for value in (made.p, made.archives)] == [float, float]
    assert (made.p, made.archives, made.start) == (1.0, 2.0, (1, 0))
    debox.register(made)
    assert debox.Config("DE/rand/1/bin sat, N=9, adaptation=lasting").F == 1.0
