"""Checks of values that are not one key's alone; those of the keys are in test_fields.py."""

import pytest
from for_each import for_each

from debox import registry
from debox.design import checks


def test_exact_values_are_those_that_were_cut_to_three_decimals():
    printed = (0.05, 0.266, 0.483, 0.7, 0.916, 1.133, 1.35, 1.566, 1.783, 2.0)
    exact = checks.equally_spaced("F", printed)
    assert exact == pytest.approx([0.05 + k * 1.95 / 9 for k in range(10)], abs=1e-15)
    assert checks.equally_spaced("F", (0.7,)) == (0.7,)


def test_values_that_are_not_equally_spaced_have_no_exact_ones():
    with pytest.raises(ValueError, match=r"Cr must be equally spaced.*got 0\.4 where 0\.500 should be"):
        checks.equally_spaced("Cr", (0.0, 0.4, 1.0))


def test_a_study_and_an_operator_have_one_rule_for_names():
    assert checks.is_name is registry.operator.is_name


EVIL = [
    *("", "/", "a/", "/a", "a//b", "-a", "a/-b", "..", "a/../b", "/../../x", "a b", "a.b", "a\\b", "a\n", "a\0b"),
    *("$x$", "<script>", "é", "a" * 61, None, 5, b"a", ["a"]),
]


@for_each("operator", registry.OPERATORS, ids=lambda operator: operator.name)
def test_every_operator_of_the_registry_has_a_name_that_is_let_in(operator):
    for name in (operator.name, operator.short):
        assert checks.check_name("a name", name) == name
        assert checks.full_name(operator.slot, name) == operator.name
        assert checks.installed_operator(operator.slot, name) is operator


@for_each("name", ["my-own/2", "x", "A9", "a-", "a" * 60])
def test_an_operator_that_is_not_installed_is_called_by_its_own_name(name):
    assert checks.check_name("a name", name) == checks.full_name("mutation", name) == name
    assert checks.installed_operator("mutation", name) is None


@for_each("name", EVIL, ids=repr)
def test_anything_else_is_refused(name):
    with pytest.raises(ValueError, match=r"a name must be a name of letters, digits, '-' and '/'.*, got "):
        checks.check_name("a name", name)
    with pytest.raises(ValueError, match="strategy must be a name of letters"):
        checks.full_name("strategy", name)
