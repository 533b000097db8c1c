"""Differential Evolution in plain Python: every operator, one short function with its formula on top, and Algorithm 1.

It is written to be read and stepped through, and it is the oracle: the compiled core (core/operators.h, core/loop.c)
has the same functions under the same names, and the same bits. Where no core is installed, debox runs on this file.

x is the target, v the mutant, u the trial, [a, b] the box, U a fresh uniform random number from [0, 1).
"""

from __future__ import annotations

from collections.abc import Callable
from math import expm1, fmod, isinf, isnan, log1p, pi, tan
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Vector = NDArray[np.float64]
Indices = NDArray[np.uint64]
R = Any  # a row of the population, or one of its components


def draw(k: int, rng: Rng) -> int:
    """Uniform on 0..k−1: ⌊kU⌋ (off by less than k/2⁵³)"""
    return int(rng.random() * k)


# ---- Donors: r₁, r₂, … uniform and mutually distinct; r takes as many as it has places ------------------------------


def draw_donors(r: Indices, N: int, rng: Rng, *avoided: int) -> None:
    """r₁, r₂, … uniform on 0..N−1, each drawn again while it is avoided or equal to one before"""
    for k in range(r.size):
        r[k] = draw(N, rng)
        while r[k] in avoided or r[k] in r[:k]:
            r[k] = draw(N, rng)


def distinct(N: int, target: int, best: int, rng: Rng, r: Indices) -> None:
    """r₁, r₂, … mutually distinct, nothing else"""
    draw_donors(r, N, rng)


def not_target(N: int, target: int, best: int, rng: Rng, r: Indices) -> None:
    """r₁, r₂, … mutually distinct and none the target"""
    draw_donors(r, N, rng, target)


def not_parents(N: int, target: int, best: int, rng: Rng, r: Indices) -> None:
    """r₁, r₂, … mutually distinct and no parent: not the target nor, if the mutation uses it, the best"""
    draw_donors(r, N, rng, target, best)


# ---- Mutations: the mutant v from the target x, the best and the donors; one component or whole vectors --------------


def rand_1(x: R, x_best: R, x_r1: R, x_r2: R, x_r3: R, x_r4: R, x_r5: R, F: float) -> R:
    """v = x_r1 + F (x_r2 − x_r3)"""
    return x_r1 + F * (x_r2 - x_r3)


def rand_2(x: R, x_best: R, x_r1: R, x_r2: R, x_r3: R, x_r4: R, x_r5: R, F: float) -> R:
    """v = x_r1 + F (x_r2 − x_r3) + F (x_r4 − x_r5)"""
    return x_r1 + F * (x_r2 - x_r3) + F * (x_r4 - x_r5)


def best_1(x: R, x_best: R, x_r1: R, x_r2: R, x_r3: R, x_r4: R, x_r5: R, F: float) -> R:
    """v = x_best + F (x_r1 − x_r2)"""
    return x_best + F * (x_r1 - x_r2)


def best_2(x: R, x_best: R, x_r1: R, x_r2: R, x_r3: R, x_r4: R, x_r5: R, F: float) -> R:
    """v = x_best + F (x_r1 − x_r2) + F (x_r3 − x_r4)"""
    return x_best + F * (x_r1 - x_r2) + F * (x_r3 - x_r4)


def current_to_best_1(x: R, x_best: R, x_r1: R, x_r2: R, x_r3: R, x_r4: R, x_r5: R, F: float) -> R:
    """v = x_t + F (x_best − x_t) + F (x_r1 − x_r2)"""
    return x + F * (x_best - x) + F * (x_r1 - x_r2)


def current_to_best_2(x: R, x_best: R, x_r1: R, x_r2: R, x_r3: R, x_r4: R, x_r5: R, F: float) -> R:
    """v = x_t + F (x_best − x_t) + F (x_r1 − x_r2) + F (x_r3 − x_r4)"""
    return x + F * (x_best - x) + F * (x_r1 - x_r2) + F * (x_r3 - x_r4)


def rand_to_best_1(x: R, x_best: R, x_r1: R, x_r2: R, x_r3: R, x_r4: R, x_r5: R, F: float) -> R:
    """v = x_r1 + F (x_best − x_r1) + F (x_r2 − x_r3)"""
    return x_r1 + F * (x_best - x_r1) + F * (x_r2 - x_r3)


def rand_to_best_2(x: R, x_best: R, x_r1: R, x_r2: R, x_r3: R, x_r4: R, x_r5: R, F: float) -> R:
    """v = x_r1 + F (x_best − x_r1) + F (x_r2 − x_r3) + F (x_r4 − x_r5)"""
    return x_r1 + F * (x_best - x_r1) + F * (x_r2 - x_r3) + F * (x_r4 - x_r5)


def current_to_rand_1(x: R, x_best: R, x_r1: R, x_r2: R, x_r3: R, x_r4: R, x_r5: R, F: float, K: float) -> R:
    """v = x_t + K (x_r1 − x_t) + K F (x_r2 − x_r3), K = U once a trial"""
    return x + K * (x_r1 - x) + K * F * (x_r2 - x_r3)


def current_to_pbest_1(x: R, x_best: R, x_r1: R, x_r2: R, x_r3: R, x_r4: R, x_r5: R, F: float) -> R:
    """v = x_t + F (x_p − x_t) + F (x_r1 − y_r2), p one of the p-best, y from population and archive"""
    return x + F * (x_best - x) + F * (x_r1 - x_r2)


# ---- Crossovers: the trial u of the target x and the mutant v --------------------------------------------------------


def binomial(x: Vector, v: Vector, Cr: float, rng: Rng, u: Vector) -> None:
    """u_i = v_i if U_i ≤ Cr or i = I, else x_i"""
    taken = [rng.random() <= Cr for _ in range(u.size)]
    taken[draw(u.size, rng)] = True
    u[:] = np.where(taken, v, x)


def exponential(x: Vector, v: Vector, Cr: float, rng: Rng, u: Vector) -> None:
    """u_i = v_i for i = I, I+1, … (cyclically) while U ≤ Cr, else x_i"""
    u[:] = x
    start = draw(u.size, rng)
    for step in range(u.size):
        i = (start + step) % u.size
        u[i] = v[i]
        if rng.random() > Cr:
            break


# ---- Strategies: the new value of a component u outside [a, b]; x is the target's component, c the base's ------------
#
# The base is the vector to which the mutation adds differences. Whatever comes in, infinities and NaN from an
# overflowing mutation included, the result lies in the box; `none` alone leaves the trial where it is.

LARGEST = 1.7976931348623157e308


def clip(u: float, a: float, b: float) -> float:
    """min(max(u, a), b)"""
    return a if u < a else b if u > b else u


def scale(a: float, b: float) -> float:
    """A power of two: with everything scaled by it no difference overflows and the width does not vanish"""
    return 0.25 if b - a > 1.0 else 1.0


def excess(p: float, q: float, period: float) -> float:
    """(p − q) mod period for p ≥ q; fmod is exact, the difference itself would round when p is far away"""
    d = fmod(p, period) - fmod(q, period)
    return d + period if d < 0.0 else d - period if d >= period else d


def between(p: float, q: float, share: float, a: float, b: float) -> float:
    """p + share (q − p) for p, q in [a, b] and a share in [0, 1]"""
    s = scale(a, b)
    return clip((s * p + share * (s * q - s * p)) / s, a, b)


def violated_bound(u: float, a: float, b: float) -> float:
    """The bound that u violates, given that it is outside"""
    return a if u < a else b


def confined(u: float, rho: float, a: float, b: float, rng: Rng) -> float:
    """A point |ln(1 + U (e^−ρ − 1))| widths inward from the violated bound: exponential, truncated at ρ widths"""
    share = -log1p(rng.random() * expm1(-rho))
    return between(a, b, share, a, b) if u < a else between(b, a, share, a, b)


def saturation(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """the violated bound"""
    return x if isnan(u) else clip(u, a, b)


def toroidal(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """a + ((u − a) mod (b − a))"""
    if isnan(u):
        return x
    s = scale(a, b)
    u, low, high = s * clip(u, -LARGEST, LARGEST), s * a, s * b
    if u > high:
        wrapped = low + excess(u, high, high - low)
    else:
        beyond = excess(low, u, high - low)
        wrapped = high - beyond if beyond > 0.0 else low
    return clip(wrapped / s, a, b)


def mirror(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """reflect at the violated bound until inside: period 2(b − a), no loop"""
    if isnan(u):
        return x
    s = scale(a, b)
    u, low, high = s * clip(u, -LARGEST, LARGEST), s * a, s * b
    width = high - low
    if u > high:
        d = excess(u, high, 2.0 * width)
        reflected = high - d if d <= width else low + (d - width)
    else:
        d = excess(low, u, 2.0 * width)
        reflected = low + d if d <= width else high - (d - width)
    return clip(reflected / s, a, b)


def cotn(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """a + |N(0, (b − a)/3)| or b − |N(0, (b − a)/3)| at the bound violated, again until inside"""
    s = scale(a, b)
    sigma = (s * b - s * a) / 3.0 / s
    while not a <= u <= b:
        step = sigma * abs(rng.standard_normal())
        u = b - step if u > b else a + step
    return u


def uniform(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """a + U (b − a)"""
    return between(a, b, rng.random(), a, b)


def midpoint_target(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """g/2 + x_t/2, g the violated bound"""
    return x if isnan(u) else clip(violated_bound(u, a, b) / 2.0 + x / 2.0, a, b)


def midpoint_base(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """g/2 + c/2, g the violated bound, c the base"""
    return x if isnan(u) else clip(violated_bound(u, a, b) / 2.0 + c / 2.0, a, b)


def rand_target(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """x_t + U (g − x_t), g the violated bound"""
    return x if isnan(u) else between(x, violated_bound(u, a, b), rng.random(), a, b)


def rand_base(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """c + U (g − c), g the violated bound, c the base"""
    return x if isnan(u) else between(c, violated_bound(u, a, b), rng.random(), a, b)


def exp_target(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """|ln(1 + U (e^−ρ − 1))| (b − a) inward from the violated bound g, ρ = |x_t − g|/(b − a)"""
    s, g = scale(a, b), violated_bound(u, a, b)
    return x if isnan(u) else confined(u, abs(s * x - s * g) / (s * b - s * a), a, b, rng)


def exp_center(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """|ln(1 + U (e^−ρ − 1))| (b − a) inward from the violated bound, ρ = 1/2"""
    return x if isnan(u) else confined(u, 0.5, a, b, rng)


def exp_spread(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """|ln(1 + U (e^−ρ − 1))| (b − a) inward from the violated bound, ρ = 1"""
    return x if isnan(u) else confined(u, 1.0, a, b, rng)


def reflect_random(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """a + U min(a − u, b − a) or b − U min(u − b, b − a) at the bound violated"""
    if isnan(u):
        return x
    s, g = scale(a, b), violated_bound(u, a, b)
    share = rng.random() * min(1.0, abs(s * u - s * g) / (s * b - s * a))
    return between(a, b, share, a, b) if u < a else between(b, a, share, a, b)


def resample(u: float, x: float, c: float, a: float, b: float, rng: Rng) -> float:
    """donors and crossover drawn anew until the trial is inside, at most 100 times; then the violated bound"""
    return saturation(u, x, c, a, b, rng)  # `build` draws anew: see `redraws`


# Strategies of the whole trial take vectors, once for each infeasible trial, and change u.


def project(u: Vector, x: Vector, p: Vector, q: Vector, a: Vector, b: Vector) -> None:
    """m + α (u − m), m = p/2 + q/2, with the largest α ≤ 1 that ends inside; a NaN is replaced by its target first"""
    alpha = 1.0
    for i in range(u.size):
        u[i] = x[i] if isnan(u[i]) else clip(u[i], -LARGEST, LARGEST)
        if not a[i] <= u[i] <= b[i]:
            s, g = scale(a[i], b[i]), violated_bound(u[i], a[i], b[i])
            m = s * p[i] / 2.0 + s * q[i] / 2.0
            alpha = min(alpha, (s * g - m) / (s * u[i] - m)) if s * u[i] != m and s * g != m else 0.0
    for i in range(u.size):
        u[i] = between(p[i] / 2.0 + q[i] / 2.0, u[i], alpha, a[i], b[i])


def project_midpoint(u: Vector, x: Vector, c: Vector, a: Vector, b: Vector, rng: Rng) -> None:
    """m + α (u − m), m the middle of the box, α = min (g − m)/(u − m) over the violated bounds g"""
    project(u, x, a, b, a, b)


def project_base(u: Vector, x: Vector, c: Vector, a: Vector, b: Vector, rng: Rng) -> None:
    """c + α (u − c), c the base, α = min (g − c)/(u − c) over the violated bounds g"""
    project(u, x, c, c, a, b)


def conservatism(u: Vector, x: Vector, c: Vector, a: Vector, b: Vector, rng: Rng) -> None:
    """the whole trial becomes the base"""
    u[:] = c


def dismiss(u: Vector, x: Vector, c: Vector, a: Vector, b: Vector, rng: Rng) -> None:
    """the whole trial becomes the target"""
    u[:] = x


def penalty(u: Vector, x: Vector, c: Vector, a: Vector, b: Vector, rng: Rng) -> None:
    """counted as an evaluation without one, never accepted"""
    dismiss(u, x, c, a, b, rng)  # it is neither evaluated nor accepted: what its components are does not matter


def none(u: Vector, x: Vector, c: Vector, a: Vector, b: Vector, rng: Rng) -> None:
    """evaluated outside, where it is"""


# ---- Adaptations: F and Cr of each trial from a memory, which learns from trials that beat their targets -------------
#
# `sample` writes F and Cr of trial i into column i of F_Cr. `learn`, after a generation, changes the memory, whose
# columns are pairs of F and Cr, and returns the column to be changed next. gain[i] is f(target) − f(trial), 0 for a
# trial that replaced an equal target, and negative for one that did not replace its target; learn may overwrite it.

TERMINAL = -1.0  # in the place of a Cr: from this cell Cr = 0 for good


def draw_F(mean: float, rng: Rng) -> float:
    """F ~ Cauchy(mean, 0.1), drawn again while F ≤ 0, cut at 1"""
    F = 0.0
    while F <= 0.0:
        F = mean + 0.1 * tan(pi * (rng.random() - 0.5))
    return min(F, 1.0)


def draw_Cr(mean: float, rng: Rng) -> float:
    """Cr ~ N(mean, 0.1), cut to [0, 1]"""
    return min(max(mean + 0.1 * rng.standard_normal(), 0.0), 1.0)


def mean(w: Vector, s: Vector) -> float:
    """Σ w s / Σ w, added from first to last, since other orders round differently; 0 if all weights are 0"""
    weight, weighted = np.cumsum([w, w * s], axis=1)[:, -1].tolist()
    return weighted / weight if weight > 0.0 else 0.0


def weigh(gain: Vector) -> bool:
    """Turn gains into weights Δf/max Δf, 0 without success; was there a success? Infinite gains share the weight"""
    largest: float = max([0.0, *gain.tolist()])
    gain[:] = np.isinf(gain) if isinf(largest) else np.maximum(gain, 0.0) / (largest or 1.0)
    return largest > 0.0


def sample_fixed(i: int, memory: Vector, rng: Rng, F_Cr: Vector) -> None:
    """F and Cr are the same for all trials"""
    F_Cr[:, i] = memory[:, 0]


def learn_nothing(F_Cr: Vector, gain: Vector, memory: Vector, cell: int) -> int:
    """The memory stays as it is"""
    return cell


def sample_jde(i: int, memory: Vector, rng: Rng, F_Cr: Vector) -> None:
    """F = 0.1 + 0.9 U with chance 0.1, Cr = U with chance 0.1, else those of the individual"""
    F_Cr[0, i] = 0.1 + 0.9 * rng.random() if rng.random() < 0.1 else memory[0, i]
    F_Cr[1, i] = rng.random() if rng.random() < 0.1 else memory[1, i]


def learn_jde(F_Cr: Vector, gain: Vector, memory: Vector, cell: int) -> int:
    """An individual takes F and Cr of the trial that replaces it"""
    replaced = np.flatnonzero(gain >= 0.0)
    memory[:, replaced] = F_Cr[:, replaced]
    return cell


def sample_jade(i: int, memory: Vector, rng: Rng, F_Cr: Vector) -> None:
    """F ~ Cauchy(μ_F, 0.1), Cr ~ N(μ_Cr, 0.1)"""
    F_Cr[:, i] = draw_F(memory[0, 0], rng), draw_Cr(memory[1, 0], rng)


def learn_jade(F_Cr: Vector, gain: Vector, memory: Vector, cell: int) -> int:
    """μ_F ← 0.9 μ_F + 0.1 ΣF²/ΣF, μ_Cr ← 0.9 μ_Cr + 0.1 mean(Cr), over the successes"""
    gain[:] = np.where(gain > 0.0, np.inf, 0.0)  # all successes weigh the same
    if weigh(gain):
        F, Cr = F_Cr[:, : gain.size]
        memory[0, 0] = 0.9 * memory[0, 0] + 0.1 * mean(gain * F, F)
        memory[1, 0] = 0.9 * memory[1, 0] + 0.1 * mean(gain, Cr)
    return cell


def sample_shade(i: int, memory: Vector, rng: Rng, F_Cr: Vector) -> None:
    """F ~ Cauchy(M_F, 0.1), Cr ~ N(M_Cr, 0.1), M a random cell of the memory; Cr = 0 from a terminal cell (L-SHADE)"""
    M_F, M_Cr = memory[:, draw(len(memory[0]), rng)]
    F_Cr[:, i] = draw_F(M_F, rng), 0.0 if M_Cr == TERMINAL else draw_Cr(M_Cr, rng)


def learn_shade(F_Cr: Vector, gain: Vector, memory: Vector, cell: int) -> int:
    """M_F ← Σw F²/Σw F, M_Cr ← Σw Cr/Σw over the successes, w = Δf; one cell after the other"""
    if not weigh(gain):
        return cell
    F, Cr = F_Cr[:, : gain.size]
    memory[:, cell] = mean(gain * F, F), mean(gain, Cr)
    return (cell + 1) % len(memory[0])


def learn_lshade(F_Cr: Vector, gain: Vector, memory: Vector, cell: int) -> int:
    """M ← Σw s²/Σw s over the successes, for s = F and s = Cr, w = Δf; if all these Cr are 0, the cell is terminal"""
    F, Cr = F_Cr[:, : gain.size]
    is_terminal = memory[1, cell] == TERMINAL or not Cr[gain > 0.0].any()  # before weights, of which some may be 0
    if not weigh(gain):
        return cell
    memory[:, cell] = mean(gain * F, F), TERMINAL if is_terminal else mean(gain * Cr, Cr)
    return (cell + 1) % len(memory[0])


# ---- A run -----------------------------------------------------------------------------------------------------------

EVALUATIONS, INFEASIBLE, ACCEPTED, NANS, MARKS_PASSED = range(5)  # places of counts
POPULATION, ARCHIVED, CELL = range(3)  # places of sizes
BASE_R1, BASE_BEST, BASE_TARGET = range(3)  # to what a mutation adds differences
COMPETES, LOSES, UNSEEN = range(3)  # fate of an infeasible trial: it may win, it never wins, it is not even evaluated


class Run:
    """A run: its configuration, its box, its state. The struct of the compiled core has the same names (core/loop.h).

    P is the initial population; `configuration` changes any of the values that are set before it is read.
    """

    def __init__(self, a: Vector, b: Vector, P: Vector, budget: int, rng: Rng, **configuration: Any) -> None:
        self.a, self.b, self.budget = np.array(a), np.array(b), budget
        N, n = self.N, self.n = P.shape
        self.donors, self.mutation, self.crossover = distinct, rand_1, binomial
        self.n_donors, self.base, self.draws_K = 3, BASE_R1, False
        self.strategies, self.strategy_of = [saturation], np.zeros(n, np.uint16)  # those in use; of each variable
        self.periodic: Any = np.zeros(n, np.bool_)  # is a variable wrapped before the check?
        self.whole: Any = None  # if given, repairs the whole trial in their place
        self.n_own_strategies = 1  # strategies from this index on are a user's: they are never asked about NaN
        self.redraws = 0  # at most, of an infeasible trial before it is repaired
        self.repairs_mutant, self.fate, self.frozen = False, COMPETES, False  # frozen: no trial is ever accepted
        self.F, self.Cr, self.target = 0.5, 0.9, np.nan
        self.sample = self.learn = None  # F and Cr are fixed and the population is not ranked
        self.cells, self.belongs_to_individuals = 1, False  # of the memory: does column i belong to individual i?
        self.uses_p_best, self.p, self.p_varies = False, 0.05, False  # is p ~ U(2/N, p) for each trial?
        self.archives = 0.0  # how many times N the archive holds
        self.avoided = 0  # number of parents, target and best, that the donor rule avoids
        self.keeps_ties = False  # does a trial that is as good as its target not replace it?
        self.least = N  # at the end of the budget, if the population shrinks
        self.marks: Any = ()  # rising numbers of evaluations, at which the run is noted
        self.__dict__ |= configuration

        archived = archive_size(self.archives, N) + N if self.archives else 0  # and replaced targets, before it is cut
        self.marks = np.array(self.marks, np.int64)
        self.P, self.f = np.zeros((N + archived, n)), np.empty(N)  # and archive
        self.U, self.f_U, self.infeasible = np.empty((N, n)), np.empty(N), np.zeros(N, np.bool_)
        self.F_Cr, self.memory, self.gain = np.empty((2, N)), np.empty((2, self.cells)), np.zeros(N)
        self.sizes = np.zeros(3, np.int64)  # individuals, archived points, the cell of the memory that learns next
        self.order = np.arange(N)  # the individuals from best to worst
        self.counts, self.infeasible_at = np.zeros(5, np.int64), np.zeros(self.marks.size, np.int64)
        self.violations_at = np.zeros((self.marks.size, 2, n), np.int64)  # as the next two, after the generation
        self.best_at, self.spread_at = np.zeros((2, self.marks.size))
        self.outside, self.pending = np.zeros((2, 3, n), np.int64)  # of finished generations; of the trials proposed
        self.violations, self.wraps = self.outside[:2], self.outside[2]  # of both bounds; of periodic variables
        self.restart(P, rng)

    def restart(self, P: Vector, rng: Rng) -> None:
        """Begin a run from the population P, with these random numbers"""
        self.P[: self.N], self.f[:], self.rng = P, np.nan, rng
        self.F_Cr[:] = self.memory[:] = [[self.F], [self.Cr]]
        self.sizes[:], self.order[:] = (self.N, 0, 0), np.arange(self.N)
        for counted in (self.counts, self.outside, self.pending, self.infeasible_at, self.violations_at):
            counted[:] = 0
        self.trials, self.generations, self.best = 0, -1, 0  # −1: the initial population is not evaluated yet


def run(de: Any, f: Callable[[Vector], float]) -> None:
    """Algorithm 1: minimise f, to the end of the budget or until f(best) ≤ target

    >>> rng = np.random.default_rng(1)
    >>> de = Run(np.zeros(2), np.ones(2), rng.random((20, 2)), 2000, rng, mutation=rand_1, F=0.5, Cr=0.9)
    >>> run(de, lambda x: (x[0] - 0.4) ** 2 + x[1] ** 2)
    >>> de.P[de.best].round(6), de.counts[EVALUATIONS]
    (array([0.4, 0. ]), np.int64(2000))
    """
    while propose(de):
        evaluate(de, f)
        select_survivors(de)


def evaluate(de: Any, f: Callable[[Vector], float]) -> None:
    """f_U_i ← f(u_i); an unseen trial has the value ∞"""
    for i in range(de.trials):
        de.f_U[i] = np.inf if de.fate == UNSEEN and de.infeasible[i] else f(de.U[i].copy())


# ---- Propose: the trials of a generation -----------------------------------------------------------------------------


@np.errstate(all="ignore")  # a mutant that overflows is outside; a user's operator may divide by zero
def propose(de: Any) -> int:
    """Write the trials of the next generation, unless they wait for values, into de.U; their number, 0 at the end"""
    if de.trials:
        return int(de.trials)
    de.pending[:] = 0
    if de.generations < 0:
        de.U[:], de.infeasible[:], de.trials = de.P[: de.N], False, de.N
        return int(de.N)
    left = 0 if de.f[de.best] <= de.target else max(0, de.budget - int(de.counts[EVALUATIONS]))
    trials = min(int(de.sizes[POPULATION]), left)
    for i in range(trials):
        if de.sample:
            de.sample(i, de.memory, de.rng, de.F_Cr)
        de.infeasible[i] = build(de, i)
    de.trials = trials
    return trials


def build(de: Any, i: int) -> bool:
    """Write the trial u of target i: draw, mutate, cross, check, repair; was it infeasible?

    Only the first trial counts as infeasible or not. An infeasible one may be drawn again before it is repaired. With
    repairs_mutant this happens to the mutant, before crossover, and all mutants of a target give the same components.
    """
    x, u, taken, (F, Cr) = de.P[i], de.U[i], np.empty(de.n), de.F_Cr[:, i]
    for attempt in range(1 + de.redraws):
        best, r = draw_parents(de, i)
        v = mutate(de, i, best, r, F)
        if attempt == 0 and de.repairs_mutant:
            de.crossover(np.zeros(de.n), np.ones(de.n), Cr, de.rng, taken)
        cross(de, x, v, Cr, taken, u)
        outside = check(de, u, x)
        if attempt == 0:
            de.pending += outside
            infeasible = bool(outside[:2].any())
        if de.repairs_mutant:
            outside = check(de, v, x)
        if not outside[:2].any():
            break
    repair(de, v if de.repairs_mutant else u, x, c=de.P[(r[0], best, i)[de.base]])
    if de.repairs_mutant:
        cross(de, x, v, Cr, taken, u)
    return infeasible


def draw_parents(de: Any, i: int) -> tuple[int, list[int]]:
    """The best, or one of the p-best, and the donors; the last one from population or archive, all equally likely"""
    N, archived, last = int(de.sizes[POPULATION]), int(de.sizes[ARCHIVED]), de.n_donors - 1
    best = draw_p_best(de.order, N, de.p, de.p_varies, de.rng) if de.uses_p_best else int(de.best)
    r = np.zeros(5, np.uint64)
    de.donors(N, i, best, de.rng, r[: de.n_donors])
    if (r >= N).any():  # of a user's rule
        raise ValueError(f"donors drew an index that is not below N = {N}")
    if archived > 0:
        allowed = N - last - (1 if de.avoided == 2 and best == i else de.avoided)  # individuals that may be the last
        k = draw(allowed + archived, de.rng)
        r[last] = r[last] if k < allowed else de.N + k - allowed
    return best, r.tolist()


def draw_p_best(order: NDArray[np.int64], N: int, p: float, p_varies: bool, rng: Rng) -> int:
    """One of the best max(2, ⌊pN + ½⌋), at random; the only one if N = 1"""
    p = 2.0 / N + rng.random() * (p - 2.0 / N) if p_varies else p
    return int(order[draw(min(max(2, int(p * N + 0.5)), N), rng)])


def mutate(de: Any, i: int, best: int, r: list[int], F: float) -> Vector:
    """The mutant v of target i, component by component"""
    parameters = (F, np.float64(de.rng.random())) if de.draws_K else (F,)
    return np.array([de.mutation(*parents, *parameters) for parents in de.P[[i, best, *r]].T])


def cross(de: Any, x: Vector, v: Vector, Cr: float, taken: Vector, u: Vector) -> None:
    """The trial u of target x and mutant v; where that is repaired, `taken` is 1 for each component that is v's"""
    if de.repairs_mutant:
        u[:] = np.where(taken == 1.0, v, x)
    else:
        de.crossover(x, v, Cr, de.rng, u)


def check(de: Any, u: Vector, x: Vector) -> NDArray[np.bool_]:
    """Which components are below their bound, which above (NaN counts as above), which were wrapped before?"""
    wrapped = ~((de.a <= u) & (u <= de.b)) & de.periodic  # NaN, too
    for j in np.flatnonzero(wrapped):
        u[j] = toroidal(u[j], x[j], x[j], de.a[j], de.b[j], de.rng)
    return np.array([u < de.a, ~(u <= de.b), wrapped])


def repair(de: Any, u: Vector, x: Vector, c: Vector) -> None:
    """Bring u, of target x and base c, back into the box: each component outside, or the whole, by its strategy"""
    replaced = np.isnan(u) & (de.strategy_of >= de.n_own_strategies)  # before a user's strategy is asked
    u[replaced] = x[replaced]
    outside = np.flatnonzero(check(de, u, x)[:2].any(axis=0))
    if de.whole and outside.size:
        de.whole(u, x, c, de.a, de.b, de.rng)
    for j in () if de.whole else outside:
        u[j] = de.strategies[de.strategy_of[j]](u[j], x[j], c[j], de.a[j], de.b[j], de.rng)


# ---- Select: who lives on --------------------------------------------------------------------------------------------


@np.errstate(all="ignore")  # a gain may be infinite, a point that is not repaired as well
def select_survivors(de: Any) -> int:
    """Let the trials replace their targets, count, learn, let the worst leave; returns the number of marks passed"""
    marks_before = int(de.counts[MARKS_PASSED])
    count(de)
    if de.generations < 0:
        de.f[:] = de.f_U
    elif not de.frozen:
        replace_targets(de)
        if de.learn:
            cell = de.learn(de.F_Cr, de.gain[: de.trials], de.memory, int(de.sizes[CELL]))
            de.sizes[CELL] = min(max(cell, 0), de.cells - 1)  # a user's may return any number
            shrink(de)
            cut_archive(de)
    de.best = rank(de)
    if passed := int(de.counts[MARKS_PASSED]) - marks_before:
        note(de, slice(marks_before, marks_before + passed))
    de.generations, de.trials = de.generations + 1, 0
    return passed


def count(de: Any) -> None:
    """Count the evaluations, and note at each mark how many were infeasible"""
    for i in range(de.trials):
        de.counts[EVALUATIONS] += 1
        de.counts[INFEASIBLE] += de.infeasible[i]
        de.counts[NANS] += isnan(de.f_U[i])
        if de.counts[EVALUATIONS] in de.marks:
            de.infeasible_at[de.counts[MARKS_PASSED]] = de.counts[INFEASIBLE]
            de.counts[MARKS_PASSED] += 1
    de.outside += de.pending


def is_better(new: float, old: float) -> bool:
    """new < old, where NaN is worse than anything"""
    return new < old or (isnan(old) and not isnan(new))


def replace_targets(de: Any) -> None:
    """x_i ← u_i if f(u_i) ≤ f(x_i); the archive takes targets that a better trial replaces"""
    for i in range(de.trials):
        new, old = de.f_U[i], de.f[i]
        de.gain[i] = -1.0
        loses = not is_better(new, old) if de.keeps_ties else is_better(old, new)
        if loses or (de.fate != COMPETES and de.infeasible[i]):
            continue
        if de.learn and not np.array_equal(de.U[i], de.P[i]):  # a dismissed trial, its target, gains nothing
            de.gain[i] = (np.inf if isnan(old) else old - new) if is_better(new, old) else 0.0
        if de.archives > 0.0 and de.gain[i] > 0.0:
            de.P[de.N + de.sizes[ARCHIVED]] = de.P[i]
            de.sizes[ARCHIVED] += 1
        de.P[i], de.f[i] = de.U[i], new
        de.counts[ACCEPTED] += 1


def rank(de: Any) -> int:
    """The index of the best; in runs that learn, de.order has all individuals from best to worst"""
    order = np.argsort(de.f[: de.sizes[POPULATION]], kind="stable")  # equals stay in their order, NaN comes last
    if de.learn:
        de.order[: order.size] = order
    return int(order[0])


def shrink(de: Any) -> None:
    """The worst leave until N = max(least, ⌊N₀ + (least − N₀) · evaluations/budget + ½⌋)"""
    N = max(int(de.N + (de.least - de.N) * float(de.counts[EVALUATIONS]) / de.budget + 0.5), de.least)
    rank(de)
    while de.sizes[POPULATION] > N:
        de.sizes[POPULATION] -= 1
        last = de.sizes[POPULATION]  # takes the place of the worst
        worst = de.order[last]
        de.P[worst], de.f[worst], de.f[last] = de.P[last], de.f[last], np.nan
        if de.belongs_to_individuals:
            de.memory[:, worst] = de.memory[:, last]
        de.order[de.order == last] = worst


def archive_size(archives: float, N: int) -> int:
    """⌊archives · N + ½⌋"""
    return int(archives * N + 0.5)


def cut_archive(de: Any) -> None:
    """Points leave the archive at random until it has its size"""
    while de.sizes[ARCHIVED] > archive_size(de.archives, de.sizes[POPULATION]):
        leaves = draw(int(de.sizes[ARCHIVED]), de.rng)
        de.sizes[ARCHIVED] -= 1
        de.P[de.N + leaves] = de.P[de.N + de.sizes[ARCHIVED]]


def note(de: Any, passed: slice) -> None:
    """At these marks: violations, the best value, and the mean standard deviation over the variables, in widths"""
    y = (de.P[: de.sizes[POPULATION]] - de.a) / (de.b - de.a)
    d = y - np.cumsum(y, axis=0)[-1] / len(y)  # added from first to last
    de.violations_at[passed], de.best_at[passed] = de.violations, de.f[de.best]
    de.spread_at[passed] = np.cumsum(np.sqrt(np.cumsum(d * d, axis=0)[-1] / len(y)))[-1] / de.n
