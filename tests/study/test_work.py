import threading

import pytest

from debox.f0.source import digest as source_digest
from debox.store.schema import COLUMNS
from debox.study import work
from debox.study.plan import plan

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
    from debox import Study

    columns = work.run_chunk(plan(Study(**{**tiny.as_dict(), "checkpoints": [0.1, "2/3"]}))[0], SOURCE)
    assert [name for name in columns if name.startswith("pois_at")] == ["pois_at_0.1", "pois_at_two_thirds"]


def test_other_kernels_do_not_touch_a_chunk(tiny):
    with pytest.raises(
        RuntimeError, match=f"other kernels .source {SOURCE}.*coordinator .0000.*install the same debox"
    ):
        work.run_chunk(plan(tiny)[0], "0000")


def test_a_chunk_that_is_stopped_before_it_begins_has_no_rows(tiny):
    stop = threading.Event()
    stop.set()
    assert work.run_chunk(plan(tiny)[0], SOURCE, stop) == {}


def test_one_engine_is_built_for_every_combination_of_operators_and_N(tiny, monkeypatch):
    from debox import Study

    built = []
    monkeypatch.setattr(work, "engine_for", lambda config, setting: built.append(config))
    several = {"mutation": ["rand/1", "best/1"], "strategy": ["sat", "tor", "COTN"], "N": [5, 20], "F": [0.3, 0.7, 1.1]}
    work.compile_kernels(plan(Study(**{**tiny.as_dict(), **several})))
    combinations = {(config.mutation, config.strategy, config.N) for config in built}
    assert len(built) == len(combinations) == 2 * 3 * 2
