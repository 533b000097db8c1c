"""Names from files: what is let in, and what an operator is called that is not installed."""

import numpy as np
import pytest

from debox.analysis import names

WORDS = {name: np.array(["a", "b", "a"], object) for name in ("mutation", "crossover", "strategy")}
WHOLE = WORDS | {name: np.ones(3) for name in ("N", "F", "Cr", "pois")}


@pytest.mark.parametrize("name", ["my-own/2", "x", "A9", "a-", "a" * 60])
def test_an_operator_that_is_not_installed_is_called_by_its_own_name(name):
    assert names.short("mutation", name) == name


def test_an_operator_that_is_installed_has_its_short_and_full_name():
    assert names.short("strategy", "saturation") == "sat"
    assert names.full_name(["my-own"], "strategy", "sat") == "saturation"
    assert names.full_name(["my-own"], "strategy", "my-own") == "my-own"
    with pytest.raises(ValueError, match="unknown strategy 'my-own'"):
        names.full_name([], "strategy", "my-own")


@pytest.mark.parametrize("column", names.COLUMNS)
@pytest.mark.parametrize("name", ["/../../x", "", None], ids=repr)
def test_the_column_of_a_table_is_named(column, name):
    values = np.array(["a", name, "a"], object)
    with pytest.raises(ValueError, match=f"the column {column} must be a name"):
        names.check_table(WHOLE | {column: values})


@pytest.mark.parametrize("column", names.NUMBERS)
def test_numbers_are_numbers(column):
    names.check_table(WHOLE | {column: np.array([1, 2.5], object)})
    with pytest.raises(ValueError, match=f"the column {column} must hold numbers, got '/../x'"):
        names.check_table(WHOLE | {column: np.array([1, "/../x"], object)})


def test_a_table_lacks_nothing_that_every_figure_needs():
    names.check_table(WHOLE)
    for name in WHOLE:
        with pytest.raises(ValueError, match=f"the table has no column {name}; it has "):
            names.check_table({other: column for other, column in WHOLE.items() if other != name})


def test_a_table_that_calls_the_dimension_n_is_not_taken_for_one_without():
    with pytest.raises(ValueError, match="the table has a column n, which is called dimension: rename it"):
        names.check_table(WHOLE | {"n": np.ones(3)})
