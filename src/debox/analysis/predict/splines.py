"""Interpolation along one axis, for many curves at once: `y` has a row for every `x`; `at` lies within them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def nearest(x: Floats, y: Floats, at: Floats) -> Floats:
    """y of the nearest x; of two equally near ones, of the smaller"""
    return np.asarray(y[np.abs(at[:, None] - x).argmin(axis=1)])


def linear(x: Floats, y: Floats, at: Floats) -> Floats:
    """(1 − t) y_k + t y_{k+1} with t = (at − x_k) ÷ (x_{k+1} − x_k)"""
    k, t = place(x, at)
    t = _upright(t, y)
    return np.asarray((1 - t) * y[k] + t * y[k + 1])


def monotone(x: Floats, y: Floats, at: Floats) -> Floats:
    """Cubic Hermite splines that rise where the data rise and fall where they fall (Fritsch and Butland, PCHIP)

    y_k + h (t d_k + t² (3s − 2d_k − d_{k+1}) + t³ (d_k + d_{k+1} − 2s)), where h = x_{k+1} − x_k, s is the slope of
    the chord and d are those of `slopes`. Two points are joined by a line.
    """
    if len(x) < 3:
        return linear(x, y, at)
    k, t = place(x, at)
    h, t, d = _upright(np.diff(x)[k], y), _upright(t, y), slopes(x, y)
    s = (y[k + 1] - y[k]) / h
    return np.asarray(y[k] + h * t * (d[k] + t * (3 * s - 2 * d[k] - d[k + 1] + t * (d[k] + d[k + 1] - 2 * s))))


def slopes(x: Floats, y: Floats) -> Floats:
    """Inside, a weighted harmonic mean of both chords' slopes, 0 where signs differ; at the ends, a parabola's."""
    h, s = _upright(np.diff(x), y), np.diff(y, axis=0) / _upright(np.diff(x), y)
    before, after = s[:-1], s[1:]
    w1, w2 = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    same = before * after > 0
    harmonic = w1 / np.where(same, before, 1) + w2 / np.where(same, after, 1)
    inside = np.where(same, (w1 + w2) / np.where(same, harmonic, 1), 0)
    first = end_slope(h[0], h[1], s[0], s[1])
    last = end_slope(h[-1], h[-2], s[-1], s[-2])
    return np.concatenate([first[None], inside, last[None]])


def end_slope(h0: Floats, h1: Floats, s0: Floats, s1: Floats) -> Floats:
    """((2h₀ + h₁) s₀ − h₀ s₁) ÷ (h₀ + h₁), but neither against s₀ nor, where the slopes change sign, beyond 3 s₀"""
    d = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1)
    d = np.where(d * s0 <= 0, 0, d)
    return np.asarray(np.where((s0 * s1 < 0) & (np.abs(d) > 3 * np.abs(s0)), 3 * s0, d))


def place(x: Floats, at: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Between which neighbours k and k + 1 each point lies, and where: 0 at k, 1 at k + 1."""
    k = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    return k, (at - x[k]) / (x[k + 1] - x[k])


def _upright(numbers: Floats, y: Floats) -> Floats:
    """As a column that goes with the rows of y."""
    return numbers.reshape(-1, *(1,) * (y.ndim - 1))
