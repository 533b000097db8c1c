"""The state of an Optimizer on disk: one .npz file without pickles, replaced whole or not at all.

A file that is damaged, cut or of another kind is refused: the archive has checksums, and every entry must have its
name, type, shape and range. The core indexes arrays with these numbers and draws F until it is positive.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Mapping
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from debox import files, outputs, reference
from debox.loop import ACCEPTED, ARCHIVED, CELL, INFEASIBLE, MARKS_PASSED, NANS, POPULATION, Loop, archive_size
from debox.optimize.optimizer import Optimizer
from debox.optimize.variables import Space

FORMAT = "debox optimizer 2"
WITHOUT_SIDES = "debox optimizer 1"  # the format of files that do not say which bound was violated
SETTINGS = ("bounds", "variant", "strategy", "N", "F", "Cr", "donors", "repair", "adaptation", "budget", "target")
OLDER = {"repair": "trial", "adaptation": "fixed"}  # what the settings of earlier versions do not say
BIT_GENERATORS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")
LAST_PLACE = {"pos": 624, "buffer_pos": 4}  # in the buffers of MT19937 and Philox


class WrongContent(ValueError):
    """The content of a file breaks a rule; the message is the rule."""


def require(holds: object, rule: str) -> None:
    """Raise WrongContent unless the rule holds."""
    if not holds:
        raise WrongContent(rule)


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
    config, loop, rng = optimizer.config, optimizer._loop, optimizer.rng.bit_generator.state
    if rng["bit_generator"] not in BIT_GENERATORS:
        known = ", ".join(BIT_GENERATORS)
        raise ValueError(f"to be saved, rng must draw from one of {known}, got {rng['bit_generator']}")
    settings = {name: getattr(config, name) for name in ("variant", "N", "F", "Cr", "donors", "repair", "adaptation")}
    settings |= {"bounds": optimizer.space.to_json()}
    settings |= {"strategy": optimizer.strategies, "budget": optimizer.budget}
    settings |= {"target": None if np.isnan(optimizer.target) else optimizer.target}
    scalars = {"_generations": loop.run.generations, "_best": loop.run.best, "_trials": loop.run.trials}
    scalars |= {"_stopped": int(optimizer._stopped), "_knows_sides": int(optimizer._knows_sides)}
    state = {"format": FORMAT, "settings": settings, "scalars": scalars, "rng": rng}
    arrays: dict[str, Any] = _arrays(loop)
    if loop.run.trials:
        arrays["_asked"] = loop.U[: loop.run.trials]
    np.savez(file, state=np.array(json.dumps(state, default=np.ndarray.tolist)), **arrays)


def _arrays(loop: Loop) -> dict[str, NDArray[Any]]:
    """The arrays in a file by the names of their entries, the archive cut to its size."""
    N = loop.config.N
    arrays: dict[str, NDArray[Any]] = {
        "_P": loop.P[:N],
        "_f": loop.f,
        "_counts": loop.counts,
        "_infeasible_at": loop.infeasible_at,
        "_violations": loop.violations,
        "_asked_infeasible": loop.infeasible,
        "_asked_violations": loop.pending,
        "_wraps": loop.wraps,
        "_asked_wraps": loop.pending_wraps,
        "_violations_at": loop.violations_at,
        "_best_at": loop.best_at,
        "_spread_at": loop.spread_at,
    }
    if loop.config.is_ranked:
        archive = loop.P[N : N + loop.sizes[ARCHIVED]]
        arrays |= {"_memory": loop.memory, "_sizes": loop.sizes, "_archive": archive, "_F_Cr": loop.F_Cr}
    return arrays


def _load(data: bytes, name: str) -> Optimizer:
    rule = "it is a whole archive of arrays"  # errors on the way are of many kinds, and some advise to unpickle
    try:
        with np.load(BytesIO(data), allow_pickle=False) as archive:
            sizes = [entry.file_size for entry in archive.zip.infolist()]
            require(sum(sizes) < len(data), "its entries are no larger than the file")  # none is unpacked, or twice
            entries = {entry: archive[entry] for entry in archive.files}
        rule = "its content has the right form"
        return _restore(entries)
    except MemoryError:
        raise
    except WrongContent as error:
        rule = str(error)
    except Exception as error:
        rule += f": {error}" if rule.startswith("its") else ""
    kind = "is not a file that Optimizer.save wrote, or not all of it, or from another version of debox"
    raise ValueError(f"{name} {kind} (broken rule: {rule})")


def _restore(entries: Mapping[str, NDArray[Any]]) -> Optimizer:
    """The optimizer whose state these entries hold."""
    state = json.loads(str(entries["state"]))
    require(state["format"] in (FORMAT, WITHOUT_SIDES), f"its format is {FORMAT!r} or {WITHOUT_SIDES!r}")
    settings, scalars = {**OLDER, **state["settings"]}, state["scalars"]
    require(settings.keys() == set(SETTINGS), f"its settings are {', '.join(SETTINGS)}")
    space = settings["bounds"] = Space.from_json(settings["bounds"])
    corners = np.tile(space.decode(space.box.lower), (len(entries["_P"]), 1))  # the population may lie outside
    optimizer = Optimizer(**settings, init=corners, rng=_generator(state["rng"]))
    loop, asked = optimizer._loop, entries.get("_asked", np.empty((0, optimizer.box.n)))
    require(scalars.get("_trials", len(asked)) == len(asked), "the points asked for are there")
    if loop.config.is_ranked:
        loop.sizes[:] = _like(entries["_sizes"], loop.sizes)
    arrays = _arrays(loop)
    if state["format"] == WITHOUT_SIDES:
        entries = _with_sides(entries, arrays)
    optimizer._knows_sides = bool(scalars.get("_knows_sides", False))
    require(entries.keys() - {"_asked", "state"} == arrays.keys(), "its entries are those of an optimizer")
    for name, values in arrays.items():
        values[:] = _like(entries[name], values)
    loop.run.generations, loop.run.best = scalars["_generations"], scalars["_best"]
    optimizer._stopped = bool(scalars["_stopped"])
    _check_counts(optimizer)
    _check_points(optimizer, asked)
    if loop.config.is_ranked:
        _check_memory(loop)
        loop.order[: loop.sizes[POPULATION]] = np.argsort(loop.f[: loop.sizes[POPULATION]], kind="stable")
    loop.U[: len(asked)], loop.run.trials = asked, len(asked)
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
    places = {**state, **state["state"]}
    require(all(0 <= places.get(name, 0) <= last for name, last in LAST_PLACE.items()), "its numbers are in a buffer")
    bit_generator = getattr(np.random, state["bit_generator"])(0)
    bit_generator.state = state
    require(len(set(bit_generator.random_raw(2000).tolist())) > 1000, "its random numbers differ")
    bit_generator.state = state
    return np.random.Generator(bit_generator)


def _like(values: NDArray[Any], array: NDArray[Any]) -> NDArray[Any]:
    """The values, if they have the type and shape of the array."""
    require(values.dtype == array.dtype and values.shape == array.shape, f"an array is {array.dtype} {array.shape}")
    return values


def _check_counts(optimizer: Optimizer) -> None:
    """Require counts and sizes that a run can have after its number of generations."""
    loop, generations = optimizer._loop, optimizer._loop.run.generations
    N, done, budget, counts = loop.config.N, loop.evaluations, optimizer.budget, loop.counts
    shrinks = loop.run.least < N
    scheduled = int(N + (loop.run.least - N) * done / budget + 0.5) if shrinks and generations > 0 else N
    require(loop.sizes[POPULATION] == max(scheduled, loop.run.least), "the population is as large as evaluations say")
    archived, most_archived = loop.sizes[ARCHIVED], archive_size(loop.run.archives, int(loop.sizes[POPULATION]))
    require(0 <= archived <= most_archived, "the archive is no larger than it may be")
    most = min(N * (generations + 1), budget)
    fewest = N + loop.run.least * (generations - 1) + 1 if generations > 0 else most
    require(fewest <= done <= most and (shrinks or done == most), "the evaluations are its generations'")
    require((done == 0) == (generations < 0), "the initial population is evaluated first")
    require(generations >= 0 or np.isnan(loop.f).all(), "no value is known before the first evaluations")
    trials = max(done - N, 0)
    require(0 <= counts[INFEASIBLE] <= trials and 0 <= counts[ACCEPTED] <= trials, "no count exceeds the trials")
    require(0 <= counts[NANS] <= done, "NaN values are counted")
    passed = np.count_nonzero(loop.marks <= done)
    require(counts[MARKS_PASSED] == passed and not loop.infeasible_at[passed:].any(), "marks are passed in time")
    at = np.concatenate([[0], loop.infeasible_at[:passed], [counts[INFEASIBLE]]])
    require((np.diff(at) >= 0).all(), "infeasible trials are counted as they come")
    require(_fit(loop.violations, counts[INFEASIBLE]), "violations are as many as infeasible trials have")
    noted = np.concatenate([loop.violations_at[:passed], [loop.violations]])
    require(noted[0].min() >= 0 and (np.diff(noted, axis=0) >= 0).all(), "violations are counted as they come")
    later = (loop.violations_at[passed:], loop.best_at[passed:], loop.spread_at[passed:])
    require(not any(values.any() for values in later), "nothing is noted at marks before they are passed")
    require(not (loop.spread_at < 0).any(), "no spread is negative")
    for wraps, most in ((loop.wraps, trials), (loop.pending_wraps, N)):
        allowed = most * optimizer.space.periodic
        require(((wraps >= 0) & (wraps <= allowed)).all(), "periodic variables alone are wrapped, once per trial")
    values = loop.f[: loop.sizes[POPULATION]]
    require(loop.run.best == (0 if np.isnan(values).all() else np.nanargmin(values)), "the best has the smallest value")


def _fit(violations: NDArray[Any], infeasible: int) -> bool:
    """Can so many infeasible trials have these violations of bounds?"""
    per_variable = violations.sum(axis=0)
    return bool(violations.min() >= 0 and per_variable.max() <= infeasible <= per_variable.sum())


def _check_points(optimizer: Optimizer, asked: NDArray[Any]) -> None:
    """Require that points lie in the box, unless the strategy leaves them outside, and are as many as are due."""
    loop = optimizer._loop
    due = min(loop.sizes[POPULATION], optimizer.budget - loop.evaluations)
    require(len(asked) in (0, due), "the points asked for are as many as are due")
    _like(asked, loop.U[: len(asked)])
    if not loop.config.operators.strategy.leaves_outside:
        archive = loop.P[loop.config.N : loop.config.N + loop.sizes[ARCHIVED]]
        points = np.vstack([loop.population, archive, asked])
        require(optimizer.box.contains(points).all(), "all points are in the box")
    infeasible = int(loop.infeasible[: len(asked)].sum())
    require(not len(asked) or _fit(loop.pending, infeasible), "violations of points asked for are theirs")
    if loop.run.generations < 0 and len(asked):
        require(np.array_equal(asked, loop.population), "the first points asked for are the population")
        require(not infeasible, "the first points asked for are feasible")


def _check_memory(loop: Loop) -> None:
    """Require F and Cr in their range, in the memory and of the trials, and a cell of the memory."""
    terminal = loop.config.operators.adaptation.has_terminal_cells
    for F, Cr in (loop.memory, loop.F_Cr):
        is_Cr = ((Cr >= 0) & (Cr <= 1)) | (terminal & (Cr == reference.TERMINAL))
        require((is_Cr & (F > 0) & (F <= 2)).all(), "F and Cr are in their range")
    require(0 <= loop.sizes[CELL] < loop.memory.shape[1], "the cell that learns next is one of the memory")
