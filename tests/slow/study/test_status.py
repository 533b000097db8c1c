from dataclasses import replace

import pytest
from stored_rows import filled, rows

import debox
from debox import Study, operators
from debox.store.manifest import Manifest
from debox.store.store import Store
from debox.study.status import status_of
from debox.study.verify import verify
from debox.study.work import source_digest


def test_status_counts_what_is_stored_and_what_is_left(tiny, tmp_path):
    debox.run(tiny, tmp_path / "store", only="n=2")
    status = status_of(tmp_path / "store")
    assert (status["study"], status["runs"], status["of"], status["other_runs"]) == ("tiny", 32, 64, 0)
    assert status["seconds_left"] > 0
    assert (status["bad_parts"], status["writers"]) == ([], [])
    debox.run(tiny, tmp_path / "store")
    assert (status_of(tmp_path / "store")["runs"], status_of(tmp_path / "store")["seconds_left"]) == (64, 0)


def test_status_tells_runs_that_an_edited_study_no_longer_asks_for(tiny, tmp_path):
    debox.run(tiny, tmp_path / "store")
    debox.run(Study(**{**tiny.as_dict(), "F": [0.5, 0.6]}), tmp_path / "store", only="F=0.5")
    status = status_of(tmp_path / "store")
    assert (status["runs"], status["of"], status["other_runs"]) == (32, 64, 32)


def test_status_names_who_writes_and_what_is_damaged(tiny, tmp_path):
    store = debox.run(tiny, tmp_path / "store")
    part = store.parts()[0]
    part.write_bytes(part.read_bytes()[:-1])
    with store.locked():
        status = status_of(tmp_path / "store")
    assert len(status["writers"]) == 1
    assert part.name in status["bad_parts"][0]
    assert status["runs"] < 64


def test_a_store_of_a_study_too_large_to_plan_is_an_error_with_the_numbers(tiny, tmp_path):
    huge = Study(**{**tiny.as_dict(), "runs": 10**9, "F": [0.5, 0.6]})
    Store.create(tmp_path / "store", Manifest(huge, source_digest()))
    for look in (status_of, verify):
        with pytest.raises(ValueError, match="16,000,000,000 runs of 16 configurations are too many for one plan"):
            look(tmp_path / "store")


def test_status_of_a_packed_file(tiny, tmp_path):
    debox.run(tiny, tmp_path / "store").pack(tmp_path / "tiny.parquet")
    status = status_of(tmp_path / "tiny.parquet")
    assert (status["runs"], status["of"], status["parts"]) == (64, 64, 1)


def test_status_of_a_store_whose_strategy_dismisses_and_is_no_longer_installed(tiny, tmp_path, monkeypatch):
    vanish = replace(operators.find("strategy", "dismiss"), name="vanish", short="vanish")
    debox.register(vanish)
    study = Study(**{**tiny.as_dict(), "strategy": "vanish", "reevaluate": [True, False], "dimension": 2, "runs": 1})
    debox.run(study, tmp_path / "store", workers=1)
    monkeypatch.setattr(operators, "REGISTRATIONS", ())
    status = status_of(tmp_path / "store")
    assert status["not_installed"] == ["strategy vanish"]
    assert status["runs"] == status["of"] == study.n_runs


@pytest.mark.parametrize(
    ("written", "stored", "of"),
    [
        ([True, False], [], 8),  # it may dismiss
        ([True, False], [True], 4),  # it does not: Config writes True for such a strategy, whatever the study says
        ([True, False], [True, False], 8),  # it does
        ([False], [True], 4),
        ([False], [False], 4),
    ],
)
def test_runs_of_a_strategy_that_is_not_installed_are_counted_once_unless_it_dismisses(tmp_path, written, stored, of):
    """2 N, 1 dimension and 2 runs, for each value of reevaluate that makes a difference."""
    factors = {"mutation": "rand/1", "crossover": "exp", "strategy": "bounce", "N": [5, 6], "F": 0.7, "Cr": 0.99}
    sizes = {"dimension": 3, "budget": 300, "runs": 2}
    study = Study.stored({"name": "made", "seed": 1, **factors, **sizes, "reevaluate": written})
    parts = [rows(range(2), f"DE/rand/1/exp dism, N=5, F=0.7, Cr=0.99, reevaluate={value}") for value in stored]
    parts = [{**part, "strategy": ["bounce"] * 2} for part in parts]
    filled(Store.create(tmp_path / "store", Manifest(study, "x")), *parts)
    status, found = status_of(tmp_path / "store"), verify(tmp_path / "store")
    assert (status["runs"], status["of"]) == (2 * len(stored), of)
    assert (found.runs, found.of, found.problems) == (2 * len(stored), of, [])
