"""The entries of an .npz file as np.savez writes them, read by someone who trusts no byte of it.

np.load would ask the file how much memory to take, which types to make and which Python to evaluate. Here the caller
says what an entry must hold, and nothing larger than the file is ever made.
"""

from __future__ import annotations

import sys
import zipfile
from io import BytesIO
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"\x93NUMPY\x01\x00"  # the version that holds all of ours


class WrongContent(ValueError):
    """A file is not what it should be; the message says in what."""


def must(holds: object, rule: str) -> None:
    """Else the content is wrong: it breaks this rule."""
    if not holds:
        raise WrongContent(rule)


def entries(data: bytes) -> dict[str, bytes]:
    """The .npy files in an .npz file, by name without the ending; none compressed, none twice."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            listed = archive.infolist()
            must(all(entry.compress_type == zipfile.ZIP_STORED for entry in listed), "no entry is compressed")
            must(sum(entry.file_size for entry in listed) <= len(data), "no entry is larger than the file")
            must(len({entry.filename for entry in listed}) == len(listed), "no name occurs twice")
            return {entry.filename.removesuffix(".npy"): archive.read(entry) for entry in listed}
    except (WrongContent, MemoryError):
        raise
    except Exception as error:  # whatever damaged bytes make of themselves on their way through zipfile
        raise WrongContent(f"it is no whole archive ({type(error).__name__})") from None


def array(entry: bytes, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """The array in a .npy file, which must have this type and shape."""
    kind = np.dtype(dtype)
    numbers = _content(entry, kind, shape)
    must(len(numbers) == kind.itemsize * prod(shape), f"an array of shape {shape} has its numbers")
    must(kind != np.bool_ or set(numbers) <= {0, 1}, "a truth value is 0 or 1")
    return np.frombuffer(numbers, kind).reshape(shape).copy()


def text(entry: bytes) -> str:
    """The string in a .npy file."""
    letters = entry[_start(entry) :]
    try:
        return _content(entry, np.dtype(f"U{len(letters) // 4}"), ()).decode(f"utf-32-{sys.byteorder[0]}e")
    except UnicodeDecodeError:
        raise WrongContent("a text has letters only") from None


def _content(entry: bytes, kind: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    start = _start(entry)
    header = f"{{'descr': {kind.str!r}, 'fortran_order': False, 'shape': {shape}, }}"
    must(entry[10:start].strip() == header.encode(), f"an array has type {kind.str} and shape {shape}")
    return entry[start:]


def _start(entry: bytes) -> int:
    """Where, after the header, an array begins."""
    must(entry.startswith(MAGIC), "an entry is an array of NumPy")
    return 10 + int.from_bytes(entry[8:10], "little")
