"""The seal of a packed file: a checksum of all its bytes, embedded in its footer."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

SEAL = "debox_file"  # embedded in a file: the checksum of its bytes, those of the checksum itself taken as UNSEALED
UNSEALED = "0" * 32
_TAIL = 2**25  # bytes at the end of a file in which the seal is looked for
_BLOCK = 2**20


def write(path: Path) -> None:
    """Write the checksum of the file's bytes over UNSEALED, the placeholder embedded for it."""
    place = _place(path)
    if place is None:
        raise ValueError(f"{path} has no place for {SEAL}")
    checksum = _digest(path, place)
    with path.open("r+b") as file:
        file.seek(place)
        file.write(checksum.encode())


def is_broken(path: Path) -> bool:
    """Whether a file has a seal, and has changed since the seal was written."""
    place = _place(path)
    if place is None:
        return False
    with path.open("rb") as file:
        file.seek(place)
        return file.read(len(UNSEALED)) != _digest(path, place).encode()


def _place(path: Path) -> int | None:
    """Where the checksum stands in the file; None if it has no seal.

    Thrift, the format of the footer, writes a field of text as its number, its length (a byte up to 127), its letters.
    """
    mark = b"\x18" + bytes([len(SEAL)]) + SEAL.encode() + b"\x18" + bytes([len(UNSEALED)])
    with path.open("rb") as file:
        begin = max(file.seek(0, os.SEEK_END) - _TAIL, 0)
        file.seek(begin)
        index = file.read(_TAIL).rfind(mark)
    return begin + index + len(mark) if index >= 0 else None


def _digest(path: Path, place: int) -> str:
    """The beginning of the SHA-256 of the file with UNSEALED at this place."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        n_left = place
        while n_left and (block := file.read(min(n_left, _BLOCK))):
            digest.update(block)
            n_left -= len(block)
        digest.update(UNSEALED.encode())
        file.seek(place + len(UNSEALED))
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()[: len(UNSEALED)]
