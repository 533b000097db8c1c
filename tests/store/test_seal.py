import hashlib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from debox.store import seal


def embedded(path, **more):
    pq.write_table(pa.table({"N": list(range(100))}).replace_schema_metadata({seal.SEAL: seal.UNSEALED, **more}), path)
    return path


def test_every_bit_of_a_sealed_file_counts(tmp_path):
    path = embedded(tmp_path / "a.parquet", manifest="x" * 50)
    seal.write(path)
    content = path.read_bytes()
    assert not seal.is_broken(path)
    assert pq.read_table(path)["N"].to_pylist() == list(range(100))
    digits = pq.read_metadata(path).metadata[seal.SEAL.encode()]
    assert hashlib.sha256(content.replace(digits, seal.UNSEALED.encode())).hexdigest()[:32] == digits.decode()
    at = content.index(seal.SEAL.encode())
    mark = range(at - 2, at + len(seal.SEAL) + 2)  # changed here it is a file without a seal, and otherwise the same
    for place in [*range(0, len(content), 7), *mark]:
        path.write_bytes(content[:place] + bytes([content[place] ^ 1 << place % 8]) + content[place + 1 :])
        assert seal.is_broken(path) == (place not in mark), place


@pytest.mark.parametrize("damage", [lambda c: c[:-1], lambda c: c + b"0", lambda c: c[4:]], ids=["cut", "more", "less"])
def test_a_sealed_file_of_another_length_is_broken(tmp_path, damage):
    path = embedded(tmp_path / "a.parquet")
    seal.write(path)
    path.write_bytes(damage(path.read_bytes()))
    assert seal.is_broken(path)


def test_a_text_in_the_data_that_looks_like_a_seal_is_none(tmp_path):
    """The seal stands in the footer, after all data."""
    mark = b"\x18" + bytes([len(seal.SEAL)]) + seal.SEAL.encode() + b"\x18" + bytes([len(seal.UNSEALED)])
    like_a_seal = mark + seal.UNSEALED.encode()
    path, rows = tmp_path / "a.parquet", pa.table({"text": [like_a_seal, b"other"]})
    pq.write_table(
        rows.replace_schema_metadata({seal.SEAL: seal.UNSEALED}), path,
        compression="none", use_dictionary=False, write_statistics=False,
    )  # fmt: skip
    assert path.read_bytes().count(mark) == 2
    seal.write(path)
    assert not seal.is_broken(path)
    assert pq.read_table(path)["text"].to_pylist() == [like_a_seal, b"other"]
    assert pq.read_metadata(path).metadata[seal.SEAL.encode()] != seal.UNSEALED.encode()


def test_of_a_file_without_a_seal_nothing_is_known(tmp_path):
    pq.write_table(pa.table({"N": [1]}), tmp_path / "a.parquet")
    assert not seal.is_broken(tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="has no place for debox_file"):
        seal.write(tmp_path / "a.parquet")
