"""Reading the entries of an .npz file, as np.savez writes them, without trusting any byte of it.

With np.load the file decides how much memory is taken, which types are made and which Python is evaluated. Here the
caller says what an entry must hold, and nothing larger than the file is ever made.
"""

from __future__ import annotations

import sys
import zipfile
from io import BytesIO
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"\x93NUMPY\x01\x00"  # format 1.0, in which NumPy writes such small headers


class WrongContent(ValueError):
    """The content of a file breaks a rule; the message is the rule."""


def require(holds: object, rule: str) -> None:
    """Raise WrongContent unless the rule holds."""
    if not holds:
        raise WrongContent(rule)


def entries(data: bytes) -> dict[str, bytes]:
    """The .npy files in an .npz file, by name without the ending; none compressed, none twice."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = archive.infolist()
            require(len(members) == _counted(data), "all entries are found")
            require(all(entry.compress_type == zipfile.ZIP_STORED for entry in members), "no entry is compressed")
            require(sum(entry.file_size for entry in members) <= len(data), "no entry is larger than the file")
            require(len({entry.filename for entry in members}) == len(members), "no name occurs twice")
            return {entry.filename.removesuffix(".npy"): archive.read(entry) for entry in members}
    except (WrongContent, MemoryError):
        raise
    except Exception as error:  # zipfile raises errors of many kinds on damaged bytes
        raise WrongContent(f"it is no whole archive ({type(error).__name__})") from None


def _counted(data: bytes) -> int:
    """How many entries the end of an archive says that there are: zipfile takes as many as it finds."""
    end = data[-22:]  # its last record, if there is no comment
    return int.from_bytes(end[10:12], "little") if end.startswith(b"PK\x05\x06") else -1


def array(entry: bytes, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """The array in a .npy file, which must have this type and shape."""
    kind = np.dtype(dtype)
    numbers = _content(entry, kind, shape)
    require(len(numbers) == kind.itemsize * prod(shape), f"an array of shape {shape} has its numbers")
    require(kind != np.bool_ or set(numbers) <= {0, 1}, "a truth value is 0 or 1")
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
    require(entry[10:start].strip() == header.encode(), f"an array has type {kind.str} and shape {shape}")
    return entry[start:]


def _start(entry: bytes) -> int:
    """Where, after the header, an array begins."""
    require(entry.startswith(MAGIC), "an entry is an array of NumPy")
    return 10 + int.from_bytes(entry[8:10], "little")
