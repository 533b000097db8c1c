"""Who may be a donor: r₁, r₂, … are uniform and mutually distinct; the rules differ in what else they avoid."""

import numpy as np

from debox.jit import kernel


@kernel
def draw(k, rng):
    """Uniform on 0..k−1: ⌊kU⌋ (off by less than k/2⁵³)"""
    return np.uint64(rng.random() * k)


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
