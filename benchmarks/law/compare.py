"""Two-sample tests between the plain engine and another one, over independent runs."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ks_1samp, ks_2samp, norm, uniform

import debox
from benchmarks.law.cases import CASES, Case
from debox.f0.engines import ENGINES, Fast, Plain
from debox.f0.measure import Measurement

MakeEngine = Callable[..., Plain]

FALSE_ALARM = 0.01  # the chance that equal laws fail any test of all cases; and again that they fail any joint test
POWER = 0.9  # the chance with which the smallest visible shift is seen
SHIFT = 0.03  # the shift of the mean POIS, relative to it, that must be visible
PILOT, LEAST = 400, 2500  # runs that tell how many are needed; runs there are at least
PLAIN_SEED, OTHER_SEED, PILOT_SEED = 1, 2, 3

QUANTITIES = ("mean", "POIS", "at ⅓", "at ⅔", "accepted", "best f", "best x")
LEVEL = FALSE_ALARM / (len(CASES) * len(QUANTITIES))


@dataclass(frozen=True)
class Comparison:
    """What the comparison of two engines on one case gave."""

    case: Case
    runs: int  # of each engine
    means: tuple[float, float]  # POIS
    visible: float  # the smallest relative shift of the mean seen with chance POWER at LEVEL
    z: float  # difference of the means in standard errors
    p: dict[str, float]  # p-value of each quantity

    @property
    def rejected(self) -> bool:
        return min(self.p.values()) < LEVEL


def compare(case: Case, other: MakeEngine = Fast, runs: int | None = None, workers: int = 1) -> Comparison:
    """The plain engine and another one; without `runs`, so many that SHIFT is visible."""
    runs = runs or enough_runs(case, workers)
    a = sample(case, Plain, runs, PLAIN_SEED, workers)
    b = sample(case, other, runs, OTHER_SEED, workers)
    error = sqrt((a.pois.var(ddof=1) + b.pois.var(ddof=1)) / runs)
    z = (a.pois.mean() - b.pois.mean()) / error
    return Comparison(
        case=case,
        runs=runs,
        means=(a.mean(), b.mean()),
        visible=detectable() * error / a.mean(),
        z=z,
        p=dict(zip(QUANTITIES, [2.0 * norm.sf(abs(z)), *p_values(a, b)], strict=True)),
    )


def sample(case: Case, engine: MakeEngine, runs: int, seed: int, workers: int) -> Measurement:
    """Runs of a case by an engine that need not be one of debox's."""
    with patch.dict(ENGINES, {"this": engine}):
        return debox.measure(
            case.text,
            n=case.n,
            budget=case.budget,
            box=case.box,
            runs=runs,
            rng=seed,
            engine="this",
            workers=workers,
        )


def enough_runs(case: Case, workers: int) -> int:
    """Runs that make SHIFT visible, from the spread in a pilot; a tenth more, for a pilot's spread is uncertain"""
    pois = sample(case, Fast, PILOT, PILOT_SEED, workers).pois
    needed = 2.0 * (detectable() * pois.std(ddof=1) / (SHIFT * pois.mean())) ** 2
    return max(LEAST, ceil(1.1**2 * needed))


def detectable() -> float:
    """The shift, in standard errors, that a two-sided z-test at LEVEL sees with chance POWER"""
    return float(norm.isf(LEVEL / 2.0) + norm.ppf(POWER))


def p_values(a: Measurement, b: Measurement) -> list[float]:
    """Kolmogorov–Smirnov, conservative where a quantity is discrete; for best x, n × the least over its coordinates"""
    quantities = [(a.pois, b.pois), *zip(a.pois_at.T, b.pois_at.T, strict=True)]
    quantities += [(a.accepted, b.accepted), (a.best_f, b.best_f)]
    coordinates = [ks(x, y) for x, y in zip(a.best_x.T, b.best_x.T, strict=True)]
    return [*(ks(x, y) for x, y in quantities), min(1.0, len(coordinates) * min(coordinates))]


def ks(x: NDArray[Any], y: NDArray[Any]) -> float:
    return float(ks_2samp(x, y, method="asymp").pvalue)


def joint(comparisons: list[Comparison]) -> dict[str, float]:
    """p-values of all cases together, to be held against FALSE_ALARM divided by their number.

    Differences too small for any one case show when they have one sign (the sum of the z is normal), or when p-values
    are too often small: those of the mean and of best f, which are continuous, must be uniform.
    """
    z = sum(c.z for c in comparisons) / sqrt(len(comparisons))
    return {
        "all differences of the mean have sum 0": 2.0 * norm.sf(abs(z)),
        "p-values of the mean are uniform": uniformity([c.p["mean"] for c in comparisons]),
        "p-values of best f are uniform": uniformity([c.p["best f"] for c in comparisons]),
    }


def uniformity(p: list[float]) -> float:
    return float(ks_1samp(np.array(p), uniform.cdf).pvalue)
