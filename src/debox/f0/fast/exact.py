"""A quiet stretch in one draw: the exact chance of a trial to be infeasible, over all donor tuples."""

from typing import Any, NamedTuple

from debox.f0.fast.fixed_point import BEST, R1, TARGET
from debox.f0.fast.scan import UNIT
from debox.jit import kernel

# What the chance of one tuple costs, relative to simulating one trial; and looking whether a tuple is allowed.
COST_BIN, COST_EXP, COST_LOOK = 0.6, 2.5, 0.1


class Prices(NamedTuple):
    """What it costs to compute chances, in simulated trials."""

    possible: bool  # not if there are too many of them
    each: float
    all: int  # how many they are,
    of_one: int  # and those that change with an individual
    look: float  # to take their mean


class Enumeration(NamedTuple):
    """Tables, and what was computed last."""

    prices: Any
    chances: Any  # the inner loop, see scan.py
    points: Any
    parents: Any  # as in batch.py
    places: Any
    whole: Any  # as `taken` there, but everything
    exp: bool
    keep: Any
    gaps: Any
    words: Any  # room for the bits of a mutant
    distinct: bool  # the donor rule avoids nobody
    per_target: bool  # does the chance depend on the target?
    avoids_best: bool
    tuples: Any  # all donor tuples; none if they are too many
    all: Any  # their numbers, and for each individual
    containing: Any  # those of the tuples with it
    chance: Any  # P(infeasible) of each tuple in UNITs, for each target if it matters
    total: Any  # its sum over all tuples: of integers, so that it does not depend on the order of changes
    q: Any  # its mean over the tuples allowed
    changed: Any  # which individuals changed since
    best: Any  # which one was the best then; none if it is nobody's parent
    savings_missed: Any  # what the simulated stretches since would have saved


@kernel
def is_worthwhile(prices, changed, stale, savings_missed, trials):
    """Does it cost less to enumerate than to simulate so many trials?

    Chances that are up to date are cheap to keep so: what stretches would have saved if they had been is saved up, and
    pays for the next time they are computed.
    """
    if not prices.possible:
        return False
    number = prices.all if stale else min(prices.all, count_changed(changed) * prices.of_one)
    if number * prices.each + prices.look < trials + savings_missed[0]:
        return True
    savings_missed[0] += max(0.0, trials - prices.of_one * prices.each - prices.look)
    return False


@kernel
def is_stale(last_best, changed, best):
    """Has every chance changed, since a new best is in every trial?"""
    return last_best.size > 0 and (last_best[0] != best or changed[best])


@kernel
def count_changed(changed):
    """How many individuals changed"""
    number = 0
    for i in range(changed.size):
        number += changed[i]
    return number


@kernel
def enumerate_chances(enum, n_donors, F, best):
    """For every target that matters, the chance q of its trial to be infeasible"""
    tuples = enum.chance.shape[1]
    stale = is_stale(enum.best, enum.changed, best)
    all_changed = stale or count_changed(enum.changed) * enum.containing.shape[1] > tuples
    for target in range(enum.q.size):
        if all_changed or (enum.per_target and enum.changed[target]):
            update(enum, n_donors, target, best, enum.all, F)
        else:
            for i in range(enum.changed.size):
                if enum.changed[i]:
                    update(enum, n_donors, target, best, enum.containing[i], F)
        if enum.distinct:
            enum.q[target] = enum.total[target] / tuples * UNIT
        else:
            avoided_too = best if enum.avoids_best else target
            enum.q[target] = mean_allowed(enum.chance[target], enum.tuples, n_donors, target, avoided_too) * UNIT
    enum.changed[:] = False
    enum.best[:] = best
    enum.savings_missed[0] = 0.0


@kernel
def update(enum, n_donors, target, best, which, F):
    """Compute the chances of these tuples for this target, as many at a time as `parents` has columns"""
    parents = enum.parents
    parents[TARGET], parents[BEST] = target, best
    for begin in range(0, which.size, parents.shape[1]):
        some = which[begin : begin + parents.shape[1]]
        for donor in range(n_donors):
            for t in range(some.size):
                parents[R1 + donor, t] = enum.tuples[some[t], donor]
        enum.total[target] += enum.chances(
            enum.points,
            parents,
            enum.places,
            enum.whole,
            F,
            enum.exp,
            enum.keep,
            enum.gaps,
            enum.words,
            some,
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
