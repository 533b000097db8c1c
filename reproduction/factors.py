"""Which factor makes how much of the differences in the paper's study, and how often intervals hold true shares.

Intervals are judged on synthetic studies whose cells are known: three factors a, b, c of 3, 4 and 5 levels, of which a
does nothing, the others do something by themselves and together. Cells stay, runs are drawn again and again.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from benchmarks.measure import progress
from numpy.typing import NDArray

import debox
from debox.analysis.factors import HEADS, STATISTICS, Factors, effects, estimate, weights
from debox.analysis.runs import Runs
from debox.study.fields import AXES
from reproduction.numbers import DATA

PARTS: dict[str, dict[str, Any]] = {
    "all": {},
    "crossover bin": {"crossover": "bin"},
    "crossover exp": {"crossover": "exp"},
    "N = 5": {"N": 5},
    "N = 20": {"N": 20},
    "N = 100": {"N": 100},
    "F ≤ 1": {"F": "<=1"},
}
TOGETHER = 5  # interactions that are named
LEVELS, STUDIES, CONFIDENCE = (3, 4, 5), 1000, 0.95
Floats = NDArray[np.float64]


# ---- The paper's study -----------------------------------------------------------------------------------------------


def shares_of(found: Factors) -> dict[str, Any]:
    """Three shares of every factor, the strongest interactions, and what all factors explain alone."""
    return {
        "factors": {name: {kind: found.shares()[kind][name] for kind in HEADS} for name in AXES},
        "interactions": [{"names": u, "share": share} for u, share in found.interactions()[:TOGETHER]],
        "alone": found.alone,
    }


def part_of(runs: Runs, of: str, part: str) -> dict[str, Any]:
    """The Shapley share of every factor that has several levels there, and what all explain alone."""
    found = debox.factors(runs, of, **PARTS[part])
    several = {name: share.value for name, share in found.shapley.items() if len(found.axes[name]) > 1}
    return {
        "part": part,
        "shapley": several,
        "alone": found.alone,
        "half_width": max((share.high - share.low) / 2 for share in found.shapley.values()),
    }


# ---- Known cells -----------------------------------------------------------------------------------------------------

_, b, c = np.meshgrid(*(np.linspace(0, 1, length) for length in LEVELS), indexing="ij")
CELLS = 0.2 + 0.3 * b + 0.2 * c**2 + 0.2 * b * c  # between 0.2 and 0.9
SPREADS = 0.02 + 0.2 * CELLS**3  # the largest is eight times the smallest
FEW = (c == 1) & (b > 0.5)
ROWS = np.concatenate(list(weights(len(LEVELS)).values()))  # of all shares: three kinds of three factors
LAWS: dict[str, Callable[[np.random.Generator, tuple[int, ...]], Floats]] = {
    "normal": lambda rng, shape: rng.normal(CELLS, 0.1, shape),
    "uneven": lambda rng, shape: rng.normal(CELLS, SPREADS, shape),
    "skewed": lambda rng, shape: CELLS - 0.2 + rng.exponential(0.2, shape),
    "two values": lambda rng, shape: (rng.random(shape) < CELLS).astype(float),
    "few noisy cells": lambda rng, shape: rng.normal(CELLS, 0.5 * FEW, shape),
    "weak": lambda rng, shape: rng.normal(CELLS, 1.0, shape),
}
CASES = [("mean", law, runs) for law in LAWS for runs in (10, 50)]
CASES += [(of, "uneven", runs) for of in ("spread", "quantiles") for runs in (10, 50)]


def drawn(law: str, runs: int, rng: np.random.Generator) -> Floats:
    """A study: levels × runs."""
    return np.moveaxis(LAWS[law](rng, (runs, *LEVELS)), 0, -1)


def known_cells(of: str, runs: int) -> Floats:
    """What a statistic expects of each cell, that of spread up to a factor: levels × numbers."""
    if of == "mean":
        return CELLS[..., None]
    if of == "spread":
        return SPREADS[..., None]
    return CELLS[..., None] + SPREADS[..., None] * normal_order_statistics(runs // 2)


def normal_order_statistics(runs: int) -> Floats:
    """Expected order statistics of so many standard normal runs: ∫ x dP(j-th ≤ x), by a fine sum."""
    from scipy.special import ndtr
    from scipy.stats import beta

    x, j = np.linspace(-9, 9, 20_001), np.arange(1, runs + 1)[:, None]
    return np.diff(beta.cdf(ndtr(x), j, runs + 1 - j)) @ (x[1:] + x[:-1]) / 2


def true_shares(cells: Floats) -> Floats:
    """All shares of known cells, which have no noise."""
    V = np.array([np.mean(part * part) for part in effects(cells)])
    return ROWS @ V / V[1:].sum()


def coverage(of: str, law: str, runs: int, studies: int = STUDIES, seed: int = 0) -> Floats:
    """How often the interval of each share holds the true one: first a, b, c, total a, b, c, Shapley a, b, c.

    An interval that is not known, for there may be no variance to share, holds all.
    """
    truth, rng = true_shares(known_cells(of, runs)), np.random.default_rng([seed, runs])
    held = np.zeros(len(ROWS))
    for _ in range(studies):
        low, high = estimate(drawn(law, runs, rng), of, ROWS).interval(CONFIDENCE)
        held += ~((low[1:] > truth) | (truth > high[1:]))
    return held / studies


# ---- Numbers ---------------------------------------------------------------------------------------------------------


def numbers() -> dict[str, Any]:
    """Shares of the paper's study, and how often intervals hold those that are known."""
    runs = Runs.of(DATA / "paper.parquet")
    found = {of: debox.factors(runs, of) for of in STATISTICS}
    mean, F = found["mean"], found["mean"].axes["F"]
    by_crossover = mean.effects["crossover",] + mean.effects[()]
    by_Cr = mean.effects["crossover", "Cr"] + mean.effects["Cr",] + by_crossover[:, None]
    rows = []
    for of, law, count in CASES:
        progress(f"coverage of {of}, {law}, {count} runs")
        rows.append({"of": of, "law": law, "runs": count, "held": coverage(of, law, count)})
    return {
        "configurations": mean.configurations,
        "runs": mean.runs,
        "F_levels": len(F),
        "F_above_1": sum(f > 1 for f in F),
        "Cr_ends": (mean.axes["Cr"][0], mean.axes["Cr"][-1]),
        "pois_of_crossover": dict(zip(mean.axes["crossover"], by_crossover, strict=True)),
        "change_over_Cr": dict(zip(mean.axes["crossover"], by_Cr[:, -1] - by_Cr[:, 0], strict=True)),
        "means_of_quantiles": mean.variance.value / found["quantiles"].variance.value,
        **{of: shares_of(one) for of, one in found.items()},
        "parts": {of: [part_of(runs, of, part) for part in PARTS] for of in ("mean", "spread")},
        "studies": STUDIES,
        "coverage": rows,
        "least_held": min(min(row["held"]) for row in rows),
        "most_held": max(max(row["held"]) for row in rows),
    }
