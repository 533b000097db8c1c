"""The fast f0 engine: Algorithm 1 on the random function with the same law and almost none of its work.

On f0 acceptance is independent of position, so it can be decided first: a slot of value f waits a geometric number of
generations for its next acceptance and then has value U(0, f). Between acceptances the population stands still and a
rejected trial leaves one bit: was it infeasible? In such a quiet stretch trials are independent and equally
distributed, so it is either simulated without building trials (batch.py), or the chance of a trial to be infeasible
is computed from all donor tuples and ONE binomial number is drawn (exact.py), whichever costs less. Accepted
trials, some hundred per run, are built with the ordinary operators.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from debox.config import Config, Operators
from debox.de.algorithm import ACCEPTED, COMPETES, EVALUATIONS, INFEASIBLE, MARKS_PASSED, best_of
from debox.f0.fast import fixed_point, scan
from debox.f0.fast.batch import Simulation, count_accepting, simulate, simulation
from debox.f0.fast.exact import MOST_CHANCES, Enumeration, enumerate_chances, enumeration, is_stale, is_worthwhile
from debox.f0.fast.fixed_point import encode
from debox.jit import borrow, kernel

LARGEST_SIZE = 2**31 - 1  # N and n: individuals and components have numbers of 32 bits


class State(NamedTuple):
    """Where a run stands; its arrays are changed in place."""

    P: Any  # population, N × n
    f: Any  # its values
    clock: Any  # for each slot, the generation of its next acceptance
    tally: Any  # as in Algorithm 1; violations are those of accepted trials only, since no others are built
    trials: Any  # the trials to be accepted in the coming generation, and for each slot:
    accepting: Any  # is there one?
    infeasible: Any  # was it infeasible?


def prepare(config: Config, n: int) -> tuple[Simulation, Enumeration]:
    """Fresh tables for the two ways to count a quiet stretch; they share the points."""
    mutation, crossover, rule = config.operators.mutation, config.operators.crossover, config.operators.rule
    if reason := why_not_fast(config.operators):
        raise ValueError(f"the fast engine knows no law of {reason}; use engine='plain'")
    for name, size in {"N": config.N, "n": n}.items():
        if size > LARGEST_SIZE:
            raise ValueError(
                f"{name} must be at most {LARGEST_SIZE} for the fast engine, got {size}; use engine='plain'"
            )
    weights = mutation.weights(config.F) if mutation.weights and fixed_point.fits_32_bits(config.N, n) else ()
    exp = crossover.exchanges == "segment"
    shared: dict[str, Any] = {
        "points": fixed_point.empty_points(config.N, n, weights),
        "parents": np.zeros((7, scan.BATCH), np.int32),
        "places": np.zeros((fixed_point.MOST_TERMS, scan.BATCH), np.uint32),
        "exp": exp,
        "p_feasible": scan.p_feasible_table(n, config.Cr, exp),
        "per_target": mutation.uses_target or bool(rule.avoids),
    }
    names = {"formula": mutation.function, "bits_of_terms": fixed_point.bits_for(weights)}
    return simulation(config, n, mutation, rule, shared, names), enumeration(config, n, mutation, rule, shared, names)


def why_not_fast(operators: Operators) -> str:
    """Which of the operators does what the fast engine has no tables for, and why; empty if none does."""
    mutation, crossover, strategy, donors, adaptation = operators
    if adaptation.name != "fixed":
        return f"adaptation {adaptation.name!r}, which draws F and Cr for each trial"
    if mutation.uses_p_best:
        return f"mutation {mutation.name!r}, which draws one of the p-best for each trial"
    if mutation.draws_K:
        return f"mutation {mutation.name!r}, which draws K for each trial"
    if not crossover.exchanges:
        return f"crossover {crossover.name!r}, which does not say exchanges='each' or exchanges='segment'"
    if strategy.leaves_outside:
        return f"strategy {strategy.name!r}, which leaves points outside the box"
    return "" if donors.uniform else f"donors {donors.name!r}, which does not say uniform=True"


def smallest_config_with_same_code(config: Config) -> Config:
    """A configuration of as few individuals as may be for which, in any dimension, the same code is compiled.

    Code depends on the operators, on what is repaired, on the number of terms in a sum (F), and on whether there is a
    table of chances (N).
    (Populations too large for codes have code of their own, which is compiled when they are met.)
    """
    mutation = config.operators.mutation
    weights = mutation.weights if mutation.weights and not mutation.draws_K else lambda F: ()
    usual = fixed_point.bits_for(weights(0.5)) is fixed_point.bits_for(weights(config.F))
    few = min(config.N, MOST_CHANCES + 1)
    return replace(config, N=few, F=0.5 if usual else config.F, Cr=0.5, reevaluate=True, frozen=False)


@kernel
def advance(build, de, state, sim, enum, until, budget, rng):
    """Go on, or start, until `until` evaluations are done; `build` makes accepted trials as the configuration has them

    In one piece: functions that take these tuples cost a seventh of a run with N = 5.
    """
    de, state = borrow(de), borrow(state)
    sim, enum = borrow(sim), borrow(enum)
    f, N, tally = state.f, state.f.size, state.tally
    clock, accepting, counts = state.clock, state.accepting, tally.counts
    F = de.F  # one for all individuals: the mutants of a stretch have one law
    never = budget // N + 1  # a generation beyond the end
    if counts[EVALUATIONS] == 0:
        for i in range(N):
            enum.changed[i] |= encode(sim.points, state.P, i)
            clock[i] = never if de.frozen else wait(f[i], never, rng)
        enum.missed_savings[0] = 0.0
        count_stretch(tally, N, 0)
    best = best_of(f)
    while counts[EVALUATIONS] < until:
        generation = earliest(clock)
        begin, end = min(generation * N, until), min((generation + 1) * N, until)
        for i in range(end - begin):
            if clock[i] == generation:
                accepting[i] = True
                state.infeasible[i] = build(de, F, de.Cr, state.P, i, best, rng, state.trials[i], tally)
        quiet = end - counts[EVALUATIONS]
        enumerated = is_worthwhile(
            enum.prices, enum.changed, is_stale(enum.best, enum.changed, best), enum.missed_savings, quiet
        )
        if enumerated:
            enumerate_chances(enum, de.n_donors, F, best)
        while counts[EVALUATIONS] < end:
            done, stop = counts[EVALUATIONS], min(end, next_mark(tally, end))
            if enumerated:
                infeasible = draw_count(enum.q, N, done, stop, begin, accepting, rng)
            else:
                infeasible = simulate(de.donors, de.n_donors, F, sim, N, best, done, stop, begin, accepting, rng)
            infeasible += count_both(done, stop, begin, accepting, state.infeasible)
            count_stretch(tally, stop - done, infeasible)
        for i in range(end - begin):
            if accepting[i]:
                accepting[i] = False
                if de.fate == COMPETES or not state.infeasible[i]:
                    accept(state.P, f, i, state.trials, rng)
                    counts[ACCEPTED] += 1
                enum.changed[i] |= encode(sim.points, state.P, i)
                clock[i] = generation + wait(f[i], never, rng)
                if f[i] < f[best]:  # values only fall
                    best = i


@kernel
def wait(f, limit, rng):
    """How many generations until a U(0,1) number is ≤ f: geometric, by inversion; `limit` if more"""
    generations = np.log(1.0 - rng.random()) / np.log1p(-f)
    return 1 + np.int64(generations) if generations < limit else limit


@kernel
def earliest(clock):
    """The next generation with an acceptance"""
    generation = clock[0]
    for i in range(1, clock.size):
        generation = min(generation, clock[i])
    return generation


@kernel
def accept(P, f, i, trials, rng):
    """Slot i takes its trial and a value U(0, f)"""
    f[i] *= 1.0 - rng.random()
    for j in range(P.shape[1]):
        P[i, j] = trials[i, j]


@kernel
def next_mark(tally, otherwise):
    """The next number of evaluations at which the counts are noted; `otherwise` if there is none"""
    passed = tally.counts[MARKS_PASSED]
    return tally.marks[passed] if passed < tally.marks.size else otherwise


@kernel
def count_both(begin, end, generation_begin, accepting, infeasible):
    """How many of the evaluations begin..end−1 are accepted and infeasible, from `generation_begin` on"""
    both = 0
    for i in range(max(begin - generation_begin, 0), end - generation_begin):
        both += accepting[i] & infeasible[i]
    return both


@kernel
def draw_count(q, N, begin, end, generation_begin, accepting, rng):
    """Binomial(trials, q), for every target if q depends on it; accepted trials are left out"""
    if q.size == 1:
        return rng.binomial(end - begin - count_accepting(begin, end, generation_begin, accepting), q[0])
    infeasible = 0
    for i in range(N):
        visits = (end - i + N - 1) // N - (begin - i + N - 1) // N
        infeasible += rng.binomial(visits - (accepting[i] and begin <= generation_begin + i < end), q[i])
    return infeasible


@kernel
def count_stretch(tally, evaluations, infeasible):
    """Count the evaluations of a stretch that ends at or before the next mark"""
    counts, marks = tally.counts, tally.marks
    counts[EVALUATIONS] += evaluations
    counts[INFEASIBLE] += infeasible
    while counts[MARKS_PASSED] < marks.size and marks[counts[MARKS_PASSED]] <= counts[EVALUATIONS]:
        tally.infeasible_at[counts[MARKS_PASSED]] = counts[INFEASIBLE]
        counts[MARKS_PASSED] += 1
