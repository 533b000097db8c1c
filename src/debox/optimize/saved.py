"""The state of an Optimizer on disk: one .npz file without pickles, replaced atomically."""

from __future__ import annotations

import json
import stat
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np

from debox import files, outputs
from debox.optimize.archive import WrongContent, entries
from debox.optimize.generators import BIT_GENERATORS
from debox.optimize.optimizer import Optimizer
from debox.optimize.restore import FORMAT, SCALARS, arrays_of, restore_optimizer


def write(path: str | PathLike[str], optimizer: Optimizer) -> None:
    """Write the file whole or not at all: a crash leaves the old file or the new one."""
    with outputs.writing(files.absolute(path), SAVED) as unfinished, unfinished.open("wb") as file:
        _dump(optimizer, file)


def is_saved(path: Path) -> bool:
    """Whether a file begins as those of `write` do: a zip archive whose first entry is the state."""
    head = outputs.first_bytes(path, 39)
    return head.startswith(b"PK\x03\x04") and head[30:] == b"state.npy"


SAVED = outputs.Kind("a file that Optimizer.save wrote", is_saved)


def read(file: str | PathLike[str]) -> Optimizer:
    """The optimizer in the state it was saved."""
    path = files.absolute(file)
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # reading a pipe may wait, a device may never end
        raise ValueError(f"{str(path)!r} must be a file, not a device or pipe")
    return _load(path.read_bytes(), repr(str(path)))


def packed(optimizer: Optimizer) -> bytes:
    """What `write` writes."""
    file = BytesIO()
    _dump(optimizer, file)
    return file.getvalue()


def unpacked(data: bytes) -> Optimizer:
    """The optimizer that was packed; pickles of users name this function."""
    return _load(data, "the pickled Optimizer")


def _dump(optimizer: Optimizer, file: IO[bytes]) -> None:
    config, rng = optimizer.config, optimizer.rng.bit_generator.state
    if rng["bit_generator"] not in BIT_GENERATORS:
        known = ", ".join(BIT_GENERATORS)
        raise ValueError(f"to be saved, rng must draw from one of {known}, got {rng['bit_generator']}")
    settings = {
        "bounds": np.column_stack([optimizer.box.lower, optimizer.box.upper]).tolist(),
        "variant": config.variant,
        "strategy": optimizer.strategies,
        "N": config.N,
        "F": config.F,
        "Cr": config.Cr,
        "donors": config.donors,
        "repair": config.repair,
        "adaptation": config.adaptation,
        "budget": optimizer.budget,
        "target": None if np.isnan(optimizer.target) else optimizer.target,
    }
    state = {
        "format": FORMAT,
        "settings": settings,
        "scalars": {name: int(getattr(optimizer, name)) for name in SCALARS},
        "rng": rng,
    }
    arrays: dict[str, Any] = arrays_of(optimizer)
    if optimizer._asked is not None:
        arrays["_asked"] = optimizer._asked
    np.savez(file, state=np.array(json.dumps(state, default=np.ndarray.tolist)), **arrays)


def _load(data: bytes, name: str) -> Optimizer:
    try:
        return restore_optimizer(entries(data))
    except WrongContent as rule:
        kind = "is not a file that Optimizer.save wrote, or not all of it, or from another version of debox"
        raise ValueError(f"{name} {kind} (broken rule: {rule})") from None
