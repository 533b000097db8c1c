"""Parts and sealed files: they appear whole, and are recognised when they have changed."""

import hashlib
import os
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from stored_rows import rows

from debox import files
from debox.store import parquet, parts, schema
from debox.store.errors import StoreError, as_store_errors


def append(folder, *numbers):
    for runs in numbers:
        parts.append(folder, schema.check_part(rows(runs)))
    return parts.paths(folder)


def damages(folder):
    found = {path.name: parts.damage(path, is_packed=False) for path in parts.paths(folder)}
    return {name: reason for name, reason in found.items() if reason}


def test_the_name_of_a_part_is_its_sha256(tmp_path):
    paths = append(tmp_path, [0, 1], [2])
    assert [hashlib.sha256(path.read_bytes()).hexdigest()[:32] for path in paths] == [path.stem for path in paths]
    assert sorted(os.listdir(tmp_path)) == [path.name for path in paths]
    assert len(append(tmp_path, [0, 1])) == 2  # the same rows are the same part


def test_only_what_is_named_as_a_part_is_read(tmp_path):
    append(tmp_path, [0])
    for name in (".me.tmp", ".0.parquet", "notes.parquet", "0" * 32, f"{'0' * 32}.parquet.tmp"):
        (tmp_path / name).write_text("half")
    assert parquet.read(parts.paths(tmp_path), ["run"])["run"].tolist() == [0]
    assert damages(tmp_path) == {}


def test_a_part_is_on_the_disk_before_it_has_its_name_and_its_name_before_append_returns(tmp_path, monkeypatch):
    steps = []
    for module, name in ((files, "sync"), (os, "replace")):
        original = getattr(module, name)

        def step(*paths, name=name, original=original):
            steps.append((name, *(os.path.basename(path) for path in paths)))
            return original(*paths)

        monkeypatch.setattr(module, name, step)
    (part,) = append(tmp_path, [0])
    unfinished = steps[0][1]
    assert unfinished.startswith(".")
    assert unfinished.endswith(".tmp")
    assert steps == [("sync", unfinished), ("replace", unfinished, part.name), ("sync", tmp_path.name)]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_what_fails_leaves_nothing_and_says_what_is_safe(tmp_path, monkeypatch, step):
    def full(*args, **options):
        raise OSError(28, "No space left on device")

    before = append(tmp_path, [0])
    monkeypatch.setattr(os, step, full)
    with pytest.raises(StoreError, match=f"^cannot write {tmp_path}: No space left on device; what was stored before"):
        append(tmp_path, [1])
    assert sorted(os.listdir(tmp_path)) == [path.name for path in before]


def test_a_folder_that_is_gone_is_not_an_empty_one(tmp_path):
    for use, what in ((parts.paths, "read"), (lambda folder: append(folder, [0]), "write")):
        with pytest.raises(StoreError, match=f"^cannot {what} {tmp_path / 'gone'}: .*No such file or directory"):
            use(tmp_path / "gone")


def test_room_is_promised_to_help_who_writes_and_errors_that_are_not_the_system_s_pass(tmp_path):
    with pytest.raises(StoreError, match=r"^cannot read a: Input/output error$"), as_store_errors(Path("a"), "read"):
        raise OSError(5, "Input/output error")
    with pytest.raises(StoreError, match=r"^cannot write a: Not here$"), as_store_errors(Path("a")):
        raise OSError(2, "Not here")
    with pytest.raises(ZeroDivisionError), as_store_errors(Path("a")):
        raise ZeroDivisionError


DAMAGE = {
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "one byte short": lambda content: content[:-1],
    "one bit flipped": lambda content: content[:100] + bytes([content[100] ^ 1]) + content[101:],
    "longer": lambda content: content + b"\0",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_part_is_named(tmp_path, damage):
    path = append(tmp_path, [0, 1], [2])[0]
    assert damages(tmp_path) == {}  # and it is not remembered as whole once it has changed
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    assert damages(tmp_path) == {path.name: "its content does not match its checksum"}


def test_what_is_no_file_in_the_place_of_a_part_is_named(tmp_path):
    (tmp_path / f"{'0' * 32}.parquet").mkdir()
    (tmp_path / f"{'1' * 32}.parquet").symlink_to("nothing")
    reasons = ["it cannot be read: Is a directory", "it cannot be read: No such file or directory"]
    assert list(damages(tmp_path).values()) == reasons


def test_a_file_is_checked_once_in_a_process_until_it_changes(tmp_path, monkeypatch):
    (path,) = append(tmp_path, [0])
    packed = sealed(tmp_path / "packed.parquet")
    read, digest, seal = [], files.digest, parts.seal
    monkeypatch.setattr(files, "digest", lambda path: (read.append(path), digest(path))[1])
    monkeypatch.setattr(parts, "seal", lambda path: (read.append(path), seal(path))[1])
    for _ in range(3):
        assert [parts.damage(path, is_packed=False), parts.damage(packed, is_packed=True)] == ["", ""]
    assert read == [path, packed]
    (tmp_path / "there").mkdir()
    copy = Path(shutil.copy2(packed, tmp_path / "there"))  # of the same name, size and time
    os.utime(path, ns=(1, 1))
    assert [parts.damage(path, is_packed=False), parts.damage(copy, is_packed=True)] == ["", ""]
    assert len(read) == 4


# The seal.


def sealed(path, data=None, **more):
    table = pa.table({"N": list(range(100))} if data is None else data)
    texts = {parts.SEAL: parts.UNSEALED, **more}
    pq.write_table(table.replace_schema_metadata(texts), path, compression="none", use_dictionary=False)
    parts.write_seal(path)
    return path


def test_every_bit_of_a_sealed_file_counts(tmp_path):
    path = sealed(tmp_path / "a.parquet", manifest="x" * 50)
    content = path.read_bytes()
    assert parts.damage(path, is_packed=True) == ""
    assert pq.read_table(path)["N"].to_pylist() == list(range(100))
    digits = pq.read_metadata(path).metadata[parts.SEAL.encode()]
    assert hashlib.sha256(content.replace(digits, parts.UNSEALED.encode())).hexdigest()[:32] == digits.decode()
    at = content.index(parts.SEAL.encode())
    mark = range(at - 2, at + len(parts.SEAL) + 2)
    for place in [*range(0, len(content), 7), *mark]:
        path.write_bytes(content[:place] + bytes([content[place] ^ 1 << place % 8]) + content[place + 1 :])
        os.utime(path, ns=(place, place))
        reason = parts.damage(path, is_packed=True)
        assert reason == parts.NO_SEAL if place in mark else reason in (parts.BROKEN, parts.NO_SEAL), place


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_sealed_file_is_named(tmp_path, damage):
    path = sealed(tmp_path / "a.parquet")
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    assert parts.damage(path, is_packed=True) in (parts.BROKEN, parts.NO_SEAL)


def test_a_text_in_the_data_that_looks_like_a_seal_is_none(tmp_path):
    """The seal stands in the footer, after all data."""
    mark = b"\x18\x0adebox_file\x18\x20"
    path = sealed(tmp_path / "a.parquet", {"text": [mark + parts.UNSEALED.encode(), b"other"]})
    assert path.read_bytes().count(mark) > 1
    assert parts.damage(path, is_packed=True) == ""
    assert pq.read_table(path)["text"].to_pylist() == [mark + parts.UNSEALED.encode(), b"other"]
    assert pq.read_metadata(path).metadata[parts.SEAL.encode()] != parts.UNSEALED.encode()


def test_a_file_without_a_seal_is_no_packed_store(tmp_path):
    pq.write_table(pa.table({"N": [1]}), tmp_path / "a.parquet")
    (tmp_path / "b.parquet").write_text("short")
    for name in "ab":
        assert parts.damage(tmp_path / f"{name}.parquet", is_packed=True) == parts.NO_SEAL
