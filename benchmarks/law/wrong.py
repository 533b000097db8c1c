"""Engines with a mistake each, and a case in which it must be seen: a test that sees none of them proves nothing."""

from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.law.cases import MUTATIONS, REPAIRS, Case, unwritten
from benchmarks.law.compare import MakeEngine
from debox import jit
from debox.config import Config
from debox.de.algorithm import ACCEPTED, EVALUATIONS, best_of, build_classic
from debox.de.variation import draw
from debox.f0.engines import Fast, Plain
from debox.f0.fast.clock import count_stretch
from debox.jit import kernel


class LargerF(Fast):
    """F · 1.05"""

    def __init__(self, config: Config, *rest: Any) -> None:
        super().__init__(replace(config, F=1.05 * config.F), *rest)


class LargerCr(Fast):
    """Cr · 1.05"""

    def __init__(self, config: Config, *rest: Any) -> None:
        super().__init__(replace(config, Cr=1.05 * config.Cr), *rest)


@kernel
def with_replacement(N, target, best, rng, r):
    """r₁, r₂, … uniform, perhaps equal"""
    for k in range(r.size):
        r[k] = draw(N, rng)


class Replacement(Fast):
    """Donors drawn with replacement"""

    def __init__(self, config: Config, *rest: Any) -> None:
        super().__init__(config, *rest)
        tuples, containing = all_tuples(self.N, self.de.n_donors)
        sim, enum = self.tables
        chance = np.zeros((enum.q.size, len(tuples)), np.int64)
        self.de = self.de._replace(donors=jit.pointer(with_replacement, "donors"))
        self.tables = (
            sim._replace(draws_donors_together=False),
            enum._replace(tuples=tuples, all_tuples=np.arange(len(tuples)), tuples_with=containing, chance=chance),
        )


@cache
def all_tuples(N: int, k: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """All Nᵏ tuples, filled up with zeros to five, and for each individual the numbers of those with it"""
    tuples = np.zeros((N**k, 5), np.uint64)
    tuples[:, :k] = list(product(range(N), repeat=k))
    return tuples, np.array([np.flatnonzero((tuples[:, :k] == i).any(axis=1)) for i in range(N)])


class NoCertainComponent(Fast):
    """bin without the component I that always comes from the mutant"""

    def __init__(self, config: Config, *rest: Any) -> None:
        super().__init__(config, *rest)
        p_feasible = (1.0 - config.Cr) ** np.arange(self.box.n + 1)
        sim, enum = self.tables
        self.tables = sim._replace(p_feasible=p_feasible), enum._replace(p_feasible=p_feasible)


class LongerWaits(Fast):
    """Every waiting time one generation too long"""

    def advance(self, until: int) -> None:
        for end in range(self.N, until + self.N, self.N):
            clock = self.state.clock.copy()
            super().advance(min(end, until))
            self.state.clock[self.state.clock != clock] += 1


class InPlace(Plain):
    """Accepted trials replace their targets at once, not at the end of the generation"""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._run = jit.bind(run_in_place, *self._arguments(0))


@kernel
def run_in_place(fun, de, P, f, budget, target, rng, tally):
    """Algorithm 1 without generations"""
    u, N, counts = np.empty(P.shape[1]), f.size, tally.counts
    for i in range(N):
        f[i] = fun(u, rng)
    count_stretch(tally, N, 0)
    while counts[EVALUATIONS] < budget:
        i = counts[EVALUATIONS] % N
        infeasible = build_classic(de, de.F, de.Cr, P, i, best_of(f), rng, u, tally)
        f_u = fun(u, rng)
        if f_u <= f[i]:
            f[i] = f_u
            for j in range(u.size):  # P[i] = u would be compiled for seconds, with the text of an error
                P[i, j] = u[j]
            counts[ACCEPTED] += 1
        count_stretch(tally, 1, infeasible)


class Saturation(Fast):
    """Saturation in the place of the strategy"""

    def __init__(self, config: Config, *rest: Any) -> None:
        super().__init__(replace(config, strategy="saturation"), *rest)


class Mistake(NamedTuple):
    engine: MakeEngine
    case: Case

    @property
    def name(self) -> str:
        return self.engine.__doc__ or ""


MISTAKES = (
    Mistake(LargerF, Case("DE/rand/1/bin mirr, N=100, F=0.483, Cr=0.285", 5, 3050)),
    Mistake(LargerCr, Case("DE/curr-to-best/1/exp tor, N=5, F=1.133, Cr=0.755", 5, 1002)),
    Mistake(Replacement, Case("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.1", 10, 1502)),  # enumerated
    Mistake(Replacement, Case("DE/rand/1/bin dism, N=20, F=0.7, Cr=0.755", 3, 2011)),  # simulated
    Mistake(NoCertainComponent, Case("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.1", 10, 1502)),
    Mistake(LongerWaits, Case("DE/curr-to-best/1/bin mirr, N=100, F=0.7, Cr=0.285", 5, 2222)),
    Mistake(InPlace, Case("DE/rand/2/bin sat, N=100, F=0.7, Cr=0.3", 5, 201)),
    *(Mistake(Saturation, case) for case in (*REPAIRS, *unwritten()) if case.config.crossover == "bin"),
)
# For `make law` alone: each mutation is compiled for seconds.
MISTAKES_OF_NEW_MUTATIONS = tuple(Mistake(LargerF, case) for case in MUTATIONS[::4])
