"""Crossovers: a trial u from the target x and the mutant v."""

from debox.de.donors import draw
from debox.jit import kernel


@kernel
def binomial(x, v, Cr, rng, u):
    """u_i = v_i if U_i ≤ Cr or i = I, else x_i"""
    for i in range(u.size):
        u[i] = rng.random()
    u[draw(u.size, rng)] = 0.0  # 0 ≤ Cr: component I always comes from the mutant
    for i in range(u.size):
        u[i] = v[i] if u[i] <= Cr else x[i]


@kernel
def exponential(x, v, Cr, rng, u):
    """u_i = v_i for i = I, I+1, … (cyclically) while U ≤ Cr, else x_i"""
    for i in range(u.size):
        u[i] = x[i]
    start = draw(u.size, rng)
    for step in range(u.size):
        i = (start + step) % u.size
        u[i] = v[i]
        if rng.random() > Cr:
            break
