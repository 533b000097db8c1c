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
            parquet.write_arrays(tmp_path / f"{i}.parquet", schema.check_part(part))
        return parquet.read_table(sorted(tmp_path.iterdir()))

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


def test_a_text_that_a_spreadsheet_would_calculate_gets_an_apostrophe_a_number_does_not():
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "rand/1", "a\r=b", "'", "", "curr-to-best/1"]
    safe = ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t=1", "'\\r=1", "rand/1", "a\\r=b", "'", "", "curr-to-best/1"]
    numbers = [-1.5, -0.0, 1e-300, *range(-4, 4)]
    columns = {"id": np.array(texts, object), "mutation": np.array(texts, object), "best_f": np.array(numbers)}
    file = io.StringIO(newline="")
    frames.write_csv({**columns, "best_x": np.array(numbers)[:, None]}, file)
    file.seek(0)
    back = list(csv.DictReader(file))
    assert [row["id"] for row in back] == safe
    assert [row["mutation"] for row in back] == safe
    assert [row["best_f"] for row in back] == [row["best_x"] for row in back] == [repr(float(x)) for x in numbers]
