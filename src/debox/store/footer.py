"""The footer of a Parquet file, which names its columns."""

from __future__ import annotations

import os
from pathlib import Path


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
