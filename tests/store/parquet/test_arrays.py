from dataclasses import asdict

import numpy as np
import pytest
from stored_rows import CONFIG, rows

from debox.store import database, parquet, schema
from debox.store.errors import StoreError


@pytest.fixture
def write(tmp_path):
    def one(columns):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.parquet"
        parquet.write_arrays(path, schema.check_part(columns))
        return path

    return one


def test_columns_become_arrays(write):
    columns = rows(range(4), n=2)
    found = parquet.read_table([write(columns)])
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
    found = parquet.read_table(paths)
    expected = rows([0, 1, 2, 5, 7, 9], n=3)
    assert found["run"].tolist() == [0, 1, 2, 5, 7, 9]
    np.testing.assert_array_equal(found["best_x"], np.array(expected["best_x"]))
    np.testing.assert_array_equal(found["pois"], expected["pois"])


def test_several_dimensions_give_an_array_of_points(write):
    found = parquet.read_table([write(rows([0], n=4)), write(rows([0, 1], n=2))])
    assert found["dimension"].tolist() == [2, 2, 4]
    assert [point.tolist() for point in found["best_x"]] == [
        point.tolist() for point in [*rows([0, 1], n=2)["best_x"], *rows([0], n=4)["best_x"]]
    ]


def test_rows_are_sorted_by_configuration_then_run(write):
    configs = ["DE/rand/1/exp sat, N=5, F=0.7, Cr=0.9", "DE/best/1/bin tor, N=20, F=2, Cr=0"]
    configs += ["DE/rand/1/exp sat, N=20, F=0.1, Cr=0.9", "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.5"]
    found = parquet.read_table([write(rows([1, 0], config)) for config in configs])
    order = [(mutation, N, Cr) for mutation, N, Cr in zip(found["mutation"], found["N"], found["Cr"], strict=True)][::2]
    assert order == [("best/1", 20, 0.0), ("rand/1", 5, 0.5), ("rand/1", 5, 0.9), ("rand/1", 20, 0.9)]
    assert found["run"].tolist() == [0, 1] * 4


def test_some_columns_in_the_order_asked(write):
    path = write(rows(range(3)))
    assert list(parquet.read_table([path], ["pois", "dimension", "id"])) == ["pois", "dimension", "id"]
    assert list(parquet.read_table([path], ["best_x"])) == ["best_x"]


def test_where_keeps_the_rows_with_these_values(write):
    paths = [write(rows(range(3))), write(rows(range(2), "DE/rand/1/exp tor, N=5, F=0.7, Cr=0.99"))]
    found = parquet.read_table(paths, ["run", "best_x", "strategy"], where={"strategy": "toroidal", "dimension": 3})
    assert found["strategy"].tolist() == ["toroidal"] * 2
    assert found["best_x"].shape == (2, 3)
    assert len(parquet.read_table(paths, ["id"], where=asdict(CONFIG))["id"]) == 3


@pytest.mark.parametrize("asked", [{"columns": ["poise"]}, {"where": {"poise": 1}}])
def test_an_unknown_column_is_an_error_that_names_those_there_are(write, asked):
    with pytest.raises(ValueError, match=r"unknown column 'poise'; there are id, mutation, .*, dimension, .*seconds"):
        parquet.read_table([write(rows(range(3)))], **asked)


def test_nothing_is_empty_columns():
    found = parquet.read_table([])
    assert list(found) == [column.name for column in schema.COLUMNS]
    assert {len(array) for array in found.values()} == {0}
    assert found["best_x"].shape == (0, 0)


def test_a_checkpoint_that_a_part_lacks_is_nan_there(write):
    found = parquet.read_table([write(rows([0], checkpoints=())), write(rows([1], checkpoints=("0.1",)))])
    assert np.isnan(found["pois_at_0.1"]).tolist() == [True, False]
    assert not isinstance(found["pois_at_0.1"], np.ma.MaskedArray)


def test_the_digest_is_of_the_content_not_of_the_parts(write):
    one, two = [write(rows(range(4)))], [write(rows([3, 1])), write(rows([2, 0]))]
    assert parquet.table_digest(parquet.read_table(one)) == parquet.table_digest(parquet.read_table(two))


def test_the_digest_is_the_same_for_one_n_and_for_points_apart(write):
    found = parquet.read_table([write(rows(range(3)))])
    apart = np.empty(3, object)
    apart[:] = list(found["best_x"])
    assert parquet.table_digest({**found, "best_x": apart}) == parquet.table_digest(found)


def test_more_than_fits_into_memory_is_an_error_before_it_is_read(write, monkeypatch):
    path = write(rows(range(3), n=1000))
    monkeypatch.setattr("debox.check.physical_memory", lambda: 20_000)  # three points of 1000 numbers need 24 000 bytes
    with pytest.raises(StoreError, match=r"they need .* GB of memory, this computer has"):
        parquet.read_table([path])
    assert len(parquet.read_table([path], ["pois"])["pois"]) == 3


def test_a_number_that_is_none_is_nan(write):
    given = rows(range(2), n=2) | {"best_f": [np.nan, 0.5], "best_x": [[0.5, np.nan], [0.25, 1.0]]}
    found = parquet.read_table([write(given)])
    np.testing.assert_array_equal(found["best_f"], given["best_f"])
    np.testing.assert_array_equal(found["best_x"], given["best_x"])


def test_every_row_has_its_file_and_comes_as_often_as_it_stands_there(write):
    paths = [write(rows([0, 1])), write(rows([1, 2]))]
    found = parquet.read_every_row(paths)
    at = zip(found[parquet.FILE_COLUMN], found["run"].tolist(), strict=True)
    assert sorted(at) == [(str(paths[0]), 0), (str(paths[0]), 1), (str(paths[1]), 1), (str(paths[1]), 2)]
    expected = {run: point.tolist() for run, point in enumerate(rows(range(3))["best_x"])}
    assert [point.tolist() for point in found["best_x"]] == [expected[run] for run in found["run"]]


def test_a_table_of_something_else_is_read_by_the_names_of_its_columns(tmp_path):
    path = tmp_path / "other.parquet"
    database.connect().execute(f"COPY (SELECT 'a' AS letter, 0.5 AS number, 3 AS rest) TO '{path}' (FORMAT parquet)")
    found = parquet.read_other(path, ["number", "letter"])
    assert {name: column.tolist() for name, column in found.items()} == {"number": [0.5], "letter": ["a"]}
    with pytest.raises(StoreError, match=r"other\.parquet has no column size, pois"):
        parquet.read_other(path, ["size", "letter", "pois"])
    with pytest.raises(StoreError, match="nowhere is not a file"):
        parquet.read_other(tmp_path / "nowhere", [])
    path.write_bytes(b"PAR1 and then nothing")
    with pytest.raises(StoreError, match="is not a Parquet file"):
        parquet.read_other(path, [])
