import debox
from debox import Study
from debox.study.status import status_of


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


def test_status_of_a_packed_file(tiny, tmp_path):
    debox.run(tiny, tmp_path / "store").pack(tmp_path / "tiny.parquet")
    status = status_of(tmp_path / "tiny.parquet")
    assert (status["runs"], status["of"], status["parts"]) == (64, 64, 1)
