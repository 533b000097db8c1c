"""The files of studies: those that come with debox, and one's own."""

from __future__ import annotations

import os
from pathlib import Path

from debox import files

PACKAGE = Path(__file__).parents[1]
LARGEST_FILE = 1_000_000  # bytes
FOLDERS = (PACKAGE / "studies", PACKAGE.parents[1] / "studies")  # installed; in a clone


def built_in() -> dict[str, Path]:
    """The studies that come with debox."""
    paths = (path for folder in FOLDERS for path in sorted(folder.glob("*.toml")))
    return {path.stem: path for path in paths}


def find_file(source: str | os.PathLike[str]) -> Path:
    """The file of a built-in study, or the path given."""
    if isinstance(source, str) and source in built_in():
        return built_in()[source]
    if not isinstance(source, str | bytes | os.PathLike):
        raise ValueError(f"source must be the name of a built-in study or the path of a TOML file, got {source!r}")
    path = files.absolute(source, "a study")
    if os.path.lexists(path):
        return path
    names = ", ".join(built_in())
    raise ValueError(f"there is no study {os.fsdecode(source)!r}; give the path of a TOML file or one of {names}")


def read_text(path: Path) -> str:
    """The text of a study file."""
    try:
        return files.read_small(path, LARGEST_FILE).decode("utf-8")
    except OSError as error:
        raise ValueError(f"cannot read the study {path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is no text: {error}") from None
