import pytest
from stored_rows import rows

from debox.store import checksum, compare, parquet, schema


def part(folder, name, runs, noted=True, **columns):
    arrays = schema.checked(rows(runs) | columns)
    path = folder / f"{name}.parquet"
    parquet.write_arrays(path, arrays, {compare.NOTED: compare.note(arrays)} if noted else {})
    return path


def test_what_is_noted_is_number_and_checksum_of_the_rows():
    arrays = schema.checked(rows(range(3)))
    assert compare.note(arrays) == checksum.summarise(checksum.of_rows(arrays))
    assert compare.note(arrays).startswith("3 rows, ")


def test_rows_are_read_with_their_file(tmp_path):
    paths = [part(tmp_path, "b", [2, 0]), part(tmp_path, "a", [1])]
    found = compare.read(paths)
    assert sorted(found.files.tolist()) == [0, 1, 1]
    expected = checksum.of_rows(schema.checked(rows(range(3))))
    assert sorted(found.hashes.tolist()) == sorted(expected.tolist())
    assert compare.misread(paths, found) == []


def test_of_a_row_in_several_files_that_of_the_first_counts(tmp_path):
    """The time a run took is the only thing that two executions do not share."""
    paths = [part(tmp_path, "b", [0, 1], seconds=[1.0] * 2), part(tmp_path, "a", [1, 2], seconds=[2.0] * 2)]
    expected = checksum.of_rows(schema.checked(rows([0, 1, 2]) | {"seconds": [1.0, 2.0, 2.0]}))
    assert compare.read(paths).each_once().tolist() == sorted(expected.tolist())
    written = tmp_path / "c.parquet"
    parquet.write_rows(written, parquet.in_order(paths), schema.COLUMNS, {})
    assert sorted(compare.read([written]).hashes.tolist()) == sorted(expected.tolist())


@pytest.mark.parametrize("note", ["2 rows, 0000000000000000", "1 rows, 0123456789abcdef", "", "nonsense"])
def test_a_file_whose_rows_are_not_what_was_noted_is_named(tmp_path, note):
    parquet.write_arrays(tmp_path / "b.parquet", schema.checked(rows([5])), {compare.NOTED: note})
    paths = [part(tmp_path, "a", [0]), tmp_path / "b.parquet", part(tmp_path, "c", [1])]
    assert compare.misread(paths, compare.read(paths)) == ["b.parquet"]


def test_of_a_file_without_a_note_nothing_is_known(tmp_path):
    paths = [part(tmp_path, "a", [0], noted=False), part(tmp_path, "b", [1])]
    assert compare.misread(paths, compare.read(paths)) == []


def test_no_files_are_no_rows():
    found = compare.read([])
    assert (len(found.hashes), compare.misread([], found)) == (0, [])
