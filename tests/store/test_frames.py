import csv
import io
import sys

import numpy as np
import pytest
from stored_rows import rows

from debox.store import frames, parquet, schema


@pytest.fixture
def found(tmp_path):
    def read(*parts):
        for i, part in enumerate(parts):
            parquet.write(tmp_path / f"{i}.parquet", schema.check_part(part))
        return parquet.read(sorted(tmp_path.iterdir()))

    return read


ONE_N, TWO_N = [rows(range(4), n=2)], [rows(range(2), n=2), rows(range(3), n=5)]


def test_points_of_one_dimension_are_of_fixed_size(found):
    expected = found(*ONE_N)
    assert str(frames.to_arrow(expected).schema.field("best_x").type) == "fixed_size_list<item: double>[2]"
    assert str(frames.to_polars(expected).schema["best_x"]) == "Array(Float64, shape=(2,))"


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_missing_library_is_named_with_what_installs_it(monkeypatch, found, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=f"pip install {library}"):
        getattr(frames, f"to_{library.removeprefix('py')}")(found(*ONE_N))


@pytest.mark.parametrize("parts", [ONE_N, TWO_N], ids=["one n", "two n"])
def test_csv_reads_back_to_the_bit(found, monkeypatch, parts):
    monkeypatch.setattr(frames, "ROWS_AT_A_TIME", 2)
    expected, file = found(*parts), io.StringIO()
    frames.write_csv(expected, file)
    file.seek(0)
    back = list(csv.DictReader(file))
    assert list(back[0]) == list(expected)
    for name in ("pois", "best_f", "F"):
        assert np.array([float(row[name]) for row in back]).tobytes() == expected[name].tobytes()
    assert [row["id"] for row in back] == expected["id"].tolist()
    assert [[float(x) for x in row["best_x"].split()] for row in back] == [list(p) for p in expected["best_x"].tolist()]


def test_csv_of_nothing_is_a_header(found):
    file = io.StringIO()
    frames.write_csv(found(), file)
    assert file.getvalue().splitlines() == [",".join(column.name for column in schema.COLUMNS)]


@pytest.mark.parametrize("parts", [ONE_N, TWO_N, []], ids=["one n", "two n", "empty"])
@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_a_frame_holds_the_table(found, library, parts):
    expected = found(*parts)
    frame = getattr(frames, f"to_{library}")(expected)
    assert (frame.column_names if library == "arrow" else list(frame.columns)) == list(expected)
    for name, array in expected.items():
        values = frame[name].to_pylist() if library == "arrow" else frame[name].to_list()
        listed = [list(value) if name == "best_x" else value for value in values]
        assert listed == [list(value) if name == "best_x" else value for value in array.tolist()]
