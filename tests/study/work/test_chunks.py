import copyreg
import pickle
import threading

import numpy as np
import pytest

from debox import Study
from debox.store.schema import COLUMNS
from debox.study import work
from debox.study.plan import plan
from debox.study.work import source_digest

SOURCE = source_digest()


def test_a_chunk_becomes_the_columns_of_the_schema(tiny):
    chunk = plan(tiny)[0]
    columns = work.run_chunk(chunk, SOURCE)
    assert columns.keys() == {column.name for column in COLUMNS}
    assert columns["id"].tolist() == chunk.ids()
    assert {len(column) for column in columns.values()} == {chunk.n_runs}
    assert columns["best_x"].shape == (chunk.n_runs, chunk.tasks[0].n)
    assert set(columns["engine"]) == {"fast"}
    assert (columns["seconds"] > 0).all()


def test_checkpoints_name_their_columns(tiny):
    columns = work.run_chunk(plan(Study(**{**tiny.as_dict(), "checkpoints": [0.1, "2/3"]}))[0], SOURCE)
    assert [name for name in columns if name.startswith("pois_at")] == ["pois_at_0.1", "pois_at_two_thirds"]


def test_other_kernels_do_not_touch_a_chunk(tiny):
    with pytest.raises(RuntimeError, match=f"other code .source {SOURCE}.*coordinator .0000.*install the same debox"):
        work.run_chunk(plan(tiny)[0], "0000")


def test_a_chunk_that_is_stopped_before_it_begins_has_no_rows(tiny):
    stop = threading.Event()
    stop.set()
    assert work.run_chunk(plan(tiny)[0], SOURCE, stop) == {}


def test_an_allocation_that_fails_names_N_and_n(tiny, monkeypatch):
    def fails(config, setting):
        np.zeros(2**59)

    monkeypatch.setattr("debox.f0.engines.engine_for", fails)
    with pytest.raises(MemoryError, match=r"a run with N = 5 in n = [23] dimensions: Unable to allocate"):
        work.run_chunk(plan(tiny)[0], SOURCE)


class Odd(Exception):
    """It does not come back out of a pickle."""

    def __init__(self, what, where):
        super().__init__(f"{what} at {where}")


def test_an_error_that_cannot_travel_to_another_process_is_told_by_one_that_can(tiny, monkeypatch):
    def fails(*_):
        raise Odd("boom", "the wall")

    monkeypatch.delitem(copyreg.dispatch_table, Odd, raising=False)  # where Dask is loaded, it helps out
    monkeypatch.setattr(work, "do_runs", fails)
    with pytest.raises(RuntimeError, match=r"Odd: boom at the wall") as error:
        work.run_chunk(plan(tiny)[0], SOURCE)
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)
