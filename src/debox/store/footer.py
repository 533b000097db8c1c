"""The footer of a Parquet file, which names its columns and carries texts, a checksum of the whole file among them."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

SEAL = "debox_file"  # embedded in a file: the checksum of its bytes, those of the checksum itself taken as UNSEALED
UNSEALED = "0" * 32
_TAIL = 2**25  # bytes at the end of a file in which the seal is looked for
_BLOCK = 2**20


def rename(path: Path, old: str, new: str) -> None:
    """Give the column `old`, a text that occurs nowhere else in the footer, the name `new`.

    A file is data, footer, length of the footer (4 bytes), PAR1; nothing points into the footer. Thrift, the format of
    the footer, writes a text as its length (one byte up to 127) and its letters.
    """
    with path.open("r+b") as file:
        file.seek(-8, os.SEEK_END)
        length = int.from_bytes(file.read(4), "little")
        begin = file.seek(-8 - length, os.SEEK_END)
        footer = file.read(length)
        if _thrift(old) not in footer:
            raise ValueError(f"{path} has no column {old!r}")
        footer = footer.replace(_thrift(old), _thrift(new))
        file.seek(begin)
        file.write(footer + len(footer).to_bytes(4, "little") + b"PAR1")
        file.truncate()


def _thrift(text: str) -> bytes:
    return bytes([len(text.encode())]) + text.encode()


def seal(path: Path) -> None:
    """Put the checksum of the file's bytes in the place that was embedded for it, SEAL: UNSEALED."""
    place = _place(path)
    if place is None:
        raise ValueError(f"{path} has no place for {SEAL}")
    whole = _digest(path, place)
    with path.open("r+b") as file:
        file.seek(place)
        file.write(whole.encode())


def is_broken(path: Path) -> bool:
    """Whether a file is sealed, and not to the bit what it was when that was done."""
    place = _place(path)
    if place is None:
        return False
    with path.open("rb") as file:
        file.seek(place)
        return file.read(len(UNSEALED)) != _digest(path, place).encode()


def _place(path: Path) -> int | None:
    """Where the checksum stands: a text behind a text, with the number of Thrift's field of a text before each."""
    mark = b"\x18" + _thrift(SEAL) + b"\x18" + bytes([len(UNSEALED)])
    with path.open("rb") as file:
        begin = max(file.seek(0, os.SEEK_END) - _TAIL, 0)
        file.seek(begin)
        found = file.read(_TAIL).rfind(mark)
    return begin + found + len(mark) if found >= 0 else None


def _digest(path: Path, place: int) -> str:
    """The beginning of the SHA-256 of the file with UNSEALED at this place."""
    whole = hashlib.sha256()
    with path.open("rb") as file:
        left = place
        while left and (block := file.read(min(left, _BLOCK))):
            whole.update(block)
            left -= len(block)
        whole.update(UNSEALED.encode())
        file.seek(place + len(UNSEALED))
        while block := file.read(_BLOCK):
            whole.update(block)
    return whole.hexdigest()[: len(UNSEALED)]
