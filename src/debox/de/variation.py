"""Variation, DE/x/y/z on one page: donors are drawn, a mutant v is made of them, and crossed with the target x.

The donors r₁, r₂, … are uniform and mutually distinct; the rules differ in what else they avoid. A mutation is the
formula of one component v of the mutant, from those of the target x, the best and the donors x_r1, x_r2, …; `mutate`
makes the whole mutant. A crossover makes the trial u of the target x and the mutant v.
"""

import numpy as np

from debox.jit import kernel

# Donors.


@kernel
def draw(k, rng):
    """Uniform on 0..k−1: ⌊kU⌋ (off by less than k/2⁵³)"""
    return np.uint64(int(rng.random() * k))  # int: x86-64 before AVX-512 converts to signed in one step


@kernel
def repeats(r, k):
    """Is r[k] one of r[0], …, r[k − 1]?"""
    for earlier in range(k):
        if r[earlier] == r[k]:
            return True
    return False


@kernel
def distinct(N, target, best, rng, r):
    """r₁, r₂, … mutually distinct, nothing else"""
    for k in range(r.size):
        r[k] = draw(N, rng)
        while repeats(r, k):
            r[k] = draw(N, rng)


@kernel
def not_target(N, target, best, rng, r):
    """r₁, r₂, … mutually distinct and none the target"""
    for k in range(r.size):
        r[k] = draw(N, rng)
        while r[k] == target or repeats(r, k):
            r[k] = draw(N, rng)


@kernel
def not_parents(N, target, best, rng, r):
    """r₁, r₂, … mutually distinct and no parent: not the target nor, if the mutation uses it, the best"""
    for k in range(r.size):
        r[k] = draw(N, rng)
        while r[k] == target or r[k] == best or repeats(r, k):
            r[k] = draw(N, rng)


# Mutations.


@kernel
def rand_1(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_r1 + F (x_r2 − x_r3)"""
    return x_r1 + F * (x_r2 - x_r3)


@kernel
def rand_2(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_r1 + F (x_r2 − x_r3) + F (x_r4 − x_r5)"""
    return x_r1 + F * (x_r2 - x_r3) + F * (x_r4 - x_r5)


@kernel
def best_1(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_best + F (x_r1 − x_r2)"""
    return x_best + F * (x_r1 - x_r2)


@kernel
def current_to_best_1(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_t + F (x_best − x_t) + F (x_r1 − x_r2)"""
    return x + F * (x_best - x) + F * (x_r1 - x_r2)


@kernel
def best_2(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_best + F (x_r1 − x_r2) + F (x_r3 − x_r4)"""
    return x_best + F * (x_r1 - x_r2) + F * (x_r3 - x_r4)


@kernel
def current_to_best_2(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_t + F (x_best − x_t) + F (x_r1 − x_r2) + F (x_r3 − x_r4)"""
    return x + F * (x_best - x) + F * (x_r1 - x_r2) + F * (x_r3 - x_r4)


@kernel
def rand_to_best_1(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_r1 + F (x_best − x_r1) + F (x_r2 − x_r3)"""
    return x_r1 + F * (x_best - x_r1) + F * (x_r2 - x_r3)


@kernel
def rand_to_best_2(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_r1 + F (x_best − x_r1) + F (x_r2 − x_r3) + F (x_r4 − x_r5)"""
    return x_r1 + F * (x_best - x_r1) + F * (x_r2 - x_r3) + F * (x_r4 - x_r5)


@kernel
def current_to_rand_1(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F, K):
    """v = x_t + K (x_r1 − x_t) + K F (x_r2 − x_r3), K = U once a trial"""
    return x + K * (x_r1 - x) + K * F * (x_r2 - x_r3)


@kernel
def current_to_pbest_1(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_t + F (x_p − x_t) + F (x_r1 − y_r2), p one of the p-best, y from population and archive"""
    return x + F * (x_best - x) + F * (x_r1 - x_r2)


@kernel
def formula(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """The mutation in force, which `jit.specialise(…, formula=…)` puts in this place"""
    raise RuntimeError("no mutation is in force: jit.specialise(…, formula=…) puts one in the place of `formula`")


@kernel
def mutate(P, target, best, r, F, K, v):
    """The whole mutant v; r holds five indices, of which a mutation with fewer donors does not use the last ones

    K is for `mutate_with_K`, which is called in the same way.
    """
    r1, r2, r3, r4, r5 = r[0], r[1], r[2], r[3], r[4]
    for i in range(v.size):
        v[i] = formula(P[target, i], P[best, i], P[r1, i], P[r2, i], P[r3, i], P[r4, i], P[r5, i], F)


@kernel
def formula_with_K(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F, K):
    """As `formula`, for a mutation that also takes K, a number drawn once for the whole mutant"""
    raise RuntimeError("no mutation is in force: jit.specialise(…, formula_with_K=…) puts one in the place")


@kernel
def mutate_with_K(P, target, best, r, F, K, v):
    """`mutate` for a mutation that takes K"""
    r1, r2, r3, r4, r5 = r[0], r[1], r[2], r[3], r[4]
    for i in range(v.size):
        v[i] = formula_with_K(P[target, i], P[best, i], P[r1, i], P[r2, i], P[r3, i], P[r4, i], P[r5, i], F, K)


# Crossovers.


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
