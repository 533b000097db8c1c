"""A quiet stretch, trial by trial, in batches whose every step is a loop the compiler vectorises."""

from typing import Any, NamedTuple

from debox.f0.fast.draws import draw_by_rule, draw_distinct, draw_segments, mark_segments, uniforms
from debox.f0.fast.fixed_point import BEST, TARGET
from debox.jit import kernel


class Simulation(NamedTuple):
    """Tables, and buffers with one column per trial of a batch."""

    scan: Any  # the inner loop, see scan.py
    points: Any
    n: int
    exp: bool  # the crossover: exp or bin?
    p_feasible: Any  # see scan.py
    batched: bool  # draw the donors of a whole batch at once? The rule avoids nobody, and N is not too large
    per_target: bool  # does the chance depend on the target?
    uses_best: bool
    accept_chance: Any  # exp: alias table of the exchanged length: the chance of i + 1 in column i
    length_choices: Any  # its two lengths of column i: the alias at 2i, i + 1 at 2i + 1
    lanes: Any  # a generator of random numbers for each trial
    u: Any  # a random number of each trial
    parents: Any  # the indices of target, best, r1, …
    places: Any  # where their codes start
    first: Any  # exp: the first component of the segment that the crossover takes
    length: Any  # exp: how many components it has
    mask: Any  # the components that the crossover takes, as words of bits
    spans: Any  # the word in which they begin, and how many words they span
    undecided: Any  # the trials that need the exact formula


@kernel
def simulate(donors, n_donors, F, sim, N, best, begin, end, generation_begin, accepting, rng):
    """How many of the trials of evaluations begin..end−1 are infeasible, without those of slots
    that accept in the generation that begins at `generation_begin`
    """
    infeasible = 0
    for t in range(sim.u.size * sim.uses_best):
        sim.parents[BEST, t] = best
    while begin < end:
        batch = min(sim.u.size, end - begin)
        trials = list_targets(begin, batch, N, generation_begin, accepting, sim.per_target, sim.parents)
        begin += batch
        if sim.batched:
            draw_distinct(N, n_donors, sim.lanes, trials, sim.u, sim.parents)
        else:
            draw_by_rule(donors, N, n_donors, best, trials, sim.parents, rng)
        uniforms(sim.lanes, trials, sim.u)
        if sim.exp:
            draw_segments(sim.n, sim.accept_chance, sim.length_choices, trials, sim.u, sim.first, sim.length)
            mark_segments(sim.n, trials, sim.first, sim.length, sim.mask, sim.spans)
        infeasible += sim.scan(
            sim.points, trials, sim.parents, sim.places, sim.mask, sim.spans, F, sim.p_feasible, sim.u, sim.undecided
        )
    return infeasible


@kernel
def list_targets(begin, batch, N, generation_begin, accepting, per_target, parents):
    """The targets of a batch of evaluations, without the accepting ones; returns how many they are"""
    if not per_target:
        return batch - count_accepting(begin, begin + batch, generation_begin, accepting)  # targets are alike
    trials, slot = 0, begin % N
    for evaluation in range(begin, begin + batch):
        parents[TARGET, trials] = slot
        trials += not (evaluation >= generation_begin and accepting[slot])
        slot = slot + 1 if slot + 1 < N else 0
    return trials


@kernel
def count_accepting(begin, end, generation_begin, accepting):
    """How many of the evaluations begin..end−1 are accepted, in the generation from `generation_begin` on"""
    accepted = 0
    for i in range(max(begin - generation_begin, 0), end - generation_begin):
        accepted += accepting[i]
    return accepted
