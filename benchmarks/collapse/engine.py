"""Differential Evolution on f0 with an intervention: the trials of debox's core, replacement by replacement.

Between two replacements a population does not change, so that a sample of its trials tells how many are infeasible. A
generation in which nothing is replaced is not simulated, and POIS of a run is a weighted mean of such shares: its
expectation is that of POIS, its variance a little larger.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.collapse import interventions
from benchmarks.collapse.interventions import Interventions
from debox.box import Box
from debox.config import Config
from debox.f0.engines import diagnose
from debox.loop import Loop

SAMPLE, LAST_SAMPLE = 100, 1000  # trials of a stretch without replacements, and of the last one


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
    """Runs a case again and again."""

    def __init__(self, case: Case) -> None:
        if case.budget % case.N:
            raise ValueError(f"budget must be a multiple of N = {case.N}, got {case.budget}")
        self.case, self.box = case, Box.unit(case.n)
        self.generations = case.budget // case.N - 1
        self.change: Interventions = interventions.of(case)
        rng = np.random.default_rng(0)
        P, no_marks = self.box._sample(case.N, rng), np.empty(0, np.int64)
        self.loop = Loop(case.config, self.box, budget=case.budget, rng=rng, P=P, marks=no_marks)
        self.begin(P, rng)

    def begin(self, P: NDArray[np.float64], rng: np.random.Generator) -> None:
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

    def trials(self) -> NDArray[np.float64]:
        """A repaired trial of every target; `independent`: component j of all trials comes from a j-th set of them."""
        Cr = self.change.Cr(self.case)
        if self.change.by_component:
            return np.column_stack([self.propose(Cr)[:, j].copy() for j in range(self.case.n)])
        return self.propose(Cr)

    def run(self, rng: np.random.Generator) -> Result:
        """One run from a fresh population to the end of the budget."""
        N, run = self.case.N, self.loop.run
        self.begin(self.box._sample(N, rng), rng)
        f = rng.random(N)
        run.best, now, replaced, infeasible = int(f.argmin()), 0, 0, 0.0
        clock = self.change.clock(self.generations)
        due = np.array([clock(0, f[i], rng) for i in range(N)])
        while (then := int(due.min())) <= self.generations:
            infeasible += (then - now) * self.share(then - now)
            slots, trials, now = np.flatnonzero(due == then), self.trials(), then
            old = self.P.copy()
            for i in slots:
                self.P[i] = self.change.individual(trials[i], old[i], rng)
                f[i] *= rng.random()
                due[i] = clock(now, f[i], rng)
            for i in slots:
                self.change.population(self.P, i, rng)
            replaced += len(slots)
            run.best = self.change.best(f, rng)
        last = self.share(self.generations, LAST_SAMPLE)
        infeasible += (self.generations - now) * last
        return Result(infeasible / self.generations, last, replaced, *diagnose(self.P, self.box))
