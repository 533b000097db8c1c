"""Strategies: what becomes of a trial u that left the box [a, b], given its target x and its base c.

The base is the vector to which the mutation adds differences. A strategy of a component takes the numbers u, x, c, a, b
of one violated component and returns the new value; components inside their bounds, or on one, are never changed. A
strategy of the whole trial takes the same as vectors, once for each infeasible trial, and changes u in place.

Whatever comes in, infinities and NaN from an overflowing mutation included, the result lies in the box; `none` alone
leaves the trial where it is.
"""

from math import expm1, isnan, log1p

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
def between(p, q, share, a, b):
    """p + share (q − p) for p, q in [a, b] and a share in [0, 1]"""
    s = scale(a, b)
    return clip((s * p + share * (s * q - s * p)) / s, a, b)


@kernel
def violated(u, a, b):
    """The bound that u violates, given that it is outside"""
    return a if u < a else b


@kernel
def confined(u, rho, a, b, rng):
    """A point |ln(1 + U (e^−ρ − 1))| widths inward from the violated bound: exponential, truncated at ρ widths"""
    share = -log1p(rng.random() * expm1(-rho))
    return between(a, b, share, a, b) if u < a else between(b, a, share, a, b)


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
def uniform(u, x, c, a, b, rng):
    """a + U (b − a)"""
    return between(a, b, rng.random(), a, b)


@kernel
def midpoint_target(u, x, c, a, b, rng):
    """g/2 + x_t/2, g the violated bound"""
    return x if isnan(u) else clip(violated(u, a, b) / 2.0 + x / 2.0, a, b)


@kernel
def midpoint_base(u, x, c, a, b, rng):
    """g/2 + c/2, g the violated bound, c the base"""
    return x if isnan(u) else clip(violated(u, a, b) / 2.0 + c / 2.0, a, b)


@kernel
def rand_target(u, x, c, a, b, rng):
    """x_t + U (g − x_t), g the violated bound"""
    return x if isnan(u) else between(x, violated(u, a, b), rng.random(), a, b)


@kernel
def rand_base(u, x, c, a, b, rng):
    """c + U (g − c), g the violated bound, c the base"""
    return x if isnan(u) else between(c, violated(u, a, b), rng.random(), a, b)


@kernel
def exp_target(u, x, c, a, b, rng):
    """|ln(1 + U (e^−ρ − 1))| (b − a) inward from the violated bound g, ρ = |x_t − g|/(b − a)"""
    if isnan(u):
        return x
    s = scale(a, b)
    return confined(u, abs(s * x - s * violated(u, a, b)) / (s * b - s * a), a, b, rng)


@kernel
def exp_center(u, x, c, a, b, rng):
    """|ln(1 + U (e^−ρ − 1))| (b − a) inward from the violated bound, ρ = 1/2"""
    return x if isnan(u) else confined(u, 0.5, a, b, rng)


@kernel
def exp_spread(u, x, c, a, b, rng):
    """|ln(1 + U (e^−ρ − 1))| (b − a) inward from the violated bound, ρ = 1"""
    return x if isnan(u) else confined(u, 1.0, a, b, rng)


@kernel
def reflect_random(u, x, c, a, b, rng):
    """a + U min(a − u, b − a) or b − U min(u − b, b − a) at the bound violated"""
    if isnan(u):
        return x
    s = scale(a, b)
    width, beyond = s * b - s * a, s * a - s * u if u < a else s * u - s * b
    share = rng.random() * min(1.0, beyond / width)
    return between(a, b, share, a, b) if u < a else between(b, a, share, a, b)


@kernel
def resample(u, x, c, a, b, rng):
    """donors and crossover drawn anew until the trial is inside, at most 100 times; then the violated bound"""
    return saturation(u, x, c, a, b, rng)  # the loop draws anew: see `redraws` in the registry


@kernel
def project(u, x, p, q, a, b):
    """m + α (u − m), m = p/2 + q/2, with the largest α ≤ 1 that ends inside; a NaN is replaced by its target first"""
    alpha = 1.0
    for i in range(u.size):
        u[i] = x[i] if isnan(u[i]) else clip(u[i], -HUGE, HUGE)
        if not a[i] <= u[i] <= b[i]:
            s, g = scale(a[i], b[i]), violated(u[i], a[i], b[i])
            m = s * p[i] / 2.0 + s * q[i] / 2.0
            alpha = min(alpha, (s * g - m) / (s * u[i] - m)) if s * u[i] != m and s * g != m else 0.0
    for i in range(u.size):
        u[i] = between(p[i] / 2.0 + q[i] / 2.0, u[i], alpha, a[i], b[i])


@kernel
def project_midpoint(u, x, c, a, b, rng):
    """m + α (u − m), m the middle of the box, α = min (g − m)/(u − m) over the violated bounds g"""
    project(u, x, a, b, a, b)


@kernel
def project_base(u, x, c, a, b, rng):
    """c + α (u − c), c the base, α = min (g − c)/(u − c) over the violated bounds g"""
    project(u, x, c, c, a, b)


@kernel
def conservatism(u, x, c, a, b, rng):
    """the whole trial becomes the base"""
    for i in range(u.size):
        u[i] = c[i]


@kernel
def penalty(u, x, c, a, b, rng):
    """counted as an evaluation without one, never accepted"""
    dismiss(u, x, c, a, b, rng)  # it is neither evaluated nor accepted: what its components are does not matter


@kernel
def none(u, x, c, a, b, rng):
    """evaluated outside, where it is"""


@kernel
def dismiss(u, x, c, a, b, rng):
    """the whole trial becomes the target"""
    for i in range(u.size):
        u[i] = x[i]
