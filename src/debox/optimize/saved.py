"""The state of an Optimizer on disk: one .npz file without pickles, replaced whole or not at all.

The checksums of the archive notice damage. What an edited file might say is checked where the core relies on it: names,
types and shapes of arrays, numbers that it uses as indexes, and points, F and Cr in their range.
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

from debox import files, reference
from debox.loop import Loop
from debox.operators import UnknownOperator
from debox.optimize.objective import Errors
from debox.optimize.optimizer import Optimizer
from debox.optimize.variables import Space
from debox.reference import ARCHIVED, POPULATION, archive_size

FORMAT = "debox optimizer 2"
WITHOUT_SIDES = "debox optimizer 1"  # the format of files that do not say which bound was violated
OF_CONFIG = ("variant", "N", "F", "Cr", "donors", "repair", "adaptation")
OLDER = {"repair": "trial", "adaptation": "fixed", "tol": None}  # what the settings of earlier versions do not say
FLAGS = ("_stopped", "_converged", "_knows_sides")
BIT_GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")


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
    scalars |= {name: int(getattr(optimizer, name)) for name in FLAGS}
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
    rule = "it is a whole archive of arrays"  # NumPy's own errors are of many kinds, and some advise to unpickle
    try:
        with np.load(BytesIO(data), allow_pickle=False) as archive:
            entries = dict(archive)
        rule = ""
        return _restored(entries)
    except MemoryError:
        raise
    except UnknownOperator as error:
        what = str(error).partition(";")[0]
        raise ValueError(f"{name} has an {what}: register it first, by running the code that defines it") from None
    except Exception as error:
        rule = rule or str(error)
    kind = "is not a file that Optimizer.save wrote, or not all of it, or from another version of debox"
    raise ValueError(f"{name} {kind} (broken rule: {rule})")


def require(holds: object, rule: str) -> None:
    """Raise an error with the rule unless it holds."""
    if not holds:
        raise ValueError(rule)


def _restored(entries: dict[str, NDArray[Any]]) -> Optimizer:
    """The optimizer whose state these entries hold."""
    state = json.loads(str(entries.pop("state")))
    require(state["format"] in (FORMAT, WITHOUT_SIDES), f"its format is {FORMAT!r} or {WITHOUT_SIDES!r}")
    settings, scalars = {**OLDER, **state["settings"]}, state["scalars"]
    space = Space.from_json(settings["bounds"])
    corners = space.decode(np.array([space.box.lower, space.box.upper]))  # the population itself may lie outside
    init = corners[np.arange(len(entries["_P"])) % 2]
    optimizer = Optimizer(**settings | {"bounds": space}, init=init, rng=_generator(state["rng"]))
    require(json.loads(json.dumps(settings_of(optimizer))) == settings, "its settings are those of an optimizer")
    for name in FLAGS:
        setattr(optimizer, name, bool(scalars.get(name, False)))
    if "errors" in state:
        count, first = state["errors"]
        require(type(count) is int and count >= 0 and isinstance(first, str), "its errors are counted")
        optimizer._errors = Errors(count, first)
    loop, asked = optimizer._loop, len(entries.get("_asked", ()))
    require(scalars.get("_trials", asked) == asked, "the points asked for are there")
    loop.run.generations, loop.run.trials = scalars["_generations"], asked
    loop.sizes[:] = entries.get("_sizes", loop.sizes)  # before the archive
    arrays = _arrays(loop)
    if state["format"] == WITHOUT_SIDES:
        entries = _with_sides(entries, arrays)
    require(entries.keys() == arrays.keys(), "its entries are those of an optimizer")
    for name, array in arrays.items():
        values, rule = entries[name], f"{name} is an array of {array.dtype} {array.shape}"
        require(values.dtype == array.dtype and values.shape == array.shape, rule)
        array[:] = values
    _check(optimizer)
    size = loop.sizes[POPULATION]
    loop.order[:size] = np.argsort(loop.f[:size], kind="stable")
    loop.run.best = int(loop.order[0])
    return optimizer


def _with_sides(entries: Mapping[str, NDArray[Any]], arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The entries of a file that does not say which bound was violated: the sums of both are counted at the upper one.

    What was not noted at marks is 0. `Optimizer._knows_sides` is False then, also in files that are saved later.
    """
    sums = {name: entries[name] for name in ("_violations", "_asked_violations")}
    both = {name: np.stack([np.zeros_like(values), values]) for name, values in sums.items()}
    later = ("_wraps", "_asked_wraps", "_violations_at", "_best_at", "_spread_at")
    return {**{name: np.zeros_like(arrays[name]) for name in later}, **entries, **both}


def _generator(state: dict[str, Any]) -> np.random.Generator:
    """In this state: NumPy would read beyond a buffer, and a generator of nothing but zeros never ends a redraw."""
    require(state["bit_generator"] in BIT_GENERATORS, "its bit generator can be saved")
    places = {"pos": 0, "buffer_pos": 0, **state, **state["state"]}
    require(0 <= places["pos"] <= 624 and 0 <= places["buffer_pos"] <= 4, "its numbers are in a buffer")
    bit_generator = getattr(np.random, state["bit_generator"])(0)
    bit_generator.state = state
    require(len(set(bit_generator.random_raw(2000).tolist())) > 1000, "its random numbers differ")
    bit_generator.state = state
    return np.random.Generator(bit_generator)


def _check(optimizer: Optimizer) -> None:
    """Require numbers from which the core can go on."""
    loop, box, done, trials = optimizer._loop, optimizer.box, optimizer.nfev, optimizer._loop.run.trials
    (size, archived, cell), N, budget = loop.sizes.tolist(), loop.config.N, optimizer.budget
    passed, due = np.count_nonzero(loop.marks <= done), min(size, budget - done)
    F, Cr = np.hstack([loop.memory, loop.F_Cr])
    terminal = (Cr == reference.TERMINAL) & loop.config.operators.adaptation.has_terminal_cells
    points = np.vstack([loop.population, loop.P[N : N + archived], loop.U[:trials]])
    ranges: dict[str, tuple[Any, Any, Any]] = {  # values, least, most
        "the size of the population": (size, loop.run.least if done else N, N),
        "the size of the archive": (archived, 0, archive_size(loop.run.archives, size)),
        "the cell that learns next": (cell, 0, loop.memory.shape[1] - 1),
        "the number of generations": (loop.run.generations, 0 if done else -1, done - 1),
        "the number of points asked for": (trials, due if trials else 0, due),
        "a count": (loop.counts, [0, 0, 0, 0, passed], [budget, done, done, done, passed]),
        "a count of infeasible trials": (loop.infeasible_at, 0, done),
        "a count of violations": (np.vstack([loop.violations[None], loop.violations_at]), 0, done),
        "violations of points asked for": (loop.pending, 0, N),
        "a count of wraps": (np.vstack([loop.wraps, loop.pending[2]]), 0, max(done, N) * optimizer.space.periodic),
        "F": (F, np.nextafter(0.0, 1.0), 2.0),
        "Cr": (np.where(terminal, 0.0, Cr), 0.0, 1.0),
    }
    if not loop.config.operators.strategy.leaves_outside:
        ranges["a point"] = (points, box.lower, box.upper)
    for name, (values, least, most) in ranges.items():
        require(np.all((values >= np.array(least)) & (values <= np.array(most))), f"{name} lies in [{least}, {most}]")
