"""A quiet stretch in one draw: the exact chance of a trial to be infeasible, over all donor tuples."""

from functools import cache
from itertools import permutations
from math import perm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox import jit
from debox.config import Config
from debox.f0.fast import scan
from debox.f0.fast.fixed_point import BEST, R1, TARGET
from debox.f0.fast.scan import UNIT
from debox.jit import kernel
from debox.registry import Operator

MOST_CHANCES = 20_000  # donor tuples × targets worth a table
# What the chance of one tuple costs, relative to simulating one trial; and what it costs to test if a tuple is allowed.
COST_BIN, COST_EXP, COST_TEST = 0.6, 2.5, 0.1


class Prices(NamedTuple):
    """What it costs to compute chances, in simulated trials."""

    possible: bool  # are there few enough of them?
    chance: float  # the price of one chance
    chances: int  # how many chances there are
    chances_of_one: int  # how many of them change when an individual does
    mean: float  # the price of their mean


class Enumeration(NamedTuple):
    """Tables, and the chances that were computed last."""

    prices: Any
    chances: Any  # the inner loop, see scan.py
    points: Any
    parents: Any  # as in batch.py
    places: Any
    all_bits: Any  # as `mask` there, for all components
    exp: bool
    p_feasible: Any
    gaps: Any
    words: Any  # room for the bits of a mutant
    distinct: bool  # does the donor rule avoid nobody?
    per_target: bool  # does the chance depend on the target?
    avoids_best: bool
    tuples: Any  # all donor tuples; none if they are too many
    all_tuples: Any  # the numbers of all tuples
    tuples_with: Any  # for each individual, the numbers of the tuples that contain it
    chance: Any  # P(infeasible) of each tuple in UNITs, for each target if it matters
    total: Any  # its sum over all tuples, in integers, so that it does not depend on the order of changes
    q: Any  # its mean over the tuples that the rule allows
    changed: Any  # which individuals have changed since then
    best: Any  # the index of the best then; empty if the mutation does not use the best
    missed_savings: Any  # what enumerating would have saved in the stretches simulated since then, in trials


def enumeration(
    config: Config, n: int, mutation: Operator, rule: Operator, shared: dict[str, Any], names: dict[str, Any]
) -> Enumeration:
    """The tables of `enumerate_chances`."""
    N, k, targets = config.N, mutation.donors, config.N if shared["per_target"] else 1
    tuples = donor_tuples(N, k if perm(N, k) * targets <= MOST_CHANCES else None)
    tuples_with = tuples_with_each(N, k) if len(tuples) else np.zeros((N, 0), np.int64)
    chance, numbers = np.zeros((targets, len(tuples)), np.int64), np.arange(len(tuples))
    all_bits, gaps = scan.all_components(n), scan.gap_tables(n, config.Cr)
    words = np.zeros(len(all_bits), np.uint32)
    points, parents, places, exp, p_feasible = (
        shared[name] for name in ("points", "parents", "places", "exp", "p_feasible")
    )
    example = (points, parents, places, all_bits, config.F, exp, p_feasible, gaps, words, numbers, chance[0])
    return Enumeration(
        **shared,
        prices=prices(exp, chance.shape, tuples_with.shape[1], bool(rule.avoids), shared["per_target"]),
        chances=jit.counter(jit.specialise(scan.chances, **names) if len(tuples) else scan.no_chances, *example),
        all_bits=all_bits,
        gaps=gaps,
        words=words,
        distinct=not rule.avoids,
        avoids_best="best" in rule.avoids,
        tuples=tuples,
        all_tuples=numbers,
        tuples_with=tuples_with,
        chance=chance,
        total=np.zeros(targets, np.int64),
        q=np.zeros(targets),
        changed=np.ones(N, np.bool_),
        best=np.full(int(mutation.uses_best), -1),
        missed_savings=np.zeros(1),
    )


def prices(exp: bool, chances: tuple[int, int], with_each: int, avoids: bool, per_target: bool) -> Prices:
    """What the chances of targets × tuples cost; with_each: how many of the tuples contain a given individual."""
    targets, tuples = chances
    return Prices(
        possible=tuples > 0,
        chance=COST_EXP if exp else COST_BIN,
        chances=targets * tuples,
        chances_of_one=targets * with_each + per_target * tuples,
        mean=targets * tuples * COST_TEST if avoids else 0.0,
    )


@cache
def donor_tuples(N: int, k: int | None) -> NDArray[np.uint64]:
    """All ordered tuples of k distinct individuals, filled up with zeros to five."""
    if k is None:
        return np.zeros((0, 5), np.uint64)
    tuples = np.zeros((perm(N, k), 5), np.uint64)
    tuples[:, :k] = list(permutations(range(N), k))
    return tuples


@cache
def tuples_with_each(N: int, k: int) -> NDArray[np.int64]:
    """For each individual, the numbers of the tuples that contain it."""
    tuples = donor_tuples(N, k)[:, :k]
    return np.array([np.flatnonzero((tuples == i).any(axis=1)) for i in range(N)])


@kernel
def is_worthwhile(prices, changed, stale, missed_savings, trials):
    """Does it cost less to enumerate than to simulate this number of trials?

    Once computed, chances cost little to keep up to date. So what enumerating would have saved in each simulated
    stretch is added up, and when the sum exceeds the price the chances are computed.
    """
    if not prices.possible:
        return False
    number = prices.chances if stale else min(prices.chances, count_changed(changed) * prices.chances_of_one)
    if number * prices.chance + prices.mean < trials + missed_savings[0]:
        return True
    missed_savings[0] += max(0.0, trials - prices.chances_of_one * prices.chance - prices.mean)
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
    all_changed = stale or count_changed(enum.changed) * enum.tuples_with.shape[1] > tuples
    for target in range(enum.q.size):
        if all_changed or (enum.per_target and enum.changed[target]):
            update_chances(enum, n_donors, target, best, enum.all_tuples, F)
        else:
            for i in range(enum.changed.size):
                if enum.changed[i]:
                    update_chances(enum, n_donors, target, best, enum.tuples_with[i], F)
        if enum.distinct:
            enum.q[target] = enum.total[target] / tuples * UNIT
        else:
            avoided_too = best if enum.avoids_best else target
            enum.q[target] = mean_allowed(enum.chance[target], enum.tuples, n_donors, target, avoided_too) * UNIT
    enum.changed[:] = False
    enum.best[:] = best
    enum.missed_savings[0] = 0.0


@kernel
def update_chances(enum, n_donors, target, best, tuple_numbers, F):
    """Compute the chances of these tuples for this target, as many at a time as `parents` has columns"""
    parents = enum.parents
    parents[TARGET], parents[BEST] = target, best
    for begin in range(0, tuple_numbers.size, parents.shape[1]):
        chunk = tuple_numbers[begin : begin + parents.shape[1]]
        for donor in range(n_donors):
            for t in range(chunk.size):
                parents[R1 + donor, t] = enum.tuples[chunk[t], donor]
        enum.total[target] += enum.chances(
            enum.points,
            parents,
            enum.places,
            enum.all_bits,
            F,
            enum.exp,
            enum.p_feasible,
            enum.gaps,
            enum.words,
            chunk,
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
