"""What lies between the cells of a panel: quantile functions interpolated, and how far a fresh sample may be from them.

Runs are interpolated level by level, the k-th smallest of one cell and of the next: between a cell at 0.2 and one at
0.8 lies one at 0.5, not half of each. Monotone splines (PCHIP) interpolate along Cr, then along F, on the scale of
logits, and not the logits themselves but how far they are from those of generation 1, which are known exactly.

The study itself calibrates the band, without any new run. Rows and columns of the grid are left out one at a time
(inside only: at the border there is nothing to interpolate between) and predicted from the others. How far these
predictions are off, measured by how rough the grid is there, says how wide a band must be that holds `level` of what
was left out. Lengths are on the scale of arcsin √share, on which runs vary about equally everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from debox import check

OUTER = 3  # steps between the smallest runs, or the largest, that say how far apart runs beyond them lie
LEAST = 0.002  # roughness of a place where neighbours agree, on the scale of angles
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Cells:
    """The runs of a panel: `counts[i, j, k]` is the k-th smallest number of infeasible trials at (F[i], Cr[j])."""

    F: Floats
    Cr: Floats
    counts: Floats
    theory: Floats  # what generation 1 alone would give, as logits: rows × columns
    trials: int  # of a run
    n: int  # variables

    def keep(self, F: Any = slice(None), Cr: Any = slice(None)) -> Cells:
        """Those at some levels of F and of Cr."""
        counts, theory = (values[F][:, Cr] for values in (self.counts, self.theory))
        return replace(self, F=self.F[F], Cr=self.Cr[Cr], counts=counts, theory=theory)

    def interpolate(self, F: Floats, Cr: Floats, theory: Floats) -> Guess:
        """What to expect at all these F with all these Cr, whose logits of generation 1 are these.

        The roughness is √(h_F² + h_Cr²) + LEAST with h = 4 t (1 − t) √Δ · mean |difference of what both neighbours
        say|; t is the place between two levels, Δ their distance, both stretched. A neighbour says: theory here, and my
        deviation from it. The error of a smooth surface grows as Δ times the difference, that of a surface with an edge
        as the difference; √Δ is between.
        """
        from scipy.interpolate import PchipInterpolator

        known, wanted = stretch(self.F, self.Cr, self.n), stretch(F, Cr, self.n)
        deviation, theory = to_logit(self.counts, self.trials) - self.theory[..., None], theory[..., None]
        at_F, at_Cr = (PchipInterpolator(known[k], deviation, axis=k)(wanted[k]) for k in (0, 1))
        logits = PchipInterpolator(known[0], at_Cr, axis=0)(wanted[0]) + theory
        squares, noise = np.zeros((len(F), len(Cr), 1)), np.ones((len(F), len(Cr), 1))
        for axis, deviations in enumerate((at_Cr, at_F)):
            k = np.clip(np.searchsorted(known[axis], wanted[axis], side="right") - 1, 0, len(known[axis]) - 2)
            step = np.diff(known[axis])[k]
            t = (wanted[axis] - known[axis][k]) / step
            before, after = (
                to_angle(from_logit(theory + deviations.take(one, axis), self.trials), self.trials)
                for one in (k, k + 1)
            )
            weight = np.expand_dims(4 * t * (1 - t) * np.sqrt(step), (1 - axis, 2))
            squares += (weight * np.abs(after - before).mean(axis=-1, keepdims=True)) ** 2
            noise *= np.expand_dims(t**2 + (1 - t) ** 2, (1 - axis, 2))
        counts = np.sort(from_logit(logits, self.trials), axis=-1)
        return Guess(counts, np.sqrt(squares) + LEAST, noise, self.trials)


@dataclass(frozen=True, eq=False)
class Guess:
    """Expected counts, rows × columns × runs; how rough the grid is there (an angle), and how noisy, both … × 1.

    The noise is the variance of the prediction ÷ that of as many fresh runs, were it a mixture by lines of the four
    cells around: 1 on a cell, 1/4 amid four of them.
    """

    counts: Floats
    roughness: Floats
    noise: Floats
    trials: int

    def reach(self, level: float) -> tuple[Floats, Floats]:
        """Where the k-th smallest of as many runs lies with this probability, were there but noise; as angles.

        Its level, the share of the law below it, is a Beta(k, runs + 1 − k) variable, whose log-odds have the variance
        ψ′(k) + ψ′(runs + 1 − k); noise adds its part. They are taken as normal, also of the smallest and largest run.
        """
        from scipy.special import polygamma

        runs, angles = self.counts.shape[-1], to_angle(self.counts, self.trials)
        trigamma = polygamma(1, np.arange(1, runs + 1))
        apart = NormalDist().inv_cdf((1 + level) / 2) * np.sqrt((1 + self.noise) * (trigamma + trigamma[::-1]))
        return at_log_odds(angles, log_odds(runs) - apart), at_log_odds(angles, log_odds(runs) + apart)

    def band(self, level: float, widening: float) -> tuple[Floats, Floats]:
        """Low and high counts: the reach, and on both sides the widening times the roughness."""
        low, high = self.reach(level)
        more = max(widening, 0.0) * self.roughness
        return from_angle(low - more, self.trials), from_angle(high + more, self.trials)


class Calibration:
    """What the cells that are left out say about bands; it does not depend on the place of a prediction."""

    def __init__(self, cells: Cells) -> None:
        self.pairs: list[tuple[Guess, Floats]] = []  # a prediction, and what is there
        for name in ("F", "Cr"):
            for out in np.eye(len(getattr(cells, name)), dtype=np.bool_)[1:-1]:
                there, others = cells.keep(**{name: out}), cells.keep(**{name: ~out})
                self.pairs.append((others.interpolate(there.F, there.Cr, there.theory), there.counts))
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
            every = []
            for guess, there in self.pairs:
                (low, high), angles = guess.reach(level), to_angle(there, guess.trials)
                every.append((np.maximum(low - angles, angles - high) / guess.roughness).ravel())
            scores = np.sort(np.concatenate(every))
            self._widenings[level] = float(scores[self._rank(level) * len(scores) // self.cells - 1])
        return self._widenings[level]

    def _rank(self, level: float) -> int:
        return ceil(round(level * (self.cells + 1), 9))


def stretch(F: Floats, Cr: Floats, n: int) -> tuple[Floats, Floats]:
    """log(F + 0.2), for POIS changes quickly where F is small, and −log(1 + 1/n − Cr)

    The latter is nearly the logarithm of the number of components that exp exchanges, 1 to n.
    """
    return np.log(F + 0.2), -np.log(1 + 1 / n - Cr)


def to_logit(counts: ArrayLike, trials: int) -> Floats:
    """log((count + ½) ÷ (trials − count + ½)), finite also where none or all are infeasible"""
    count = np.asarray(counts, np.float64)
    return np.asarray(np.log((count + 0.5) / (trials - count + 0.5)))


def from_logit(logits: Floats, trials: int) -> Floats:
    """(trials + 1) p − ½ with p = (1 + tanh(logit/2))/2, at least 0 and at most all trials"""
    return np.asarray(np.clip((1 + np.tanh(logits / 2)) / 2 * (trials + 1) - 0.5, 0, trials))


def to_angle(counts: Floats, trials: int) -> Floats:
    """arcsin √(count ÷ trials)"""
    return np.asarray(np.arcsin(np.sqrt(counts / trials)))


def from_angle(angles: Floats, trials: int) -> Floats:
    """The count of an angle; one below 0 or above π/2 is taken as these."""
    return np.asarray(trials * np.sin(np.clip(angles, 0, np.pi / 2)) ** 2)


def log_odds(runs: int) -> Floats:
    """log(p ÷ (1 − p)) of the levels p = (k − ¼)/(runs + ½), k = 1, …, runs, between k/(runs + 1) and (k − ½)/runs"""
    k = np.arange(1, runs + 1)
    return np.asarray(np.log((k - 0.25) / (runs + 0.75 - k)))


def at_log_odds(angles: Floats, wanted: Floats) -> Floats:
    """Sorted runs at levels between theirs: lines; beyond, as steep over log-odds as the OUTER steps there together"""
    runs = angles.shape[-1]
    place = (runs + 0.5) / (1 + np.exp(-wanted)) - 0.75
    k = np.maximum(np.floor(place), 0).astype(np.int64)
    t = np.maximum(place - k, 0)
    before, after = (np.take_along_axis(angles, one, axis=-1) for one in (k, np.minimum(k + 1, runs - 1)))
    known, outer = log_odds(runs), min(OUTER, runs - 1)
    step = known[outer] - known[0] or 1.0
    first, last = angles[..., outer] - angles[..., 0], angles[..., -1] - angles[..., runs - 1 - outer]
    below, above = np.minimum(wanted - known[0], 0) / step, np.maximum(wanted - known[-1], 0) / step
    return np.asarray((1 - t) * before + t * after + below * first[..., None] + above * last[..., None])
