"""What is run: every combination of the paper's operators, every other operator, and whatever might trip an engine.

Budgets are seldom multiples of N and checkpoints fall inside generations. Few evaluations with many individuals are
simulated; N = 5, and long budgets, are enumerated.
"""

from itertools import product
from typing import NamedTuple

import debox
from debox import operators


class Case(NamedTuple):
    """A configuration, its dimension and its budget; the unit box unless there is another."""

    text: str
    n: int
    budget: int
    box: tuple[tuple[float, float], ...] | None = None

    @property
    def config(self) -> debox.Config:
        return debox.Config(self.text)


COMBINATIONS = (  # mutation × crossover × strategy
    Case("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.1", 10, 1502),
    Case("DE/rand/1/bin tor, N=20, F=0.266, Cr=0.52", 5, 2005),
    Case("DE/rand/1/bin mirr, N=100, F=0.483, Cr=0.285", 5, 3050),
    Case("DE/rand/1/bin COTN, N=5, F=0.916, Cr=0.285", 8, 20_003),
    Case("DE/rand/1/bin dism, N=20, F=0.7, Cr=0.755", 3, 2011),
    Case("DE/rand/1/exp sat, N=100, F=1.35, Cr=0.99", 2, 2950),
    Case("DE/rand/1/exp tor, N=5, F=0.483, Cr=0.9", 10, 1003),
    Case("DE/rand/1/exp mirr, N=20, F=0.7, Cr=0.52", 30, 2002),
    Case("DE/rand/1/exp COTN, N=100, F=0.266, Cr=0.755", 8, 2501),
    Case("DE/rand/1/exp dism, N=5, F=0.916, Cr=0.285", 5, 1504),
    Case("DE/rand/2/bin sat, N=20, F=0.266, Cr=0.285", 5, 2003),
    Case("DE/rand/2/bin tor, N=100, F=0.7, Cr=0.05", 10, 2525),
    Case("DE/rand/2/bin mirr, N=5, F=0.5, Cr=0.3", 5, 1201),
    Case("DE/rand/2/bin COTN, N=20, F=0.483, Cr=0.755", 3, 2502),
    Case("DE/rand/2/bin dism, N=100, F=0.266, Cr=0.52", 3, 2075),
    Case("DE/rand/2/exp sat, N=5, F=0.916, Cr=0.52", 5, 20_001),
    Case("DE/rand/2/exp tor, N=20, F=0.266, Cr=0.99", 3, 1507),
    Case("DE/rand/2/exp mirr, N=100, F=0.483, Cr=0.05", 8, 2999),
    Case("DE/rand/2/exp COTN, N=5, F=0.7, Cr=0.285", 10, 1202),
    Case("DE/rand/2/exp dism, N=20, F=0.483, Cr=0.9", 5, 2018),
    Case("DE/best/1/bin sat, N=100, F=0.483, Cr=0.52", 5, 2450),
    Case("DE/best/1/bin tor, N=5, F=1.133, Cr=0.05", 5, 1204),
    Case("DE/best/1/bin mirr, N=20, F=0.7, Cr=0.52", 8, 20_007),
    Case("DE/best/1/bin COTN, N=100, F=0.916, Cr=0.285", 3, 2333),
    Case("DE/best/1/bin dism, N=5, F=0.916, Cr=0.1", 10, 1001),
    Case("DE/best/1/exp sat, N=20, F=0.7, Cr=0.285", 10, 20_013),
    Case("DE/best/1/exp tor, N=100, F=0.483, Cr=0.755", 8, 2050),
    Case("DE/best/1/exp mirr, N=5, F=0.7, Cr=0.52", 30, 3001),
    Case("DE/best/1/exp COTN, N=20, F=0.916, Cr=0.52", 5, 1999),
    Case("DE/best/1/exp dism, N=100, F=0.7, Cr=0.99", 3, 3133),
    Case("DE/curr-to-best/1/bin sat, N=5, F=0.916, Cr=0.285", 8, 1203),
    Case("DE/curr-to-best/1/bin tor, N=20, F=0.7, Cr=0.52", 10, 20_011),
    Case("DE/curr-to-best/1/bin mirr, N=100, F=0.7, Cr=0.285", 5, 2222),
    Case("DE/curr-to-best/1/bin COTN, N=5, F=1.35, Cr=0.285", 5, 20_002),
    Case("DE/curr-to-best/1/bin dism, N=20, F=0.7, Cr=0.05", 10, 1511),
    Case("DE/curr-to-best/1/exp sat, N=100, F=0.916, Cr=0.755", 5, 2350),
    Case("DE/curr-to-best/1/exp tor, N=5, F=1.133, Cr=0.755", 5, 1002),
    Case("DE/curr-to-best/1/exp mirr, N=20, F=0.7, Cr=0.9", 30, 2001),
    Case("DE/curr-to-best/1/exp COTN, N=100, F=0.483, Cr=0.52", 8, 2425),
    Case("DE/curr-to-best/1/exp dism, N=5, F=0.916, Cr=0.285", 10, 3004),
)

SHAPES = (  # few and many variables, small and large populations, short and long runs, another box
    Case("DE/rand/1/bin mirr, N=5, F=0.7, Cr=0.5", 1, 603),
    Case("DE/best/1/exp tor, N=20, F=1.566, Cr=0.5", 1, 1501),
    Case("DE/rand/2/exp mirr, N=7, F=0.4, Cr=0.5", 2, 1000),
    Case("DE/curr-to-best/1/bin sat, N=20, F=1.2, Cr=0.5", 2, 1502),
    Case("DE/rand/1/bin tor, N=20, F=0.266, Cr=0.05", 65, 1505),
    Case("DE/curr-to-best/1/exp mirr, N=5, F=0.7, Cr=0.95", 65, 1001),
    Case("DE/rand/1/exp COTN, N=4, F=0.9, Cr=0.5", 5, 1001),
    Case("DE/best/1/bin tor, N=2, F=1.35, Cr=0.3", 5, 501),
    Case("DE/rand/1/exp tor, N=1100, F=0.5, Cr=0.755", 3, 4000),  # more individuals than one random number can address
    Case("DE/rand/2/bin sat, N=100, F=0.7, Cr=0.3", 5, 201),
    Case("DE/rand/1/bin tor, N=20, F=0.483, Cr=0.285", 5, 60_001),
    Case("DE/rand/1/bin sat, N=20, F=0.7, Cr=0.1", 3, 2003, box=((-5.0, 5.0), (0.0, 0.001), (100.0, 101.0))),
)

EXTREMES = (  # the ends of the ranges of F and Cr
    Case("DE/rand/1/bin sat, N=20, F=0.7, Cr=0.0", 5, 2001),
    Case("DE/best/1/exp mirr, N=5, F=1.133, Cr=0.0", 3, 1004),
    Case("DE/curr-to-best/1/bin COTN, N=100, F=0.7, Cr=1.0", 2, 2601),
    Case("DE/rand/2/exp tor, N=20, F=0.266, Cr=1.0", 3, 1503),
    Case("DE/rand/1/exp dism, N=5, F=2.0, Cr=0.285", 3, 1003),
    Case("DE/rand/2/bin mirr, N=20, F=2.0, Cr=0.05", 3, 1501),
    Case("DE/best/1/bin sat, N=100, F=2.0, Cr=0.0", 3, 2701),
    Case("DE/curr-to-best/1/exp tor, N=5, F=2.0, Cr=0.285", 3, 1001),
)

READINGS = (  # donor rules, reevaluate, frozen
    Case("DE/rand/1/bin mirr, N=4, F=0.9, Cr=0.3, donors=not-target", 5, 1002),
    Case("DE/rand/2/bin COTN, N=12, F=0.3, Cr=0.9, donors=not-target", 7, 4000),
    Case("DE/best/1/exp sat, N=20, F=0.9, Cr=0.5, donors=not-target", 5, 5003),
    Case("DE/curr-to-best/1/bin tor, N=5, F=1.133, Cr=0.3, donors=not-target", 5, 2004),
    Case("DE/rand/1/exp sat, N=100, F=0.5, Cr=0.7, donors=not-parents", 5, 2501),
    Case("DE/rand/2/bin dism, N=7, F=0.5, Cr=0.3, donors=not-parents", 3, 1500),
    Case("DE/best/1/bin mirr, N=4, F=1.35, Cr=0.3, donors=not-parents", 5, 1003),
    Case("DE/curr-to-best/1/exp COTN, N=20, F=0.9, Cr=0.5, donors=not-parents", 5, 5001),
    Case("DE/rand/1/bin dism, N=5, F=0.9, Cr=0.3, reevaluate=False", 5, 2002),
    Case("DE/best/1/exp dism, N=20, F=0.7, Cr=0.5, reevaluate=False", 5, 2007),
    Case("DE/curr-to-best/1/bin dism, N=100, F=0.7, Cr=0.3, reevaluate=False", 5, 2555),
    Case("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.7, frozen=True", 5, 1004),
    Case("DE/curr-to-best/1/bin tor, N=20, F=0.7, Cr=0.3, frozen=True", 5, 1507),
    Case("DE/rand/2/exp COTN, N=100, F=0.3, Cr=0.9, frozen=True", 5, 2050),
)

WRITTEN = COMBINATIONS + SHAPES + EXTREMES + READINGS


MUTATIONS = (  # those that the paper does not have: simulated, enumerated, donor rules, F = 2
    Case("DE/best/2/bin sat, N=20, F=0.5, Cr=0.3", 5, 2003),
    Case("DE/best/2/exp tor, N=5, F=2.0, Cr=0.5", 3, 1502),
    Case("DE/best/2/bin mirr, N=7, F=0.7, Cr=0.3, donors=not-target", 3, 1502),
    Case("DE/best/2/exp sat, N=100, F=0.5, Cr=0.3, donors=not-parents", 3, 2003),
    Case("DE/curr-to-best/2/bin mirr, N=20, F=0.5, Cr=0.3", 5, 2003),
    Case("DE/curr-to-best/2/exp sat, N=5, F=2.0, Cr=0.5", 3, 1502),
    Case("DE/curr-to-best/2/bin tor, N=7, F=0.7, Cr=0.3, donors=not-target", 3, 1502),
    Case("DE/curr-to-best/2/exp mirr, N=100, F=0.5, Cr=0.3, donors=not-parents", 3, 2003),
    Case("DE/rand-to-best/1/bin tor, N=20, F=0.7, Cr=0.3", 5, 2003),
    Case("DE/rand-to-best/1/exp mirr, N=5, F=2.0, Cr=0.5", 3, 1502),
    Case("DE/rand-to-best/1/bin sat, N=7, F=0.7, Cr=0.3, donors=not-target", 3, 1502),
    Case("DE/rand-to-best/1/exp tor, N=100, F=0.9, Cr=0.3, donors=not-parents", 3, 2003),
    Case("DE/rand-to-best/2/bin sat, N=20, F=0.5, Cr=0.3", 5, 2003),
    Case("DE/rand-to-best/2/exp tor, N=5, F=2.0, Cr=0.5", 3, 1502),
    Case("DE/rand-to-best/2/bin mirr, N=7, F=0.7, Cr=0.3, donors=not-target", 3, 1502),
    Case("DE/rand-to-best/2/exp sat, N=100, F=0.5, Cr=0.3, donors=not-parents", 3, 2003),
)
REPAIRS = tuple(  # of the mutant
    Case(f"DE/rand/1/bin {strategy}, N=20, F=0.7, Cr=0.5, repair=mutant", 3, 1503)
    for strategy in ("conservatism", "project-midpoint", "project-base", "resample")
)


def unwritten() -> tuple[Case, ...]:
    """A case for every strategy, with either crossover, that the tables above have not: in turn with N = 20 and 5."""
    written = {(case.config.crossover, case.config.strategy) for case in WRITTEN}
    crossovers = [crossover for crossover in operators.in_slot("crossover") if crossover.exchanges]  # the fast engine's
    strategies = [strategy for strategy in operators.in_slot("strategy") if not strategy.leaves_outside]
    missing = [(c, s) for s, c in product(strategies, crossovers) if (c.name, s.name) not in written]
    return tuple(
        Case(f"DE/rand/1/{c.name} {s.name}, N={(20, 5)[k // 2 % 2]}, F=0.7, Cr=0.5", 3, 1503)
        for k, (c, s) in enumerate(missing)
    )


CASES = WRITTEN + MUTATIONS + REPAIRS + unwritten()
# For the tests, of which `make test` does every other one: half of the combinations, such that any two operators are
# together in one; the others with bin only.
PAIRS = tuple(case for k, case in enumerate(COMBINATIONS) if (k // 10 + k // 5 % 2 + k % 5) % 2 == 0)
SHORT = PAIRS + SHAPES + EXTREMES + READINGS
SHORT += tuple(case for case in (*REPAIRS, *unwritten()) if case.config.crossover == "bin")
