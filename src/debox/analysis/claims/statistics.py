"""p-values for claims: each says how likely what was seen is under which hypothesis; none stands without an effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEAST_P = 1e-15  # tails of approximate laws mean nothing beyond
ROUNDS = 2000  # permutations in memory at once


def welch(value: Any, variance: Any, freedom: Any) -> Any:
    """P(a difference at least as large | its expectation is at most 0), t with Satterthwaite's degrees of freedom."""
    from scipy.stats import t

    return np.maximum(t.sf(value / np.sqrt(variance), freedom), LEAST_P)


def equivalence(value: Any, variance: Any, freedom: Any, margin: float) -> Any:
    """TOST: the larger p of the two tests that reject "the difference is at least the margin" and "at most −margin"."""
    return np.maximum(
        welch(margin - value, variance, freedom),
        welch(margin + value, variance, freedom),
    )


def rejections(count: int, of: int, share: float, alpha: float) -> float:
    """p for "at least this share of independent cells are as claimed", from how many of their tests reject at alpha.

    If fewer than u = share·of cells were, at most u − 1 rejections would be due and the others errors, of which each of
    the remaining of − u + 1 cells has a chance of at most alpha.
    """
    from scipy.stats import binom

    u = max(ceil(share * of - 1e-9), 1)
    return max(float(binom.sf(count - u, of - u + 1, alpha)), LEAST_P)


def at_least(count: int, of: int, share: float) -> float:
    """p for "more than this share of independent cells are expected to have the property".

    Cells may differ in their chances: Hoeffding (1956) shows that the binomial tail bounds theirs from
    of·share + 1 cells on; below it p is 1.
    """
    from scipy.stats import binom

    return max(float(binom.sf(count - 1, of, share)), LEAST_P) if count >= of * share + 1 else 1.0


def differ(values: Floats, variances: Floats, freedom: int, axis: int) -> NDArray[np.bool_]:
    """Do numbers along an axis differ beyond chance (5 %)? F, the ratio of their variance to the sampling variance."""
    from scipy.stats import f

    levels = values.shape[axis]
    ratio = values.var(axis, ddof=1, keepdims=True) / variances.mean(axis, keepdims=True)
    return np.asarray(ratio > f.ppf(0.95, levels - 1, levels * freedom))


def sign(more: int, less: int) -> float:
    """The sign test: P(at least so many of the pairs that differ | both directions are equally likely)."""
    from scipy.stats import binom

    return max(float(binom.sf(more - 1, more + less, 0.5)), LEAST_P)


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Holm's correction: p-values times m, m − 1, …, from the smallest on, never falling; None stays None."""
    known = sorted((value, k) for k, value in enumerate(p) if value is not None)
    corrected: list[float | None] = [None] * len(p)
    highest = 0.0
    for rank, (value, k) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * value))
        corrected[k] = highest
    return corrected


@dataclass(frozen=True, eq=False)
class Distances:
    """Of pairs of samples: their distance, what it is on average when labels are permuted, and p."""

    observed: Floats
    by_chance: Floats
    p: Floats


def distances(x: Floats, y: Floats, rounds: int, seed: int = 0, power: int = 1) -> Distances:
    """How far rows of x and y are apart, against permutations of the runs of each pair.

    ∫ |F − G|ᵖᵒʷᵉʳ: Wasserstein-1 for power 1, half the squared energy distance for power 2. Between neighbouring values
    of both samples together |F − G| is a constant that only the order of the labels decides, so the null of all pairs
    is one matrix product: gaps between values × |F − G| of permuted labels.

    rounds: p is at least 1 ÷ (rounds + 1); for a level α over m pairs take m/α at least
    """
    rng, R = np.random.default_rng(seed), x.shape[-1]
    both = np.concatenate([x, y], axis=-1)
    order = np.argsort(both, axis=-1, kind="stable")
    gaps = np.diff(np.take_along_axis(both, order, axis=-1), axis=-1).astype(np.float32)
    observed = (gaps * _heights(np.where(order < R, 1, -1), power)).sum(-1)
    reached = observed * np.float32(1 - 1e-5)  # but for roundoff
    beyond, total, left = np.zeros(len(x)), np.zeros(len(x)), rounds
    labels = np.repeat([1, -1], R)
    while left:
        some = min(left, ROUNDS)
        heights = _heights(rng.permuted(np.tile(labels, (some, 1)), axis=1), power)
        near = gaps @ heights.max(0) >= reached * np.float32(1 - 1e-5)  # no permutation of these rounds reaches others
        beyond[near] += np.count_nonzero(gaps[near] @ heights.T >= reached[near, None], axis=1)
        total += gaps @ heights.sum(0, dtype=np.float64)  # the sum of null over its rounds
        left -= some
    return Distances(observed.astype(np.float64), total / rounds, (beyond + 1) / (rounds + 1))


def _heights(labels: NDArray[Any], power: int) -> NDArray[np.float32]:
    """|F − G| between neighbouring values, from the labels ±1 in their order."""
    share = np.cumsum(labels, axis=-1)[..., :-1] / (labels.shape[-1] // 2)
    return np.asarray(np.abs(share) ** power, np.float32)


def rounds_for(pairs: int, alpha: float) -> int:
    """Enough permutations for the smallest p to be half of what the first of so many corrected tests needs."""
    return max(ceil(2 * pairs / alpha), 999)
