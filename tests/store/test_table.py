import numpy as np
import pytest
from tests.store.rows import CONFIG, rows

from debox.store import parquet, schema, table


@pytest.fixture
def write(tmp_path):
    def one(columns):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.parquet"
        parquet.write_arrays(path, schema.checked(columns))
        return path

    return one


def test_columns_become_arrays(write):
    columns = rows(range(4), n=2)
    found = table.read([write(columns)])
    assert list(found) == [column.name for column in schema.COLUMNS]
    assert found["best_x"].shape == (4, 2)
    for name, values in columns.items():
        np.testing.assert_array_equal(found[name], np.array(values))
    assert [str(found[name].dtype) for name in ("N", "F", "frozen", "best_x")] == [
        "int64",
        "float64",
        "bool",
        "float64",
    ]


def test_points_stay_with_their_rows_however_the_parts_lie(write):
    paths = [write(rows(runs, n=3)) for runs in ([7, 2], [5], [0, 9, 1])]
    found = table.read(paths)
    expected = rows([0, 1, 2, 5, 7, 9], n=3)
    assert found["run"].tolist() == [0, 1, 2, 5, 7, 9]
    np.testing.assert_array_equal(found["best_x"], np.array(expected["best_x"]))
    np.testing.assert_array_equal(found["pois"], expected["pois"])


def test_several_dimensions_give_an_array_of_points(write):
    found = table.read([write(rows([0], n=4)), write(rows([0, 1], n=2))])
    assert found["n"].tolist() == [2, 2, 4]
    assert [point.tolist() for point in found["best_x"]] == [
        point.tolist() for point in [*rows([0, 1], n=2)["best_x"], *rows([0], n=4)["best_x"]]
    ]


def test_rows_are_sorted_by_configuration_then_run(write):
    configs = ["DE/rand/1/exp sat, N=5, F=0.7, Cr=0.9", "DE/best/1/bin tor, N=20, F=2, Cr=0"]
    configs += ["DE/rand/1/exp sat, N=20, F=0.1, Cr=0.9", "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.5"]
    found = table.read([write(rows([1, 0], config)) for config in configs])
    order = [(mutation, N, Cr) for mutation, N, Cr in zip(found["mutation"], found["N"], found["Cr"], strict=True)][::2]
    assert order == [("best/1", 20, 0.0), ("rand/1", 5, 0.5), ("rand/1", 5, 0.9), ("rand/1", 20, 0.9)]
    assert found["run"].tolist() == [0, 1] * 4


def test_some_columns_in_the_order_asked(write):
    path = write(rows(range(3)))
    assert list(table.read([path], ["pois", "n", "id"])) == ["pois", "n", "id"]
    assert list(table.read([path], ["best_x"])) == ["best_x"]


def test_where_keeps_the_rows_with_these_values(write):
    paths = [write(rows(range(3))), write(rows(range(2), "DE/rand/1/exp tor, N=5, F=0.7, Cr=0.99"))]
    found = table.read(paths, ["run", "best_x", "strategy"], where={"strategy": "toroidal", "n": 3})
    assert found["strategy"].tolist() == ["toroidal"] * 2
    assert found["best_x"].shape == (2, 3)
    assert len(table.read(paths, ["id"], where=vars(CONFIG))["id"]) == 3


@pytest.mark.parametrize("asked", [{"columns": ["poise"]}, {"where": {"poise": 1}}])
def test_an_unknown_column_is_an_error_that_names_those_there_are(write, asked):
    with pytest.raises(ValueError, match=r"unknown column 'poise'; there are id, mutation, .*, n, .*seconds"):
        table.read([write(rows(range(3)))], **asked)


def test_nothing_is_empty_columns():
    found = table.read([])
    assert list(found) == [column.name for column in schema.COLUMNS]
    assert {len(array) for array in found.values()} == {0}
    assert found["best_x"].shape == (0, 0)


def test_a_checkpoint_that_a_part_lacks_is_nan_there(write):
    found = table.read([write(rows([0], checkpoints=())), write(rows([1], checkpoints=("0.1",)))])
    assert np.isnan(found["pois_at_0.1"]).tolist() == [True, False]
    assert not isinstance(found["pois_at_0.1"], np.ma.MaskedArray)


def test_the_digest_is_of_the_content_not_of_the_parts(write):
    one, two = [write(rows(range(4)))], [write(rows([3, 1])), write(rows([2, 0]))]
    assert table.digest(table.read(one)) == table.digest(table.read(two))


@pytest.mark.parametrize("name", [column.name for column in schema.COLUMNS])
def test_the_digest_sees_a_change_in_any_column(write, name):
    before = table.read([write(rows(range(4)))])
    after = {**before, name: before[name].copy()}
    first = after[name][0]
    after[name][0] = f"{first}x" if isinstance(first, str) else (not first if first.dtype == bool else first + 1)
    assert table.digest(before) != table.digest(after)


def test_the_digest_is_the_same_for_one_n_and_for_points_apart(write):
    found = table.read([write(rows(range(3)))])
    apart = np.empty(3, object)
    apart[:] = list(found["best_x"])
    assert table.digest({**found, "best_x": apart}) == table.digest(found)
