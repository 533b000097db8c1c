import copyreg
import pickle
import threading

import numpy as np
import pytest

from debox import Study
from debox.store.schema import COLUMNS
from debox.study import work
from debox.study.plan import plan


def test_a_chunk_becomes_the_columns_of_the_schema(tiny):
    chunk = plan(tiny)[0]
    columns = work.run_chunk(chunk, {})
    assert columns.keys() == {column.name for column in COLUMNS}
    assert columns["id"].tolist() == chunk.ids()
    assert {len(column) for column in columns.values()} == {chunk.n_runs}
    assert columns["best_x"].shape == (chunk.n_runs, chunk.tasks[0].n)
    assert set(columns["engine"]) == {"fast"}
    assert (columns["seconds"] > 0).all()


def test_checkpoints_name_their_columns(tiny):
    columns = work.run_chunk(plan(Study(**{**tiny.as_dict(), "checkpoints": [0.1, "2/3"]}))[0], {})
    assert [name for name in columns if name.startswith("pois_at")] == ["pois_at_0.1", "pois_at_two_thirds"]


def test_a_worker_whose_probe_comes_out_differently_does_no_run(tiny):
    chunk = plan(tiny)[0]
    probes = dict(work.probes_of(plan(tiny)).values())
    assert len(probes) == 2 * 2  # two mutations, two strategies
    assert {probe.tasks[0].config.N for probe in probes} == {5}
    assert len(work.run_chunk(chunk, probes)["id"]) == chunk.n_runs
    for probe in probes:
        with pytest.raises(work.WorkerError, match=f"a run of {probe.tasks[0].config} comes out differently on this w"):
            work.run_chunk(chunk, {**probes, probe: "0" * 64})


def test_a_chunk_that_is_stopped_before_it_begins_has_no_rows(tiny):
    stop = threading.Event()
    stop.set()
    assert work.run_chunk(plan(tiny)[0], {}, stop) == {}


def test_an_allocation_that_fails_names_N_and_n(tiny, monkeypatch):
    def fails(config, setting):
        np.zeros(2**59)

    monkeypatch.setattr("debox.f0.engines.engine_for", fails)
    with pytest.raises(MemoryError, match=r"a run with N = 5 in n = [23] dimensions: Unable to allocate"):
        work.run_chunk(plan(tiny)[0], {})


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
        work.run_chunk(plan(tiny)[0], {})
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)
