"""Strategies: what becomes of a trial u that left the box [a, b], given its target x and its base c.

The base is the vector to which the mutation adds differences. A strategy of a component takes the numbers u, x, c, a, b
of one violated component and returns the new value; components inside their bounds, or on one, are never changed. A
strategy of the whole trial takes the same as vectors, once for each infeasible trial, and changes u in place.

Whatever comes in, infinities and NaN from an overflowing mutation included, the result lies in the box.
"""

from math import isnan

from numpy import fmod

from debox.jit import kernel

HUGE = 1.7976931348623157e308


@kernel
def clip(u, a, b):
    """min(max(u, a), b)"""
    return a if u < a else b if u > b else u


@kernel
def scale(a, b):
    """A power of two: with everything scaled by it no difference overflows and the width does not vanish."""
    return 0.25 if b - a > 1.0 else 1.0


@kernel
def excess(p, q, period):
    """(p − q) mod period for p ≥ q; fmod is exact, the difference itself would round when p is far away"""
    d = fmod(p, period) - fmod(q, period)
    return d + period if d < 0.0 else d - period if d >= period else d


@kernel
def saturation(u, x, c, a, b, rng):
    """the violated bound"""
    return x if isnan(u) else clip(u, a, b)


@kernel
def toroidal(u, x, c, a, b, rng):
    """a + ((u − a) mod (b − a))"""
    if isnan(u):
        return x
    s = scale(a, b)
    u, low, high = s * clip(u, -HUGE, HUGE), s * a, s * b
    if u > high:
        wrapped = low + excess(u, high, high - low)
    else:
        beyond = excess(low, u, high - low)
        wrapped = high - beyond if beyond > 0.0 else low
    return clip(wrapped / s, a, b)


@kernel
def mirror(u, x, c, a, b, rng):
    """reflect at the violated bound until inside: period 2(b − a), no loop"""
    if isnan(u):
        return x
    s = scale(a, b)
    u, low, high = s * clip(u, -HUGE, HUGE), s * a, s * b
    width = high - low
    if u > high:
        d = excess(u, high, 2.0 * width)
        reflected = high - d if d <= width else low + (d - width)
    else:
        d = excess(low, u, 2.0 * width)
        reflected = low + d if d <= width else high - (d - width)
    return clip(reflected / s, a, b)


@kernel
def cotn(u, x, c, a, b, rng):
    """a + |N(0, (b − a)/3)| or b − |N(0, (b − a)/3)| at the bound violated, again until inside"""
    s = scale(a, b)
    sigma = (s * b - s * a) / 3.0 / s
    while not a <= u <= b:
        step = sigma * abs(rng.standard_normal())
        u = b - step if u > b else a + step
    return u


@kernel
def dismiss(u, x, c, a, b, rng):
    """the whole trial becomes the target"""
    for i in range(u.size):
        u[i] = x[i]
