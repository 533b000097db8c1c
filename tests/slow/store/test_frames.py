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


@pytest.mark.parametrize("parts", [ONE_N, TWO_N, []], ids=["one n", "two n", "empty"])
@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_a_frame_holds_the_table(found, library, parts):
    expected = found(*parts)
    frame = getattr(frames, f"to_{library}")(expected)
    columns = frame.column_names if library == "arrow" else list(frame.columns)
    assert columns == list(expected)
    for name, array in expected.items():
        values = frame[name].to_pylist() if library == "arrow" else frame[name].to_list()
        assert [list(v) if name == "best_x" else v for v in values] == [
            list(v) if name == "best_x" else v for v in array.tolist()
        ]
