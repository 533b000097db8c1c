"""data/numbers.json: every number that a page of docs/ tells, once, by the command that computes it."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parents[1]
DATA, DOCS, OUT = ROOT / "data", ROOT / "docs", ROOT / "out"
NUMBERS = DATA / "numbers.json"
DIGITS = 7  # significant ones of what is stored


def load(path: Path = NUMBERS) -> dict[str, Any]:
    """All numbers by the name of the command that computes them."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def store(name: str, found: dict[str, Any], path: Path = NUMBERS) -> None:
    """Put the numbers of one command in the place of those that it wrote before; a line of the file for each entry."""
    every = {**load(path), name: plain(found)}
    parts = []
    for part in sorted(every):
        lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in every[part].items()]
        parts.append(f'"{part}": {{\n' + ",\n".join(lines) + "\n}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")


def plain(value: Any) -> Any:
    """As JSON has it: lists, keys of text, numbers of Python with few digits, null for what is no number."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None
    return value


def read(path: Path, where: str = "true") -> dict[str, NDArray[Any]]:
    """The columns of a file of data/, the rows in its order."""
    return dict(duckdb.sql(f"SELECT * FROM read_parquet('{path}') WHERE {where}").fetchnumpy())


def write(path: Path, columns: Mapping[str, NDArray[Any]]) -> None:
    """Put columns, in the types they have, into a file of data/, small; it appears whole or not at all."""
    given = {name: column.astype(object) if column.dtype.kind == "U" else column for name, column in columns.items()}
    with duckdb.connect() as database:
        database.register("given", given)
        database.execute(f"COPY given TO '{path}.new' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 16)")
    os.replace(f"{path}.new", path)
