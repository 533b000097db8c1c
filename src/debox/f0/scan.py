"""Is a trial infeasible? The inner loops of the fast engine, the only ones that know the mutation.

Crossover takes a segment [first, first + length) of the mutant, cyclically: all n components for bin, I and L for exp.
`rows` holds every individual twice in a row, so that no segment wraps around. With k of the segment's components
outside the box a trial is infeasible iff U ≥ keep[k]: for bin keep[k] = (1 − k/n)(1 − Cr)ᵏ is the chance that none of
them is exchanged; for exp all of them are, so keep is 1, 0, 0, …
"""

import numpy as np

from debox.de.jit import kernel
from debox.de.mutation import formula

ONE = np.uint64(1)
LANES = np.uint64(16)  # a segment is scanned so many components at a time, in a straight loop that vectorises
HEAD = np.uint64(8)  # components that decide many a trial
UNIT = 2.0**-46  # of a chance as an integer
PAUSE = 16  # batches until it is tried again whether they do


@kernel
def outside(rows, target, best, r1, r2, r3, r4, r5, F, length, end):
    """How many of `length` mutant components lie outside [0, 1], from where the segment starts in each row to `end`"""
    k = np.uint64(0)
    for j in range(end):
        v = formula(
            rows[target + j], rows[best + j], rows[r1 + j], rows[r2 + j], rows[r3 + j], rows[r4 + j], rows[r5 + j], F
        )
        k += np.uint64(((v < 0.0) | (v > 1.0)) & (j < length))
    return k


@kernel
def outside_of_trial(rows, width, target, best, r, F, first, length, t, end):
    """The same for trial t of a batch"""
    start = np.uint64(first[t])
    return outside(
        rows,
        np.uint64(target[t]) * width + start,
        np.uint64(best) * width + start,
        np.uint64(r[0, t]) * width + start,
        np.uint64(r[1, t]) * width + start,
        np.uint64(r[2, t]) * width + start,
        np.uint64(r[3, t]) * width + start,
        np.uint64(r[4, t]) * width + start,
        F,
        np.uint64(length[t]),
        end,
    )


@kernel
def scan(rows, width, target, best, r, F, first, length, keep, u, undecided, pause):
    """How many of a batch of trials are infeasible; column t of each array is trial t

    With k components outside so far and U ≥ keep[k] a trial is infeasible whatever follows: so the first components of
    all trials are looked at, then all components of those still undecided; unless that left most of them undecided.
    """
    infeasible, left, skimmed = 0, u.size, pause[0] == 0
    if skimmed:
        left = 0
        for t in range(u.size):
            k = outside_of_trial(rows, width, target, best, r, F, first, length, t, HEAD)
            is_infeasible = u[t] >= keep[k]
            infeasible += is_infeasible
            undecided[left] = t
            left += (not is_infeasible) & (length[t] > HEAD)
        pause[0] = PAUSE if 2 * left > u.size else 0
    else:
        pause[0] -= 1
    for p in range(left):
        t = undecided[p] if skimmed else p
        end = (np.uint64(length[t]) + LANES - ONE) // LANES * LANES
        k = outside_of_trial(rows, width, target, best, r, F, first, length, t, end)
        infeasible += u[t] >= keep[k]
    return infeasible


@kernel
def flag(rows, target, best, r1, r2, r3, r4, r5, F, flags):
    """Which mutant components lie outside [0, 1]: 1 or 0"""
    for j in range(np.uint64(flags.size)):
        v = formula(
            rows[target + j], rows[best + j], rows[r1 + j], rows[r2 + j], rows[r3 + j], rows[r4 + j], rows[r5 + j], F
        )
        flags[j] = np.int64((v < 0.0) | (v > 1.0))


@kernel
def chance_exp(flags, after_gap):
    """(1/n) Σ Crᵈ over all starts I, d the distance from I to the next infeasible component; 0 if there is none"""
    n = flags.size
    gap = 0
    while gap < n and flags[n - 1 - gap] == 0:
        gap += 1
    if gap == n:
        return 0.0
    total = 0.0
    for j in range(n):  # without a branch: x & -1 is x, x & 0 is 0
        total += after_gap[(gap + 1) & -flags[j]]
        gap = (gap + 1) & (flags[j] - 1)
    return total / n


@kernel
def chances(rows, width, target, best, tuples, which, F, exp, keep, after_gap, flags, chance):
    """Write P(infeasible) of these tuples of donors, in UNITs; by how much the sum of all changes"""
    at_target, at_best, n = np.uint64(target) * width, np.uint64(best) * width, np.uint64(flags.size)
    end = (n + LANES - ONE) // LANES * LANES
    change = 0
    for k in which:
        r1, r2, r3 = tuples[k, 0] * width, tuples[k, 1] * width, tuples[k, 2] * width
        r4, r5 = tuples[k, 3] * width, tuples[k, 4] * width
        if exp:
            flag(rows, at_target, at_best, r1, r2, r3, r4, r5, F, flags)
            p = chance_exp(flags, after_gap)
        else:
            p = 1.0 - keep[outside(rows, at_target, at_best, r1, r2, r3, r4, r5, F, n, end)]
        p = np.int64(min(p, 1.0) / UNIT)
        change += p - chance[k]
        chance[k] = p
    return change
