from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from stored_rows import rows

from debox.store import parquet, schema
from debox.store.database import connect
from debox.store.errors import StoreError


def written(path, columns):
    parquet.write_arrays(path, schema.check_part(columns))
    return path


def fetch(query):
    return connect().execute(query).fetchall()


def test_another_library_reads_the_same_names_types_and_values(tmp_path):
    columns = rows(range(5), n=4)
    found = pq.read_table(written(tmp_path / "a.parquet", columns))
    assert found.column_names == [column.name for column in schema.COLUMNS]
    assert found["dimension"].to_pylist() == [4] * 5
    assert found["N"].to_pylist() == [5] * 5
    for name, values in columns.items():
        if name != "best_x":
            assert found[name].to_pylist() == list(values)
    assert np.array_equal(np.array(found["best_x"].to_pylist()), np.array(columns["best_x"]))
    assert str(found.schema.field("best_x").type) == "list<element: double>"  # not of fixed size, as the schema says
    types = {name: str(found.schema.field(name).type) for name in ("id", "F", "N", "frozen", "best_f")}
    assert types == {"id": "string", "F": "double", "N": "int64", "frozen": "bool", "best_f": "double"}


def test_extreme_numbers_come_back_to_the_bit(tmp_path):
    extreme = [5e-324, 1 / 3, np.nextafter(1, 0), -0.0, 1.7976931348623157e308, 0.1 + 0.2]
    columns = rows(range(6), n=6) | {"best_f": extreme, "best_x": [extreme] * 6, "seed": [2**63 - 1] * 6}
    found = pq.read_table(written(tmp_path / "a.parquet", columns))
    assert found["best_f"].to_numpy().tobytes() == np.array(extreme).tobytes()
    assert np.array(found["best_x"][3].as_py()).tobytes() == np.array(extreme).tobytes()
    assert found["seed"].to_pylist() == [2**63 - 1] * 6


@pytest.mark.parametrize(
    "name", ["it's", "a b", "[x]*?", 'quote"', "ünï", "{a,b}", "%d;--", "a\\b", "**", "[!a]", "N=5"]
)
def test_any_path_will_do(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    path = written(folder / "a.parquet", rows(range(3)))
    written(folder / "b.parquet", rows(range(9)))
    assert fetch(f"SELECT count(*) FROM {parquet.rows_of([path])}") == [(3,)]
    assert parquet.texts_in(path) == {}


def test_no_files_are_no_rows_with_all_columns():
    rows_of_none = parquet.each_once([])
    assert fetch(f"SELECT count(*) FROM {rows_of_none}") == [(0,)]
    assert parquet.columns_of(rows_of_none) == schema.COLUMNS


def test_each_id_is_taken_once(tmp_path):
    parts = [written(tmp_path / f"{i}.parquet", rows(range(i, i + 4))) for i in range(3)]
    assert fetch(f"SELECT count(*) FROM {parquet.rows_of(parts)}") == [(12,)]
    assert sorted(fetch(f"SELECT run FROM {parquet.each_once(parts)}")) == [(run,) for run in range(6)]


def test_in_order_sorts_and_takes_each_id_once(tmp_path):
    parts = [written(tmp_path / f"{i}.parquet", rows(range(i, i + 4))) for i in (2, 0, 1)]
    assert fetch(f"SELECT run FROM {parquet.in_order(parts)}") == [(run,) for run in range(6)]


def test_a_single_part_is_sorted_too(tmp_path):
    path = written(tmp_path / "a.parquet", rows([3, 1, 2]))
    assert fetch(f"SELECT run FROM {parquet.in_order([path])}") == [(1,), (2,), (3,)]


def test_texts_are_embedded(tmp_path):
    some = parquet.rows_of([written(tmp_path / "a.parquet", rows(range(2)))])
    parquet.write_rows(tmp_path / "b.parquet", some, parquet.columns_of(some), {"told": 'it\'s\n{"ü": 1}'})
    assert parquet.texts_in(tmp_path / "b.parquet")["told"] == 'it\'s\n{"ü": 1}'
    assert pq.read_metadata(tmp_path / "b.parquet").metadata[b"told"].decode() == 'it\'s\n{"ü": 1}'


def test_files_with_other_checkpoints_are_read_together(tmp_path):
    first = written(tmp_path / "a.parquet", rows([0], checkpoints=("third",)))
    second = written(tmp_path / "b.parquet", rows([1], checkpoints=("0.1",)))
    both = parquet.in_order([first, second])
    names = [column.name for column in parquet.columns_of(both)]
    assert names[names.index("pois") :][:4] == ["pois", "pois_at_0.1", "pois_at_third", "accepted"]
    found = fetch(f'SELECT "pois_at_0.1" IS NULL, pois_at_third IS NULL, dimension FROM {both}')
    assert found == [(True, False, 3), (False, True, 3)]


def test_what_is_no_parquet_file_is_a_store_error(tmp_path):
    (tmp_path / "a.parquet").write_text("hello")
    with pytest.raises(StoreError, match=r"a\.parquet is not a Parquet file"):
        parquet.texts_in(tmp_path / "a.parquet")


def test_a_write_that_fails_leaves_nothing_and_says_why(tmp_path):
    with pytest.raises(OSError, match=r"nowhere.*No such file"):
        written(tmp_path / "nowhere" / "a.parquet", rows(range(2)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("key", ["N", "n", "pois", "id", "strategy", "dimension", "unknown"])
def test_a_folder_named_key_equals_value_is_no_column(tmp_path, key):
    folder = tmp_path / f"{key}=9" / "in between"
    folder.mkdir(parents=True)
    columns = rows(range(2))
    paths = [written(folder / "a.parquet", columns), written(folder / "b.parquet", rows(range(2, 4)))]
    for some in (paths, paths[:1]):
        assert parquet.columns_of(parquet.in_order(some)) == schema.COLUMNS
    found = fetch(f"SELECT id, pois, N, dimension, strategy FROM {parquet.in_order(paths[:1])}")
    expected = zip(*(columns[name] for name in ("id", "pois", "N", "dimension", "strategy")), strict=True)
    assert found == list(expected)
    assert parquet.difference_from_schema(paths[0], []) == ""


def test_a_row_knows_its_file_if_asked(tmp_path):
    folder = tmp_path / "debox_part=1[a]"
    folder.mkdir()
    paths = [written(folder / f"{name}.parquet", rows([run])) for run, name in enumerate("ab")]
    named = parquet.rows_of(paths, named=True)
    assert fetch(f"SELECT run, {parquet.FILE_COLUMN} FROM {named} ORDER BY run") == [
        (0, str(paths[0])),
        (1, str(paths[1])),
    ]
    assert fetch(f"SELECT count({parquet.FILE_COLUMN}) FROM {parquet.rows_of([], named=True)}") == [(0,)]


@pytest.mark.parametrize("name", ["~", "~root", "s3:", "-", "file:"])
def test_a_relative_path_is_what_the_system_takes_it_for(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    Path(name).mkdir()
    path = written(Path(name) / "a.parquet", rows(range(3)))
    assert (tmp_path / name / "a.parquet").is_file()
    assert fetch(f"SELECT count(*) FROM {parquet.rows_of([path])}") == [(3,)]
    assert parquet.texts_in(path) == {}


def test_a_path_that_duckdb_cannot_name_is_a_store_error(tmp_path):
    """It takes a backslash for a slash wherever it looks for patterns."""
    with pytest.raises(StoreError, match=r"a\\b\*.a\.parquet cannot be read: .*both a backslash and one of"):
        parquet.rows_of([tmp_path / "a\\b*" / "a.parquet"])


def test_runs_are_ordered_by_repair_and_adaptation_and_parts_without_them_have_the_usual_ones(tmp_path):
    earlier = {name: column for name, column in rows([0, 1]).items() if name not in schema.LATER_COLUMNS}
    later = rows([2, 3]) | {"adaptation": np.array(["jDE", "JADE"], object), "repair": np.array(["trial"] * 2, object)}
    mutant = rows([4]) | {"adaptation": np.array(["fixed"], object), "repair": np.array(["mutant"], object)}
    parts = [written(tmp_path / f"{k}.parquet", one) for k, one in enumerate((later, mutant, earlier))]
    assert fetch(f"SELECT run FROM {parquet.in_order(parts)}") == [(4,), (3,), (0,), (1,), (2,)]
    assert fetch(f"SELECT run FROM {parquet.in_order(parts[2:])}") == [(0,), (1,)]
