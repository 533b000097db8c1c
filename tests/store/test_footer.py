import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from debox.store import footer


@pytest.mark.parametrize("new", ["n", "a name of the same len", "a name that is longer than the one before it", "ñ"])
def test_a_renamed_column_is_the_same_column_in_every_row_group(tmp_path, new):
    path, values = tmp_path / "a.parquet", list(range(10))
    pq.write_table(pa.table({"N": values, "the old name of the co": values[::-1]}), path, row_group_size=3)
    footer.rename(path, "the old name of the co", new)
    found = pq.read_table(path)
    assert found.column_names[0] == "N"
    assert found["N"].to_pylist() == values
    file = pq.ParquetFile(path)
    assert file.metadata.num_row_groups == 4
    assert {file.metadata.row_group(group).column(1).path_in_schema for group in range(4)} == {new}
    assert [field.name for field in file.schema] == ["N", new]


def test_a_column_that_is_not_there_is_an_error(tmp_path):
    pq.write_table(pa.table({"N": [1]}), tmp_path / "a.parquet")
    before = (tmp_path / "a.parquet").read_bytes()
    with pytest.raises(ValueError, match=r"a\.parquet has no column 'another'"):
        footer.rename(tmp_path / "a.parquet", "another", "n")
    assert (tmp_path / "a.parquet").read_bytes() == before
