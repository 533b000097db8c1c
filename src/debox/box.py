"""Box: the bounds of a problem, checked at birth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class Box:
    """[a₁, b₁] × … × [aₙ, bₙ], closed. `Box.of` takes pairs, a `scipy.optimize.Bounds` or a Box."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]

    def __post_init__(self) -> None:
        for side in ("lower", "upper"):
            frozen = np.array(getattr(self, side), dtype=np.float64)
            frozen.flags.writeable = False
            object.__setattr__(self, side, frozen)
        check_pairs("bounds", self.lower, self.upper)

    @classmethod
    def of(cls, bounds: Any, name: str = "bounds") -> Box:
        """A Box from what people call bounds; `name` is that of the argument, for errors."""
        if isinstance(bounds, Box):
            return bounds
        if hasattr(bounds, "lb") and hasattr(bounds, "ub"):
            return cls(*np.broadcast_arrays(np.atleast_1d(bounds.lb), np.atleast_1d(bounds.ub)))
        try:
            pairs = np.array(list(bounds), dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"{name} must be a sequence of (lower, upper) pairs, got {bounds!r}") from None
        if pairs.ndim != 2 or pairs.shape[1] != 2 or len(pairs) == 0:
            raise ValueError(f"{name} must be a sequence of (lower, upper) pairs, got shape {pairs.shape}")
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
        return cls(np.zeros(n), np.ones(n))

    def sample(self, N: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """N uniform points."""
        return self.scaled(rng.random((N, self.n)))

    def scaled(self, U: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points of the unit box in this one."""
        # not a + U (b − a): the width of a very large box overflows
        return np.clip((1.0 - U) * self.lower + U * self.upper, self.lower, self.upper)

    def population(self, init: ArrayLike | None) -> NDArray[np.float64] | None:
        """Given initial points (N, n), checked."""
        if init is None:
            return None
        try:
            P = np.array(init, dtype=np.float64, order="C")
        except (TypeError, ValueError):
            raise ValueError(f"init must be numbers of shape (N, {self.n}), got {init!r}") from None
        if P.ndim != 2 or P.shape[1] != self.n:
            raise ValueError(f"init must have shape (N, {self.n}), got {P.shape}")
        for i, j in np.argwhere(~((self.lower <= P) & (self.upper >= P)))[:1]:
            raise ValueError(f"init[{i}][{j}] = {P[i, j]} lies outside [{self.lower[j]}, {self.upper[j]}]")
        return P


def check_pairs(name: str, lower: NDArray[np.float64], upper: NDArray[np.float64]) -> None:
    """Finite pairs, lower < upper, one per variable."""
    if lower.ndim != 1 or lower.shape != upper.shape or lower.size == 0:
        raise ValueError(f"{name} need one pair per variable, got shapes {lower.shape} and {upper.shape}")
    for i, (a, b) in enumerate(zip(lower, upper, strict=True)):
        if not (np.isfinite(a) and np.isfinite(b) and a < b):
            raise ValueError(f"{name}[{i}] = ({a}, {b}): both must be finite and lower < upper")
