"""How often the test of a claim errs, and how often it sees, in made-up studies."""

from collections import Counter
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from benchmarks.claims.worlds import World, made_up, worlds
from debox.analysis.claims.bound import IN_GENERAL, LITERALLY, Bounded
from debox.analysis.claims.exact import Formula, NotInAStudy
from debox.analysis.claims.levels import NotTestableError, part
from debox.analysis.claims.rules import ALPHA, Verdict, judge
from debox.analysis.claims.statements import CLAIMS, Claim

FAMILY_SIZES = Counter(claim.family for claim in CLAIMS)
BOUNDS = {IN_GENERAL: Bounded({}), LITERALLY: Bounded({}, exceptions=False)}  # they need runs on other functions
TESTED = tuple(replace(claim, test=BOUNDS.get(claim.id, claim.test)) for claim in CLAIMS)
RANDOM = tuple(claim for claim in TESTED if not isinstance(claim.test, Formula | NotInAStudy))
NORMAL = 1.959964  # of a 95 % interval


@dataclass(frozen=True)
class Rate:
    """How many of so many studies."""

    count: int
    of: int

    @property
    def value(self) -> float:
        return self.count / self.of

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's: all rates at which the count is within 1.96 standard deviations of what is expected."""
        z2 = NORMAL**2
        centre = (self.count + z2 / 2) / (self.of + z2)
        half = NORMAL * sqrt(self.of * self.value * (1 - self.value) + z2 / 4) / (self.of + z2)
        return max(centre - half, 0.0), min(centre + half, 1.0)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.2f} ({low:.2f}–{high:.2f})"


@dataclass(frozen=True)
class Rates:
    """How often a claim is said to hold in each kind of study, and how often p is small in those on the border.

    Of the two kinds of border studies of a claimed direction, the larger.
    """

    small_p: Rate  # p below 0.05, not corrected, on the border
    plainly_false: Rate
    border: Rate
    small: Rate
    true: Rate


def rates(claim: Claim, studies: int, seed: int = 0) -> Rates:
    """The rates of one claim, from so many studies of each kind."""
    rng = np.random.default_rng([seed, *claim.id.encode()])
    found = {world: [outcome(claim, world, rng) for _ in range(studies)] for world in worlds(claim)}
    holds = {world: Rate(sum(held for _, held in of), studies) for world, of in found.items()}
    borders = [world for world in (World.BORDER, World.ONE_SHORT) if world in found]
    return Rates(
        small_p=Rate(max(sum(p < ALPHA for p, _ in found[world]) for world in borders), studies),
        plainly_false=holds[World.PLAINLY_FALSE],
        border=max((holds[world] for world in borders), key=lambda rate: rate.count),
        small=holds[World.SMALL],
        true=holds[World.TRUE],
    )


def outcome(claim: Claim, world: World, rng: np.random.Generator) -> tuple[float, bool]:
    """p, not corrected, and whether the claim is said to hold, corrected as if it were the first of its family."""
    test, cube = made_up(claim, world, rng)
    try:
        found = test.find(part(cube, claim.where), claim.promised)
    except NotTestableError:
        return 1.0, False
    p, half = (min(1.0, FAMILY_SIZES[claim.family] * value) for value in (found.p, found.p_half))
    verdict, _ = judge(claim.promised, found.agree, found.against, p, half)
    return found.p, verdict is Verdict.HOLDS
