"""Mutations: one component v of the mutant from those of the target x, the best and the donors x_r1, x_r2, …"""

from debox.jit import kernel


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
    """The whole mutant v; r holds five indices, of which a mutation with fewer donors does not use the last ones"""
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
