"""Interventions: what else happens when a trial replaces its target. `predictions.py` says what each is for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from debox.f0.theory import expected_exchanges

if TYPE_CHECKING:
    from benchmarks.collapse.engine import Case

TINY = 1e-9  # of the width
Point = NDArray[np.float64]
Clock = Callable[[int, float, np.random.Generator], int]  # (now, f of the slot, rng) → generation of its replacement


class Interventions:
    """None: Algorithm 1."""

    by_component = False

    def __init__(self, case: Case) -> None:
        self.case = case

    def Cr(self, case: Case) -> float:
        """Cr of the trials that replace targets."""
        return case.evolve

    def clock(self, generations: int) -> Clock:
        """A slot with value f is replaced with chance f in each generation."""
        return lambda now, f, rng: now + int(rng.geometric(f))

    def best(self, f: NDArray[np.float64], rng: np.random.Generator) -> int:
        """Who is best."""
        return int(f.argmin())

    def individual(self, u: Point, x: Point, rng: np.random.Generator) -> Point:
        """What takes the place of the target x, given the repaired trial u."""
        return u

    def population(self, P: NDArray[np.float64], i: int, rng: np.random.Generator) -> None:
        """Change the population after slot i was replaced."""


class Independent(Interventions):
    """Each component comes from a trial of its own."""

    by_component = True


class Whole(Interventions):
    """The whole mutant, or the target, so that each component comes from the mutant as often as before."""

    def Cr(self, case: Case) -> float:
        return 1.0

    def individual(self, u: Point, x: Point, rng: np.random.Generator) -> Point:
        crossover, n, Cr = self.case.crossover, self.case.n, self.case.evolve
        return u if rng.random() < expected_exchanges(crossover, n, Cr) / n else x


class OffBounds(Interventions):
    """Coordinates on a bound move inside by U · TINY."""

    def individual(self, u: Point, x: Point, rng: np.random.Generator) -> Point:
        step = TINY * rng.random(u.size)
        return np.where(u == 0, step, np.where(u == 1, 1 - step, u))


class Jitter(Interventions):
    """An individual that equals another one moves by U · TINY in every coordinate, towards the middle."""

    def population(self, P: NDArray[np.float64], i: int, rng: np.random.Generator) -> None:
        if (P[i] == P).all(axis=1).sum() > 1:
            P[i] += np.where(P[i] < 0.5, 1, -1) * TINY * rng.random(P.shape[1])


class Redraw(Interventions):
    """Where all individuals agree in a dimension, the new one gets a uniform number."""

    def population(self, P: NDArray[np.float64], i: int, rng: np.random.Generator) -> None:
        lost = (P[0] == P).all(axis=0)
        P[i, lost] = rng.random(int(lost.sum()))


class Chance(Interventions):
    """In generation t a slot is replaced with probability 1/(t + 1), as records of f0 are; best is any individual."""

    def clock(self, generations: int) -> Clock:
        # P(not in now + 1, …, s) = (now + 1)/(s + 1)
        return lambda now, f, rng: int(min((now + 1) / (1 - rng.random()), 2.0**60))

    def best(self, f: NDArray[np.float64], rng: np.random.Generator) -> int:
        return int(rng.integers(f.size))


class Even(Chance):
    """As many replacements as on f0, with the same probability in every generation."""

    def clock(self, generations: int) -> Clock:
        chance = (1 / np.arange(2.0, generations + 2)).sum() / generations
        return lambda now, f, rng: now + int(rng.geometric(chance))


INTERVENTIONS: dict[str, type[Interventions]] = {
    "": Interventions,
    "independent": Independent,
    "whole": Whole,
    "off bounds": OffBounds,
    "jitter": Jitter,
    "redraw": Redraw,
    "chance": Chance,
    "even": Even,
}


def of(case: Case) -> Interventions:
    """The intervention of a case."""
    return INTERVENTIONS[case.intervention](case)
