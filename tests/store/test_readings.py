"""A file of readings gives back the runs that were written, and what is no such file is refused."""

import duckdb
import numpy as np
import pytest

from debox.store import readings
from debox.store.errors import StoreError


def table(pois, donors="distinct"):
    """Two configurations that differ in F, with two runs each; budget 300."""
    columns = {"mutation": "rand/1", "crossover": "exp", "strategy": "dismiss", "donors": donors}
    words = {name: np.array([word] * 4, object) for name, word in columns.items()}
    numbers = {"N": 5, "Cr": 0.5, "dimension": 3, "budget": 300}
    return (
        words
        | {name: np.full(4, number) for name, number in numbers.items()}
        | {"F": np.array([0.5, 0.5, 0.7, 0.7]), "pois": np.array(pois)}
    )


def test_what_is_written_is_read(tmp_path):
    first, second = table([0, 1 / 300, 0.5, 295 / 300]), table([0.1, 0.2, 0.3, 0.4], "not-target")
    readings.write(tmp_path / "some.parquet", {"one": first, "two": second})
    read = readings.read(tmp_path / "some.parquet")
    assert list(read) == ["one", "two"]
    for name, given in (("one", first), ("two", second)):
        assert read[name].keys() == given.keys()
        for column in given:
            assert read[name][column].tolist() == given[column].tolist(), column


def test_another_file_is_refused_by_name(tmp_path):
    other = tmp_path / "other.parquet"
    duckdb.connect().execute(f"COPY (SELECT 1 AS a) TO '{other}' (FORMAT parquet)")
    with pytest.raises(StoreError, match=r"other\.parquet holds no readings: its columns are a"):
        readings.read(other)
    with pytest.raises(StoreError, match=r"absent\.parquet is not a file of readings"):
        readings.read(tmp_path / "absent.parquet")


def test_what_is_no_file_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(StoreError, match=f"{path.name} is not a file of readings"):
            readings.read(path)
