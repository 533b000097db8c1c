"""How often the test of a claim errs, and how often it sees, in made-up studies."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from benchmarks.claims.worlds import DIRECTED, study
from debox.analysis.claims.exact import Formula, NotInAStudy
from debox.analysis.claims.levels import NotTestableError, part
from debox.analysis.claims.rules import ALPHA, Verdict, judge
from debox.analysis.claims.statements import CLAIMS, Claim

FAMILY_SIZES = Counter(claim.family for claim in CLAIMS)
RANDOM = tuple(claim for claim in CLAIMS if not isinstance(claim.test, Formula | NotInAStudy))


@dataclass(frozen=True)
class Rates:
    """Shares of made-up studies."""

    small_p: float  # p below 0.05, not corrected, though the claim is false but only just
    false_alarm: float  # "holds" though it is false but only just
    power: float  # "holds" and it is true


def rates(claim: Claim, studies: int, seed: int = 0) -> Rates:
    """The rates of one claim, from so many studies of each kind; of two kinds that are false the larger."""
    rng = np.random.default_rng([seed, *claim.id.encode()])
    borders = [[outcome(claim, False, rng) for _ in range(studies)]]
    true = [outcome(claim, True, rng) for _ in range(studies)]
    if isinstance(claim.test, DIRECTED):
        borders.append([outcome(claim, False, rng, one_short=True) for _ in range(studies)])
    return Rates(
        small_p=max(float(np.mean([p < ALPHA for p, _ in border])) for border in borders),
        false_alarm=max(float(np.mean([holds for _, holds in border])) for border in borders),
        power=float(np.mean([holds for _, holds in true])),
    )


def outcome(claim: Claim, true: bool, rng: np.random.Generator, one_short: bool = False) -> tuple[float, bool]:
    """p, not corrected, and whether the claim is said to hold, corrected as if it were the first of its family."""
    try:
        found = claim.test.find(part(study(claim, true, rng, one_short), claim.where), claim.promised)
    except NotTestableError:
        return 1.0, False
    p, half = (min(1.0, FAMILY_SIZES[claim.family] * value) for value in (found.p, found.p_half))
    verdict, _ = judge(claim.promised, found.agree, found.against, p, half)
    return found.p, verdict is Verdict.HOLDS
