"""How far a fresh sample may be from a prediction: a band that the study itself calibrates, without any new run.

Rows and columns of the grid are left out one at a time (inside only: at the border there is nothing to interpolate
between) and predicted from the others; how far these predictions are off, measured by how rough the grid is there, says
how wide a band must be that holds `level` of what was left out. Lengths are on the scale of arcsin √share, on which
runs vary about equally everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

import numpy as np

from debox import check
from debox.analysis.predict import splines
from debox.analysis.predict.grid import Floats, Grid, from_logit
from debox.analysis.predict.methods import CHOSEN, METHODS, stretch_Cr, stretch_F

LEAST = 0.002  # roughness of a place where neighbours agree, on the scale of angles


@dataclass(frozen=True, eq=False)
class Guess:
    """Predicted counts, rows × columns × runs, and how rough the grid is there: rows × columns × 1, an angle."""

    counts: Floats
    roughness: Floats
    trials: int

    @classmethod
    def of(cls, grid: Grid, F: Floats, Cr: Floats) -> Guess:
        """Of all these F with all these Cr."""
        return cls(METHODS[CHOSEN](grid, F, Cr), roughness(grid, F, Cr), grid.trials)

    def reach(self, level: float) -> tuple[Floats, Floats]:
        """Where the j-th smallest of as many runs lies with this probability, were the prediction true; as angles."""
        low, high = order_statistics(self.counts.shape[-1], level)
        return to_angle(at_levels(self.counts, low), self.trials), to_angle(at_levels(self.counts, high), self.trials)

    def band(self, level: float, widening: float) -> tuple[Floats, Floats]:
        """Low and high counts: the reach, and on both sides the widening times the roughness."""
        low, high = self.reach(level)
        more = max(widening, 0.0) * self.roughness
        return from_angle(low - more, self.trials), from_angle(high + more, self.trials)

    def spread_of_mean(self) -> Floats:
        """How much the mean of as many runs may be off: by the roughness, and by the noise of both samples."""
        angles = to_angle(self.counts, self.trials)
        apart = [from_angle(angles + sign * self.roughness, self.trials).mean(axis=-1) for sign in (1, -1)]
        noise = self.counts.var(axis=-1) * 2 / self.counts.shape[-1]
        return np.asarray(np.sqrt(((apart[0] - apart[1]) / 2) ** 2 + noise) + 0.5)


def roughness(grid: Grid, F: Floats, Cr: Floats) -> Floats:
    """√(h_F² + h_Cr²) + LEAST, h = 4 t (1 − t) √Δ · mean |difference of what the two neighbours say|

    t is the place between the two neighbouring levels, Δ their distance, both stretched. A neighbour says: theory
    here, and my deviation from it. The error of a smooth surface grows as Δ times the difference, that of a surface
    with an edge as the difference; √Δ is between.
    """
    deviation, theory = grid.logits - grid.baseline(grid.F, grid.Cr)[..., None], grid.baseline(F, Cr)[..., None]
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


def left_out(grid: Grid) -> Iterator[tuple[Guess, Floats]]:
    """Each row and column inside the grid, predicted from the others, and what is there."""
    for i in range(1, len(grid.F) - 1):
        yield Guess.of(grid.without(F=i), grid.F[i : i + 1], grid.Cr), grid.counts[i : i + 1]
    for j in range(1, len(grid.Cr) - 1):
        yield Guess.of(grid.without(Cr=j), grid.F, grid.Cr[j : j + 1]), grid.counts[:, j : j + 1]


class Calibration:
    """What the cells that were left out say about bands; kept with the grid, for it does not depend on F and Cr."""

    def __init__(self, grid: Grid) -> None:
        self.pairs = list(left_out(grid))
        self.cells = sum(there.shape[0] * there.shape[1] for _, there in self.pairs)

    def widening(self, level: float) -> float:
        """How many times the roughness a band must be wider than its reach."""

        def score(guess: Guess, there: Floats) -> Floats:
            (low, high), angles = guess.reach(level), to_angle(there, guess.trials)
            return np.asarray(np.maximum(low - angles, angles - high) / guess.roughness)

        return self._quantile(score, level)

    def widening_of_mean(self, level: float) -> float:
        """How many times its spread the interval of a mean is wide, to each side."""
        return self._quantile(
            lambda guess, there: np.abs(guess.counts.mean(-1) - there.mean(-1)) / guess.spread_of_mean(), level
        )

    def _quantile(self, score: Callable[[Guess, Floats], Floats], level: float) -> float:
        """The ⌈level (m + 1)⌉-th of m scores, were there one per cell; a ValueError if m is too small for that."""
        check.real("level", level, "0 < level < 1", lambda level: 0 < level < 1)
        if (rank := ceil(round(level * (self.cells + 1), 9))) > self.cells:
            most = self.cells / (self.cells + 1)
            able = f"ask for at most {most:.3f}" if self.cells else "the study has no level of F or Cr inside others"
            raise ValueError(
                f"level: {self.cells} cells that can be left out are too few for a band of {level:g}; {able}"
            )
        scores = np.concatenate([score(guess, there).ravel() for guess, there in self.pairs])
        return float(np.quantile(scores, rank / self.cells, method="higher"))


@lru_cache(maxsize=64)
def order_statistics(runs: int, level: float) -> tuple[Floats, Floats]:
    """Between which levels of its law the j-th smallest of so many runs lies with this probability: a beta law."""
    from scipy.special import betaincinv

    j = np.arange(1, runs + 1)
    return betaincinv(j, runs + 1 - j, (1 - level) / 2), betaincinv(j, runs + 1 - j, (1 + level) / 2)


def at_levels(counts: Floats, p: Floats) -> Floats:
    """Quantiles of sorted runs: the k-th of R has level (k − ½)/R, lines lie between, and nothing beyond."""
    runs = counts.shape[-1]
    place = np.clip(p * runs - 0.5, 0, runs - 1)
    k = np.minimum(place.astype(np.int64), max(runs - 2, 0))
    t = place - k
    return np.asarray((1 - t) * counts[..., k] + t * counts[..., np.minimum(k + 1, runs - 1)])


def to_angle(counts: Floats, trials: int) -> Floats:
    """arcsin √(count ÷ trials)"""
    return np.asarray(np.arcsin(np.sqrt(counts / trials)))


def from_angle(angles: Floats, trials: int) -> Floats:
    """The count of an angle; one below 0 or above π/2 is taken as these."""
    return np.asarray(trials * np.sin(np.clip(angles, 0, np.pi / 2)) ** 2)
