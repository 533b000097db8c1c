"""Entries of an archive are read as they are, or refused before anything is made of them."""

import zipfile
from io import BytesIO

import numpy as np
import pytest

from debox.optimize.archive import WrongContent, array, entries, text

NUMBERS = np.arange(6.0).reshape(2, 3)


def npy(content, **options):
    file = BytesIO()
    np.lib.format.write_array(file, np.asanyarray(content), **options)
    return file.getvalue()


def archive(method=zipfile.ZIP_STORED, **contents):
    file = BytesIO()
    with zipfile.ZipFile(file, "w", method) as made:
        for name, content in contents.items():
            made.writestr(f"{name}.npy", content)
    return file.getvalue()


def test_what_savez_writes_is_read_back():
    file = BytesIO()
    np.savez(file, a=NUMBERS, b=np.array("naïve {}"), c=np.array([True, False]), d=np.zeros((0, 3), np.int64))
    found = entries(file.getvalue())
    assert found.keys() == {"a", "b", "c", "d"}
    assert array(found["a"], np.float64, (2, 3)).tolist() == NUMBERS.tolist()
    assert array(found["a"], np.float64, (2, 3)).flags.writeable
    assert text(found["b"]) == "naïve {}"
    assert array(found["c"], np.bool_, (2,)).tolist() == [True, False]
    assert array(found["d"], np.int64, (0, 3)).shape == (0, 3)


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", b"hello" * 99, npy(NUMBERS), archive(a=npy(NUMBERS))[:-9], 7],
    ids=["nothing", "the beginning", "text", "an array", "a cut archive", "a number"],
)
def test_what_is_no_archive_is_an_error(data):
    with pytest.raises(WrongContent, match="no whole archive"):
        entries(data)


def test_a_changed_byte_is_an_error():
    data = bytearray(archive(a=npy(NUMBERS)))
    data[data.index(npy(NUMBERS)[-8:])] ^= 1
    with pytest.raises(WrongContent, match="no whole archive"):
        entries(bytes(data))


def test_whatever_bit_is_flipped_the_same_entries_are_found_or_none():
    """Also in the directory at the end: a length there hides the entries that follow, and zipfile does not count."""
    data = archive(a=npy(NUMBERS), b=npy(NUMBERS[0]), c=npy(NUMBERS[:, 0]))
    refused = 0
    for place in range(len(data)):
        for bit in range(8):
            flipped = data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :]
            try:
                assert entries(flipped) == entries(data), (place, bit)
            except WrongContent:
                refused += 1
    assert refused > 4 * len(data)


def test_a_compressed_entry_is_not_unpacked():
    """A few kilobytes may be any number of gigabytes."""
    with pytest.raises(WrongContent, match="no entry is compressed"):
        entries(archive(zipfile.ZIP_DEFLATED, a=bytes(10**6)))


def test_entries_that_share_their_bytes_are_not_larger_than_the_file():
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("0.npy", bytes(10**5))
        for k in range(1, 100):
            made.NameToInfo[f"{k}.npy"] = twin = zipfile.ZipInfo(f"{k}.npy")
            twin.file_size = twin.compress_size = made.filelist[0].file_size
            twin.CRC, twin.header_offset = made.filelist[0].CRC, 0
            made.filelist.append(twin)
    with pytest.raises(WrongContent, match="no entry is larger than the file"):
        entries(file.getvalue())


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_occurs_twice_is_an_error():
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("a.npy", b"1")
        made.writestr("a.npy", b"2")
    with pytest.raises(WrongContent, match="no name occurs twice"):
        entries(file.getvalue())


HEADER = npy(NUMBERS)


@pytest.mark.parametrize(
    "entry",
    [
        npy(NUMBERS.T),
        npy(np.asfortranarray(NUMBERS)),
        npy(NUMBERS.astype(">f8")),
        npy(NUMBERS.astype(np.float32)),
        npy(NUMBERS.astype(object), allow_pickle=True),
        npy(np.zeros((2, 3), "i4,f4")),
        npy(NUMBERS.ravel()),
        npy(NUMBERS[0, 0]),
        npy(NUMBERS[:0]),
        npy(NUMBERS, version=(2, 0)),
        HEADER[:-1],
        HEADER + b"\0",
        HEADER[:50],
        HEADER[:9],
        b"",
        HEADER.replace(b"(2, 3)", b"(2, 9)"),
        HEADER.replace(b"(2, 3)", b"(1+1,3"),
        HEADER.replace(b"{'descr'", b"---------{'descr'"),
    ],
)
def test_an_array_of_another_type_shape_order_or_size_is_an_error(entry):
    with pytest.raises(WrongContent, match=r"an array|its numbers"):
        array(entry, np.float64, (2, 3))


def test_an_array_is_not_made_larger_than_its_entry():
    with pytest.raises(WrongContent, match="has its numbers"):
        array(npy(np.zeros((10**12, 0))).replace(b"00, 0)", b"00, 3)"), np.float64, (10**12, 3))


def test_a_truth_value_is_0_or_1():
    with pytest.raises(WrongContent, match="a truth value is 0 or 1"):
        array(npy(np.array([True]))[:-1] + b"\x02", np.bool_, (1,))


@pytest.mark.parametrize("entry", [npy("abc")[:-1], npy("abc")[:-4] + b"\xff" * 4, npy(["abc"]), npy(b"abc"), npy(3.0)])
def test_what_is_no_text_is_an_error(entry):
    with pytest.raises(WrongContent, match=r"a text has letters only|an array has type"):
        text(entry)
