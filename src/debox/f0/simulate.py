"""A quiet stretch, trial by trial, in batches whose every step is a loop the compiler vectorises."""

from typing import Any, NamedTuple

import numpy as np

from debox.de.jit import kernel

SPLIT = 3  # donors from one uniform number,
SPLIT_UP_TO = 1024  # for populations up to this size: 53 bits leave more than 20 for the last of them


class Simulation(NamedTuple):
    """Tables, and buffers with one column per trial of a batch."""

    scan: Any  # the inner loop, see scan.py
    rows: Any
    width: Any
    keep: Any
    distinct: bool  # the donor rule avoids nobody
    per_target: bool  # does the chance depend on the target?
    exp: bool  # the crossover: exp or bin?
    accept_chance: Any  # exp: alias table of the exchanged length
    alias: Any
    u: Any
    target: Any
    r: Any
    sorted_r: Any
    first: Any  # segment
    length: Any
    lanes: Any  # components scanned at a time


@kernel
def simulate(de, sim, N, n, best, begin, end, event, accepting, rng):
    """How many of the trials of evaluations begin..end−1 are infeasible, those accepted from `event` on left out"""
    infeasible = 0
    while begin < end:
        batch = min(sim.u.size, end - begin)
        u = sim.u[: list_targets(begin, batch, N, event, accepting, sim.per_target, sim.target)]
        begin += batch
        if sim.distinct:
            draw_distinct(N, de.n_donors, sim.r, sim.sorted_r, u, rng)
        else:
            draw_by_rule(de.donors, N, de.n_donors, sim.target, best, sim.r, u, rng)
        uniforms(u, rng)
        if sim.exp:
            draw_segments(n, sim.accept_chance, sim.alias, u, sim.first, sim.length)
        infeasible += sim.scan(
            sim.rows, sim.width, sim.target, best, sim.r, de.F, sim.first, sim.length, sim.lanes, sim.keep, u
        )
    return infeasible


@kernel
def list_targets(begin, batch, N, event, accepting, per_target, target):
    """The targets of a batch of evaluations, those accepted left out; how many they are"""
    trials, slot = 0, begin % N
    if begin + batch <= event and not per_target:
        return batch  # any will do
    for evaluation in range(begin, begin + batch):
        target[trials] = slot
        trials += not (evaluation >= event and accepting[slot])
        slot = slot + 1 if slot + 1 < N else 0
    return trials


@kernel
def uniforms(u, rng):
    """A fresh U(0,1) for every trial of the batch"""
    for t in range(u.size):
        u[t] = rng.random()


@kernel
def draw_distinct(N, n_donors, r, sorted_r, u, rng):
    """Mutually distinct donors: the k-th is uniform on the N − k not yet drawn, counted past those drawn"""
    for k in range(n_donors):
        if k % SPLIT == 0 or N > SPLIT_UP_TO:
            uniforms(u, rng)
        r_k = r[k]
        left = float(N - k)
        for t in range(u.size):
            x = u[t] * left
            r_k[t] = np.int32(x)
            u[t] = x - r_k[t]
        for earlier in range(k):
            s = sorted_r[earlier]
            for t in range(u.size):
                r_k[t] += r_k[t] >= s[t]
        if k + 1 < n_donors:
            insert(sorted_r, k, r_k, u.size)


@kernel
def insert(sorted_r, k, r_k, trials):
    """Put r_k among the k sorted ones, in every column"""
    s = sorted_r[k]
    for t in range(trials):
        s[t] = r_k[t]
    for lower in range(k - 1, -1, -1):
        low, high = sorted_r[lower], sorted_r[lower + 1]
        for t in range(trials):
            a, b = low[t], high[t]
            low[t] = min(a, b)
            high[t] = max(a, b)


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
