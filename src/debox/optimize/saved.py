"""The state of an Optimizer on disk: one .npz file without pickles, replaced whole or not at all.

The checksums of the archive notice damage. Files of other versions are noticed by the names, types and shapes of their
arrays and by the numbers that the core uses as sizes and indexes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import files
from debox.loop import Loop
from debox.operators import UnknownOperator
from debox.optimize.objective import Errors
from debox.optimize.optimizer import Optimizer
from debox.optimize.variables import Space
from debox.reference import ARCHIVED, MARKS_PASSED, archive_size, rank

FORMAT = "debox optimizer 2"
WITHOUT_SIDES = "debox optimizer 1"  # the format of files that do not say which bound was violated
OF_CONFIG = ("variant", "N", "F", "Cr", "donors", "repair", "adaptation")
OLDER = {"repair": "trial", "adaptation": "fixed", "tol": None}  # what the settings of earlier versions do not say
BIT_GENERATORS = {name: getattr(np.random, name) for name in ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")}


def write(path: str | PathLike[str], optimizer: Optimizer) -> None:
    """Write the file whole or not at all: a crash leaves the old file or the new one."""
    data, target = packed(optimizer), files.absolute(path)
    files.check_output(target)
    if target.exists() and target.stat().st_size and not is_saved(target):
        raise ValueError(f"cannot write {target}: it is not a file that Optimizer.save wrote; name another")
    with files.replacing(target) as unfinished:
        unfinished.write_bytes(data)


def is_saved(path: Path) -> bool:
    """Whether a file begins as those of `write` do: a zip archive whose first entry is the state."""
    with path.open("rb") as file:
        head = file.read(39)
    return head.startswith(b"PK\x03\x04") and head[30:] == b"state.npy"


def read(file: str | PathLike[str]) -> Optimizer:
    """The optimizer in the state it was saved."""
    path = files.absolute(file)
    return unpacked(path.read_bytes(), repr(str(path)))


def packed(optimizer: Optimizer) -> bytes:
    """What `write` writes."""
    loop, rng = optimizer._loop, optimizer.rng.bit_generator.state
    if rng["bit_generator"] not in BIT_GENERATORS:
        known = ", ".join(BIT_GENERATORS)
        raise ValueError(f"to be saved, rng must draw from one of {known}, got {rng['bit_generator']}")
    scalars = {"_generations": loop.run.generations, "_trials": loop.run.trials}
    scalars |= {"_stopped": int(optimizer._end == 2), "_converged": int(optimizer._end == 4)}
    scalars |= {"_knows_sides": int(optimizer._knows_sides)}
    state: dict[str, Any] = {"format": FORMAT, "settings": settings_of(optimizer), "scalars": scalars, "rng": rng}
    if optimizer._errors is not None:
        state["errors"] = [optimizer._errors.count, optimizer._errors.first]
    file = BytesIO()
    np.savez(file, state=np.array(json.dumps(state, default=np.ndarray.tolist)), **_arrays(loop))
    return file.getvalue()


def settings_of(optimizer: Optimizer) -> dict[str, Any]:
    """What says, besides its state, which run this is."""
    settings = {name: getattr(optimizer.config, name) for name in OF_CONFIG}
    settings |= {"bounds": optimizer.space.to_json(), "strategy": optimizer.strategies, "budget": optimizer.budget}
    return settings | {"target": None if np.isnan(optimizer.target) else optimizer.target, "tol": optimizer.tol}


def _arrays(loop: Loop) -> dict[str, Any]:
    """The arrays in a file by the names of their entries, as long as archive and trials are."""
    N, trials = loop.config.N, loop.run.trials
    names = ("f", "counts", "infeasible_at", "violations", "wraps", "violations_at", "best_at", "spread_at")
    arrays = {"_P": loop.P[:N], **{f"_{name}": getattr(loop, name) for name in names}}
    arrays |= {"_asked_infeasible": loop.infeasible, "_asked_violations": loop.pending[:2]}
    arrays |= {"_asked_wraps": loop.pending[2]}
    if loop.config.operators.is_ranked:
        archive = loop.P[N : N + loop.sizes[ARCHIVED]]
        arrays |= {"_memory": loop.memory, "_sizes": loop.sizes, "_archive": archive, "_F_Cr": loop.F_Cr}
    return arrays | ({"_asked": loop.U[:trials]} if trials else {})


def unpacked(data: bytes, name: str = "the pickled Optimizer") -> Optimizer:
    """The optimizer that was packed; pickles of users name this function."""
    try:
        with np.load(BytesIO(data), allow_pickle=False) as archive:
            return _restored(dict(archive))
    except MemoryError:
        raise
    except UnknownOperator as error:
        what = str(error).partition(";")[0]
        raise ValueError(f"{name} has an {what}: register it first, by running the code that defines it") from None
    except Exception:  # of many kinds, and some of NumPy's advise to unpickle
        kind = "is not a file that Optimizer.save wrote, or not all of it, or from another version of debox"
        raise ValueError(f"{name} {kind}") from None


def _restored(entries: dict[str, NDArray[Any]]) -> Optimizer:
    """The optimizer whose state these entries hold; an error of any kind if they hold none."""
    state = json.loads(str(entries.pop("state")))
    settings, scalars = {**OLDER, **state["settings"]}, state["scalars"]
    rng = np.random.Generator(BIT_GENERATORS[state["rng"]["bit_generator"]](0))
    optimizer = Optimizer(**settings | {"bounds": Space.from_json(settings["bounds"])}, rng=rng)
    rng.bit_generator.state = state["rng"]  # only now: a population was drawn
    optimizer._end = 4 if scalars.get("_converged") else 2 if scalars["_stopped"] else 3
    optimizer._knows_sides = bool(scalars.get("_knows_sides"))
    if "errors" in state:
        optimizer._errors = Errors(*state["errors"])
    loop = optimizer._loop
    loop.run.generations = scalars["_generations"]
    loop.run.trials = scalars.get("_trials", len(entries.get("_asked", ())))
    loop.sizes[:] = entries.get("_sizes", loop.sizes)  # before the archive
    arrays = _arrays(loop)
    if state["format"] == WITHOUT_SIDES:  # all violations count as those of the upper bound; what it did not note is 0
        names = ("_violations", "_asked_violations")
        entries = arrays | entries | {name: np.stack([0 * entries[name], entries[name]]) for name in names}
    if state["format"] not in (FORMAT, WITHOUT_SIDES) or _kinds(entries) != _kinds(arrays):
        raise ValueError  # with the words of `unpacked`
    for name, array in arrays.items():
        array[:] = entries[name]
    if not _can_go_on(optimizer):
        raise ValueError
    loop.run.best = rank(loop)
    return optimizer


def _kinds(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    return {name: (array.dtype, array.shape) for name, array in arrays.items()}


def _can_go_on(optimizer: Optimizer) -> bool:
    """Whether all sizes and indexes are possible, those in NumPy's buffers too, and F > 0, else a draw may not end."""
    loop, N, done, budget = optimizer._loop, optimizer.config.N, optimizer.nfev, optimizer.budget
    size, archived, cell = loop.sizes.tolist()
    state: Any = optimizer.rng.bit_generator.state
    position = {"pos": 0, "buffer_pos": 0, **state, **state["state"]}
    return bool(
        0 <= done <= budget
        and (loop.run.least if done else N) <= size <= N
        and 0 <= archived <= archive_size(loop.run.archives, size)
        and 0 <= cell < loop.memory.shape[1]
        and loop.run.trials in (0, min(size, budget - done))
        and loop.counts[MARKS_PASSED] == np.count_nonzero(loop.marks <= done)
        and np.append(loop.memory[0], loop.F_Cr[0]).min() > 0
        and 0 <= position["pos"] <= 624
        and 0 <= position["buffer_pos"] <= 4
    )
