"""A quiet stretch in one draw: the exact chance of a trial to be infeasible, over all donor tuples."""

from typing import Any, NamedTuple

from debox.de.jit import kernel

# What the chance of one tuple costs, relative to simulating one trial; and looking whether a tuple is allowed.
COST_BIN, COST_EXP, COST_LOOK = 0.6, 2.0, 0.1
NOBODY = -1


class Enumeration(NamedTuple):
    """Tables, and what was computed last."""

    chances: Any  # the inner loop, see scan.py
    rows: Any
    width: Any
    keep: Any
    distinct: bool  # the donor rule avoids nobody
    per_target: bool  # does the chance depend on the target?
    exp: bool  # the crossover: exp or bin?
    avoids_best: bool
    uses_best: bool
    tuples: Any  # all donor tuples; none if they are too many
    all: Any  # their numbers, and for each individual
    containing: Any  # those of the tuples with it
    chance: Any  # P(infeasible) of each tuple, for each target if it matters
    q: Any  # its mean over the tuples allowed
    changed: Any  # which individuals changed since
    best: Any  # which one was the best then
    flags: Any
    after_gap: Any  # exp: at g + 1, what an infeasible component adds after g feasible ones, Σ Crᵈ for d = 0..g


@kernel
def is_worthwhile(enum, best, trials):
    """Does it cost less to enumerate than to simulate so many trials?"""
    targets, tuples = enum.chance.shape
    cost = COST_EXP if enum.exp else COST_BIN
    if tuples == 0 or enum.containing.shape[1] * cost >= trials:
        return False
    number = targets * tuples
    if not (enum.uses_best and enum.best[0] != best):
        changed = 0
        for i in range(enum.changed.size):
            changed += enum.changed[i]
        number = min(number, changed * (targets * enum.containing.shape[1] + enum.per_target * tuples))
    return number * cost + (0.0 if enum.distinct else targets * tuples * COST_LOOK) < trials


@kernel
def enumerate_chances(enum, n_donors, F, best):
    """For every target that matters, the chance q of its trial to be infeasible"""
    all_changed = enum.uses_best and (enum.best[0] != best or enum.changed[best])
    for target in range(enum.q.size):
        chance = enum.chance[target]
        if all_changed or (enum.per_target and enum.changed[target]):
            update(enum, target, best, enum.all, F, chance)
        else:
            for i in range(enum.changed.size):
                if enum.changed[i]:
                    update(enum, target, best, enum.containing[i], F, chance)
        avoided = NOBODY if enum.distinct else target
        avoided_too = best if enum.avoids_best else avoided
        enum.q[target] = min(mean_allowed(chance, enum.tuples, n_donors, avoided, avoided_too), 1.0)
    enum.changed[:] = False
    enum.best[0] = best


@kernel
def update(enum, target, best, which, F, chance):
    """Compute the chances of these tuples for this target"""
    enum.chances(
        enum.rows,
        enum.width,
        target,
        best,
        enum.tuples,
        which,
        F,
        enum.exp,
        enum.keep,
        enum.after_gap,
        enum.flags,
        chance,
    )


@kernel
def mean_allowed(chance, tuples, n_donors, avoided, avoided_too):
    """The mean over the tuples without these two individuals"""
    total, allowed = 0.0, 0
    for k in range(chance.size):
        is_allowed = True
        if avoided != NOBODY:
            for donor in range(n_donors):
                is_allowed &= tuples[k, donor] != avoided and tuples[k, donor] != avoided_too
        total += chance[k] * is_allowed
        allowed += is_allowed
    return total / allowed
