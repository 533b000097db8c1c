"""The state of an Optimizer on disk: one .npz file without pickles, replaced atomically."""

from __future__ import annotations

import json
import os
import zipfile
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np

from debox import files, outputs
from debox.optimizer import Optimizer

FORMAT = "debox optimizer 1"
ARRAYS = ("_P", "_f", "_counts", "_infeasible_at", "_violations", "_asked_infeasible", "_asked_violations")
SCALARS = ("_generations", "_best", "_stopped")


def write(path: str | PathLike[str], optimizer: Optimizer) -> None:
    """Write the file whole or not at all: a crash leaves the old file or the new one."""
    with outputs.writing(files.absolute(path), SAVED) as unfinished, unfinished.open("wb") as file:
        _dump(optimizer, file)


def is_saved(path: Path) -> bool:
    """Whether a file begins as those of `write` do: a zip archive whose first entry is the state."""
    head = outputs.beginning(path, 39)
    return head.startswith(b"PK\x03\x04") and head[30:] == b"state.npy"


SAVED = outputs.Kind("a file that Optimizer.save wrote", is_saved)


def read(path: str | PathLike[str]) -> Optimizer:
    """The optimizer in the state it was saved."""
    with open(path, "rb") as file:
        try:
            return _load(file)
        except (AttributeError, KeyError, TypeError, ValueError, EOFError, zipfile.BadZipFile):
            # NumPy's reason is not passed on: it advises to allow pickles
            reason = "is not a file that Optimizer.save wrote, or not all of it, or from another version of debox"
            raise ValueError(f"{os.fspath(path)!r} {reason}") from None


def packed(optimizer: Optimizer) -> bytes:
    """What `write` writes."""
    file = BytesIO()
    _dump(optimizer, file)
    return file.getvalue()


def unpacked(data: bytes) -> Optimizer:
    """The optimizer that was packed."""
    return _load(BytesIO(data))


def _dump(optimizer: Optimizer, file: IO[bytes]) -> None:
    config = optimizer.config
    settings = {
        "bounds": np.column_stack([optimizer.box.lower, optimizer.box.upper]).tolist(),
        "variant": config.variant,
        "strategy": optimizer.strategies,
        "N": config.N,
        "F": config.F,
        "Cr": config.Cr,
        "donors": config.donors,
        "budget": optimizer.budget,
        "target": None if np.isnan(optimizer.target) else optimizer.target,
    }
    state = {
        "format": FORMAT,
        "settings": settings,
        "scalars": {name: int(getattr(optimizer, name)) for name in SCALARS},
        "rng": optimizer.rng.bit_generator.state,
    }
    arrays = {name: getattr(optimizer, name) for name in ARRAYS}
    if optimizer._asked is not None:
        arrays["_asked"] = optimizer._asked
    np.savez(file, state=np.array(json.dumps(state, default=np.ndarray.tolist)), **arrays)


def _load(file: IO[bytes]) -> Optimizer:
    with np.load(file, allow_pickle=False) as archive:
        content = {name: archive[name] for name in archive.files}
    state: dict[str, Any] = json.loads(str(content["state"]))
    if state["format"] != FORMAT:
        raise ValueError(f"format {state['format']!r}")
    bit_generator = getattr(np.random, state["rng"]["bit_generator"])()
    bit_generator.state = state["rng"]
    optimizer = Optimizer(**state["settings"], init=content["_P"], rng=np.random.Generator(bit_generator))
    for name in ARRAYS:
        getattr(optimizer, name)[:] = content[name]
    for name in SCALARS:
        setattr(optimizer, name, type(getattr(optimizer, name))(state["scalars"][name]))
    optimizer._asked = content.get("_asked")
    return optimizer
