"""A quiet stretch in one draw: the exact chance of a trial to be infeasible, over all donor tuples."""

from typing import Any, NamedTuple

from debox.de.jit import kernel
from debox.f0.scan import UNIT

# What the chance of one tuple costs, relative to simulating one trial; and looking whether a tuple is allowed.
COST_BIN, COST_EXP, COST_LOOK = 0.6, 2.5, 0.1


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
    chance: Any  # P(infeasible) of each tuple in UNITs, for each target if it matters
    total: Any  # its sum over all tuples: of integers, so that it does not depend on the order of changes
    q: Any  # its mean over the tuples allowed
    changed: Any  # which individuals changed since
    best: Any  # which one was the best then
    missed: Any  # what the simulated stretches since would have saved
    flags: Any
    after_gap: Any  # exp: at g + 1, what an infeasible component adds after g feasible ones, Σ Crᵈ for d = 0..g


@kernel
def is_worthwhile(enum, best, trials):
    """Does it cost less to enumerate than to simulate so many trials?

    All costs are in simulated trials. Chances that are up to date are cheap to keep so: what stretches would have
    saved if they had been is saved up, and pays for the next time they are computed.
    """
    targets, tuples = enum.chance.shape
    if tuples == 0:
        return False
    cost = COST_EXP if enum.exp else COST_BIN
    look = 0.0 if enum.distinct else targets * tuples * COST_LOOK
    of_one_change = targets * enum.containing.shape[1] + enum.per_target * tuples
    number = targets * tuples
    if not is_stale(enum, best):
        number = min(number, count_changed(enum) * of_one_change)
    if number * cost + look < trials + enum.missed[0]:
        return True
    enum.missed[0] += max(0.0, trials - of_one_change * cost - look)
    return False


@kernel
def is_stale(enum, best):
    """Has every chance changed, since a new best is in every trial?"""
    return enum.uses_best and (enum.best[0] != best or enum.changed[best])


@kernel
def count_changed(enum):
    """How many individuals changed"""
    changed = 0
    for i in range(enum.changed.size):
        changed += enum.changed[i]
    return changed


@kernel
def enumerate_chances(enum, n_donors, F, best):
    """For every target that matters, the chance q of its trial to be infeasible"""
    tuples = enum.chance.shape[1]
    all_changed = is_stale(enum, best) or count_changed(enum) * enum.containing.shape[1] > tuples
    for target in range(enum.q.size):
        if all_changed or (enum.per_target and enum.changed[target]):
            update(enum, target, best, enum.all, F)
        else:
            for i in range(enum.changed.size):
                if enum.changed[i]:
                    update(enum, target, best, enum.containing[i], F)
        if enum.distinct:
            enum.q[target] = enum.total[target] / tuples * UNIT
        else:
            avoided_too = best if enum.avoids_best else target
            enum.q[target] = mean_allowed(enum.chance[target], enum.tuples, n_donors, target, avoided_too) * UNIT
    enum.changed[:] = False
    enum.best[0] = best
    enum.missed[0] = 0.0


@kernel
def update(enum, target, best, which, F):
    """Compute the chances of these tuples for this target"""
    enum.total[target] += enum.chances(
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
        enum.chance[target],
    )


@kernel
def mean_allowed(chance, tuples, n_donors, avoided, avoided_too):
    """The mean over the tuples without these two individuals"""
    total, allowed = 0, 0
    for k in range(chance.size):
        is_allowed = True
        for donor in range(n_donors):
            is_allowed &= tuples[k, donor] != avoided and tuples[k, donor] != avoided_too
        total += chance[k] * is_allowed
        allowed += is_allowed
    return total / allowed
