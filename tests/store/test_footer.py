import hashlib

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


def embedded(path, seal=footer.UNSEALED, **more):
    pq.write_table(pa.table({"N": list(range(100))}).replace_schema_metadata({footer.SEAL: seal, **more}), path)
    return path


def test_every_bit_of_a_sealed_file_counts(tmp_path):
    path = embedded(tmp_path / "a.parquet", manifest="x" * 50)
    footer.seal(path)
    content = path.read_bytes()
    assert not footer.is_broken(path)
    assert pq.read_table(path)["N"].to_pylist() == list(range(100))
    seal = pq.read_metadata(path).metadata[footer.SEAL.encode()]
    assert hashlib.sha256(content.replace(seal, footer.UNSEALED.encode())).hexdigest()[:32] == seal.decode()
    at = content.index(footer.SEAL.encode())
    mark = range(at - 2, at + len(footer.SEAL) + 2)  # changed here it is a file without a seal, and otherwise the same
    for place in [*range(0, len(content), 7), *mark]:
        path.write_bytes(content[:place] + bytes([content[place] ^ 1 << place % 8]) + content[place + 1 :])
        assert footer.is_broken(path) == (place not in mark), place


@pytest.mark.parametrize("damage", [lambda c: c[:-1], lambda c: c + b"0", lambda c: c[4:]], ids=["cut", "more", "less"])
def test_a_sealed_file_of_another_length_is_broken(tmp_path, damage):
    path = embedded(tmp_path / "a.parquet")
    footer.seal(path)
    path.write_bytes(damage(path.read_bytes()))
    assert footer.is_broken(path)


def test_of_a_file_without_a_seal_nothing_is_known(tmp_path):
    pq.write_table(pa.table({"N": [1]}), tmp_path / "a.parquet")
    assert not footer.is_broken(tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="has no place for debox_file"):
        footer.seal(tmp_path / "a.parquet")
