import hashlib
import struct

import numpy as np
import pytest
from stored_rows import rows

from debox.store import checksum, parquet, schema

MODULUS = 2**64


def mixed(value):
    """SplitMix64's last steps, with Python's integers."""
    value ^= value >> 30
    value = value * 0xBF58476D1CE4E5B9 % MODULUS
    value ^= value >> 27
    value = value * 0x94D049BB133111EB % MODULUS
    return value ^ (value >> 31)


def number(text):
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def bits(value):
    return int.from_bytes(struct.pack("<d", value), "little")


def table(**columns):
    return schema.check_part(rows(range(3)) | columns)


def test_mixing_is_that_of_splitmix64():
    values = [0, 1, 2**63, MODULUS - 1, 0x9E3779B97F4A7C15]
    assert checksum.mix(np.array(values, np.uint64)).tolist() == [mixed(value) for value in values]
    assert (
        checksum.mix(np.array([0x9E3779B97F4A7C15], np.uint64))[0] == 0xE220A8397B1DCDAF
    )  # its first number of seed 0


def test_the_hash_of_a_row_is_the_formula():
    one = {"id": np.array(["ab"], object), "N": np.array([5]), "frozen": np.array([True]), "F": np.array([0.7])}
    one["best_x"] = np.array([[0.25, -0.0]])
    point = number("best_x")
    total = mixed(number("ab") ^ number("id")) + mixed(5 ^ number("N")) + mixed(1 ^ number("frozen"))
    total += mixed(bits(0.7) ^ number("F"))
    total += mixed(bits(0.25) ^ mixed(point)) + mixed(bits(-0.0) ^ mixed(point + 1))
    assert checksum.hash_rows(one).tolist() == [mixed(total % MODULUS)]


def test_number_and_sum_of_the_rows_are_told_modulo_2_to_the_64():
    assert checksum.summarise(np.array([2**63, 2**63, 0xF3], np.uint64)) == "3 rows, 00000000000000f3"
    assert checksum.summarise(np.array([], np.uint64)) == "0 rows, 0000000000000000"


def test_rows_in_another_order_have_the_same_hashes():
    arrays = table()
    back = checksum.hash_rows({name: values[::-1] for name, values in arrays.items()})
    assert back.tolist() == checksum.hash_rows(arrays)[::-1].tolist()


def test_a_column_of_nan_is_as_none():
    arrays = table()
    more = {**arrays, "pois_at_0.1": np.full(3, np.nan)}
    assert checksum.hash_rows(more).tolist() == checksum.hash_rows(arrays).tolist()


def test_points_count_the_same_as_a_matrix_and_one_by_one():
    arrays = table()
    matrix = {**arrays, "best_x": np.array(arrays["best_x"].tolist())}
    assert checksum.hash_rows(matrix).tolist() == checksum.hash_rows(arrays).tolist()


def test_points_of_several_lengths_stay_with_their_rows():
    some = [schema.check_part(rows([0], n=n)) for n in (1, 4, 2)]
    together = {name: np.concatenate([one[name] for one in some]) for name in some[0]}
    assert checksum.hash_rows(together).tolist() == [checksum.hash_rows(one)[0] for one in some]


@pytest.mark.parametrize("name", [column.name for column in schema.COLUMNS])
def test_another_value_in_any_column_is_another_hash_of_that_row_alone(name):
    before = table()
    after = {**before, name: before[name].copy()}
    first = after[name][1]
    after[name][1] = f"{first}x" if isinstance(first, str) else (not first if before[name].dtype == bool else first + 1)
    differ = checksum.hash_rows(before) != checksum.hash_rows(after)
    assert differ.tolist() == [False, True, False]


CHANGES = {
    "two columns are exchanged": lambda t: t | {"N": t["dimension"], "dimension": t["N"]},
    "the numbers of a point are exchanged": lambda t: t | {"best_x": np.array([point[::-1] for point in t["best_x"]])},
    "the last bit of a number is another": lambda t: t | {"pois": np.nextafter(t["pois"], 2)},
    "a zero has another sign": lambda t: t | {"seconds": t["seconds"] * -0.0},
    "a number becomes NaN": lambda t: t | {"best_f": t["best_f"] * np.nan},
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_another_hash(change):
    before = table(seconds=[0.0] * 3)
    after = CHANGES[change](before)
    assert (checksum.hash_rows(before) != checksum.hash_rows(after)).all()


def part(folder, name, runs, noted=True, **columns):
    arrays = schema.check_part(rows(runs) | columns)
    path = folder / f"{name}.parquet"
    parquet.write_arrays(path, arrays, {checksum.ROWS_SUMMARY: checksum.summarise_table(arrays)} if noted else {})
    return path


def test_what_is_noted_is_number_and_checksum_of_the_rows():
    arrays = schema.check_part(rows(range(3)))
    assert checksum.summarise_table(arrays) == checksum.summarise(checksum.hash_rows(arrays))
    assert checksum.summarise_table(arrays).startswith("3 rows, ")


def test_rows_are_read_with_their_file(tmp_path):
    paths = [part(tmp_path, "b", [2, 0]), part(tmp_path, "a", [1])]
    found = checksum.read_rows(paths)
    assert sorted(found.files.tolist()) == [0, 1, 1]
    expected = checksum.hash_rows(schema.check_part(rows(range(3))))
    assert sorted(found.hashes.tolist()) == sorted(expected.tolist())
    assert checksum.misread_files(paths, found) == []


def test_of_a_row_in_several_files_that_of_the_first_counts(tmp_path):
    """The time a run took is the only thing that two executions do not share."""
    paths = [part(tmp_path, "b", [0, 1], seconds=[1.0] * 2), part(tmp_path, "a", [1, 2], seconds=[2.0] * 2)]
    expected = checksum.hash_rows(schema.check_part(rows([0, 1, 2]) | {"seconds": [1.0, 2.0, 2.0]}))
    assert checksum.read_rows(paths).each_once().tolist() == sorted(expected.tolist())
    written = tmp_path / "c.parquet"
    parquet.write_rows(written, parquet.in_order(paths), schema.COLUMNS, {})
    assert sorted(checksum.read_rows([written]).hashes.tolist()) == sorted(expected.tolist())


@pytest.mark.parametrize("note", ["2 rows, 0000000000000000", "1 rows, 0123456789abcdef", "", "nonsense"])
def test_a_file_whose_rows_are_not_what_was_noted_is_named(tmp_path, note):
    parquet.write_arrays(tmp_path / "b.parquet", schema.check_part(rows([5])), {checksum.ROWS_SUMMARY: note})
    paths = [part(tmp_path, "a", [0]), tmp_path / "b.parquet", part(tmp_path, "c", [1])]
    assert checksum.misread_files(paths, checksum.read_rows(paths)) == ["b.parquet"]


def test_of_a_file_without_a_note_nothing_is_known(tmp_path):
    paths = [part(tmp_path, "a", [0], noted=False), part(tmp_path, "b", [1])]
    assert checksum.misread_files(paths, checksum.read_rows(paths)) == []


def test_no_files_are_no_rows():
    found = checksum.read_rows([])
    assert (len(found.hashes), checksum.misread_files([], found)) == (0, [])
