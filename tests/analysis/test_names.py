"""Names from files: what is let in, and what an operator is called that is not installed."""

import numpy as np
import pytest

from debox import registry
from debox.analysis import names

EVIL = [
    *(
        "",
        "/",
        "a/",
        "/a",
        "a//b",
        "-a",
        "a/-b",
        "..",
        "a/../b",
        "/../../x",
        "a b",
        "a.b",
        "a\\b",
        "a\n",
        "a\0b",
        "$x$",
    ),
    *("<script>", "é", "a" * 61, None, 5, b"a", ["a"]),
]


@pytest.mark.parametrize("operator", registry.OPERATORS, ids=lambda operator: operator.name)
def test_every_operator_of_the_registry_has_a_name_that_is_let_in(operator):
    for name in (operator.name, operator.short):
        assert names.checked("a name", name) == name


@pytest.mark.parametrize("name", ["my-own/2", "x", "A9", "a-", "a" * 60])
def test_an_operator_that_is_not_installed_is_called_by_its_own_name(name):
    assert names.checked("a name", name) == names.short("mutation", name) == names.full("mutation", name) == name


def test_an_operator_that_is_installed_has_its_short_and_full_name():
    assert names.short("strategy", "saturation") == "sat"
    assert names.full("strategy", "sat") == "saturation"
    assert names.among(["my-own"], "strategy", "sat") == "saturation"
    assert names.among(["my-own"], "strategy", "my-own") == "my-own"
    with pytest.raises(ValueError, match="unknown strategy 'my-own'"):
        names.among([], "strategy", "my-own")


@pytest.mark.parametrize("name", EVIL, ids=repr)
def test_anything_else_is_refused(name):
    with pytest.raises(ValueError, match=r"a name must be a name of letters, digits, '-' and '/'.*, got "):
        names.checked("a name", name)


@pytest.mark.parametrize("column", names.COLUMNS)
@pytest.mark.parametrize("name", ["/../../x", "", None], ids=repr)
def test_the_column_of_a_table_is_named(column, name):
    values = np.array(["a", name, "a"], object)
    with pytest.raises(ValueError, match=f"the column {column} must be a name"):
        names.check_table({column: values})


@pytest.mark.parametrize("column", names.NUMBERS)
def test_numbers_are_numbers(column):
    names.check_table({column: np.array([1, 2.5], object)})
    with pytest.raises(ValueError, match=f"the column {column} must hold numbers, got '/../x'"):
        names.check_table({column: np.array([1, "/../x"], object)})


@pytest.mark.parametrize(
    ("study", "named"),
    [
        ({"name": "<script>"}, "name must be a word"),
        ({"name": "a" * 101}, "name must be a word"),
        ({"name": None}, "name must be a word"),
        ({"mutation": ["rand/1", "/../x"]}, "this is no study: mutation must be a name"),
        ({"donors": "../x"}, "this is no study: donors must be a name"),
        ({"N": ["/../x"]}, "N must be an integer"),
        ({"F": "/../x"}, "F must"),
        ({"runs": "many"}, "runs must be an integer"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_a_plan_cannot_say_is_named(study, named):
    with pytest.raises(ValueError, match=named):
        names.check_study(study)


def test_a_plan_may_have_operators_and_keys_that_are_not_known():
    names.check_study({"name": "mine", "mutation": ["my-own/2"], "N": 5, "colour": object()})
