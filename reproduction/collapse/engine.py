"""Differential Evolution on f0 with an intervention: the trials of debox's core, replacement by replacement.

Between two replacements a population does not change, so that a sample of its trials tells how many are infeasible. A
generation in which nothing is replaced is not simulated, and POIS of a run is a weighted mean of such shares: its
expectation is that of POIS, its variance a little larger. An intervention is a subclass of Engine that changes what
happens when a trial replaces its target.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox.box import Box
from debox.config import Config
from debox.f0.engines import diagnose
from debox.f0.theory import expected_exchanges
from debox.loop import Loop

SAMPLE, LAST_SAMPLE = 100, 1000  # trials of a stretch without replacements, and of the last one
TINY = 1e-9  # of the width
Point = NDArray[np.float64]
Rng = np.random.Generator


class Case(NamedTuple):
    """A configuration, the Cr with which trials are counted, and an intervention."""

    mutation: str
    crossover: str
    strategy: str
    N: int
    F: float
    evolve: float  # Cr of the trials that replace targets
    count: float  # Cr of the trials that are counted
    intervention: str = ""
    n: int = 30
    budget: int = 300_000

    @property
    def config(self) -> Config:
        """The configuration that evolves."""
        written = f"DE/{self.mutation}/{self.crossover} {self.strategy}"
        return Config.of(f"{written}, N={self.N}, F={self.F}, Cr={self.evolve}")


class Result(NamedTuple):
    """One run: infeasible trials ÷ trials, the same in the last stretch, and the last population."""

    share: float
    last: float
    replaced: int
    mean_sd: float
    zero_variance: float
    on_bound: float
    distinct: int


class Engine:
    """Runs a case again and again; without an intervention it is Algorithm 1."""

    def __init__(self, case: Case) -> None:
        if case.budget % case.N:
            raise ValueError(f"budget must be a multiple of N = {case.N}, got {case.budget}")
        self.case, self.box = case, Box.unit(case.n)
        self.generations = case.budget // case.N - 1
        rng = np.random.default_rng(0)
        P, no_marks = self.box._sample(case.N, rng), np.empty(0, np.int64)
        self.loop = Loop(case.config, self.box, budget=case.budget, rng=rng, P=P, marks=no_marks)
        self.begin(P, rng)

    def Cr(self) -> float:
        """Cr of the trials that replace targets."""
        return self.case.evolve

    def due(self, now: int, f: float, rng: Rng) -> int:
        """The generation in which a slot with value f is replaced next: with chance f in each."""
        return now + int(rng.geometric(f))

    def best(self, f: Point, rng: Rng) -> int:
        """Who is best."""
        return int(f.argmin())

    def trials(self) -> NDArray[np.float64]:
        """A repaired trial of every target."""
        return self.propose(self.Cr())

    def individual(self, u: Point, x: Point, rng: Rng) -> Point:
        """What takes the place of the target x, given the repaired trial u."""
        return u

    def tidy(self, P: NDArray[np.float64], i: int, rng: Rng) -> None:
        """Change the population P after slot i was replaced."""

    def begin(self, P: NDArray[np.float64], rng: Rng) -> None:
        """Start from this population; it needs no values, for the loop only makes trials."""
        self.loop.restart(P, rng)
        self.loop.run.generations = 0

    @property
    def P(self) -> NDArray[np.float64]:
        """The population."""
        return self.loop.P

    def propose(self, Cr: float) -> NDArray[np.float64]:
        """A fresh repaired trial of every target, with this Cr."""
        self.loop.run.trials, self.loop.F_Cr[1] = 0, Cr
        self.loop.propose()
        return self.loop.U

    def share(self, generations: int, sample: int = SAMPLE) -> float:
        """The share of infeasible trials of the population, from that many generations or a sample of them."""
        drawn, infeasible = min(generations, -(-sample // self.case.N)), 0
        for _ in range(drawn):
            self.propose(self.case.count)
            infeasible += int(self.loop.infeasible.sum())
        return infeasible / (drawn * self.case.N)

    def run(self, rng: Rng) -> Result:
        """One run from a fresh population to the end of the budget."""
        N, run = self.case.N, self.loop.run
        self.begin(self.box._sample(N, rng), rng)
        f = rng.random(N)
        run.best, now, replaced, infeasible = int(f.argmin()), 0, 0, 0.0
        due = np.array([self.due(0, f[i], rng) for i in range(N)])
        while (then := int(due.min())) <= self.generations:
            infeasible += (then - now) * self.share(then - now)
            slots, trials, now = np.flatnonzero(due == then), self.trials(), then
            old = self.P.copy()
            for i in slots:
                self.P[i] = self.individual(trials[i], old[i], rng)
                f[i] *= rng.random()
                due[i] = self.due(now, f[i], rng)
            for i in slots:
                self.tidy(self.P, i, rng)
            replaced += len(slots)
            run.best = self.best(f, rng)
        last = self.share(self.generations, LAST_SAMPLE)
        infeasible += (self.generations - now) * last
        return Result(infeasible / self.generations, last, replaced, *diagnose(self.P, self.box))


class Independent(Engine):
    """Component j of all trials comes from a j-th set of them, with donors and crossover of its own."""

    def trials(self) -> NDArray[np.float64]:
        return np.column_stack([self.propose(self.Cr())[:, j].copy() for j in range(self.case.n)])


class Whole(Engine):
    """The whole mutant, or the target, so that each component comes from the mutant as often as before."""

    def Cr(self) -> float:
        return 1.0

    def individual(self, u: Point, x: Point, rng: Rng) -> Point:
        crossover, n, Cr = self.case.crossover, self.case.n, self.case.evolve
        return u if rng.random() < expected_exchanges(crossover, n, Cr) / n else x


class OffBounds(Engine):
    """Coordinates on a bound move inside by U · TINY."""

    def individual(self, u: Point, x: Point, rng: Rng) -> Point:
        step = TINY * rng.random(u.size)
        return np.where(u == 0, step, np.where(u == 1, 1 - step, u))


class Jitter(Engine):
    """An individual that equals another one moves by U · TINY in every coordinate, towards the middle."""

    def tidy(self, P: NDArray[np.float64], i: int, rng: Rng) -> None:
        if (P[i] == P).all(axis=1).sum() > 1:
            P[i] += np.where(P[i] < 0.5, 1, -1) * TINY * rng.random(P.shape[1])


class Redraw(Engine):
    """Where all individuals agree in a dimension, the new one gets a uniform number."""

    def tidy(self, P: NDArray[np.float64], i: int, rng: Rng) -> None:
        lost = (P[0] == P).all(axis=0)
        P[i, lost] = rng.random(int(lost.sum()))


class Chance(Engine):
    """In generation t a slot is replaced with probability 1/(t + 1), as records of f0 are; best is any individual."""

    def due(self, now: int, f: float, rng: Rng) -> int:
        return int(min((now + 1) / (1 - rng.random()), 2.0**60))  # P(not in now + 1, …, s) = (now + 1)/(s + 1)

    def best(self, f: Point, rng: Rng) -> int:
        return int(rng.integers(f.size))


class Even(Chance):
    """As many replacements as on f0, with the same probability in every generation."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.chance = (1 / np.arange(2.0, self.generations + 2)).sum() / self.generations

    def due(self, now: int, f: float, rng: Rng) -> int:
        return now + int(rng.geometric(self.chance))


ENGINES: dict[str, type[Engine]] = {
    "": Engine,
    "independent": Independent,
    "whole": Whole,
    "off bounds": OffBounds,
    "jitter": Jitter,
    "redraw": Redraw,
    "chance": Chance,
    "even": Even,
}


def engine_of(case: Case) -> Engine:
    """The engine of a case, with its intervention."""
    return ENGINES[case.intervention](case)
