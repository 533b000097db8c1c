"""How far a fresh sample may be from a prediction: a band that the study itself calibrates, without any new run.

Rows and columns of the grid are left out one at a time (inside only: at the border there is nothing to interpolate
between) and predicted from the others; how far these predictions are off, measured by how rough the grid is there, says
how wide a band must be that holds `level` of what was left out. Lengths are on the scale of arcsin √share, on which
runs vary about equally everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from statistics import NormalDist

import numpy as np

from debox import check
from debox.analysis.predict import splines
from debox.analysis.predict.grid import Floats, Grid, from_logit
from debox.analysis.predict.methods import CHOSEN, METHODS, stretch_Cr, stretch_F

OUTER = 3  # steps between the smallest runs, or the largest, that say how far apart runs beyond them lie
LEAST = 0.002  # roughness of a place where neighbours agree, on the scale of angles


@dataclass(frozen=True, eq=False)
class Guess:
    """Predicted counts, rows × columns × runs; how rough the grid is there (an angle), and how noisy, both … × 1.

    The noise is the variance of the prediction ÷ that of as many fresh runs: 1 on a cell, 1/4 amid four of them.
    """

    counts: Floats
    roughness: Floats
    noise: Floats
    trials: int

    @classmethod
    def of(cls, grid: Grid, F: Floats, Cr: Floats) -> Guess:
        """Of all these F with all these Cr."""
        return cls(METHODS[CHOSEN](grid, F, Cr), roughness(grid, F, Cr), noise(grid, F, Cr), grid.trials)

    def reach(self, level: float) -> tuple[Floats, Floats]:
        """Where the k-th smallest of as many runs lies with this probability, were there but noise; as angles.

        Its level, the share of the law below it, is a Beta(k, runs + 1 − k) variable, whose log-odds have the variance
        ψ′(k) + ψ′(runs + 1 − k); noise adds its part. They are taken as normal, also of the smallest and largest run.
        """
        runs, angles = self.counts.shape[-1], to_angle(self.counts, self.trials)
        variance = trigamma(runs) + trigamma(runs)[::-1]
        apart = NormalDist().inv_cdf((1 + level) / 2) * np.sqrt((1 + self.noise) * variance)
        low, high = (at_log_odds(angles, log_odds(runs) + side * apart) for side in (-1, 1))
        return low, high

    def band(self, level: float, widening: float) -> tuple[Floats, Floats]:
        """Low and high counts: the reach, and on both sides the widening times the roughness."""
        low, high = self.reach(level)
        more = max(widening, 0.0) * self.roughness
        return from_angle(low - more, self.trials), from_angle(high + more, self.trials)


def roughness(grid: Grid, F: Floats, Cr: Floats) -> Floats:
    """√(h_F² + h_Cr²) + LEAST, h = 4 t (1 − t) √Δ · mean |difference of what the two neighbours say|

    t is the place between the two neighbouring levels, Δ their distance, both stretched. A neighbour says: theory
    here, and my deviation from it. The error of a smooth surface grows as Δ times the difference, that of a surface
    with an edge as the difference; √Δ is between.
    """
    deviation, theory = grid.deviation, grid.baseline(F, Cr)[..., None]
    known = stretch_F(grid.F), stretch_Cr(grid.Cr, grid.dimension)
    wanted = stretch_F(F), stretch_Cr(Cr, grid.dimension)
    at_Cr = splines.monotone(known[1], deviation.swapaxes(0, 1), wanted[1]).swapaxes(0, 1)
    at_F = splines.monotone(known[0], deviation, wanted[0])
    squares = np.zeros((len(F), len(Cr), 1))
    for axis, rows in ((0, at_Cr), (1, at_F)):
        k, t = splines.place(known[axis], wanted[axis])
        says = [to_angle(from_logit(theory + rows.take(one, axis), grid.trials), grid.trials) for one in (k, k + 1)]
        weight = 4 * t * (1 - t) * np.sqrt(np.diff(known[axis])[k])
        weight = weight.reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
        squares += (weight * np.abs(says[1] - says[0]).mean(axis=-1, keepdims=True)) ** 2
    return np.asarray(np.sqrt(squares) + LEAST)


def noise(grid: Grid, F: Floats, Cr: Floats) -> Floats:
    """Σ w² of the weights w with which lines would mix the four cells around, (t² + (1 − t)²) along each axis"""
    known = stretch_F(grid.F), stretch_Cr(grid.Cr, grid.dimension)
    places = [
        splines.place(*axes)[1] for axes in zip(known, (stretch_F(F), stretch_Cr(Cr, grid.dimension)), strict=True)
    ]
    return np.multiply.outer(*(t**2 + (1 - t) ** 2 for t in places))[..., None]


def leave_one_out(grid: Grid) -> Iterator[tuple[Guess, Floats]]:
    """Each row and column inside the grid, predicted from the others, and what is there."""
    for i in range(1, len(grid.F) - 1):
        yield Guess.of(grid.without(F=i), grid.F[i : i + 1], grid.Cr), grid.counts[i : i + 1]
    for j in range(1, len(grid.Cr) - 1):
        yield Guess.of(grid.without(Cr=j), grid.F, grid.Cr[j : j + 1]), grid.counts[:, j : j + 1]


class Calibration:
    """What the cells that were left out say about bands; kept with the grid, for it does not depend on F and Cr."""

    def __init__(self, grid: Grid) -> None:
        self.pairs = list(leave_one_out(grid))
        self.cells: int = sum(there.shape[0] * there.shape[1] for _, there in self.pairs)
        self._widenings: dict[float, float] = {}

    def obstacle(self, level: float) -> str:
        """Why these cells do not suffice for a band of this level; empty if they do."""
        check.real("level", level, "0 < level < 1", lambda level: 0 < level < 1)
        if self._rank(level) <= self.cells:
            return ""
        most = f"ask for at most {self.cells / (self.cells + 1):.3f}"
        able = most if self.cells else "the study has no level of F or Cr between two others"
        return f"{self.cells} cells that can be left out are too few for a band of level {level:g}; {able}"

    def widening(self, level: float) -> float:
        """How many times the roughness a band must be wider than its reach, to hold ⌈level (m + 1)⌉/m of m cells' runs.

        Every run of a cell that is left out has a score, how much wider the band must be to hold it; these are sorted.
        """
        if obstacle := self.obstacle(level):
            raise ValueError(obstacle)
        if level not in self._widenings:
            scores = np.sort(self._scores(level))
            self._widenings[level] = float(scores[self._rank(level) * len(scores) // self.cells - 1])
        return self._widenings[level]

    def _scores(self, level: float) -> Floats:
        scores = []
        for guess, there in self.pairs:
            (low, high), angles = guess.reach(level), to_angle(there, guess.trials)
            scores.append((np.maximum(low - angles, angles - high) / guess.roughness).ravel())
        return np.concatenate(scores)

    def _rank(self, level: float) -> int:
        return ceil(round(level * (self.cells + 1), 9))


def log_odds(runs: int) -> Floats:
    """log(p ÷ (1 − p)) of the levels p = (k − ¼)/(runs + ½), k = 1, …, runs, between k/(runs + 1) and (k − ½)/runs"""
    k = np.arange(1, runs + 1)
    return np.asarray(np.log((k - 0.25) / (runs + 0.75 - k)))


def at_log_odds(angles: Floats, wanted: Floats) -> Floats:
    """Sorted runs at levels between theirs: lines; beyond, as steep over log-odds as the OUTER steps there together"""
    runs = angles.shape[-1]
    place = (runs + 0.5) / (1 + np.exp(-wanted)) - 0.75
    k = np.clip(np.floor(place).astype(np.int64), 0, max(runs - 2, 0))
    t = np.clip(place - k, 0, 1)
    before, after = (np.take_along_axis(angles, one, axis=-1) for one in (k, np.minimum(k + 1, runs - 1)))
    known, outer = log_odds(runs), min(OUTER, runs - 1)
    step = known[outer] - known[0] or 1.0
    first, last = angles[..., outer] - angles[..., 0], angles[..., -1] - angles[..., runs - 1 - outer]
    below, above = np.minimum(wanted - known[0], 0) / step, np.maximum(wanted - known[-1], 0) / step
    return np.asarray((1 - t) * before + t * after + below * first[..., None] + above * last[..., None])


def trigamma(runs: int) -> Floats:
    """ψ′(k) = π²/6 − Σ 1/j² over j < k, k = 1, …, runs"""
    return np.pi**2 / 6 - np.concatenate([[0.0], np.cumsum(1 / np.arange(1.0, runs) ** 2)])


def to_angle(counts: Floats, trials: int) -> Floats:
    """arcsin √(count ÷ trials); counts below none or above all are taken as these"""
    return np.asarray(np.arcsin(np.sqrt(np.clip(counts / trials, 0, 1))))


def from_angle(angles: Floats, trials: int) -> Floats:
    """The count of an angle; one below 0 or above π/2 is taken as these."""
    return np.asarray(trials * np.sin(np.clip(angles, 0, np.pi / 2)) ** 2)
