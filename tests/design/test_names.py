"""Names of operators from files: what is let in, and what an operator is called that is not installed."""

import pytest

from debox import registry
from debox.design import names

EVIL = [
    *("", "/", "a/", "/a", "a//b", "-a", "a/-b", "..", "a/../b", "/../../x", "a b", "a.b", "a\\b", "a\n", "a\0b"),
    *("$x$", "<script>", "é", "a" * 61, None, 5, b"a", ["a"]),
]


@pytest.mark.parametrize("operator", registry.OPERATORS, ids=lambda operator: operator.name)
def test_every_operator_of_the_registry_has_a_name_that_is_let_in(operator):
    for name in (operator.name, operator.short):
        assert names.check_name("a name", name) == name
        assert names.full_name(operator.slot, name) == operator.name
        assert names.installed(operator.slot, name) is operator


@pytest.mark.parametrize("name", ["my-own/2", "x", "A9", "a-", "a" * 60])
def test_an_operator_that_is_not_installed_is_called_by_its_own_name(name):
    assert names.check_name("a name", name) == names.full_name("mutation", name) == name
    assert names.installed("mutation", name) is None


@pytest.mark.parametrize("name", EVIL, ids=repr)
def test_anything_else_is_refused(name):
    with pytest.raises(ValueError, match=r"a name must be a name of letters, digits, '-' and '/'.*, got "):
        names.check_name("a name", name)
    with pytest.raises(ValueError, match="strategy must be a name of letters"):
        names.full_name("strategy", name)
