"""Small files that appear whole or not at all, and folders that remember them after a power cut."""

from __future__ import annotations

import os
from pathlib import Path


def replace(path: Path, text: str) -> None:
    """Write aside, then rename: whoever reads finds the old file or the new one."""
    aside = _written_aside(path, text)
    try:
        os.replace(aside, path)
        sync_folder(path.parent)
    finally:
        aside.unlink(missing_ok=True)


def place(path: Path, text: str) -> None:
    """Write aside, then link: the file appears whole; FileExistsError if there is one already."""
    aside = _written_aside(path, text)
    try:
        os.link(aside, path)
        sync_folder(path.parent)
    finally:
        aside.unlink(missing_ok=True)


def _written_aside(path: Path, text: str) -> Path:
    aside = aside_of(path)
    try:
        with aside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    return aside


def aside_of(path: Path) -> Path:
    """A name beside `path` that only this process uses."""
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def sync_folder(folder: Path) -> None:
    """See that new and removed names in the folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
