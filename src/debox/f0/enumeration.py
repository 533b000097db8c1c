"""A quiet stretch in one draw: the exact chance of a trial to be infeasible, over all donor tuples."""

from typing import Any, NamedTuple

from debox.de.jit import kernel

# Costs relative to one simulated trial: the chance of one tuple (bin, exp), and passing over an unchanged one.
COST_BIN, COST_EXP, COST_PASS = 0.7, 3.0, 0.15


class Enumeration(NamedTuple):
    """Tables, and what was computed last."""

    chances: Any  # the inner loop, see scan.py
    rows: Any
    width: Any
    keep: Any
    distinct: bool  # the donor rule avoids nobody
    exp: bool  # the crossover: exp or bin?
    avoids_best: bool
    uses_best: bool
    per_target: bool  # does the chance depend on the target?
    tuples: Any  # all donor tuples; none if they are too many
    chance: Any  # P(infeasible) of each, for each target if it matters
    q: Any  # their mean
    changed: Any  # which individuals changed since
    best: Any  # which one was the best then
    donor_changed: Any
    flags: Any
    after_gap: (
        Any  # exp: at g + 1, what an infeasible component adds after a gap of g feasible ones, Σ Crᵈ for d = 0..g
    )


@kernel
def is_worthwhile(enum, n_donors, best, trials):
    """Does it cost less to enumerate than to simulate so many trials?"""
    tuples = enum.chance.size
    if COST_PASS * tuples >= trials or tuples == 0:
        return False
    unchanged = 0.0
    if not enum.uses_best or enum.best[0] == best:
        for is_changed in enum.changed:
            unchanged += not is_changed
        unchanged = (unchanged / enum.changed.size) ** (n_donors + enum.uses_best + enum.per_target)
    return tuples * (COST_PASS + (1.0 - unchanged) * (COST_EXP if enum.exp else COST_BIN)) < trials


@kernel
def enumerate_chances(enum, n_donors, F, best):
    """For every target that matters, the chance q of its trial to be infeasible"""
    all_changed = enum.uses_best and (enum.best[0] != best or enum.changed[best])
    find_changed(enum.tuples, n_donors, enum.changed, enum.donor_changed)
    for target in range(enum.q.size):
        chance = enum.chance[target]
        enum.chances(
            enum.rows,
            enum.width,
            target,
            best,
            enum.tuples,
            enum.donor_changed,
            all_changed or (enum.per_target and enum.changed[target]),
            F,
            enum.exp,
            enum.keep,
            enum.after_gap,
            enum.flags,
            chance,
        )
        avoided = -1 if enum.distinct else target
        enum.q[target] = mean(chance, enum.tuples, n_donors, avoided, best if enum.avoids_best else avoided)
    enum.changed[:] = False
    enum.best[0] = best


@kernel
def find_changed(tuples, n_donors, changed, donor_changed):
    """Which tuples contain a donor that changed"""
    for k in range(tuples.shape[0]):
        donor_changed[k] = False
        for donor in range(n_donors):
            donor_changed[k] |= changed[tuples[k, donor]]


@kernel
def mean(chance, tuples, n_donors, avoided, avoided_too):
    """The mean over the tuples without these two individuals (−1: nobody)"""
    total, allowed = 0.0, 0
    for k in range(chance.size):
        is_allowed = True
        if avoided >= 0:
            for donor in range(n_donors):
                is_allowed &= tuples[k, donor] != avoided and tuples[k, donor] != avoided_too
        total += chance[k] * is_allowed
        allowed += is_allowed
    return min(total / allowed, 1.0)
