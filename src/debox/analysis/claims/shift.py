"""How far a reading moves the mean share of every configuration that it has other runs of, beside chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.analysis.claims.readings import Replacement
from debox.analysis.claims.rules import ALPHA
from debox.analysis.claims.statistics import holm
from debox.study.fields import AXES

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Shift:
    """What a reading changes.

    Attributes
    ----------
    compared, differ : int
        How many configurations have runs of the reading; in how many of them at least one run counts otherwise.
    beyond_chance : int
        In how many of them the means differ: paired t of the runs, corrected by Holm's method for all compared.
    largest : float
        The largest difference of means among those; 0 if there are none.
    where : dict
        The factors of the configuration that has it; empty if there are none.
    by_factor : dict
        For mutation, crossover, N and F: value → how many configurations move beyond chance.
    """

    compared: int
    differ: int
    beyond_chance: int
    largest: float
    where: dict[str, Any]
    by_factor: dict[str, dict[Any, int]]


def shift_of(replacement: Replacement) -> Shift:
    """Compare runs of the same place, which have the same seed where only the arithmetic is another.

    `replace_runs` puts those of a reading in the order of their numbers, `by_number` those of the study.
    """
    from scipy.stats import t as student

    axes = replacement.before.axes
    difference = replacement.after.share - replacement.before.share
    compared = replacement.replaced
    differ = compared & (difference != 0).any(-1)
    moved = np.where(compared, difference.mean(-1), 0.0)
    error = np.where(compared, difference.std(-1, ddof=1), 0.0) / np.sqrt(replacement.before.runs)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * student.sf(np.abs(moved) / error, replacement.before.runs - 1)
    p[~differ] = 1.0
    corrected = np.ones(p.shape)
    corrected[compared] = np.array(holm(p[compared].tolist()), float)
    clear = differ & (corrected < ALPHA)
    by_factor = {
        name: {value: int(clear.take(k, AXES.index(name)).sum()) for k, value in enumerate(axes[name])}
        for name in ("mutation", "crossover", "N", "F", "Cr")
    }
    if not clear.any():
        return Shift(int(compared.sum()), int(differ.sum()), 0, 0.0, {}, by_factor)
    at = np.unravel_index(np.argmax(np.where(clear, np.abs(moved), -1.0)), clear.shape)
    where = {name: axes[name][k] for name, k in zip(AXES, at, strict=True)}
    return Shift(int(compared.sum()), int(differ.sum()), int(clear.sum()), float(moved[at]), where, by_factor)
