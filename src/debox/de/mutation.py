"""Mutations: a mutant v from the population P, the target's and the best's index, the donors' indices r, and F."""

from debox.de.jit import kernel


@kernel
def rand_1(P, target, best, r, F, v):
    """v = x_r1 + F (x_r2 − x_r3)"""
    r1, r2, r3 = r[0], r[1], r[2]
    for i in range(v.size):
        v[i] = P[r1, i] + F * (P[r2, i] - P[r3, i])


@kernel
def rand_2(P, target, best, r, F, v):
    """v = x_r1 + F (x_r2 − x_r3) + F (x_r4 − x_r5)"""
    r1, r2, r3, r4, r5 = r[0], r[1], r[2], r[3], r[4]
    for i in range(v.size):
        v[i] = P[r1, i] + F * (P[r2, i] - P[r3, i]) + F * (P[r4, i] - P[r5, i])


@kernel
def best_1(P, target, best, r, F, v):
    """v = x_best + F (x_r1 − x_r2)"""
    r1, r2 = r[0], r[1]
    for i in range(v.size):
        v[i] = P[best, i] + F * (P[r1, i] - P[r2, i])


@kernel
def current_to_best_1(P, target, best, r, F, v):
    """v = x_t + F (x_best − x_t) + F (x_r1 − x_r2)"""
    r1, r2 = r[0], r[1]
    for i in range(v.size):
        v[i] = P[target, i] + F * (P[best, i] - P[target, i]) + F * (P[r1, i] - P[r2, i])
