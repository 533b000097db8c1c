"""What an adaptation must do: draw F and Cr that mutation and crossover take, and learn without breaking its memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from debox.de.adaptations import are_pairs
from debox.registry.checks.calls import call, fail, text_of

if TYPE_CHECKING:
    from debox.registry import Operator

PAIRS = "0 < F ≤ 2 and 0 ≤ Cr ≤ 1"
SIZES = (1, 4, 7)  # individuals
STARTS = ((2.0, 1.0), (1e-3, 0.0))  # that may be asked for, near the ends of what is allowed
GENERATIONS = 12
Matrix = NDArray[np.float64]


def check(operator: Operator) -> None:
    """Try an adaptation: some generations of trials, with gains of every kind, from its own start and from others."""
    rng = np.random.default_rng(1)
    for N, start in product(SIZES, (operator.start, *STARTS)):
        memory, cell = first_memory(replace(operator, start=start), N), 0
        for gain in gains(N, rng):
            F_Cr = np.full((2, N), np.nan)
            for i in range(N):
                sample(operator, i, memory, rng, F_Cr)
            cell = learn(operator, F_Cr, gain, memory, cell)


def first_memory(operator: Operator, N: int) -> Matrix:
    """What the memory holds before the first generation."""
    return np.repeat(np.array(operator.start, float)[:, None], operator.memory or N, axis=1)


def gains(N: int, rng: np.random.Generator) -> Iterator[Matrix]:
    """f(target) − f(trial) of generations without and with success, ties and infinite ones; the last is cut short"""
    yield from (np.full(N, value) for value in (-1.0, 0.0, np.inf, 1e-300, 1e300))
    for _ in range(GENERATIONS):
        yield rng.choice([-1.0, -1.0, 0.0, rng.random(), np.inf], N, p=[0.3, 0.2, 0.1, 0.3, 0.1])
    yield rng.random((N + 1) // 2)


def sample(operator: Operator, i: int, memory: Matrix, rng: np.random.Generator, F_Cr: Matrix) -> None:
    """Let the adaptation write F and Cr of trial i; it may write nothing else."""
    before, remembered = F_Cr.copy(), memory.copy()
    args = [i, remembered, None, before]
    result = call(operator, i, memory, rng, F_Cr)
    if result is not None:
        fail(operator, args, f"returned {text_of(result)}", "it writes into F_Cr and returns nothing")
    F, Cr = F_Cr[:, i]
    if not are_pairs(F_Cr[:, i : i + 1]):
        fail(operator, args, f"left F = {text_of(F)}, Cr = {text_of(Cr)}", f"allowed are {PAIRS}")
    F_Cr_elsewhere = np.delete(F_Cr, i, axis=1)
    if not np.array_equal(F_Cr_elsewhere, np.delete(before, i, axis=1), equal_nan=True):
        fail(operator, args, f"left F_Cr = {text_of(F_Cr)}", f"it may change column {i} alone")
    if not np.array_equal(memory, remembered, equal_nan=True):
        fail(operator, args, f"changed the memory to {text_of(memory)}", "it may change F_Cr alone")


def learn(operator: Operator, F_Cr: Matrix, gain: Matrix, memory: Matrix, cell: int) -> int:
    """Let the adaptation learn from a generation: the cell that learns next, which must be one of the memory."""
    args: list[Any] = [F_Cr.copy(), gain.copy(), memory.copy(), cell]
    found: Any = call(operator, F_Cr, gain, memory, cell, function=operator.learn)
    cells = memory.shape[1]
    if not isinstance(found, int | np.integer) or not 0 <= found < cells:
        allowed = f"allowed is a column of the memory, an integer from 0 to {cells - 1}"
        fail(operator, args, f"returned {text_of(found)}", allowed, operator.learn)
    if not np.array_equal(F_Cr, args[0]):
        fail(operator, args, f"changed F_Cr to {text_of(F_Cr)}", "it may change memory and gain alone", operator.learn)
    if not are_pairs(memory, operator.has_terminal_cells):
        allowed = f"allowed are {PAIRS}; Cr = −1 with has_terminal_cells=True"
        fail(operator, args, f"left memory = {text_of(memory)}", allowed, operator.learn)
    return int(found)
