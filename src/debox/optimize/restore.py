"""Restoring the Optimizer that was saved in a file, or an error: anything may be in a file.

A state that passes is one that a run can be in, so that it is safe to continue from it: every array has its type and
shape, every point lies in the box (unless the strategy leaves points outside), and the counts fit together. Of an
adaptive run the memory, the archive and the size of the population fit, too; the order of the population, and what a
kernel only uses as room, are no part of a file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Never

import numpy as np
from numpy.typing import NDArray

from debox import check
from debox.config import resolve_operator
from debox.de import algorithm
from debox.de.adaptations import are_pairs
from debox.de.adaptive import CELL, archive_of, archive_size, rank_anew, scheduled_N
from debox.de.algorithm import ACCEPTED, INFEASIBLE, MARKS_PASSED, Tally
from debox.optimize.archive import WrongContent, array, require, text
from debox.optimize.generators import generator
from debox.optimize.optimizer import Optimizer

FORMAT = "debox optimizer 1"
ARRAYS = ("_P", "_f", "_counts", "_infeasible_at", "_violations", "_asked_infeasible", "_asked_violations")
ADAPTIVE_ARRAYS = ("_memory", "_sizes", "_archive", "_F_Cr")  # and those of an adaptive run
SCALARS = ("_generations", "_best", "_stopped")
SETTINGS = {
    "bounds": list,
    "variant": str,
    "strategy": list,
    "N": int,
    "F": float,
    "Cr": float,
    "donors": str,
    "repair": str,
    "adaptation": str,
    "budget": int,
    "target": float | None,
}


def arrays_of(optimizer: Optimizer) -> dict[str, NDArray[Any]]:
    """The arrays of an optimizer, by the names that they have in a file."""
    counts, _, infeasible_at, violations = optimizer._tally
    asked = (optimizer._asked_infeasible, optimizer._asked_tally.violations)
    everyone = optimizer._rows[
        : optimizer.config.N
    ]  # all N rows, though the population may have shrunk: the array in a file always has N
    arrays = dict(zip(ARRAYS, (everyone, optimizer._f, counts, infeasible_at, violations, *asked), strict=True))
    if optimizer.config.adapts:
        adaptation = optimizer._de.adaptation
        archive = archive_of(adaptation, optimizer._rows)
        adaptive = (adaptation.memory, adaptation.sizes, archive, optimizer._F_Cr)
        arrays |= dict(zip(ADAPTIVE_ARRAYS, adaptive, strict=True))
    return arrays


def restore_optimizer(entries: Mapping[str, bytes]) -> Optimizer:
    """The optimizer whose state these entries hold."""
    require(entries.keys() >= {"state", *ARRAYS}, "its entries are those of an optimizer")
    state = _state(text(entries["state"]))
    settings, scalars = state["settings"], state["scalars"]
    rng = generator(state["rng"])
    P = array(entries["_P"], np.float64, (settings["N"], len(settings["bounds"])))
    try:
        optimizer = Optimizer(**settings, init=_initial_points(settings, P), rng=rng)
    except (TypeError, ValueError) as error:
        raise WrongContent(str(error)) from None
    optimizer._generations, optimizer._best = scalars["_generations"], scalars["_best"]
    optimizer._stopped = bool(scalars["_stopped"])
    arrays = arrays_of(optimizer)
    require(entries.keys() - {"_asked"} == {"state", *arrays}, "its entries are those of an optimizer")
    for name, values in arrays.items():
        if name != "_archive":
            values[:] = array(entries[name], values.dtype, values.shape)
    _check_counts(optimizer)
    begun = optimizer._generations >= 0
    require(begun or not optimizer._asked_infeasible.any(), "the initial population is feasible")
    if optimizer.config.adapts:
        _check_sizes(optimizer)
        _restore_archive(optimizer, entries["_archive"])
        _check_memory(optimizer)
    if "_asked" in entries:
        left = optimizer.budget - optimizer.nfev
        optimizer._asked = array(entries["_asked"], np.float64, (min(optimizer._N, left), optimizer.box.n))
        _check_asked(optimizer, optimizer._asked)
    return optimizer


def _check_sizes(optimizer: Optimizer) -> None:
    """Require the number of individuals that is due, no more in the archive than it holds, a cell of the memory."""
    adaptation, config = optimizer._de.adaptation, optimizer.config
    N, archived, cell = adaptation.sizes.tolist()
    shrunk = scheduled_N(config.N, adaptation.least, optimizer.nfev, optimizer.budget)
    due = shrunk if optimizer._generations > 0 else config.N
    require(due == N, "the population is as large as evaluations say")
    require(0 <= archived <= archive_size(adaptation.archives, N), "the archive is no larger than it may be")
    require(archived <= optimizer._tally.counts[ACCEPTED], "what is archived was replaced")
    require(0 <= cell < adaptation.memory.shape[1], "the cell that learns next is one of the memory")
    require(np.isnan(optimizer._f[N:]).all(), "individuals that left have no values")


def _restore_archive(optimizer: Optimizer, entry: bytes) -> None:
    """Fill the archive and rank the population."""
    adaptation = optimizer._de.adaptation
    archive = archive_of(adaptation, optimizer._rows)
    archive[:] = array(entry, np.float64, archive.shape)
    inside = optimizer.config.operators.strategy.leaves_outside or optimizer.box.contains(archive).all()
    require(inside, "the archive is in the box")
    rank_anew(adaptation, optimizer._f)


def _check_memory(optimizer: Optimizer) -> None:
    """Require a memory that a run can have: F and Cr in their range, those of the start while nothing is learned."""
    config, adaptation = optimizer.config, optimizer._de.adaptation
    has_terminal_cells = config.operators.adaptation.has_terminal_cells
    require(are_pairs(adaptation.memory, has_terminal_cells), "F and Cr of the memory are in their range")
    require(are_pairs(optimizer._F_Cr), "F and Cr of the points asked for are in their range")
    if optimizer._generations < 1 or config.adaptation == "fixed":
        (F, Cr), cell = adaptation.memory, adaptation.sizes[CELL]
        require(cell == 0 and (F == config.F).all() and (Cr == config.Cr).all(), "without trials nothing is learned")


def _initial_points(settings: Mapping[str, Any], P: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points that an Optimizer may begin with: the population or, if it may lie outside, the corner of the box."""
    if any(resolve_operator("strategy", name).leaves_outside for name in settings["strategy"]):
        return np.tile(np.array(settings["bounds"])[:, 0], (len(P), 1))
    return P


def _state(json_text: str) -> Any:
    """The state in this JSON text, every part of it of its type."""
    try:
        state: Any = json.loads(json_text, parse_constant=_reject_constant)
    except (ValueError, RecursionError):
        raise WrongContent("its state is JSON") from None
    require(isinstance(state, dict) and state.get("format") == FORMAT, f"its format is {FORMAT!r}")
    require(
        state.keys() == {"format", "settings", "scalars", "rng"}, "its state has these parts: settings, scalars, rng"
    )
    settings, scalars = state["settings"], state["scalars"]
    if isinstance(settings, dict):
        settings.setdefault("repair", "trial")  # files of earlier versions have neither
        settings.setdefault("adaptation", "fixed")
    require(
        isinstance(settings, dict) and settings.keys() == SETTINGS.keys(), f"its settings are {', '.join(SETTINGS)}"
    )
    for name, kind in SETTINGS.items():
        require(isinstance(settings[name], kind) and not isinstance(settings[name], bool), f"{name} has its type")
    require(settings["N"] > 0, "N is positive")
    pairs = [pair for pair in settings["bounds"] if isinstance(pair, list) and list(map(type, pair)) == [float, float]]
    require(len(pairs) == len(settings["bounds"]), "bounds are pairs of numbers")
    require(all(isinstance(name, str) for name in settings["strategy"]), "strategies are names")
    limits = {"_generations": check.MOST_EVALUATIONS, "_best": settings["N"], "_stopped": 2}
    least = {"_generations": -1}
    require(isinstance(scalars, dict) and scalars.keys() == limits.keys(), f"its scalars are {', '.join(SCALARS)}")
    for name, limit in limits.items():
        require(type(scalars[name]) is int and least.get(name, 0) <= scalars[name] < limit, f"{name} is in its range")
    return state


def _reject_constant(constant: str) -> Never:
    raise ValueError(constant)


def _check_counts(optimizer: Optimizer) -> None:
    """Require counts and values that a run can have after its number of generations."""
    N, budget, generations, f = optimizer.config.N, optimizer.budget, optimizer._generations, optimizer._f
    done, infeasible, accepted, nans, _ = optimizer._tally.counts.tolist()
    least = optimizer._de.adaptation.least if optimizer.config.adapts else N
    require(generations <= 0 or _fewest(N, least, generations - 1) < budget, "no generation comes after the end")
    fewest, most = (min(number, budget) for number in (_fewest(N, least, generations), N * (generations + 1)))
    require(fewest <= done <= most, "the evaluations are those of its generations")
    trials = max(done - N, 0)
    require(0 <= infeasible <= trials and 0 <= accepted <= trials, "no count is larger than the number of trials")
    unknown = int(np.isnan(f[: optimizer._N]).sum())
    require(unknown <= nans <= done if done else (unknown, nans) == (N, 0), "NaN values are counted")
    require(optimizer._best == algorithm.best_of(f), "the best is where the smallest value is")
    _check_marks(optimizer._tally, N, done)
    _check_violations(optimizer._tally.violations, infeasible)


def _fewest(N: int, least: int, generations: int) -> int:
    """The evaluations up to a generation, −1 being none, if the population shrinks to `least` after the first two."""
    return N * min(generations + 1, 2) + least * max(generations - 1, 0)


def _check_marks(tally: Tally, N: int, done: int) -> None:
    """Require a possible number of infeasible trials at each mark that is passed, and none at the others."""
    counts, marks, infeasible_at, _ = tally
    passed, infeasible = int(counts[MARKS_PASSED]), int(counts[INFEASIBLE])
    require(passed == np.count_nonzero(marks <= done) and not infeasible_at[passed:].any(), "marks are passed in time")
    at = np.concatenate([[0], infeasible_at[:passed], [infeasible]])
    trials = np.maximum(np.concatenate([[0], marks[:passed], [done]]) - N, 0)
    require((at >= 0).all(), "no count is negative")
    steps = np.diff(at)
    require((steps >= 0).all() and (steps <= np.diff(trials)).all(), "infeasible trials are counted as they come")


def _check_violations(violations: NDArray[np.int64], infeasible: int) -> None:
    """Require violations that fit: an infeasible trial violates at least one bound, that of a variable once."""
    counts = violations.tolist()
    require(min(counts) >= 0 and max(counts) <= infeasible <= sum(counts), "violations fit the infeasible trials")


def _check_asked(optimizer: Optimizer, asked: NDArray[np.float64]) -> None:
    """Require that the points asked for lie in the box, and that the first ones are the population."""
    inside = optimizer.config.operators.strategy.leaves_outside or optimizer.box.contains(asked).all()
    require(len(asked) > 0 and inside, "the points asked for are in the box")
    if optimizer._generations < 0:
        require(np.array_equal(asked, optimizer._P), "the first points asked for are the population")
    else:
        infeasible = int(optimizer._asked_infeasible[: len(asked)].sum())
        _check_violations(optimizer._asked_tally.violations, infeasible)
