"""Adaptive DE a second time: slow, obvious, in plain Python, from the definitions and none of debox's code.

`generations` runs jDE, JADE, SHADE or L-SHADE with parts of one's choice and gives a `State` after each generation. The
random numbers come in this order. For each trial: the memory cell, if there are several; the Cauchy number, again while
F ≤ 0; the normal number, unless the cell is terminal (jDE: the coin for F and, if it falls so, F; the same for Cr); p,
if it is drawn; the p-best; the donors; who of those that may be the last donor is it, if anything is archived;
crossover; strategy. After a generation: the places of the archive that are emptied. Where one leaves, the last takes
its place.
"""

from math import floor, inf, isnan, nan, pi, tan
from typing import NamedTuple


class Law(NamedTuple):
    """What the four adaptations differ in."""

    cells: int | None  # of the memory; None: each individual has its own F and Cr
    p: float  # the share of the best
    archive: float  # the archive's size, in N
    p_is_drawn: bool = False  # p ~ U(2/N, p) for each trial?
    tie_replaces: bool = True
    weighted: bool = False  # successes count by their gain, and fill one cell; else all alike, and move the only one
    lehmer_Cr: bool = False  # Lehmer mean of Cr, and cells that become terminal
    last_N: int | None = None  # to which the population shrinks


LAWS = {
    "jDE": Law(cells=None, p=0.05, archive=0.0),
    "JADE": Law(cells=1, p=0.05, archive=1.0, tie_replaces=False),
    "SHADE": Law(cells=100, p=0.2, archive=1.0, p_is_drawn=True, weighted=True),
    "L-SHADE": Law(cells=6, p=0.11, archive=2.6, weighted=True, lehmer_Cr=True, last_N=4),
}
FIRST = {"jDE": (0.5, 0.9), "JADE": (0.5, 0.5), "SHADE": (0.5, 0.5), "L-SHADE": (0.5, 0.5)}


class Parts(NamedTuple):
    """The parts of a run, by name."""

    adaptation: str
    mutation: str = "current-to-pbest/1"
    crossover: str = "bin"
    strategy: str = "midpoint-target"
    donors: str = "not-target"
    repair: str = "trial"


class State(NamedTuple):
    """After a generation: the population, its values, the memory, the archive, what its trials were."""

    P: list
    f: list
    memory: list  # pairs F, Cr; Cr of a terminal cell is None
    archive: list
    trials: list
    F_Cr: list
    infeasible: list
    evaluations: int


def round_half_up(z):
    return floor(z + 0.5)


def is_better(new, old):
    """new < old, where NaN is worse than anything, and no NaN better than another."""
    return new < old or (isnan(old) and not isnan(new))


def is_tie(new, old):
    return new == old or (isnan(new) and isnan(old))


def order_of(f):
    """The indices from best to worst; equal values in the order of their indices."""
    return sorted(range(len(f)), key=lambda i: (isnan(f[i]), 0.0 if isnan(f[i]) else f[i], i))


# F and Cr of a trial.


def sample_own(F, Cr, rng):
    """jDE: F ← .1 + .9 U with chance .1; Cr ← U with chance .1, by a coin of its own"""
    if rng.random() < 0.1:
        F = 0.1 + 0.9 * rng.random()
    if rng.random() < 0.1:
        Cr = rng.random()
    return F, Cr


def sample_cell(memory, rng):
    """F ~ Cauchy(M_F, .1), again while ≤ 0, cut at 1; Cr ~ N(M_Cr, .1) cut to [0, 1], 0 from a terminal cell"""
    M_F, M_Cr = memory[floor(rng.random() * len(memory)) if len(memory) > 1 else 0]
    F = 0.0
    while F <= 0.0:
        F = M_F + 0.1 * tan(pi * (rng.random() - 0.5))
    return min(F, 1.0), 0.0 if M_Cr is None else min(max(M_Cr + 0.1 * rng.standard_normal(), 0.0), 1.0)


# The memory after a generation; successes are triples F, Cr, gain.


def weights_of(gains):
    """Proportional to the gains; infinite gains have all the weight, in equal shares."""
    if inf in gains:
        return [1.0 if gain == inf else 0.0 for gain in gains]
    return [gain / max(gains) for gain in gains]  # at most 1: no sum overflows


def mean(weights, values):
    """Σ w z / Σ w"""
    return sum(w * z for w, z in zip(weights, values, strict=True)) / sum(weights)


def lehmer(weights, values):
    """Σ w z² / Σ w z"""
    pairs = list(zip(weights, values, strict=True))
    return sum(w * z * z for w, z in pairs) / sum(w * z for w, z in pairs)


def learn(law, memory, cell, successes):
    """The memory, and the cell to write next, after a generation with these successes."""
    if not successes:
        return memory, cell
    F, Cr, gains = (list(column) for column in zip(*successes, strict=True))
    if not law.weighted:
        alike = [1.0] * len(F)
        M_F, M_Cr = memory[0]
        return [(0.9 * M_F + 0.1 * lehmer(alike, F), 0.9 * M_Cr + 0.1 * mean(alike, Cr))], 0
    w = weights_of(gains)
    if not law.lehmer_Cr:
        new_Cr = mean(w, Cr)
    elif memory[cell][1] is None or max(Cr) == 0.0:
        new_Cr = None
    else:
        new_Cr = lehmer(w, Cr) if mean(w, Cr) > 0.0 else 0.0
    memory = [*memory[:cell], (lehmer(w, F), new_Cr), *memory[cell + 1 :]]
    return memory, (cell + 1) % len(memory)


# A trial.


def draw_donors(rule, count, N, target, best, rng):
    """Distinct indices, drawn again while they are not allowed"""
    forbidden = {"distinct": [], "not-target": [target], "not-parents": [target, best]}[rule]
    donors = []
    while len(donors) < count:
        r = floor(rng.random() * N)
        if r not in forbidden and r not in donors:
            donors.append(r)
    return donors, len({*forbidden, *donors[:-1]})


def draw_mutant(parts, law, P, f, archive, i, F, rng):
    """The mutant of target i, and its base"""
    x, N = P[i], len(P)
    best = order_of(f)[0]
    if parts.mutation == "rand/1":
        (r1, r2, r3), _ = draw_donors(parts.donors, 3, N, i, i, rng)
        return [P[r1][j] + F * (P[r2][j] - P[r3][j]) for j in range(len(x))], P[r1]
    if parts.mutation == "best/1":
        (r1, r2), _ = draw_donors(parts.donors, 2, N, i, best, rng)
        return [P[best][j] + F * (P[r1][j] - P[r2][j]) for j in range(len(x))], P[best]
    p = 2.0 / N + rng.random() * (law.p - 2.0 / N) if law.p_is_drawn else law.p
    k = max(2, round_half_up(p * N))
    p_best = order_of(f)[floor(rng.random() * k)]
    (r1, r2), excluded = draw_donors(parts.donors, 2, N, i, p_best, rng)
    if parts.mutation in ("p-best/1", "p-best/K"):
        weight = rng.random() if parts.mutation == "p-best/K" else F
        return [P[p_best][j] + weight * (P[r1][j] - P[r2][j]) for j in range(len(x))], P[p_best]
    y = P[r2]
    if archive:
        allowed = N - excluded  # of the population; r2 is one of them
        place = floor(rng.random() * (allowed + len(archive)))
        y = y if place < allowed else archive[place - allowed]
    return [x[j] + F * (P[p_best][j] - x[j]) + F * (P[r1][j] - y[j]) for j in range(len(x))], x


def draw_mask(name, n, Cr, rng):
    """Which components come from the mutant"""
    if name == "bin":
        numbers = [rng.random() for _ in range(n)]
        always = floor(rng.random() * n)
        return [i == always or numbers[i] <= Cr for i in range(n)]
    mask, start = [False] * n, floor(rng.random() * n)
    for step in range(n):
        mask[(start + step) % n] = True
        if rng.random() > Cr:
            break
    return mask


def is_outside(u, bounds):
    return any(not a <= z <= b for z, (a, b) in zip(u, bounds, strict=True))


def repaired(strategy, u, x, c, bounds):
    """The trial inside the box"""
    if not is_outside(u, bounds):
        return u
    if strategy in ("dismiss", "penalty"):
        return x
    if strategy in ("conservatism", "redraw-once"):
        return c
    return [repaired_component(strategy, *both, *ab) for *both, ab in zip(u, x, bounds, strict=True)]


def repaired_component(strategy, u, x, a, b):
    if a <= u <= b:
        return u
    g = a if u < a else b
    if strategy == "midpoint-target":
        return g / 2.0 + x / 2.0
    return a + (u - a) % (b - a) if strategy == "toroidal" else g  # saturation, and what resampling ends with


def mixed(x, v, mask):
    return [new if taken else old for old, new, taken in zip(x, v, mask, strict=True)]


def build(parts, law, P, f, archive, bounds, i, F, Cr, rng):
    """The trial of target i, and whether it was infeasible"""

    def mutant():
        return draw_mutant(parts, law, P, f, archive, i, F, rng)

    x, (v, c) = P[i], mutant()
    mask = draw_mask(parts.crossover, len(x), Cr, rng)
    u = mixed(x, v, mask)
    infeasible, redraws = is_outside(u, bounds), {"resample": 100, "redraw-once": 1}.get(parts.strategy, 0)
    if parts.repair == "mutant":
        while redraws and is_outside(v, bounds):
            (v, c), redraws = mutant(), redraws - 1
        return mixed(x, repaired(parts.strategy, v, x, c, bounds), mask), infeasible
    while redraws and is_outside(u, bounds):
        (v, c), redraws = mutant(), redraws - 1
        u = mixed(x, v, draw_mask(parts.crossover, len(x), Cr, rng))
    return repaired(parts.strategy, u, x, c, bounds), infeasible


# A run.


def next_N(law, first_N, N, evaluations, budget):
    """⌊N₁ + (N_last − N₁) evaluations/budget + ½⌋, never more than before nor less than N_last"""
    if law.last_N is None:
        return N
    last = min(law.last_N, first_N)
    return min(N, max(last, round_half_up(first_N + (last - first_N) * evaluations / budget)))


def without(things, place):
    """The things without the one in this place, which the last one takes"""
    things = list(things)
    things[place] = things[-1]
    return things[:-1]


def those_that_stay(f, N):
    """The indices of the best N"""
    everyone = list(range(len(f)))
    for leaves in reversed(order_of(f)[N:]):  # the worst first
        everyone = without(everyone, everyone.index(leaves))
    return everyone


def cut(archive, size, rng):
    """Random ones leave until `size` are left"""
    while len(archive) > size:
        archive = without(archive, floor(rng.random() * len(archive)))
    return archive


def generations(parts, fun, P, bounds, budget, rng, target=nan):
    """A State after each generation, the first one before any."""
    law, P, first_N = LAWS[parts.adaptation], [list(map(float, x)) for x in P], len(P)
    memory, cell = [FIRST[parts.adaptation]] * (law.cells or first_N), 0
    f, archive = [fun(x) for x in P], []
    evaluations = first_N
    yield State(P, f, memory, archive, [], [], [], evaluations)
    while evaluations < budget and not f[order_of(f)[0]] <= target:
        F_Cr, trials, infeasible = [], [], []
        for i in range(min(len(P), budget - evaluations)):
            F_Cr.append(sample_own(*memory[i], rng) if law.cells is None else sample_cell(memory, rng))
            u, was_outside = build(parts, law, P, f, archive, bounds, i, *F_Cr[i], rng)
            trials.append(u)
            infeasible.append(was_outside)
        values = [
            inf if out and parts.strategy == "penalty" else fun(u) for u, out in zip(trials, infeasible, strict=True)
        ]
        evaluations += len(trials)
        P, f, memory, successes = list(P), list(f), list(memory), []
        for i, (u, value) in enumerate(zip(trials, values, strict=True)):
            unseen = infeasible[i] and parts.strategy == "penalty"
            dismissed = unseen or u == P[i]  # a trial that is its target gains nothing, whatever its value says
            better, tie = is_better(value, f[i]), is_tie(value, f[i])
            if better and not dismissed:
                gain = f[i] - value
                successes.append((*F_Cr[i], inf if isnan(gain) else gain))
                archive = [*archive, P[i]] if law.archive else []
            if law.cells is None and (better or tie) and not dismissed:
                memory[i] = F_Cr[i]
            if (better or (tie and law.tie_replaces)) and not unseen:
                P[i], f[i] = u, value
        if law.cells is not None:
            memory, cell = learn(law, memory, cell, successes)
        N = next_N(law, first_N, len(P), evaluations, budget)
        staying = those_that_stay(f, N)
        P, f = [P[i] for i in staying], [f[i] for i in staying]
        memory = [memory[i] for i in staying] if law.cells is None else memory
        archive = cut(archive, round_half_up(law.archive * N), rng) if parts.mutation == "current-to-pbest/1" else []
        yield State(P, f, memory, archive, trials, F_Cr, infeasible, evaluations)
