"""Box: the bounds of a problem, checked when it is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from debox import check

# Largest |bound|: a mutant, up to |x| + 4 (b − a) with two differences and F = 2, must stay below 1.8e308, where floats
# end; with these bounds it is at most 9e307. Beyond, infinities of opposite sign would meet in rand/2, and a sum that
# passes through infinity would count as outside where it ends inside.
LARGEST_BOUND = 1e307


@dataclass(frozen=True, eq=False)
class Box:
    """[a₁, b₁] × … × [aₙ, bₙ], closed. `Box.of` takes pairs, a `scipy.optimize.Bounds` or a Box.

    Parameters
    ----------
    lower, upper : array_like of float, shape (n,)
        The bounds of each variable: finite, lower < upper, within ±1e307. Copied, and not writeable afterwards.

    Examples
    --------
    >>> from debox import Box
    >>> box = Box([0, -1], [5, 1])
    >>> box.n, box.upper.tolist()
    (2, [5.0, 1.0])
    """

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
        """A Box from pairs, from SciPy's bounds or from a Box, which stays the same object.

        Parameters
        ----------
        bounds : Box, scipy.optimize.Bounds or sequence of (lower, upper) pairs
            The bounds, one pair per variable.
        name : str, default "bounds"
            What errors call them.
        """
        if isinstance(bounds, Box):
            return bounds
        rule = f"{name} must be a sequence of (lower, upper) pairs of finite numbers"
        if hasattr(bounds, "lb") and hasattr(bounds, "ub"):  # SciPy has made them arrays of one shape
            bounds = list(zip(bounds.lb, bounds.ub, strict=True))
        try:
            pairs = check.floats(bounds if isinstance(bounds, np.ndarray) else list(bounds), rule)
        except TypeError:
            raise ValueError(f"{rule}, got {bounds!r}") from None
        if pairs.ndim != 2 or pairs.shape[1] != 2 or len(pairs) == 0:
            raise ValueError(f"{rule}, got shape {pairs.shape}")
        check_pairs(name, *pairs.T)
        return cls(*pairs.T)

    @property
    def n(self) -> int:
        """The dimension."""
        return self.lower.size

    def contains(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which points are feasible: a ≤ x ≤ b in every component, bounds included.

        Parameters
        ----------
        points : ndarray of float, shape (..., n)
            One point or several; the result, of shape (...), says of each whether it lies in the box.
        """
        return np.asarray(((self.lower <= points) & (points <= self.upper)).all(axis=-1))

    @classmethod
    def unit(cls, n: int) -> Box:
        """[0, 1]ⁿ, the box of f0.

        Parameters
        ----------
        n : int
            The dimension, at least 1.
        """
        return cls(np.zeros(n), np.ones(n))

    def _sample(self, N: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """N independent uniform points."""
        return self._scaled(rng.random((N, self.n)))

    def _scaled(self, U: NDArray[np.float64], clip: bool = True) -> NDArray[np.float64]:
        """(1 − U) a + U b, clipped where all must end inside; a + U (b − a) would round otherwise."""
        points = (1.0 - U) * self.lower + U * self.upper
        return np.clip(points, self.lower, self.upper) if clip else points

    def _population(self, init: ArrayLike) -> NDArray[np.float64]:
        """A checked copy of initial points of shape (N, n)."""
        P = check.floats(init, f"init must be numbers of shape (N, {self.n})")
        if P.ndim != 2 or P.shape[1] != self.n:
            raise ValueError(f"init must have shape (N, {self.n}), got {P.shape}")
        for i, j in np.argwhere(~((self.lower <= P) & (self.upper >= P)))[:1]:
            raise ValueError(f"init[{i}][{j}] = {P[i, j]} lies outside [{self.lower[j]}, {self.upper[j]}]")
        return P


def check_pairs(name: str, lower: NDArray[np.float64], upper: NDArray[np.float64]) -> None:
    """Raise a ValueError unless there is a pair for each variable, lower < upper, for which no mutant overflows."""
    if lower.ndim != 1 or lower.shape != upper.shape or lower.size == 0:
        raise ValueError(f"{name} need one pair per variable, got shapes {lower.shape} and {upper.shape}")
    for i, (a, b) in enumerate(zip(lower, upper, strict=True)):
        if not (np.isfinite(a) and np.isfinite(b) and a < b):
            hint = f"; debox.Fixed({a}) does not vary" if a == b else ""
            raise ValueError(f"{name}[{i}] = ({a}, {b}): both must be finite and lower < upper{hint}")
        if max(-a, b) > LARGEST_BOUND:
            raise ValueError(f"{name}[{i}] = ({a}, {b}): both must lie in [-{LARGEST_BOUND}, {LARGEST_BOUND}]")
