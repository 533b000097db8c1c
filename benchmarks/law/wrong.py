"""Engines with a mistake each, and a case in which it must be seen: a test that sees none of them proves nothing."""

from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.law.cases import MUTATIONS, REPAIRS, Case, unwritten
from benchmarks.law.compare import MakeEngine
from debox.config import Config
from debox.f0.engines import Fast, Plain
from debox.loop import write
from debox.operators.bridge import bridge
from debox.reference import draw


class LargerF(Fast):
    """F · 1.05"""

    def __init__(self, config: Config, *rest: Any) -> None:
        super().__init__(replace(config, F=1.05 * config.F), *rest)


class LargerCr(Fast):
    """Cr · 1.05"""

    def __init__(self, config: Config, *rest: Any) -> None:
        super().__init__(replace(config, Cr=1.05 * config.Cr), *rest)


def with_replacement(N, target, best, rng, r):  # type: ignore[no-untyped-def]
    """r₁, r₂, … uniform, perhaps equal"""
    for k in range(r.size):
        r[k] = draw(N, rng)


class Replacement(Fast):
    """Donors drawn with replacement"""

    def __init__(self, config: Config, *rest: Any) -> None:
        super().__init__(config, *rest)
        self.donors = bridge(with_replacement, "donors", lambda: self.loop.rng, self.loop.errors)
        self.loop.run.donors = self.donors.address
        tuples, containing = all_tuples(self.N, config.operators.mutation.donors)
        self.tables.values |= {
            "tuples": tuples,
            "n_tuples": len(tuples),
            "all_tuples": np.arange(len(tuples)),
            "tuples_with": containing,
            "n_with": containing.shape[1],
            "chance": np.zeros((len(self.tables.values["q"]), len(tuples)), np.int64),
            "draws_together": False,
        }
        write(self.tables.values, self.tables.fast)


@cache
def all_tuples(N: int, k: int) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """All Nᵏ tuples, filled up with zeros to five, and for each individual the numbers of those with it"""
    tuples = np.zeros((N**k, 5), np.uint16)
    tuples[:, :k] = list(product(range(N), repeat=k))
    return tuples, np.array([np.flatnonzero((tuples[:, :k] == i).any(axis=1)) for i in range(N)])


class NoCertainComponent(Fast):
    """bin without the component I that always comes from the mutant"""

    def __init__(self, config: Config, *rest: Any) -> None:
        super().__init__(config, *rest)
        p_feasible = self.tables.values["p_feasible"]
        p_feasible[:] = (1.0 - config.Cr) ** np.arange(p_feasible.size)


class LongerWaits(Fast):
    """Every waiting time one generation too long"""

    def advance(self, until: int) -> None:
        clock = self.tables.values["clock"]
        for end in range(self.N, until + self.N, self.N):
            before = clock.copy()
            super().advance(min(end, until))
            clock[clock != before] += 1


class InPlace(Plain):
    """Accepted trials replace their targets at once, not at the end of the generation"""

    def advance(self, until: int) -> None:
        """Generations of one trial each, whose target stands first: the law of a trial does not mind the order"""
        run, P, f = self.loop.run, self.P, self.f
        if not self.loop.evaluations:
            super().advance(1)
        for done in range(self.loop.evaluations, until):
            swapped = [0, done % self.N]
            P[swapped], f[swapped] = P[swapped[::-1]], f[swapped[::-1]]
            run.best, run.budget = int(f.argmin()), done + 1
            super().advance(done + 1)
            P[swapped], f[swapped] = P[swapped[::-1]], f[swapped[::-1]]
        run.best, run.budget = int(f.argmin()), self.budget


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
    *(Mistake(LargerF, case) for case in MUTATIONS[::4]),
)
