"""Differential Evolution on f0 with an intervention: the operators of debox.de, replacement by replacement.

Between two replacements a population does not change, so that a sample of its trials tells how many are infeasible. A
generation in which nothing is replaced is not simulated, and POIS of a run is a weighted mean of such shares: its
expectation is that of POIS, its variance a little larger.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.collapse import interventions
from benchmarks.collapse.interventions import Interventions
from debox import jit
from debox.assemble import assemble
from debox.box import Box
from debox.config import Config
from debox.de.algorithm import Tally, best_of, propose_classic, same_for_all
from debox.f0.trace import diagnose
from debox.jit import kernel

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


@kernel
def count_infeasible(de, F_Cr, P, best, rng, U, infeasible, tally, generations):
    """How many trials of these generations leave the box"""
    total = 0
    for _ in range(generations):
        propose_classic(de, F_Cr, P, best, rng, U, infeasible, tally)
        for i in range(infeasible.size):
            total += infeasible[i]
    return total


@kernel
def propose_by_component(de, F_Cr, P, best, rng, U, infeasible, tally, columns):
    """As `propose_classic`, but component j of all trials comes from a j-th set of trials"""
    for j in range(U.shape[1]):
        propose_classic(de, F_Cr, P, best, rng, U, infeasible, tally)
        for i in range(U.shape[0]):
            columns[i, j] = U[i, j]


class Engine:
    """Runs a case again and again."""

    def __init__(self, case: Case) -> None:
        if case.budget % case.N:
            raise ValueError(f"budget must be a multiple of N = {case.N}, got {case.budget}")
        self.case, self.box = case, Box.unit(case.n)
        self.generations = case.budget // case.N - 1
        self.change: Interventions = interventions.of(case)
        self.de = assemble(case.config, self.box)
        self.evolve = same_for_all(case.F, self.change.Cr(case), case.N)
        self.count = same_for_all(case.F, case.count, case.N)
        self.rng = np.random.default_rng(0)
        self.U, self.columns = np.empty((case.N, case.n)), np.empty((case.N, case.n))
        self.infeasible = np.zeros(case.N, np.bool_)
        self.tally = Tally.empty(np.empty(0, np.int64), case.n)
        self.P, self.best = self.box.sample(case.N, self.rng), 0
        self._count = jit.bind(count_infeasible, *self._arguments(self.count), 1)
        self._propose = jit.bind(propose_classic, *self._arguments(self.evolve))
        self._by_component = jit.bind(propose_by_component, *self._arguments(self.evolve), self.columns)

    def _arguments(self, F_Cr):  # type: ignore[no-untyped-def]
        return self.de, F_Cr, self.P, self.best, self.rng, self.U, self.infeasible, self.tally

    def share(self, generations: int, sample: int = SAMPLE) -> float:
        """The share of infeasible trials of the population, from that many generations or a sample of them."""
        drawn = min(generations, -(-sample // self.case.N))
        return float(self._count(*self._arguments(self.count), drawn)) / (drawn * self.case.N)

    def trials(self) -> NDArray[np.float64]:
        """A repaired trial of every target."""
        if self.change.by_component:
            self._by_component(*self._arguments(self.evolve), self.columns)
            return self.columns
        self._propose(*self._arguments(self.evolve))
        return self.U

    def run(self, rng: np.random.Generator) -> Result:
        """One run from a fresh population to the end of the budget."""
        self.rng, N = rng, self.case.N
        self.P, f = self.box.sample(N, rng), rng.random(N)
        self.best, now, replaced, infeasible = best_of(f), 0, 0, 0.0
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
            self.best = self.change.best(f, rng)
        last = self.share(self.generations, LAST_SAMPLE)
        infeasible += (self.generations - now) * last
        return Result(infeasible / self.generations, last, replaced, *diagnose(self.P, self.box))
