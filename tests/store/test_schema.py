import numpy as np
import pytest
from stored_rows import rows

from debox.store import schema


def test_the_columns_are_those_a_study_promises():
    promised = """id mutation crossover strategy donors reevaluate frozen repair adaptation N F Cr dimension budget run
        seed engine pois pois_at_third pois_at_two_thirds accepted best_f best_x seconds"""
    assert [column.name for column in schema.COLUMNS] == promised.split()
    assert all(column.meaning for column in schema.COLUMNS)


@pytest.mark.parametrize(
    ("share", "name"),
    [
        (1 / 3, "pois_at_third"),
        (2 / 3, "pois_at_two_thirds"),
        (0.1, "pois_at_0.1"),
        (0.5, "pois_at_0.5"),
        (1e-7, "pois_at_1e-07"),
        (0.333, "pois_at_0.333"),
    ],
)
def test_a_checkpoint_is_named_after_its_share(share, name):
    assert schema.checkpoint_column(share) == name
    (column,) = schema.in_schema_order([name])
    assert (column.name, column.type) == (name, "DOUBLE")


def test_checkpoints_stand_after_pois_and_rise():
    names = ["accepted", "pois_at_two_thirds", "pois_at_0.5", "pois", "id", "pois_at_1e-07", "pois_at_third"]
    expected = ["id", "pois", "pois_at_1e-07", "pois_at_third", "pois_at_0.5", "pois_at_two_thirds", "accepted"]
    assert [column.name for column in schema.in_schema_order(names)] == expected


@pytest.mark.parametrize(
    "name", ["poise", "pois_at_", "pois_at_half", "pois_at_0.1; DROP", 'pois_at_0.1"', "x", "PoiS"]
)
def test_an_unknown_column_is_an_error_that_names_it(name):
    with pytest.raises(ValueError, match="unknown column"):
        schema.in_schema_order(["id", name])


def test_checked_columns_have_the_types_of_the_table():
    arrays = schema.check_part(rows(range(3), n=2))
    assert [str(arrays[name].dtype) for name in ("id", "F", "N", "frozen", "best_x")] == [
        *("object", "float64", "int64", "bool", "object")
    ]
    assert list(arrays) == [column.name for column in schema.COLUMNS]
    assert arrays["best_x"][1].shape == (2,)


def test_lists_arrays_and_narrower_types_are_taken():
    columns = rows(range(4))
    given = {**columns, "N": np.array(columns["N"], np.int32), "F": [1] * 4, "best_x": np.array(columns["best_x"])}
    arrays = schema.check_part(given)
    assert arrays["F"].tolist() == [1.0] * 4
    assert arrays["N"].dtype == np.int64


WRONG = {
    "a column is missing": (lambda c: c.pop("accepted"), "missing: accepted"),
    "a column is unknown": (lambda c: c.update(extra=[1] * 3), "unknown column 'extra'"),
    "a column is short": (lambda c: c.update(pois=[0.5]), "columns of one length, got {'id': 3, .*'pois': 1,"),
    "there are no rows": (lambda c: c.update(rows([])), "at least one run"),
    "a run stands twice": (lambda c: c.update(id=["0" * 16] * 3), "no run twice"),
    "integers are not whole": (lambda c: c.update(N=[5.0, 5.5, 5.0]), "Cannot cast .* to dtype..int64"),
    "numbers are text": (lambda c: c.update(F=["a", "b", "c"]), "Cannot cast .* to dtype..float64"),
}


@pytest.mark.parametrize("what", WRONG)
def test_columns_that_do_not_fit_are_an_error(what):
    spoil, message = WRONG[what]
    columns = rows(range(3))
    spoil(columns)
    with pytest.raises((ValueError, TypeError), match=message):
        schema.check_part(columns)
