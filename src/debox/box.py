"""Box: the bounds of a problem, checked at birth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from debox import check

# Of a bound, so that no mutant overflows on the way: the farthest is a point and twice F = 2 times the box's width away
# from it, |x| + 4 (b − a) ≤ LARGEST + 4 · 2 LARGEST = 9e307, and floats end at 1.8e308. Beyond, infinities of opposite
# sign would meet in rand/2, and a sum that passes through infinity would count as outside where it ends inside.
LARGEST = 1e307


@dataclass(frozen=True, eq=False)
class Box:
    """[a₁, b₁] × … × [aₙ, bₙ], closed. `Box.of` takes pairs, a `scipy.optimize.Bounds` or a Box."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]

    def __post_init__(self) -> None:
        for side in ("lower", "upper"):
            frozen = check.floats(getattr(self, side), f"{side} bounds must be numbers")
            frozen.flags.writeable = False
            object.__setattr__(self, side, frozen)
        check_pairs("bounds", self.lower, self.upper)

    @classmethod
    def of(cls, bounds: Any, name: str = "bounds") -> Box:
        """A Box from what people call bounds; `name` is that of the argument, for errors."""
        if isinstance(bounds, Box):
            return bounds
        if hasattr(bounds, "lb") and hasattr(bounds, "ub"):
            return cls(*np.broadcast_arrays(np.atleast_1d(bounds.lb), np.atleast_1d(bounds.ub), subok=True))
        rule = f"{name} must be a sequence of (lower, upper) pairs"
        try:
            pairs = check.floats(bounds if isinstance(bounds, np.ndarray) else list(bounds), rule)
        except TypeError:
            raise ValueError(f"{rule}, got {bounds!r}") from None
        if pairs.ndim != 2 or pairs.shape[1] != 2 or len(pairs) == 0:
            raise ValueError(f"{rule}, got shape {pairs.shape}")
        check_pairs(name, pairs[:, 0], pairs[:, 1])
        return cls(pairs[:, 0], pairs[:, 1])

    @property
    def n(self) -> int:
        """The dimension."""
        return self.lower.size

    def contains(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which points are feasible."""
        return np.asarray(((self.lower <= points) & (points <= self.upper)).all(axis=-1))

    @classmethod
    def unit(cls, n: int) -> Box:
        """[0, 1]ⁿ"""
        check.memory(f"n = {n} variables", 2 * 8 * n)
        return cls(np.zeros(n), np.ones(n))

    def sample(self, N: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """N uniform points."""
        check.memory(f"N = {N} points with n = {self.n} variables, and as many trials,", 2 * 8 * N * self.n)
        return self.scaled(rng.random((N, self.n)))

    def scaled(self, U: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points of the unit box in this one."""
        # not a + U (b − a), which rounds otherwise: a seed would have other points
        return np.clip((1.0 - U) * self.lower + U * self.upper, self.lower, self.upper)

    def population(self, init: ArrayLike | None) -> NDArray[np.float64] | None:
        """Given initial points (N, n), checked."""
        if init is None:
            return None
        P = check.floats(init, f"init must be numbers of shape (N, {self.n})")
        if P.ndim != 2 or P.shape[1] != self.n:
            raise ValueError(f"init must have shape (N, {self.n}), got {P.shape}")
        for i, j in np.argwhere(~((self.lower <= P) & (self.upper >= P)))[:1]:
            raise ValueError(f"init[{i}][{j}] = {P[i, j]} lies outside [{self.lower[j]}, {self.upper[j]}]")
        return P


def check_pairs(name: str, lower: NDArray[np.float64], upper: NDArray[np.float64]) -> None:
    """Pairs of which no mutant overflows, lower < upper, one per variable."""
    if lower.ndim != 1 or lower.shape != upper.shape or lower.size == 0:
        raise ValueError(f"{name} need one pair per variable, got shapes {lower.shape} and {upper.shape}")
    for i, (a, b) in enumerate(zip(lower, upper, strict=True)):
        if not (np.isfinite(a) and np.isfinite(b) and a < b):
            raise ValueError(f"{name}[{i}] = ({a}, {b}): both must be finite and lower < upper")
        if max(-a, b) > LARGEST:
            raise ValueError(f"{name}[{i}] = ({a}, {b}): both must lie in [-{LARGEST}, {LARGEST}]")
