"""A Gaussian process over the plane of two coordinates, for many surfaces at once, with noise known cell by cell."""

from __future__ import annotations

from itertools import product

import numpy as np

from debox.analysis.predict.grid import Floats

LENGTHS = ((0.5, 1.0, 2.0), (1.0, 2.0, 4.0))  # in the two coordinates
SCALES = (0.1, 1.0, 10.0)  # variances
JITTER = 1e-6  # keeps a matrix of equal cells invertible

Axes = tuple[Floats, Floats]


def gaussian_process(known: Axes, values: Floats, wanted: Axes) -> Floats:
    """E(f(wanted) | values), a constant mean and a Matérn kernel of smoothness 3/2; values: rows × columns × runs

    All runs (order statistics) share the kernel whose likelihood for the cells' means is the largest.
    """
    rows = values.reshape(-1, values.shape[-1])
    noise = rows.var(axis=-1, ddof=min(1, rows.shape[-1] - 1)) / rows.shape[-1] + JITTER
    level = rows.mean(axis=0)
    lengths = max(product(*LENGTHS), key=lambda one: likelihood(known, rows.mean(axis=1), noise, one)[0])
    scale = likelihood(known, rows.mean(axis=1), noise, lengths)[1]
    weights = np.linalg.solve(scale * kernel(known, known, lengths) + np.diag(noise), rows - level)
    found = level + scale * kernel(wanted, known, lengths) @ weights
    return np.asarray(found.reshape(len(wanted[0]), len(wanted[1]), -1))


def likelihood(known: Axes, means: Floats, noise: Floats, lengths: tuple[float, float]) -> tuple[float, float]:
    """The largest logarithm of the likelihood of the cells' means over all scales, and its scale."""
    K, y = kernel(known, known, lengths), means - means.mean()
    found = []
    for scale in SCALES:
        L = np.linalg.cholesky(scale * K + np.diag(noise))
        z = np.linalg.solve(L, y)
        found.append((float(-z @ z / 2 - np.log(np.diag(L)).sum()), scale))
    return max(found)


def kernel(left: Axes, right: Axes, lengths: tuple[float, float]) -> Floats:
    """k(d₁/l₁) k(d₂/l₂) for all pairs of points, with k(d) = (1 + √3 d) exp(−√3 d)"""
    parts = []
    for a, b, length in zip(left, right, lengths, strict=True):
        d = np.sqrt(3) * np.abs(a[:, None] - b) / length
        parts.append((1 + d) * np.exp(-d))
    return np.asarray(np.kron(*parts))
