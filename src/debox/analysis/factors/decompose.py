"""Functional ANOVA of a full table: f = Σ_u f_u over all subsets u of its factors, the effects f_u orthogonal.

A table has one axis per factor and a last one for the numbers of a cell. Along the axis of factor k let J_k be the mean
and I the identity. The effect of the subset u is f_u = P_u f with P_u = ∏_{k ∈ u} (I − J_k) ∏_{k ∉ u} J_k, and the
variance over the cells is Σ_{u ≠ ∅} V_u with V_u = mean f_u². Vectors of 2ᵏ numbers, one per subset, have the order of
`subsets`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Subset = tuple[int, ...]


def subsets(factors: int) -> list[Subset]:
    """All subsets of the factors 0, 1, …: (), (1,), (0,), (0, 1) for two of them."""
    members = product((False, True), repeat=factors)
    return [tuple(k for k, member in enumerate(which) if member) for which in members]


def effects(table: Floats) -> list[Floats]:
    """f_u for every subset u; it has length 1 along the axes of factors that are not in u."""
    parts = [table]
    for axis in range(table.ndim - 1):
        means = [part.mean(axis, keepdims=True) for part in parts]
        parts = [one for part, mean in zip(parts, means, strict=True) for one in (mean, part - mean)]
    return parts


def weighted_sum(parts: Sequence[Floats], weights: Floats) -> Floats:
    """Σ_u w_u f_u, as large as the table: the inverse of `effects` if all weights are 1."""
    sums: list[Floats] = [weight * part for weight, part in zip(weights, parts, strict=True)]
    while len(sums) > 1:
        sums = [mean + rest for mean, rest in zip(sums[::2], sums[1::2], strict=True)]
    return sums[0]


def variances(parts: Sequence[Floats]) -> Floats:
    """V_u = mean f_u² over all cells and their numbers."""
    return np.array([np.mean(part * part) for part in parts])


def degrees(levels: Sequence[int]) -> Floats:
    """Degrees of freedom d_u = ∏_{k ∈ u} (L_k − 1) of every subset; together they are the number of cells."""
    return kronecker([np.array([1.0, L - 1.0]) for L in levels])


def projections(levels: Sequence[int]) -> Floats:
    """The entries of every P_u: row u, and column e for two cells whose levels agree in the factors e and in no other.

    P_u[c, c′] = ∏_{k ∈ u} (1 if k ∈ e else 0, minus 1/L_k) ∏_{k ∉ u} 1/L_k
    """
    return kronecker([np.array([[1 / L, 1 / L], [-1 / L, 1 - 1 / L]]) for L in levels])


def sums_by_agreement(table: Floats) -> Floats:
    """Σ x_c · x_c′ over all pairs of cells that agree in the factors e and in no other, for every subset e."""
    sums = [table]
    for axis in range(table.ndim - 1):
        sums = [one for part in sums for one in (part.sum(axis, keepdims=True), part)]
    at_least = np.array([np.sum(part * part) for part in sums])  # pairs that agree in e and perhaps in more
    exactly = kronecker([np.array([[1.0, -1.0], [0.0, 1.0]])] * (table.ndim - 1))
    return np.asarray(exactly @ at_least)


def kronecker(factors: Sequence[Floats]) -> Floats:
    """The Kronecker product of one small array per factor."""
    whole = np.ones((1,) * factors[0].ndim)
    for one in factors:
        whole = np.asarray(np.kron(whole, one))
    return whole
