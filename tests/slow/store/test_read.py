import io
import shutil
import threading

import numpy as np
import pytest
from stored_rows import CONFIG, MANIFEST, filled, rows

from debox import files
from debox.store import pack, parquet, schema, seal
from debox.store.errors import StoreError
from debox.store.store import Store, open_store


def test_reading_goes_on_while_parts_are_merged(store):
    """A reader that listed the parts before they were merged looks again."""
    filled(store, *(rows([run]) for run in range(8)))
    expected, stop, seen = store.table()["id"].tolist(), threading.Event(), []

    def read():
        reader = open_store(store.path)
        while not stop.is_set():
            seen.append((reader.table(["id"])["id"].tolist(), len(reader.finished())))

    thread = threading.Thread(target=read)
    thread.start()
    try:
        for run in range(8, 14):
            with store.locked():
                store.append(rows([run]))
                store.compact()
    finally:
        stop.set()
        thread.join()
    assert len(seen) > 2
    assert all(ids[:8] == expected[:8] and 8 <= finished <= 14 for ids, finished in seen)
    assert len(store.finished()) == 14


def test_edpois_is_the_pois_of_the_runs_in_their_order(store):
    other = "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.5"
    filled(store, rows([2, 0]), rows([0, 1], other), rows([1]))
    expected = rows([0, 1, 2])["pois"]
    np.testing.assert_array_equal(store.edpois(CONFIG), expected)
    np.testing.assert_array_equal(store.edpois("DE/rand/1/exp saturation, N=5, F=0.7, Cr=0.99"), expected)
    np.testing.assert_array_equal(store.edpois(other), rows([0, 1], other)["pois"])


def test_edpois_of_what_is_not_there_is_an_error(store):
    filled(store, rows([0]))
    with pytest.raises(
        ValueError, match=r"has no run of DE/rand/1/exp sat, N=6, .*; there are runs with mutation .*; N 5; "
    ):
        store.edpois("DE/rand/1/exp sat, N=6, F=0.7, Cr=0.99")
    with pytest.raises(ValueError, match=r"has no run of .* with dimension 4; there are such runs with dimension 3$"):
        store.edpois(CONFIG, n=4)
    with pytest.raises(ValueError, match=r"N=6, .* with dimension 4; there are runs with mutation rand/1; .* N 5; "):
        store.edpois("DE/rand/1/exp sat, N=6, F=0.7, Cr=0.99", n=4)


def test_a_packed_store_reads_as_the_store(store, tmp_path):
    filled(store, rows([2, 0]), rows([1]))
    store.pack(tmp_path / "packed.parquet")
    packed = open_store(tmp_path / "packed.parquet")
    np.testing.assert_equal(packed.table(), store.table())
    assert (packed.manifest, packed.finished(), packed.bad_parts()) == (MANIFEST, store.finished(), [])
    np.testing.assert_array_equal(packed.edpois(CONFIG), store.edpois(CONFIG))
    assert packed.sql("SELECT count(*) FROM runs").fetchall() == [(3,)]
    packed.pack(tmp_path / "again.parquet", drop=["best_x", "seconds"])
    assert "best_x" not in open_store(tmp_path / "again.parquet").table()


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_frames_hold_every_row(store, library):
    filled(store, rows(range(3)))
    assert len(getattr(store, f"to_{library}")()) == 3


READS = {
    "table": lambda store: store.table(),
    "a column": lambda store: store.table(["pois"]),
    "edpois": lambda store: store.edpois(CONFIG),
    "sql": lambda store: store.sql("SELECT pois FROM runs").fetchall(),
    "csv": lambda store: store.to_csv(io.StringIO()),
    "pandas": lambda store: store.to_pandas(),
    "pack": lambda store: store.pack(store.path.with_name("again.parquet")),
}


@pytest.mark.parametrize("read", READS)
def test_a_part_that_reads_well_but_holds_another_number_is_named(store, read):
    filled(store, rows([0, 1]), rows([2]))
    path = store.parts()[0]
    changed = rows([7]) | {"pois": [0.5]}
    parquet.write_arrays(path, schema.check_part(changed))
    with pytest.raises(StoreError, match=rf"damaged parts.*{path.name}: its content does not match its checksum"):
        READS[read](open_store(store.path))


@pytest.fixture(params=[True, False], ids=["sealed", "by an older debox"])
def changed_file(request, store, tmp_path):
    """A packed file with another number in it than was packed."""
    filled(store, rows([0, 1]))
    store.pack(tmp_path / "packed.parquet")
    packed, embedded = tmp_path / "packed.parquet", parquet.texts_in(tmp_path / "packed.parquet")
    if not request.param:
        del embedded[seal.SEAL]
    changed = f"(SELECT * REPLACE (nextafter(pois, 2) AS pois) FROM {parquet.rows_of([packed])})"
    parquet.write_rows(tmp_path / "new", changed, schema.COLUMNS, embedded)
    (tmp_path / "new").rename(packed)
    return packed


@pytest.mark.parametrize("read", READS)
def test_a_packed_file_that_reads_well_but_holds_another_number_is_named(changed_file, read):
    with pytest.raises(StoreError, match=r"packed\.parquet: its content does not match.*") as error:
        READS[read](open_store(changed_file))
    assert "debox run" not in str(error.value)  # which does not write packed files


def test_a_part_is_checked_once(store, tmp_path, monkeypatch):
    filled(store, rows([0, 1]), rows([2]))
    store.pack(tmp_path / "packed.parquet")
    reads, digest, bad = [], files.digest, pack.bad_parts
    monkeypatch.setattr(files, "digest", lambda path: (reads.append(path), digest(path))[1])
    monkeypatch.setattr(pack, "bad_parts", lambda path: (reads.append(path), bad(path))[1])
    for path in (store.path, tmp_path / "packed.parquet"):
        opened = open_store(path)
        for _ in range(3):
            opened.table()
            opened.edpois(CONFIG)
    assert sorted(reads) == sorted([*store.parts(), tmp_path / "packed.parquet"])


LOOKS = {
    **READS,
    "finished": lambda s: s.finished(),
    "bad_parts": lambda s: s.bad_parts(),
    "parts": lambda s: s.parts(),
}
del LOOKS["pandas"]


@pytest.mark.parametrize("look", LOOKS)
def test_a_store_that_is_gone_is_not_an_empty_one(store, tmp_path, look):
    filled(store, rows([0, 1]))
    store.pack(tmp_path / "packed.parquet")
    packed = open_store(tmp_path / "packed.parquet")
    packed.path.unlink()
    with pytest.raises(StoreError, match=r"the store .*packed\.parquet is gone"):
        LOOKS[look](packed)
    opened = open_store(store.path)
    shutil.rmtree(store.path / "parts")
    with pytest.raises(StoreError, match=r"store has no folder parts any more: put it back, or `debox run` does all"):
        LOOKS[look](opened)
    shutil.rmtree(store.path)
    with pytest.raises(StoreError, match=r"the store .*store is gone"):
        LOOKS[look](opened)
    store.path.mkdir()
    with pytest.raises(StoreError, match=r"store is no store any more: its manifest\.json is gone"):
        LOOKS[look](opened)


@pytest.mark.parametrize(("name", "decoy"), [("s*", "sx"), ("[a]", "a"), ("w?", "wx"), ("[!b]", "a")])
def test_a_path_that_looks_like_a_pattern_is_a_path_also_beside_what_the_pattern_would_find(tmp_path, name, decoy):
    filled(Store.create(tmp_path / decoy / "store", MANIFEST), rows(range(5, 9)))
    filled(Store.create(tmp_path / name / "store", MANIFEST), rows([0]), rows([1, 2]))
    store = Store.create(tmp_path / name / "store", MANIFEST)
    assert store.table(["run"])["run"].tolist() == [0, 1, 2]
    assert store.sql("SELECT run FROM runs ORDER BY run").fetchall() == [(0,), (1,), (2,)]
    with store.locked():
        store.compact()
    assert store.table(["run"])["run"].tolist() == [0, 1, 2]
    open_store(tmp_path / decoy / "store").pack(tmp_path / decoy / "packed.parquet")
    store.pack(tmp_path / name / "packed.parquet")
    assert open_store(tmp_path / name / "packed.parquet").table(["run"])["run"].tolist() == [0, 1, 2]
