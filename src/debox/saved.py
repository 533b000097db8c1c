"""The state of an Optimizer on disk: one .npz file without pickles, replaced atomically."""

from __future__ import annotations

import json
import os
import zipfile
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from debox.optimizer import Optimizer

FORMAT = "debox optimizer 1"
ARRAYS = ("_P", "_f", "_counts", "_infeasible_at", "_violations", "_asked_infeasible", "_asked_violations")
SCALARS = ("_generations", "_best", "_stopped")


def write(path: str | PathLike[str], optimizer: Optimizer) -> None:
    """Write to a temporary name beside `path`, then rename: a crash leaves the old file or the new one, whole."""
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
    target = Path(path)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with unfinished.open("wb") as file:
            np.savez(file, state=np.array(json.dumps(state, default=np.ndarray.tolist)), **arrays)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def read(path: str | PathLike[str]) -> Optimizer:
    """The optimizer in the state it was saved."""
    try:
        with np.load(path, allow_pickle=False) as file:
            content = {name: file[name] for name in file.files}
        state: dict[str, Any] = json.loads(str(content["state"]))
        if state["format"] != FORMAT:
            raise ValueError(f"format {state['format']!r}")
        return _restored(state, content)
    except (AttributeError, KeyError, TypeError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{os.fspath(path)!r} is not a file that Optimizer.save wrote ({error})") from None


def _restored(state: dict[str, Any], content: dict[str, Any]) -> Optimizer:
    bit_generator = getattr(np.random, state["rng"]["bit_generator"])()
    bit_generator.state = state["rng"]
    optimizer = Optimizer(**state["settings"], init=content["_P"], rng=np.random.Generator(bit_generator))
    for name in ARRAYS:
        getattr(optimizer, name)[:] = content[name]
    for name in SCALARS:
        setattr(optimizer, name, type(getattr(optimizer, name))(state["scalars"][name]))
    optimizer._asked = content.get("_asked")
    return optimizer
