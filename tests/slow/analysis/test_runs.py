"""What functions take that need the runs of a study; frames of libraries that take seconds to import."""

import pytest
from stored_rows import STUDY, edited, filled, rows

from debox.analysis.runs import Runs


def test_a_source_is_a_store_a_path_a_frame_a_table_or_runs(store):
    filled(store, rows(range(3)))
    runs = Runs.of(store)
    assert (runs.planned, runs.name, Runs.of(runs) is runs) == (STUDY.runs, "made-up", True)
    assert Runs.of(runs, where={"n": 3}).where == {"dimension": (3,)}
    lists = {name: column.tolist() for name, column in store.table().items()}
    for source in (store.path, str(store.path), lists, store.to_pandas(), store.to_polars()):
        assert Runs.of(source)["pois"].ravel()[:3].tolist() == runs["pois"].ravel()[:3].tolist()
    allowed = "must be a store, its path, a DataFrame or a mapping of columns, got"
    for wrong in (3, None, [], store.to_arrow()):
        with pytest.raises(ValueError, match=f"^table {allowed} "):
            Runs.of(wrong, argument="table")


def test_a_study_is_a_study_or_its_keys(store):
    filled(store, rows(range(3)))
    for study in (edited(runs=7), edited(runs=7).as_dict()):
        for source in (store, store.table(), Runs.of(store.table())):
            assert Runs.of(source, study).planned == 7
    for wrong in (3, 0, "mine"):
        with pytest.raises(ValueError, match=f"^study must be a debox.Study or a mapping of its keys, got {wrong!r}$"):
            Runs.of(store, wrong)
