"""Columns become files and arrays again, to the bit, whatever the files are called and in whichever they lie."""

import os
from dataclasses import asdict
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest
from stored_rows import CONFIG, rows

from debox.store import parquet, schema
from debox.store.errors import StoreError


@pytest.fixture
def write(tmp_path):
    def one(columns, name=""):
        path = tmp_path / (name or f"{len(list(tmp_path.iterdir()))}.parquet")
        path.parent.mkdir(exist_ok=True)
        parquet.write(path, schema.check_part(columns))
        return path

    return one


def test_columns_become_arrays(write):
    columns = rows(range(4), n=2)
    found = parquet.read([write(columns)])
    assert list(found) == [column.name for column in schema.COLUMNS]
    assert found["best_x"].shape == (4, 2)
    for name, values in columns.items():
        np.testing.assert_array_equal(found[name], np.array(values))
    kinds = {name: str(found[name].dtype) for name in ("N", "F", "frozen", "best_x", "id", "strategy")}
    assert list(kinds.values()) == ["int64", "float64", "bool", "float64", "object", "object"]
    assert found["strategy"][0] is found["strategy"][3]  # a million rows share a few words


def test_points_stay_with_their_rows_however_the_parts_lie(write):
    paths = [write(rows(runs, n=3)) for runs in ([7, 2], [5], [0, 9, 1])]
    found = parquet.read(paths)
    expected = rows([0, 1, 2, 5, 7, 9], n=3)
    assert found["run"].tolist() == [0, 1, 2, 5, 7, 9]
    np.testing.assert_array_equal(found["best_x"], np.array(expected["best_x"]))
    np.testing.assert_array_equal(found["pois"], expected["pois"])


def test_a_run_that_two_writers_stored_is_read_once(write):
    paths = [write(rows(range(i, i + 4), seconds=float(i))) for i in range(3)]
    assert parquet.read(paths)["run"].tolist() == [0, 1, 2, 3, 4, 5]
    assert parquet.ask("SELECT count(*), count(DISTINCT id) FROM runs", paths).fetchall() == [(6, 6)]


def test_several_dimensions_give_an_array_of_points(write):
    found = parquet.read([write(rows([0], n=4)), write(rows([0, 1], n=2))])
    assert found["dimension"].tolist() == [2, 2, 4]
    expected = [*rows([0, 1], n=2)["best_x"], *rows([0], n=4)["best_x"]]
    assert [point.tolist() for point in found["best_x"]] == [point.tolist() for point in expected]


def test_rows_are_sorted_by_configuration_then_run(write):
    configs = ["DE/rand/1/exp sat, N=5, F=0.7, Cr=0.9", "DE/best/1/bin tor, N=20, F=2, Cr=0"]
    configs += ["DE/rand/1/exp sat, N=20, F=0.1, Cr=0.9", "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.5"]
    found = parquet.read([write(rows([1, 0], config)) for config in configs])
    order = list(zip(found["mutation"], found["N"], found["Cr"], strict=True))[::2]
    assert order == [("best/1", 20, 0.0), ("rand/1", 5, 0.5), ("rand/1", 5, 0.9), ("rand/1", 20, 0.9)]
    assert found["run"].tolist() == [0, 1] * 4


def test_runs_are_ordered_by_repair_and_adaptation_and_parts_without_them_have_the_usual_ones(write):
    earlier = {name: column for name, column in rows([0, 1]).items() if name not in schema.LATER_COLUMNS}
    later = rows([2, 3]) | {"adaptation": np.array(["jDE", "JADE"], object)}
    mutant = rows([4]) | {"repair": np.array(["mutant"], object)}
    parts = [write(later), write(mutant), write(earlier)]
    found = parquet.read(parts)
    assert found["run"].tolist() == [4, 3, 0, 1, 2]
    assert found["adaptation"].tolist() == ["fixed", "JADE", "fixed", "fixed", "jDE"]
    assert parquet.read(parts, ["run"], {"repair": "trial"})["run"].tolist() == [3, 0, 1, 2]
    assert parquet.ask("SELECT count(*) FROM runs WHERE adaptation = 'fixed'", parts).fetchall() == [(3,)]
    assert "repair" not in parquet.read(parts[2:])
    assert parquet.read(parts[2:], ["run"], {"repair": "trial"})["run"].tolist() == [0, 1]


def test_where_keeps_the_rows_with_these_values(write):
    paths = [write(rows(range(3))), write(rows(range(2), "DE/rand/1/exp tor, N=5, F=0.7, Cr=0.99"))]
    found = parquet.read(paths, ["run", "best_x", "strategy"], where={"strategy": "toroidal", "dimension": 3})
    assert list(found) == ["run", "best_x", "strategy"]
    assert found["strategy"].tolist() == ["toroidal"] * 2
    assert found["best_x"].shape == (2, 3)
    assert len(parquet.read(paths, ["id"], where=asdict(CONFIG))["id"]) == 3
    assert parquet.read(paths, ["strategy"], where={"N": 6})["strategy"].tolist() == []


@pytest.mark.parametrize("asked", [{"columns": ["poise"]}, {"where": {"poise": 1}}])
def test_an_unknown_column_is_an_error_that_names_those_there_are(write, asked):
    with pytest.raises(ValueError, match=r"unknown column 'poise'; there are id, mutation, .*, dimension, .*seconds"):
        parquet.read([write(rows(range(3)))], **asked)


def test_nothing_is_empty_columns():
    found = parquet.read([])
    assert list(found) == [column.name for column in schema.COLUMNS]
    assert {len(array) for array in found.values()} == {0}
    assert found["best_x"].shape == (0, 0)


def test_files_with_other_checkpoints_are_read_together_and_what_one_lacks_is_nan(write):
    found = parquet.read([write(rows([0], checkpoints=("third",))), write(rows([1], checkpoints=("0.1",)))])
    names = list(found)
    assert names[names.index("pois") :][:4] == ["pois", "pois_at_0.1", "pois_at_third", "accepted"]
    assert np.isnan(found["pois_at_0.1"]).tolist() == [True, False]
    assert not isinstance(found["pois_at_0.1"], np.ma.MaskedArray)


def test_a_number_that_is_none_is_nan(write):
    given = rows(range(2), n=2) | {"best_f": [np.nan, 0.5], "best_x": [[0.5, np.nan], [0.25, 1.0]]}
    found = parquet.read([write(given)])
    np.testing.assert_array_equal(found["best_f"], given["best_f"])
    np.testing.assert_array_equal(found["best_x"], given["best_x"])


def test_another_library_reads_the_same_names_types_and_values(write):
    columns = rows(range(5), n=4)
    found = pq.read_table(write(columns))
    assert found.column_names == [column.name for column in schema.COLUMNS]
    for name, values in columns.items():
        if name != "best_x":
            assert found[name].to_pylist() == list(values)
    assert np.array_equal(np.array(found["best_x"].to_pylist()), np.array(columns["best_x"]))
    types = {name: str(found.schema.field(name).type) for name in ("id", "F", "N", "frozen", "best_x")}
    assert list(types.values()) == ["string", "double", "int64", "bool", "list<element: double>"]


def test_extreme_numbers_come_back_to_the_bit(write):
    extreme = [5e-324, 1 / 3, np.nextafter(1, 0), -0.0, 1.7976931348623157e308, 0.1 + 0.2]
    given = rows(range(6), n=6) | {"best_f": extreme, "best_x": [extreme] * 6, "seed": [2**63 - 1] * 6}
    path = write(given)
    for found in (parquet.read([path]), pq.read_table(path).to_pydict()):
        assert np.array(found["best_f"]).tobytes() == np.array(extreme).tobytes()
        assert np.array(found["best_x"][3]).tobytes() == np.array(extreme).tobytes()
        assert list(found["seed"]) == [2**63 - 1] * 6


ODD_NAMES = ["it's", "a b", "[x]*?", 'quote"', "ünï", "{a,b}", "%d;--", "a\\b", "**", "[!a]", "s*", "w?", "N=5", "id=9"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_any_path_will_do_also_beside_what_a_pattern_would_find(write, name):
    write(rows(range(9)), "sx/a.parquet")
    write(rows(range(9)), "a/a.parquet")
    path = write(rows(range(3)), f"{name}/a.parquet")
    write(rows(range(9)), f"{name}/b.parquet")
    columns = rows(range(3))
    for paths in ([path], [path, write(rows([1, 2]), f"{name}/c.parquet")]):  # a folder N=5 is no column
        found = parquet.read(paths, ["id", "N", "run"])
        assert [found[name].tolist() for name in found] == [columns["id"], columns["N"], [0, 1, 2]]
    assert parquet.texts_in(path) == {}


@pytest.mark.parametrize("name", ["~", "~root", "s3:", "-", "file:"])
def test_a_relative_path_is_what_the_system_takes_it_for(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    Path(name).mkdir()
    path = Path(name) / "a.parquet"
    parquet.write(path, schema.check_part(rows(range(3))))
    assert (tmp_path / name / "a.parquet").is_file()
    assert len(parquet.read([path], ["id"])["id"]) == 3


def test_texts_are_embedded_and_columns_left_out(tmp_path, write):
    paths, text = [write(rows([3, 1])), write(rows([2, 3]))], 'it\'s\n{"ü": 1}'
    parquet.pack(tmp_path / "b.parquet", paths, ["run", "pois"], {"told": text})
    assert parquet.texts_in(tmp_path / "b.parquet") == {"told": text}
    found = pq.read_table(tmp_path / "b.parquet")
    assert found.schema.metadata[b"told"].decode() == text
    assert found.to_pydict() == {name: list(rows([1, 2, 3])[name]) for name in ("run", "pois")}


def test_what_cannot_be_read_or_written_is_an_error_that_names_it(tmp_path):
    (tmp_path / "a.parquet").write_text("hello")
    for read in (parquet.texts_in, lambda path: parquet.read([path])):
        with pytest.raises(StoreError, match=r"cannot read .*a\.parquet: .*"):
            read(tmp_path / "a.parquet")
    with pytest.raises(OSError, match=r"No such file"):
        parquet.write(tmp_path / "nowhere" / "a.parquet", schema.check_part(rows([0])))


WRONG_ROWS = {
    "a column more": ("*, 1 AS colour", "rows that this debox does not know: unknown column 'colour'"),
    "a text less": ("* REPLACE (NULL::VARCHAR AS id)", "the column id has no value in 2 rows"),
    "a number less": ("* REPLACE (CASE run WHEN 1 THEN NULL ELSE N END AS N)", "the column N has no value in 1 rows"),
    "a word less": ("* REPLACE (CASE run WHEN 1 THEN strategy END AS strategy)", "strategy has no value in 1 rows"),
}


@pytest.mark.parametrize("what", WRONG_ROWS)
def test_rows_that_debox_does_not_write_are_a_store_error(write, tmp_path, what):
    selected, why = WRONG_ROWS[what]
    path = write(rows([0, 1]))
    duckdb.connect().execute(f"COPY (SELECT {selected} FROM '{path}') TO '{tmp_path / 'odd'}' (FORMAT parquet)")
    with pytest.raises(StoreError, match=why):
        parquet.read([tmp_path / "odd"])


def test_a_table_of_something_else_is_read_by_the_names_of_its_columns(tmp_path):
    path = tmp_path / "other.parquet"
    duckdb.connect().execute(f"COPY (SELECT 'a' AS letter, 0.5 AS number, 3 AS rest) TO '{path}' (FORMAT parquet)")
    found = parquet.read_other(path, ["number", "letter"])
    assert {name: column.tolist() for name, column in found.items()} == {"number": [0.5], "letter": ["a"]}
    with pytest.raises(StoreError, match=r"other\.parquet has no column size, pois"):
        parquet.read_other(path, ["size", "letter", "pois"])
    with pytest.raises(StoreError, match=r"cannot read .*nowhere: .*No files found"):
        parquet.read_other(tmp_path / "nowhere", [])
    path.write_bytes(b"PAR1 and then nothing")
    with pytest.raises(StoreError, match=r"cannot read .*other\.parquet"):
        parquet.read_other(path, [])


def test_what_duckdb_does_unasked_is_switched_off():
    mine = {"a": np.zeros(3)}
    with pytest.raises(StoreError, match="mine"), parquet.connection(Path("here")) as opened:
        opened.execute("SELECT * FROM mine")
    assert mine
    with parquet.connection(Path("here")) as opened:
        ((folder,),) = opened.execute("SELECT current_setting('temp_directory')").fetchall()
    assert Path(folder).name == f"debox-{os.getpid()}"


def test_a_connection_is_closed_at_an_error_too():
    with pytest.raises(ValueError, match="wrong"), parquet.connection(Path("here"), stays_open=True) as opened:
        raise ValueError("wrong")
    with pytest.raises(duckdb.ConnectionException):
        opened.execute("SELECT 1")


def test_an_interrupted_query_is_a_keyboard_interrupt_other_errors_pass():
    with pytest.raises(KeyboardInterrupt), parquet.connection(Path("here")):
        raise RuntimeError("Query interrupted")
    with pytest.raises(RuntimeError, match="else"), parquet.connection(Path("here")):
        raise RuntimeError("something else")
