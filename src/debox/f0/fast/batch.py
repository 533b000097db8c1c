"""A quiet stretch, trial by trial, in batches whose every step is a loop the compiler vectorises. Trial t is column t.

Random numbers come from lanes: one SFC64 generator per trial, side by side, stepped in a loop that vectorises. SFC64 is
C. Doty-Humphrey's (PractRand); each lane does what NumPy's SFC64 of the same state does. A generator of our
own draws twice as fast as a call of NumPy's for each number (see docs/speed.md).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from debox import jit
from debox.config import Config
from debox.f0.fast import scan
from debox.f0.fast.fixed_point import BEST, R1, R2, R3, R4, R5, TARGET
from debox.f0.fast.scan import BATCH
from debox.jit import kernel
from debox.registry import Operator

FIRST = 3  # donors that are drawn from one U
LARGEST_BATCHED_N = 1024  # up to which that is done: 53 bits leave more than 20 for the third donor
SHIFT_OUT, SHIFT_RIGHT, SHIFT_LEFT, ROTATE, ROTATE_BACK, ONE = map(np.uint64, (11, 11, 3, 24, 40, 1))


class Simulation(NamedTuple):
    """Tables, and buffers with one column per trial of a batch."""

    scan: Any  # the inner loop, see scan.py
    points: Any
    n: int
    exp: bool  # the crossover: exp or bin?
    p_feasible: Any  # see scan.py
    draws_donors_together: bool  # those of a whole batch? The rule avoids nobody, and N is not too large
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


def simulation(
    config: Config, n: int, mutation: Operator, rule: Operator, shared: dict[str, Any], names: dict[str, Any]
) -> Simulation:
    """The tables and buffers of `simulate`."""
    accept_chance, alias = alias_table(lengths(n, config.Cr))
    u, mask, undecided = np.empty(BATCH), scan.all_components(n), np.zeros(BATCH, np.int64)
    spans = np.repeat(np.array([[0], [len(mask)]]), BATCH, axis=1)
    points, parents, places, p_feasible = (shared[name] for name in ("points", "parents", "places", "p_feasible"))
    example = (points, 0, parents, places, mask, spans, config.F, p_feasible, u, undecided)
    return Simulation(
        **shared,
        scan=jit.counter(jit.specialise(scan.scan, **names), *example),
        n=n,
        draws_donors_together=not rule.avoids and config.N <= LARGEST_BATCHED_N,
        uses_best=mutation.uses_best,
        accept_chance=accept_chance,
        length_choices=(np.column_stack([alias, np.arange(n)]) + 1).astype(np.int32).ravel(),
        lanes=np.zeros((4, BATCH), np.uint64),
        u=u,
        first=np.zeros(BATCH, np.int32),
        length=np.zeros(BATCH, np.int32),
        mask=mask,
        spans=spans,
        undecided=undecided,
    )


def lengths(n: int, Cr: float) -> NDArray[np.float64]:
    """P(L = l) for l = 1..n under exp: Crˡ⁻¹(1 − Cr), and Crⁿ⁻¹ for l = n"""
    p: NDArray[np.float64] = np.power(Cr, np.arange(n)) * (1.0 - Cr)
    p[-1] = Cr ** (n - 1)
    return p


def alias_table(p: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Walker's alias method (Vose 1991): column i gives i with chance[i], else alias[i]."""
    n = len(p)
    share, chance, alias = p * n, np.ones(n), np.arange(n)
    small = [i for i in range(n) if share[i] < 1.0]
    large = [i for i in range(n) if share[i] >= 1.0]
    while small and large:
        low, high = small.pop(), large.pop()
        chance[low], alias[low] = share[low], high
        share[high] -= 1.0 - share[low]
        (small if share[high] < 1.0 else large).append(high)
    return chance, alias


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
        if sim.draws_donors_together:
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


@kernel
def uniforms(lanes, trials, u):
    """A fresh U(0,1) for each of so many trials; lanes[:, t] is the state of lane t"""
    for t in range(trials):
        a, b, c, counter = lanes[0, t], lanes[1, t], lanes[2, t], lanes[3, t]
        out = a + b + counter
        lanes[0, t] = b ^ (b >> SHIFT_RIGHT)
        lanes[1, t] = c + (c << SHIFT_LEFT)
        lanes[2, t] = ((c << ROTATE) | (c >> ROTATE_BACK)) + out
        lanes[3, t] = counter + ONE
        u[t] = np.int64(out >> SHIFT_OUT) * 2.0**-53


@kernel
def draw_distinct(N, n_donors, lanes, trials, u, parents):
    """Mutually distinct donors: the k-th is uniform on the N − k not yet drawn, counted past those drawn"""
    uniforms(lanes, trials, u)
    draw_first(N, n_donors, trials, u, parents)
    if n_donors > FIRST:
        uniforms(lanes, trials, u)
        draw_two_more(N, trials, u, parents)


@kernel
def draw_first(N, n_donors, trials, u, parents):
    """Two or three donors"""
    for t in range(trials):
        x = u[t] * N
        r1 = np.int32(x)
        x = (x - r1) * (N - 1)
        r2 = np.int32(x)
        parents[R1, t] = r1
        parents[R2, t] = r2
        parents[R3, t] = np.int32((x - r2) * (N - 2))
    for t in range(trials):
        r1, r2, r3 = parents[R1, t], parents[R2, t], parents[R3, t]
        r2 = skip_past(r1, r2)
        parents[R2, t] = r2
        if n_donors > 2:
            r3 = skip_past(min(r1, r2), r3)
            r3 = skip_past(max(r1, r2), r3)
            parents[R3, t] = r3


@kernel
def skip_past(drawn, k):
    """The k-th index, counted without the one drawn: k + 1 from there on"""
    return np.int32(k + (k >= drawn))


@kernel
def draw_two_more(N, trials, u, parents):
    """The fourth and fifth donor"""
    for t in range(trials):
        x = u[t] * (N - 3)
        r4 = np.int32(x)
        parents[R4, t] = r4
        parents[R5, t] = np.int32((x - r4) * (N - 4))
    for t in range(trials):
        r4, r5 = parents[R4, t], parents[R5, t]
        low, high, r3 = min(parents[R1, t], parents[R2, t]), max(parents[R1, t], parents[R2, t]), parents[R3, t]
        low, middle, high = min(low, r3), max(low, min(high, r3)), max(high, r3)
        r4 = skip_past(low, r4)
        r4 = skip_past(middle, r4)
        r4 = skip_past(high, r4)
        r5 = skip_past(min(low, r4), r5)
        r5 = skip_past(max(low, min(middle, r4)), r5)
        r5 = skip_past(max(middle, min(high, r4)), r5)
        r5 = skip_past(max(high, r4), r5)
        parents[R4, t] = r4
        parents[R5, t] = r5


@kernel
def draw_by_rule(donors, N, n_donors, best, trials, parents, rng):
    """Donors by the ordinary operator, trial by trial"""
    drawn = np.empty(n_donors, np.uint64)
    for t in range(trials):
        donors(N, parents[TARGET, t], best, rng, drawn)
        for k in range(n_donors):
            parents[R1 + k, t] = drawn[k]


@kernel
def draw_segments(n, accept_chance, length_choices, trials, u, first, length):
    """exp: I = ⌊nU⌋, and L from the alias table with what is left of U"""
    for t in range(trials):
        x = u[t] * n
        first[t] = np.int32(x)
        u[t] = (x - first[t]) * n
    for t in range(trials):
        i = np.uint32(u[t])
        length[t] = length_choices[2 * i + np.uint32(u[t] - i < accept_chance[i])]  # a choice without a branch
        u[t] = 0.5  # any number in (0, 1): p_feasible is 1, 0, 0, …


@kernel
def mark_segments(n, trials, first, length, mask, spans):
    """Set the bits of the components I, …, I + L − 1 (after the last comes the first) in the words that they span"""
    words = mask.shape[0]
    if words == 1:
        for t in range(trials):
            mask[0, t] = segment_bits(n, first[t], length[t], 0)
        return
    for t in range(trials):
        word, last = first[t] // 32, first[t] + length[t] - 1
        end = last // 32 if last < n else words + (last - n) // 32
        spans[0, t], spans[1, t] = word, min(end - word + 1, words)
        for _ in range(spans[1, t]):
            mask[word, t] = segment_bits(n, first[t], length[t], 32 * word)
            word = word + 1 if word + 1 < words else 0


@kernel
def segment_bits(n, first, length, begin):
    """Of 32 components from `begin` on, a bit for each that belongs to the segment"""
    end = first + length
    return (low_bits(min(end, n) - begin) & ~low_bits(first - begin)) | low_bits(end - n - begin)


@kernel
def low_bits(k):
    """A word with its first k bits set: none if k is negative, all if it is more than 32"""
    return (ONE << np.uint64(min(max(k, 0), 32))) - ONE
