import csv
import io
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from stored_rows import CONFIG, MANIFEST, STUDY, filled, rows

import debox
from debox import Study
from debox.store import parquet, schema
from debox.store.errors import StoreError
from debox.store.manifest import Manifest
from debox.store.store import Store, Writer, open_store
from debox.study.plan import plan
from debox.study.verify import verify


def test_edpois_asks_which_if_there_are_several(store):
    filled(store, rows([0, 1], n=2), rows([0], n=5))
    with pytest.raises(ValueError, match=r"has runs with dimension \[2, 5\]; pass dimension= one of them"):
        store.edpois(CONFIG)
    np.testing.assert_array_equal(store.edpois(CONFIG, n=2), rows([0, 1], n=2)["pois"])


def test_sql_takes_n_for_the_population_size_and_the_help_says_so(store):
    filled(store, rows([0], n=3))  # N = 5
    assert store.sql("SELECT n, dimension FROM runs").fetchall() == [(5, 3)]
    warning = "SQL ignores case"
    assert warning in (Store.sql.__doc__ or "")
    assert warning in (Path(__file__).parents[2] / "docs" / "studies.md").read_text()


def test_sql_queries_the_runs(store):
    filled(store, rows(range(4), n=2), rows(range(2), n=3))
    found = store.sql("SELECT dimension, N, count(*) AS runs FROM runs GROUP BY ALL ORDER BY dimension").fetchall()
    assert found == [(2, 5, 4), (3, 5, 2)]
    assert store.sql("SELECT max(run) AS last FROM runs").fetchnumpy()["last"].tolist() == [3]
    filled(store, rows([9], n=2))
    assert store.sql("SELECT max(run) FROM runs").fetchall() == [(9,)]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT strateg FROM runs", 'column "strateg" not found'),
        ("SELECT run FROM walks", "walks does not exist"),
        ("SELEKT run FROM runs", "syntax error"),
    ],
)
def test_a_wrong_query_is_not_blamed_on_the_store(store, query, message):
    filled(store, rows([0]))
    with pytest.raises(StoreError, match=f"^the query '{query}' is wrong: .*{message}.* has the columns .*strategy"):
        store.sql(query)


@pytest.mark.parametrize("columns", ["pois", 3, [], 0])
def test_what_is_no_list_of_columns_is_refused(store, columns):
    filled(store, rows([0]))
    message = f"columns must be a list of names, such as ['run', 'pois'], got {columns!r}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        store.table(columns)


def test_columns_may_be_any_sequence_of_names(store):
    filled(store, rows([0]))
    for columns in (("run", "pois"), np.array(["run", "pois"]), {"run": 1, "pois": 2}, (c for c in ("run", "pois"))):
        assert list(store.table(columns)) == ["run", "pois"]


@pytest.mark.parametrize("drop", ["pois", 3, None])
def test_what_is_no_list_of_columns_to_drop_is_refused(store, drop, tmp_path):
    filled(store, rows([0]))
    message = f"drop must be a list of names, such as ['best_x'], got {drop!r}"
    for write in (lambda: store.pack(tmp_path / "p.parquet", drop), lambda: store.to_csv(tmp_path / "t.csv", drop)):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            write()
    assert [path.name for path in tmp_path.iterdir()] == [store.path.name]


@pytest.mark.parametrize("config", [3, None, ["DE/rand/1/exp sat"]])
def test_edpois_of_what_is_no_configuration_is_an_error_that_shows_one(store, config):
    filled(store, rows([0]))
    with pytest.raises(TypeError, match=r"^a configuration is a Config or its text, such as 'DE/rand/1/.*, .* got"):
        store.edpois(config)


def test_a_packed_store_is_not_written(store, tmp_path):
    store.pack(tmp_path / "packed.parquet")
    with pytest.raises(StoreError, match=r"cannot write .*packed\.parquet: Not a directory"):
        Writer.create(tmp_path / "packed.parquet", MANIFEST)


def test_a_relation_stays_what_it_was_whatever_becomes_of_the_store(store):
    filled(store, rows([0]), rows([1]))
    relation = store.sql("SELECT run FROM runs ORDER BY run")
    other = store.sql("SELECT count(*) FROM runs")
    filled(store, rows([2]))
    shutil.rmtree(store.path)
    assert relation.fetchall() == [(0,), (1,)]
    assert other.fetchall() == [(2,)]


def test_edpois_is_the_pois_of_the_runs_in_their_order(store):
    other = "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.5"
    filled(store, rows([2, 0]), rows([0, 1], other), rows([1]))
    np.testing.assert_array_equal(store.edpois(CONFIG), rows([0, 1, 2])["pois"])
    np.testing.assert_array_equal(store.edpois(other), rows([0, 1], other)["pois"])


def test_edpois_of_what_is_not_there_says_what_is(store):
    with pytest.raises(ValueError, match=r"has no run of .*; stored: no runs yet"):
        store.edpois(CONFIG)
    filled(store, rows([0]))
    six = "DE/rand/1/exp sat, N=6, F=0.7, Cr=0.99"
    with pytest.raises(ValueError, match=r"no run of DE/rand/1/exp .*N=6, .*; stored: mutation .*; N 5; "):
        store.edpois(six)
    with pytest.raises(ValueError, match=r"no run of .* with dimension 4; stored: dimension 3; mutation"):
        store.edpois(CONFIG, n=4)
    with pytest.raises(ValueError, match=r"N=6, .* with dimension 4; stored: dimension 3; .* N 5; "):
        store.edpois(six, n=4)


def test_rows_are_found_by_short_names_in_any_case(store):
    filled(store, rows(range(3)))
    assert store.table(["run"], strategy="SAT", mutation="Rand/1")["run"].tolist() == [0, 1, 2]
    assert store.table(["run"], strategy="tor")["run"].tolist() == []


def test_a_packed_store_reads_as_the_store(store, tmp_path):
    filled(store, rows([2, 0]), rows([1, 0]))
    store.pack(tmp_path / "packed.parquet")
    packed = open_store(tmp_path / "packed.parquet")
    np.testing.assert_equal(packed.table(), store.table())
    assert (packed.manifest, packed.finished(), packed.bad_parts()) == (MANIFEST, store.finished(), [])
    np.testing.assert_array_equal(packed.edpois(CONFIG), store.edpois(CONFIG))
    assert packed.sql("SELECT count(*) FROM runs").fetchall() == [(3,)]
    packed.pack(tmp_path / "again.parquet", drop=["best_x", "seconds"])
    np.testing.assert_equal(
        open_store(tmp_path / "again.parquet").table(),
        {name: column for name, column in store.table().items() if name not in ("best_x", "seconds")},
    )


READS = {
    "table": lambda store: store.table(),
    "edpois": lambda store: store.edpois(CONFIG),
    "sql": lambda store: store.sql("SELECT pois FROM runs"),
    "csv": lambda store: store.to_csv(io.StringIO()),
    "pack": lambda store: store.pack(store.path.with_name("again.parquet")),
}


@pytest.mark.parametrize("read", READS)
def test_what_reads_well_but_holds_another_number_is_named(store, tmp_path, read):
    filled(store, rows([0, 1]), rows([2]))
    store.pack(tmp_path / "packed.parquet")
    packed, part = open_store(tmp_path / "packed.parquet"), store.parts()[0]
    parquet.write(part, schema.check_part(rows([7]) | {"pois": [0.5]}))
    with pytest.raises(StoreError, match=rf"damaged parts.*{part.name}: its content does not match its checksum"):
        READS[read](open_store(store.path))
    part.rename(packed.path)
    for use in (READS[read], lambda packed: open_store(packed.path)):
        with pytest.raises(StoreError, match=r"packed\.parquet is damaged or not a store") as error:
            use(packed)
        assert "debox run" not in str(error.value)  # which does not write packed files
    packed.path.unlink()
    with pytest.raises(StoreError, match=r"packed\.parquet is damaged .*: it cannot be read: No such file"):
        READS[read](packed)
    shutil.rmtree(store.path / "parts")
    with pytest.raises(StoreError, match=r"cannot read .*parts: No such file"):
        READS[read](store)


OWN = {"mutation": "my-own/2", "strategy": "bounce"}


@pytest.fixture
def own(tmp_path):
    """A store whose mutation and strategy are not installed: three of fifty runs."""
    store = Writer.create(tmp_path / "own", Manifest(Study.stored({**STUDY.as_dict(), **OWN})))
    filled(store, rows(range(3)) | {name: [value] * 3 for name, value in OWN.items()})
    return open_store(store.path)


def test_a_store_of_operators_that_are_not_installed_is_read(own, tmp_path):
    assert own.study.not_installed == (("mutation", "my-own/2"), ("strategy", "bounce"))
    assert set(own.table()["strategy"]) == {"bounce"}
    expected = np.array(rows(range(3))["pois"])
    assert np.array_equal(own.table(["pois"], strategy="bounce", mutation="my-own/2")["pois"], expected)
    own.pack(tmp_path / "own.parquet")
    packed = open_store(tmp_path / "own.parquet")
    assert packed.study == own.study
    assert np.array_equal(packed.table(strategy="bounce", n=3)["pois"], expected)


def test_what_needs_operators_that_are_not_installed_names_them(own):
    named = "mutation 'my-own/2', strategy 'bounce' is not installed; register what is missing"
    for use in (plan, lambda study: debox.run(study, own.path)):
        with pytest.raises(ValueError, match=named):
            use(own.study)


@pytest.mark.parametrize("sample", [0, 20])
def test_a_store_of_operators_that_are_not_installed_is_verified_but_its_runs_are_not_done_again(own, sample):
    found = verify(own, sample=sample)
    assert found["not_installed"] == ["mutation my-own/2", "strategy bounce"]
    assert (found["problems"], found["runs"], found["of"], found["redone"]) == ([], 3, 50, 0)


def test_rows_of_an_operator_that_the_study_no_longer_names_are_not_done_again_without_it(store):
    filled(store, rows([0]) | {"strategy": ["bounce"]})
    found = verify(store)
    assert (found["problems"], found["other_runs"], found["redone"]) == ([], 1, 0)


ONE_N, TWO_N = [rows(range(4), n=2)], [rows(range(2), n=2), rows(range(3), n=5)]


@pytest.mark.parametrize("parts", [ONE_N, TWO_N, []], ids=["one n", "two n", "empty"])
@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_a_frame_holds_the_table(store, library, parts):
    expected = filled(store, *parts).table()
    frame = getattr(store, f"to_{library}")()
    assert (frame.column_names if library == "arrow" else list(frame.columns)) == list(expected)
    for name, array in expected.items():
        values = frame[name].to_pylist() if library == "arrow" else frame[name].to_list()
        listed = [list(value) if name == "best_x" else value for value in values]
        assert listed == [list(value) if name == "best_x" else value for value in array.tolist()]


@pytest.mark.parametrize("parts", [ONE_N, TWO_N, []], ids=["one n", "two n", "empty"])
def test_csv_reads_back_to_the_bit(store, parts):
    expected, file = filled(store, *parts).table(), io.StringIO()
    store.to_csv(file)
    file.seek(0)
    assert file.readline().strip().split(",") == list(expected)
    back = list(csv.DictReader(file, list(expected)))
    for name in ("pois", "best_f", "F"):
        assert np.array([float(row[name]) for row in back]).tobytes() == expected[name].tobytes()
    assert [row["id"] for row in back] == expected["id"].tolist()
    assert [[float(x) for x in row["best_x"].split()] for row in back] == [list(p) for p in expected["best_x"].tolist()]
