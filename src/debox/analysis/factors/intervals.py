"""Intervals for shares and variances: cells are fixed, runs are random.

A share is g = a/b with a = Σ w_u V_u, b = Σ V_u over all u ≠ ∅. With C = A − g B, A = Σ w_u P_u and B = Σ P_u, a − g b
is the quadratic form θᵀCθ/M of the true cells θ. It is estimated by tᵀCt/M minus its noise, with the variance

    Var(g) = (4 θᵀC D C θ + 2 tr(C D C D)) / M²,    D the covariance of t, which is block diagonal,

for nearly normal t. The interval holds every g that a test does not reject: (a − g b)² ≤ z² Var(g). For θᵀC D C θ the
test takes v M Σ (w_u − g)² V_u with the noise v in the direction of C t, and V_u that fulfil g = a/b: so where g is
tested as 0, only noise is left in Var(g). Estimating Var once, at the estimate, fails there: a quadratic form has its
smallest variance where its value is near 0. The variance of a is treated likewise, with B = 0 and b = 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, isfinite, nan, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from debox.analysis.factors.cells import Cells
from debox.analysis.factors.decompose import Floats, effects, projections, sums_by_agreement, variances, weighted_sum

HALVINGS, DOUBLINGS = 40, 40  # of the step towards and away from the estimate

Polynomial = tuple[float, float, float]  # x + y g + z g²


@dataclass(frozen=True)
class Form:
    """The quadratic form a − g b of one share, and all that its variance needs."""

    a: float
    b: float
    relative: bool  # a share of b; else a itself, and b is 1
    numbers: int  # cells times numbers of a cell
    noise: Polynomial  # tᵀC D C t
    length: Polynomial  # tᵀC C t
    trace: Polynomial  # tr(C D C D)
    weight: float  # mean of the w_u > 0, weighted with V_u; 0 if there are none
    weight_squared: float  # mean of their squares
    others: bool  # does any other subset vary?

    def variance(self, g: float) -> float:
        """Var(a − g b) if g = a/b holds"""
        length = value(self.length, g)
        v = max(value(self.noise, g), 0.0) / length if length > 0 else 0.0
        return (4 * v * self.numbers * self.signal(g) + 2 * max(value(self.trace, g), 0.0)) / self.numbers**2

    def signal(self, g: float) -> float:
        """Σ (w_u − g)² V_u with V_u that fulfil g = a/b"""
        shift, b = (g if self.relative else 0.0), max(self.b, 0.0)
        inside = max(g, 0.0) * b / self.weight
        outside = max(b - inside, 0.0) if self.relative and self.others else 0.0
        return inside * (self.weight_squared - 2 * shift * self.weight + shift**2) + shift**2 * outside

    def rejects(self, g: float, z: float) -> bool:
        """Is g so far from the estimate that the test rejects it?"""
        return (self.a - g * self.b) ** 2 > z**2 * self.variance(g)


def value(polynomial: Polynomial, g: float) -> float:
    """x + y g + z g²"""
    x, y, z = polynomial
    return x + g * (y + g * z)


def interval(form: Form, confidence: float) -> tuple[float, float]:
    """All values around the estimate that the test does not reject; infinite where it rejects none."""
    if form.b == 0:
        return nan, nan
    if form.weight == 0:
        return 0.0, 0.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    return limit(form, z, -1), limit(form, z, 1)


def limit(form: Form, z: float, sign: int) -> float:
    """The first value below (sign −1) or above (1) the estimate that the test rejects."""
    start = form.a / form.b
    step = sqrt(form.variance(start)) / abs(form.b) / 4 or abs(start) * 1e-9 or 1e-9
    inner, outer = start, inf
    for _ in range(DOUBLINGS):
        if form.rejects(start + sign * step, z):
            outer = start + sign * step
            break
        inner, step = start + sign * step, 2 * step
    for _ in range(HALVINGS if isfinite(outer) else 0):
        middle = (inner + outer) / 2
        inner, outer = (inner, middle) if form.rejects(middle, z) else (middle, outer)
    return outer if isfinite(outer) else sign * inf


def forms(cells: Cells, weights: Iterable[Floats], corrected: Floats, relative: bool = True) -> list[Form]:
    """The form of every share Σ w_u V_u ÷ Σ V_u (relative), or of every Σ w_u V_u.

    corrected: V_u of every subset, noise removed
    """
    J = cells.estimate.shape[-1]
    parts, raw = effects(cells.estimate), variances(effects(cells.estimate))
    agreement = sums_by_agreement(cells.noise.reshape(*cells.levels, J * J))
    entries, everything = projections(cells.levels), np.ones(len(parts)) * relative
    everything[0] = 0
    y_B, total = weighted_sum(parts, everything), float(corrected[1:].sum()) if relative else 1.0
    D_B, e_B = apply(cells.noise, y_B), everything @ entries
    noise_B, length_B = inner(y_B, D_B), inner(y_B, y_B)
    made = []
    for w in weights:
        y, e = weighted_sum(parts, w), w @ entries
        mix = mixture(w, corrected, raw)
        made.append(
            Form(
                a=float(w @ corrected),
                b=total,
                relative=relative,
                numbers=y.size,
                noise=square(inner(y, apply(cells.noise, y)), inner(y, D_B), noise_B),
                length=square(inner(y, y), inner(y, y_B), length_B),
                trace=square(agreement @ e**2, agreement @ (e * e_B), agreement @ e_B**2),
                weight=float(mix @ w),
                weight_squared=float(mix @ w**2),
                others=bool(raw[1:] @ (w[1:] == 0) > 0),
            )
        )
    return made


def inner(x: Floats, y: Floats) -> float:
    """Σ x y over all cells and their numbers; not by BLAS, whose threads take longer to start than this to end."""
    return float(np.sum(x * y))


def square(aa: Any, ab: Any, bb: Any) -> Polynomial:
    """(a − g b)² as a polynomial in g"""
    return float(aa), -2 * float(ab), float(bb)


def mixture(w: Floats, corrected: Floats, raw: Floats) -> Floats:
    """How the subsets with w_u > 0 divide what they have together: as their V_u > 0 do, else as the raw ones."""
    kept = np.maximum(corrected, 0) * (w > 0)
    kept = kept if kept.sum() > 0 else raw * (w > 0)
    return np.asarray(kept / kept.sum() if kept.sum() > 0 else kept)


def apply(noise: Floats, y: Floats) -> Floats:
    """D y, the covariance of every cell times its numbers."""
    return np.asarray(np.matmul(noise, y[..., None])[..., 0])
