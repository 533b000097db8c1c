"""Tests of whole distributions: laws that differ, laws that are as good as equal, variety of shapes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox.analysis.claims.finding import Finding
from debox.analysis.claims.levels import NotTestableError, Values, join_values, select_values
from debox.analysis.claims.properties import extreme
from debox.analysis.claims.rules import ALPHA, TIE
from debox.analysis.claims.statistics import Distances, at_least, distances, holm, rounds_for
from debox.analysis.cube import Cube

SWAPS, BLOCKS = 4000, 8  # swaps of matched cells, for the variety of shapes; so many blocks of them in memory
ROUNDS = 999  # permutations where only the mean distance by chance is asked for
Floats = NDArray[np.float64]


def _samples(cube: Cube, factor: str, value: Any) -> Floats:
    return cube.take(**{factor: select_values(cube, factor, value)}).share.reshape(-1, cube.runs)


def _compared(cube: Cube, factor: str, values: Values, rounds: int | None = None) -> Distances:
    """Wasserstein-1 of all pairs of values in matched cells; with enough rounds to correct p for all of them."""
    if cube.runs < 5:
        raise NotTestableError(f"a permutation of runs needs at least 5 per configuration; the study has {cube.runs}")
    pairs = [[_samples(cube, factor, value) for value in pair] for pair in combinations(values, 2)]
    x, y = (np.concatenate([pair[k] for pair in pairs]) for k in (0, 1))
    return distances(x, y, rounds or rounds_for(len(x), ALPHA))


@dataclass(frozen=True)
class Differ:
    """The distributions at two values of a factor are different in matched cells."""

    factor: str
    first: Any
    second: Any

    @property
    def statistic(self) -> str:
        """What is computed."""
        return "Wasserstein-1 in matched cells, permutation null, Holm over the cells; binomial tail of detections"

    @property
    def criterion(self) -> str:
        """When a cell agrees."""
        return f"a cell agrees if its runs differ beyond chance ({ALPHA:g}, corrected); both at 0 % or 100 %: silent"

    def find(self, cube: Cube, promised: float) -> Finding:
        """In how many cells the laws are told apart."""
        found = _compared(cube, self.factor, (self.first, self.second))
        first, second = (extreme(cube.take(**{self.factor: value})).has for value in (self.first, self.second))
        speaks = ~(first & second).ravel()
        differ = np.array(holm(found.p.tolist()), np.float64) < ALPHA
        cells, told_apart = int(speaks.sum()), int((differ & speaks).sum())
        if not cells:
            raise NotTestableError("all cells are at 0 % or 100 % in all runs")
        distance = float(np.median(found.observed[speaks]))
        evidence = (
            f"{self.first} and {self.second} are told apart in {told_apart} of {cells} cells, {speaks.size - cells} "
            f"others are at 0 % or 100 %; median Wasserstein-1 {distance:.4f}, by chance "
            f"{float(np.median(found.by_chance[speaks])):.4f}"
        )
        p = at_least(told_apart, cells, promised), at_least(told_apart, cells, promised / 2)
        agree = told_apart / cells
        return Finding(distance, "median Wasserstein-1", *p, cells, agree, 1 - agree, evidence)


@dataclass(frozen=True)
class SameShape:
    """The distributions at several values of a factor are as good as equal in matched cells, each two of them."""

    factor: str
    values: Values
    margin: float

    @property
    def statistic(self) -> str:
        """What is computed."""
        return f"Wasserstein-1 of each pair of {self.factor} minus its mean under permutation; binomial tail"

    @property
    def criterion(self) -> str:
        """When a cell agrees."""
        return f"a cell agrees if no pair is further apart than chance by more than {self.margin:g}"

    def find(self, cube: Cube, promised: float) -> Finding:
        """How far apart the laws are beyond chance."""
        values = select_values(cube, self.factor, self.values)
        found = _compared(cube, self.factor, values, ROUNDS)
        excess = found.observed - found.by_chance
        worst = excess.reshape(len(list(combinations(values, 2))), -1).max(0)
        close, cells = int((worst <= self.margin).sum()), worst.size
        evidence = (
            f"in {close} of {cells} cells {join_values(values)} are within {self.margin:g} "
            "(Wasserstein-1 beyond chance, worst pair); "
            f"median {float(np.median(worst)):.4f}, largest {float(worst.max()):.3f}; "
            f"{float((found.p < ALPHA).mean()):.1%} of the pairs have p < {ALPHA:g}, not corrected"
        )
        p = at_least(close, cells, promised), at_least(close, cells, promised / 2)
        return Finding(float(np.median(worst)), "Wasserstein-1", *p, cells, close / cells, 1 - close / cells, evidence)


@dataclass(frozen=True)
class MoreVaried:
    """Shapes vary most at one value of a factor: the variance of centred quantile curves over cells."""

    factor: str
    most: Any
    others: Values

    @property
    def statistic(self) -> str:
        """What is computed."""
        return "variance over cells of quantile curves minus their means; swaps of matched cells, the largest p"

    @property
    def criterion(self) -> str:
        """When a cell agrees."""
        return "a cell agrees if its shape is further from the average shape than in all matched cells"

    def find(self, cube: Cube, promised: float) -> Finding:
        """The variety at each value, against cells swapped at random."""
        first = self._curves(cube, self.most)
        others = [self._curves(cube, value) for value in self.others]
        p = max(self._p(first, other) for other in others)
        away = [np.sqrt(((q - q.mean(0)) ** 2).mean(1)) for q in (first, *others)]
        rival = np.max(away[1:], axis=0)
        more, less = int((away[0] > rival + TIE).sum()), int((away[0] < rival - TIE).sum())
        if not more + less:
            raise NotTestableError("no cell differs in shape")
        varieties = [float((one**2).mean() ** 0.5) for one in away]
        listing = ", ".join(f"{v} {s:.4f}" for v, s in zip((self.most, *self.others), varieties, strict=True))
        evidence = (
            f"root mean square distance from the average shape at {self.factor} {listing}; largest at "
            f"{self.factor}={self.most} in {more} of {more + less} matched cells that differ"
        )
        effect, cells = varieties[0] - max(varieties[1:]), more + less
        return Finding(effect, "extra variety", p, p, cells, more / cells, less / cells, evidence)

    def _curves(self, cube: Cube, value: Any) -> Floats:
        """Quantile curves minus their means."""
        curves = np.sort(_samples(cube, self.factor, value), axis=-1)
        return np.asarray(curves - curves.mean(1, keepdims=True))

    def _p(self, x: Floats, y: Floats) -> float:
        """How often swaps of matched cells make x vary as much more than y; were laws equal, they would not matter."""
        m, rng = len(x), np.random.default_rng(0)
        squares = (y**2).sum(1) - (x**2).sum(1)
        mean_x, mean_y, change = x.mean(0), y.mean(0), (y - x) / m
        base = float((x**2).sum() - (y**2).sum()) / m

        def excess(swap: Floats) -> Floats:
            moved = swap @ change
            means = ((mean_x + moved) ** 2).sum(1) - ((mean_y - moved) ** 2).sum(1)
            return np.asarray(base + 2 * swap @ squares / m - means)

        observed = excess(np.zeros((1, m)))[0]
        beyond = 0
        for _ in range(BLOCKS):
            swaps = rng.integers(0, 2, (SWAPS // BLOCKS, m), np.int8).astype(np.float64)
            beyond += int((excess(swaps) >= observed).sum())
        return (beyond + 1) / (SWAPS + 1)
