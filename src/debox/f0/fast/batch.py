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
    keep: Any
    batched: bool  # donors of a whole batch at once: the rule avoids nobody, and N is not too large
    per_target: bool  # does the chance depend on the target?
    uses_best: bool
    accept_chance: Any  # exp: alias table of the exchanged length: i + 1 with this chance, else another,
    either: Any  # the other at 2i, i + 1 at 2i + 1
    lanes: Any  # a generator of random numbers for each trial
    u: Any
    parents: Any  # target, best, r1, …
    places: Any  # of their codes
    first: Any  # exp: the segment taken
    length: Any
    taken: Any  # the components taken, as words of bits
    spans: Any  # in which word they begin, and how many words to look at
    undecided: Any  # trials that need an exact look


@kernel
def simulate(donors, n_donors, F, sim, N, best, begin, end, event, accepting, rng):
    """How many of the trials of evaluations begin..end−1 are infeasible, those accepted from `event` on left out"""
    infeasible = 0
    for t in range(sim.u.size * sim.uses_best):
        sim.parents[BEST, t] = best
    while begin < end:
        batch = min(sim.u.size, end - begin)
        trials = list_targets(begin, batch, N, event, accepting, sim.per_target, sim.parents)
        begin += batch
        if sim.batched:
            draw_distinct(N, n_donors, sim.lanes, trials, sim.u, sim.parents)
        else:
            draw_by_rule(donors, N, n_donors, best, trials, sim.parents, rng)
        uniforms(sim.lanes, trials, sim.u)
        if sim.exp:
            draw_segments(sim.n, sim.accept_chance, sim.either, trials, sim.u, sim.first, sim.length)
            mark_segments(sim.n, trials, sim.first, sim.length, sim.taken, sim.spans)
        infeasible += sim.scan(
            sim.points, trials, sim.parents, sim.places, sim.taken, sim.spans, F, sim.keep, sim.u, sim.undecided
        )
    return infeasible


@kernel
def list_targets(begin, batch, N, event, accepting, per_target, parents):
    """The targets of a batch of evaluations, those accepted left out; how many they are"""
    if not per_target:
        return batch - count_accepting(begin, begin + batch, event, accepting)  # any will do
    trials, slot = 0, begin % N
    for evaluation in range(begin, begin + batch):
        parents[TARGET, trials] = slot
        trials += not (evaluation >= event and accepting[slot])
        slot = slot + 1 if slot + 1 < N else 0
    return trials


@kernel
def count_accepting(begin, end, event, accepting):
    """How many of the evaluations begin..end−1 are accepted, in the generation that begins at `event`"""
    accepted = 0
    for i in range(max(begin - event, 0), end - event):
        accepted += accepting[i]
    return accepted
