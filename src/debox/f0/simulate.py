"""A quiet stretch, trial by trial, in batches whose every step is a loop the compiler vectorises."""

from typing import Any, NamedTuple

import numpy as np

from debox.de.jit import kernel
from debox.f0.lanes import uniforms

FIRST = 3  # donors from one U,
BATCHED_UP_TO = 1024  # for populations up to this size: 53 bits leave more than 20 for the last of them


class Simulation(NamedTuple):
    """Tables, and buffers with one column per trial of a batch."""

    scan: Any  # the inner loop, see scan.py
    rows: Any
    width: Any
    keep: Any
    batched: bool  # donors of a whole batch at once: the rule avoids nobody, and N is not too large
    per_target: bool  # does the chance depend on the target?
    exp: bool  # the crossover: exp or bin?
    accept_chance: Any  # exp: alias table of the exchanged length
    alias: Any
    lanes: Any  # random numbers
    u: Any
    target: Any
    r: Any
    first: Any  # segment
    length: Any
    undecided: Any  # trials to be scanned whole
    pause: Any  # batches until first components are looked at first again


@kernel
def simulate(de, sim, N, n, best, begin, end, event, accepting, rng):
    """How many of the trials of evaluations begin..end−1 are infeasible, those accepted from `event` on left out"""
    infeasible = 0
    while begin < end:
        batch = min(sim.u.size, end - begin)
        u = sim.u[: list_targets(begin, batch, N, event, accepting, sim.per_target, sim.target)]
        begin += batch
        if sim.batched:
            draw_distinct(N, de.n_donors, sim.lanes, u, sim.r)
        else:
            draw_by_rule(de.donors, N, de.n_donors, sim.target, best, sim.r, u, rng)
        uniforms(sim.lanes, u)
        if sim.exp:
            draw_segments(n, sim.accept_chance, sim.alias, u, sim.first, sim.length)
        infeasible += sim.scan(
            sim.rows,
            sim.width,
            sim.target,
            best,
            sim.r,
            de.F,
            sim.first,
            sim.length,
            sim.keep,
            u,
            sim.undecided,
            sim.pause,
        )
    return infeasible


@kernel
def list_targets(begin, batch, N, event, accepting, per_target, target):
    """The targets of a batch of evaluations, those accepted left out; how many they are"""
    if not per_target:
        return batch - count_accepting(begin, begin + batch, event, accepting)  # any will do
    trials, slot = 0, begin % N
    for evaluation in range(begin, begin + batch):
        target[trials] = slot
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


@kernel
def draw_distinct(N, n_donors, lanes, u, r):
    """Mutually distinct donors: the k-th is uniform on the N − k not yet drawn, counted past those drawn"""
    uniforms(lanes, u)
    draw_first(N, n_donors, u, r)
    if n_donors > FIRST:
        uniforms(lanes, u)
        draw_two_more(N, u, r)


@kernel
def draw_first(N, n_donors, u, r):
    """Two or three donors"""
    for t in range(u.size):
        x = u[t] * N
        r1 = np.int32(x)
        x = (x - r1) * (N - 1)
        r2 = np.int32(x)
        r3 = np.int32((x - r2) * (N - 2))
        r2 += r2 >= r1
        r[0, t] = r1
        r[1, t] = r2
        if n_donors > 2:
            r3 += r3 >= min(r1, r2)
            r3 += r3 >= max(r1, r2)
            r[2, t] = r3


@kernel
def draw_two_more(N, u, r):
    """The fourth and fifth donor"""
    for t in range(u.size):
        x = u[t] * (N - 3)
        r4 = np.int32(x)
        r5 = np.int32((x - r4) * (N - 4))
        low, high, r3 = min(r[0, t], r[1, t]), max(r[0, t], r[1, t]), r[2, t]
        low, middle, high = min(low, r3), max(low, min(high, r3)), max(high, r3)
        r4 += r4 >= low
        r4 += r4 >= middle
        r4 += r4 >= high
        r5 += r5 >= min(low, r4)
        r5 += r5 >= max(low, min(middle, r4))
        r5 += r5 >= max(middle, min(high, r4))
        r5 += r5 >= max(high, r4)
        r[3, t] = r4
        r[4, t] = r5


@kernel
def draw_by_rule(donors, N, n_donors, target, best, r, u, rng):
    """Donors by the ordinary operator, trial by trial"""
    drawn = np.empty(n_donors, np.uint64)
    for t in range(u.size):
        donors(N, target[t], best, rng, drawn)
        for k in range(n_donors):
            r[k, t] = drawn[k]


@kernel
def draw_segments(n, accept_chance, alias, u, first, length):
    """exp: I = ⌊nU⌋, and L from the alias table with what is left of U"""
    for t in range(u.size):
        x = u[t] * n
        first[t] = np.int32(x)
        x = (x - first[t]) * n
        i = np.int32(x)
        length[t] = 1 + (i if x - i < accept_chance[i] else alias[i])
        u[t] = 0.5  # any number: keep is 1, 0, 0, …
