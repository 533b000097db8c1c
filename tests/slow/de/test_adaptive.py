"""Adaptive runs: the loop does, number for number, what a slow twin in plain Python does; and its parts by hand."""

from collections import Counter
from itertools import permutations
from math import cos, floor, inf, nan, pi

import numpy as np
import pytest
from adaptive_twin import Parts, generations
from scipy.stats import chi2

from debox import Box, Config, Operator, Optimizer, jit, kernel, register, registry
from debox.assemble import assemble, loop_for
from debox.de import adaptive, algorithm
from debox.de.adaptations import TERMINAL
from debox.de.adaptive import ARCHIVED, POPULATION
from debox.de.algorithm import ACCEPTED, EVALUATIONS, INFEASIBLE, Tally

FALSE_ALARM = 1e-6
WALLS = [(-1.0, 1.0), (0.0, 0.5), (-3.0, 3.0)]


def valley(x):
    """Best in a corner, so that many trials leave the box."""
    return sum((k + 1) * (z - 0.9) ** 2 for k, z in enumerate(x))


def plateau(x):
    """Flat but for a few steps: most trials tie with their targets."""
    return float(floor(2.0 * valley(x)))


def rugged(x):
    """∞, NaN and −∞ among its values."""
    return nan if x[0] < -0.5 else inf if x[0] < 0.3 else -inf if x[0] > 0.995 else valley(x)


def config_of(parts, N):
    return Config(**parts._asdict(), N=N)


class Watched:
    """A run of the kernels, in Python, that goes on generation by generation, and remembers what was evaluated."""

    def __init__(self, parts, P, bounds, budget, rng):
        config, self.points = config_of(parts, len(P)), []
        with jit.interpreted():
            self.de = assemble(config, Box.of(bounds), budget=budget)
            self.run = loop_for(config, algorithm.run)
        self.adaptation, self.rng = self.de.adaptation, rng
        self.rows, self.f = adaptive.with_room_for_archive(self.adaptation, P), np.full(len(P), np.nan)
        self.tally = Tally.empty(np.zeros(0, np.int64), len(bounds))

    def step(self, fun):
        def evaluate(x, rng):
            self.points.append(x.tolist())
            return fun(x)

        self.points = []
        until = self.tally.counts[EVALUATIONS] + 1 if self.tally.counts[EVALUATIONS] else 1
        self.run(evaluate, self.de, self.rows, self.f, until, nan, self.rng, self.tally)

    @property
    def P(self):
        return adaptive.population_of(self.adaptation, self.rows)

    @property
    def archive(self):
        return self.rows[self.f.size :][: self.adaptation.sizes[ARCHIVED]]


def close(kernels, twin):
    return np.shape(kernels) == np.shape(twin) and np.allclose(kernels, twin, rtol=1e-9, atol=1e-12, equal_nan=True)


def compare(parts, N, fun=valley, bounds=WALLS, budget=None, seed=1):
    """Run both, and compare after each generation; the last state of the twin and the kernels."""
    budget = budget or 21 * N + 2
    a, b = np.array(bounds).T
    P = a + np.random.default_rng(seed).random((N, len(bounds))) * (b - a)
    ours, theirs = np.random.default_rng(seed), np.random.default_rng(seed)
    kernels, infeasible = Watched(parts, P, bounds, budget, ours), 0
    for state in generations(parts, fun, P, bounds, budget, theirs):
        kernels.step(fun)
        infeasible += sum(state.infeasible)
        memory = [(F, TERMINAL if Cr is None else Cr) for F, Cr in state.memory]
        seen = [
            u
            for u, out in zip(state.trials, state.infeasible, strict=True)
            if not (out and parts.strategy == "penalty")
        ]
        assert close(kernels.points, seen or P)
        assert close(kernels.P, state.P)
        assert close(kernels.f[: len(state.f)], state.f)
        assert np.isnan(kernels.f[len(state.f) :]).all()
        assert is_in_order(kernels.adaptation.order[: len(state.f)], kernels.f[: len(state.f)])  # ties included
        assert close(kernels.archive, np.reshape(state.archive, (-1, len(bounds))))
        assert close(kernels.adaptation.memory.T[: len(memory)], memory)
        assert kernels.tally.counts[[EVALUATIONS, INFEASIBLE]].tolist() == [state.evaluations, infeasible]
        assert ours.bit_generator.state == theirs.bit_generator.state
    assert state.evaluations == budget
    return state, kernels


RECIPES = {
    "jDE": Parts("jDE", "rand/1", strategy="saturation"),
    "JADE": Parts("JADE"),
    "SHADE": Parts("SHADE"),
    "L-SHADE": Parts("L-SHADE"),
}


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("fun", [valley, plateau, rugged])
def test_a_recipe_does_what_its_twin_does(name, fun):
    compare(RECIPES[name], 24 if fun is valley else 12, fun, seed=7)


MIXTURES = [
    (Parts("jDE"), 20),
    (Parts("jDE", "best/1", strategy="dismiss"), 20),
    (Parts("L-SHADE", "rand/1", "exp", "toroidal"), 20),
    (Parts("L-SHADE", "best/1", donors="not-parents"), 20),
    (Parts("SHADE", strategy="dismiss"), 20),
    (Parts("SHADE", strategy="penalty"), 20),
    (Parts("JADE", strategy="resample"), 20),
    (Parts("JADE", strategy="resample", repair="mutant"), 12),
    (Parts("jDE", strategy="conservatism", repair="mutant"), 12),
    (Parts("L-SHADE", donors="not-parents"), 8),
    (Parts("L-SHADE", donors="distinct"), 8),
    (Parts("SHADE", donors="not-parents"), 4),
    (Parts("L-SHADE"), 4),
    (Parts("L-SHADE"), 3),  # fewer than it ends with: stays
    (Parts("JADE"), 3),
]


@pytest.mark.parametrize(
    ("parts", "N"), MIXTURES, ids=lambda value: str(value) if isinstance(value, int) else "-".join(value)
)
def test_a_mixture_does_what_its_twin_does(parts, N):
    state, _ = compare(parts, N)
    assert len(state.P) == (min(4, N) if parts.adaptation == "L-SHADE" else N)


@kernel
def around_p_best(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """x_p + F (x_r1 − x_r2)"""
    return x_best + F * (x_r1 - x_r2)


@kernel
def around_p_best_by_K(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F, K):
    """x_p + K (x_r1 − x_r2)"""
    return x_best + K * (x_r1 - x_r2)


@pytest.mark.parametrize(
    ("mutation", "function", "strategy", "repair"),
    [
        ("p-best/1", around_p_best, "conservatism", "trial"),
        ("p-best/1", around_p_best, "conservatism", "mutant"),
        ("p-best/1", around_p_best, "redraw-once", "trial"),
        ("p-best/1", around_p_best, "redraw-once", "mutant"),
        ("p-best/K", around_p_best_by_K, "conservatism", "trial"),
    ],
)
def test_the_base_of_a_mutation_around_the_p_best_is_the_p_best_it_drew(mutation, function, strategy, repair):
    """Not the best of all, and after a redraw not the p-best of the first draw."""
    kind = {"uses_best": True, "uses_p_best": True, "donors": 2, "base": "best"}
    register(Operator(slot="mutation", name=mutation, function=function, **kind))
    base = registry.find("strategy", "conservatism").function
    register(Operator(slot="strategy", name="redraw-once", function=base, whole=True, redraws=1))
    compare(Parts("JADE", mutation, strategy=strategy, repair=repair), 20, budget=200)


def test_a_frozen_population_stays_the_initial_one():
    """No trial is accepted, nobody leaves, and nothing is learnt or archived; without `frozen` 4 are left of 12."""
    P, budget = np.random.default_rng(1).random((12, 2)), 100
    for frozen, left in ((True, 12), (False, 4)):
        config = Config("L-SHADE", N=12, frozen=frozen)
        with jit.interpreted():
            de, run = assemble(config, Box.of([(0.0, 1.0)] * 2), budget=budget), loop_for(config, algorithm.run)
        rows, f, tally = (
            adaptive.with_room_for_archive(de.adaptation, P),
            np.full(12, nan),
            Tally.empty(np.zeros(0, int), 2),
        )
        run(lambda x, rng: valley(x), de, rows, f, budget, nan, np.random.default_rng(2), tally)
        assert de.adaptation.sizes[POPULATION] == left
        assert np.array_equal(rows[:12], P) == frozen
        assert (de.adaptation.memory == 0.5).all() == (de.adaptation.sizes[ARCHIVED] == 0) == frozen


@pytest.mark.parametrize("name", RECIPES)
def test_with_one_variable_a_recipe_does_what_its_twin_does(name):
    compare(RECIPES[name], 6, plateau, bounds=[(0.0, 1.0)])


def waves(x):
    """Variables apart from each other: trials that change one of them, Cr = 0, do well."""
    return sum(abs(z - 0.1) + 0.3 * (1 - cos(9 * pi * (z - 0.1))) for z in x)


def test_a_run_fills_the_memory_and_the_archive_and_makes_a_cell_terminal():
    state, kernels = compare(RECIPES["L-SHADE"], 24, waves, budget=1000, seed=10)
    assert (len(state.P), len(state.archive)) == (4, 10)  # ⌊2.6 · 4 + ½⌋
    assert all(pair != (0.5, 0.5) for pair in state.memory)
    assert [Cr for _, Cr in state.memory].count(None) == 1
    assert kernels.adaptation.order[:4].tolist() == np.argsort(state.f, kind="stable").tolist()


def test_noise_on_a_trial_that_is_its_target_teaches_nothing():
    """With a random objective a trial dismissed, or set to its base, the target, may be better: no gain."""
    P = np.random.default_rng(1).random((8, 3))
    for strategy in ("dismiss", "conservatism"):
        values = iter(range(10_000, 0, -1))  # each value beats all before
        kernels = Watched(Parts("SHADE", strategy=strategy), P, [(0.0, 1.0)] * 3, 400, np.random.default_rng(2))
        kernels.step(lambda x, values=values: next(values))
        for _ in range(20):
            before, infeasible = kernels.P.copy(), kernels.tally.counts[INFEASIBLE]
            kernels.step(lambda x, values=values: next(values))
            gains = kernels.adaptation.gain  # weights now: 0 without success
            assert np.array_equal(gains > 0, (before != kernels.P).any(axis=1))
            assert kernels.tally.counts[INFEASIBLE] - infeasible == (gains == 0).sum()
        assert kernels.tally.counts[INFEASIBLE] > 10
        assert kernels.tally.counts[ACCEPTED] == kernels.tally.counts[EVALUATIONS] - 8


# Parts, by hand.


@pytest.mark.parametrize(
    ("new", "old", "gain"),
    [
        (1.0, 3.0, 2.0),
        (2.0, 2.0, 0.0),
        (1.0, inf, inf),
        (-inf, 1.0, inf),
        (-1e308, 1e308, inf),
        (1.0, nan, inf),
        (inf, nan, inf),
        (inf, inf, 0.0),
        (-inf, -inf, 0.0),
        (nan, nan, 0.0),
    ],
)
def test_the_gain_of_a_trial_that_replaces_its_target(new, old, gain):
    assert adaptive.gain_of(new, old) == gain


def adaptive_de(text, n=1, budget=100):
    with jit.interpreted():
        return assemble(Config(text), Box.of([(0.0, 1.0)] * n), budget=budget)


@pytest.mark.parametrize(
    ("evaluations", "N"), [(20, 17), (43, 13), (44, 13), (46, 13), (47, 12), (99, 4), (100, 4), (105, 4)]
)  # 20 − 16 · evaluations/100: 16.8, 13.12, 12.96, 12.64, 12.48, 4.16, 4
def test_the_population_shrinks_linearly_and_the_worst_leave(evaluations, N):
    adaptation = adaptive_de("L-SHADE, N=20").adaptation
    f = np.random.default_rng(1).permutation(20).astype(float)
    rows = adaptive.with_room_for_archive(adaptation, f[:, None].copy())
    adaptation.order[:] = np.argsort(f)
    N_now = adaptive.scheduled_N(20, adaptation.least, evaluations, 100)
    adaptive.shrink(rows, f, adaptation.order, adaptation.sizes, N_now, adaptation.memory, False)
    assert sorted(f[:N]) == sorted(rows[:N, 0]) == list(range(N))
    assert np.array_equal(f[:N], rows[:N, 0])
    assert np.isnan(f[N:]).all()
    assert adaptation.sizes[POPULATION] == N
    assert f[adaptation.order[:N]].tolist() == list(range(N))


def test_a_pair_of_F_and_Cr_that_belongs_to_an_individual_moves_with_it():
    f, sizes = np.array([3.0, 1.0, 4.0, 2.0]), np.array([4, 0, 0])
    rows, memory, order = f[:, None].copy(), np.array([f / 10, f / 5]), np.argsort(f)
    adaptive.shrink(rows, f, order, sizes, 2, memory, True)
    assert f[:2].tolist() == rows[:2, 0].tolist() == (10 * memory[0, :2]).tolist() == [2.0, 1.0]
    assert memory[1, :2].tolist() == [0.4, 0.2]
    assert order[:2].tolist() == [1, 0]


@pytest.mark.parametrize(("text", "least"), [("L-SHADE", 4), ("L-SHADE, mutation=rand/2", 6), ("SHADE", 20)])
def test_the_population_ends_with_what_its_mutation_needs(text, least):
    assert adaptive_de(f"{text}, N=20").adaptation.least == least


@pytest.mark.parametrize(
    ("text", "numbers", "place"),
    [
        ("L-SHADE, N=20", [0.0], 0),  # the best ⌊2.2 + ½⌋ = 2
        ("L-SHADE, N=20", [0.999], 1),
        ("L-SHADE, N=23", [0.999], 2),  # ⌊2.53 + ½⌋ = 3
        ("L-SHADE, N=4", [0.999], 1),  # never fewer than 2
        ("JADE, N=100", [0.999], 4),
        ("SHADE, N=100", [0.0, 0.999], 1),  # p from 2/N …
        ("SHADE, N=100", [0.5, 0.999], 10),  # (0.02 + 0.2)/2 · 100 = 11
        ("SHADE, N=100", [0.9999, 0.999], 19),  # … to 0.2
        ("SHADE, N=5", [0.0, 0.999], 1),
    ],
)
def test_the_p_best(scripted, text, numbers, place):
    adaptation = adaptive_de(text).adaptation
    order, N = adaptation.order[::-1], adaptation.gain.size
    p_best = adaptive.draw_p_best(order, N, adaptation.p, adaptation.p_varies, scripted(numbers))
    assert p_best == N - 1 - place


def test_the_only_individual_is_the_p_best(scripted):
    assert adaptive.draw_p_best(np.array([0]), 1, 0.05, False, scripted(random=[0.9])) == 0


def test_a_cell_beyond_the_memory_is_never_written():
    """`learn` from outside may return any number, and compiled code writes wherever it is told."""
    for returned, kept in [(10**9, 99), (-5, 0), (7, 7)]:
        de = adaptive_de("SHADE, N=4")
        de = de._replace(adaptation=de.adaptation._replace(learn=lambda *_, cell=returned: cell))
        f, tally = np.zeros(4), Tally.empty(np.zeros(0, np.int64), 1)
        P, outside = np.zeros((20, 1)), np.zeros(4, np.bool_)
        adaptive.next_generation(
            de.adaptation, np.ones((2, 4)), False, False, P, f, np.ones((4, 1)), f + 1, outside, None, tally
        )
        assert de.adaptation.sizes[adaptive.CELL] == kept


def test_individuals_are_ranked_by_value_then_by_index_and_nan_last():
    de = adaptive_de("JADE, N=9")
    f = np.array([nan, 2.0, inf, 1.0, 2.0, nan, -inf, 1.0, inf])
    for seed in range(20):
        de.adaptation.order[:] = np.random.default_rng(seed).permutation(9)
        assert adaptive.rank(de.adaptation, f) == 6
        assert de.adaptation.order.tolist() == [6, 3, 7, 1, 4, 2, 8, 0, 5]


def is_in_order(order, f):
    return order.tolist() == np.argsort(f, kind="stable").tolist()


def test_a_sorted_population_is_in_the_order_of_a_stable_sort():
    """Populations of up to four distances (1, 9, 73, 585); values tie, and some are ∞ or NaN."""
    rng = np.random.default_rng(1)
    for N in (*range(1, 41), 73, 74, 75, 300, 586, 700):
        f, order = rng.choice([-inf, 0.0, 1.0, 2.0, inf, nan], N), rng.permutation(N)
        for start in (order, order[::-1].copy(), np.arange(N)):
            adaptive.sort(start, f, N)
            assert is_in_order(start, f)


class Counted(np.ndarray):
    """An array that counts how often it, or one made from it, is written to."""

    writes = 0

    def __setitem__(self, place, value):
        Counted.writes += 1
        super().__setitem__(place, value)


def writes_of(function, order, *args):
    Counted.writes = 0
    function(order.copy().view(Counted), *args)
    return Counted.writes


def test_sorting_takes_far_fewer_steps_than_insertion():
    """Insertion alone takes N(N − 1)/2 steps from the worst order, and half of that on average from a random one."""
    N = 512
    steps = N * (N - 1) / 2
    assert N < writes_of(adaptive.sort, np.arange(N), -np.arange(N), N) < steps / 10
    for seed in range(5):
        assert N < writes_of(adaptive.sort, np.arange(N), np.random.default_rng(seed).random(N), N) < steps / 2 / 5


def test_who_leaves_is_found_in_steps_that_grow_as_N():
    """Every second of 1000 leaves, and the last of those that stay take their places; one by one: 10⁶/4 reads."""
    reads = 0

    class Read(np.ndarray):
        def __getitem__(self, place):
            nonlocal reads
            reads += 1
            return super().__getitem__(place)

    N = 1000
    f, sizes = np.where(np.arange(N) % 2, 0.0, 1.0) + np.arange(N) / N**2, np.array([N, 0, 0])
    order, rows = np.argsort(f), f[:, None].copy()
    adaptive.shrink(rows, f, order.view(Read), sizes, N // 2, np.zeros((2, 1)), False)
    assert sizes[POPULATION] == N // 2
    assert (f[: N // 2] < 1).all()
    assert np.array_equal(rows[: N // 2, 0], f[: N // 2])
    assert (np.diff(f[order[: N // 2]]) > 0).all()
    assert reads <= 4 * N


def test_a_generation_of_a_large_population_is_done():
    """200 000 random values: sorted by insertion alone they would take ten billion steps a generation."""
    N, rng = 200_000, np.random.default_rng(1)
    optimizer = Optimizer([(0.0, 1.0)], "L-SHADE", N=N, budget=600_000, rng=1)
    for _ in range(2):
        optimizer.tell(X := optimizer.ask(), rng.random(len(X)))
    adaptation = optimizer._de.adaptation
    left = adaptation.sizes[POPULATION]
    assert left == 66_669  # ⌊N + (4 − N) · 2/3 + ½⌋
    assert is_in_order(adaptation.order[:left], optimizer._f[:left])
    assert optimizer.result.fun == optimizer._f[:left].min()


def test_what_leaves_the_archive_is_drawn(scripted):
    rows, sizes = np.arange(18.0)[:, None], np.array([4, 13, 0])
    adaptive.cut_archive(rows, 4, sizes, 10, scripted([0.0, 0.99, 0.5]))
    # places 0 of 13, 11 of 12 and 5 of 11; the last one takes the place
    assert rows[4 : 4 + 10, 0].tolist() == [16, 5, 6, 7, 8, 14, 10, 11, 12, 13]
    assert sizes.tolist() == [4, 10, 0]


# Who is drawn, in law.


def draw_pairs(rule, draws, archived=3):
    """How often each (p-best, r1, r2) is drawn for target 1 of 5, the p-best being 0 or 1, by this draw_mutant."""
    de = adaptive_de(f"JADE, N=5, donors={rule}")
    de.adaptation.sizes[ARCHIVED] = archived
    counts, rng = Counter(), np.random.default_rng(3)

    def mutation(P, target, best, r, F, K, v):
        counts[int(best), int(r[0]), int(r[1])] += 1

    de = de._replace(mutation=mutation)
    for _ in range(draws):
        adaptive.draw_mutant(de, 0.5, None, 1, 0, rng)
    return counts


def law_of_pairs(avoided_by, archived=3):
    """Given the p-best, r1 is uniform over those allowed; r2 over those left, and the archived points 5, 6, …"""
    law = {}
    for best in (0, 1):
        allowed = [r for r in range(5) if r not in avoided_by(best)]
        for r1 in allowed:
            last = [r for r in [*allowed, *range(5, 5 + archived)] if r != r1]
            law |= {(best, r1, r2): 0.5 / len(allowed) / len(last) for r2 in last}
    return law


def is_rejected(counts, law):
    if not counts.keys() <= law.keys():
        return True
    draws = counts.total()
    statistic = sum((counts[key] - draws * p) ** 2 / (draws * p) for key, p in law.items())
    return chi2.sf(statistic, len(law) - 1) < FALSE_ALARM


AVOIDED = {"distinct": lambda best: [], "not-target": lambda best: [1], "not-parents": lambda best: [1, best]}


@pytest.mark.parametrize("rule", AVOIDED)
def test_the_last_donor_is_uniform_over_population_and_archive(rule):
    counts = draw_pairs(rule, 6000)
    assert not is_rejected(counts, law_of_pairs(AVOIDED[rule]))
    for other in AVOIDED.keys() - {rule}:  # the control: who is drawn by another rule
        assert is_rejected(counts, law_of_pairs(AVOIDED[other]))
    assert is_rejected(counts, law_of_pairs(AVOIDED[rule], archived=4))


@pytest.mark.parametrize(("share", "rejected"), [(0.5, False), (3 / 8, True)])
def test_the_test_of_the_last_donor_notices_an_archive_drawn_with_another_chance(share, rejected):
    """Of target 1 of 5, r2 being archived with this chance: 3/6 is right, 3/8 = archived/(N + archived) is not."""
    rng, counts = np.random.default_rng(4), Counter()
    pairs = list(permutations([0, 2, 3, 4], 2))
    for _ in range(6000):
        r1, r2 = pairs[rng.integers(len(pairs))]
        counts[int(rng.integers(2)), r1, int(5 + rng.integers(3)) if rng.random() < share else r2] += 1
    assert is_rejected(counts, law_of_pairs(AVOIDED["not-target"])) == rejected
