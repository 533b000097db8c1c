"""Simulated trials: the law of their donors and segments, and of how many are infeasible.

A count may be off by at most LIMIT = 4 standard errors: false-alarm rate 6.3e-5 per comparison, two-sided, 0.2 % for
the 25 of this file. Every chi-square test has the false-alarm rate FALSE_ALARM. Seeds are fixed.
"""

from collections import Counter
from itertools import permutations, product
from math import perm, prod, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, chisquare

from debox import Box, Config, registry
from debox.assemble import assemble
from debox.de import jit
from debox.de.donors import distinct
from debox.f0 import enumeration, fast, prepare, simulate

LIMIT = 4
FALSE_ALARM = 1e-6

CELLS = [
    pytest.param(mutation, crossover.name, rule.name, id=f"{mutation.name} {crossover.name} {rule.name}")
    for mutation in registry.in_slot("mutation")
    for crossover in registry.in_slot("crossover")
    for rule in registry.in_slot("donors")
]


def lanes(columns, rng):
    """A generator for each column"""
    return rng.integers(0, 2**64, (4, columns), np.uint64)


def drawn_distinct(N, k, columns, seed):
    """So many tuples of k distinct donors"""
    r = np.zeros((5, columns), np.int32)
    call = N, k, lanes(columns, np.random.default_rng(seed)), np.empty(columns), r
    jit.bind(simulate.draw_distinct, *call)(*call)
    return r[:k].T


def stepping_on(N, k, columns, seed):
    """Distinct, but wrong: a number already taken is replaced by the next free one"""
    r = np.random.default_rng(seed).integers(0, N, (columns, k)).tolist()
    for t, j in product(range(columns), range(k)):
        while r[t][j] in r[t][:j]:
            r[t][j] = (r[t][j] + 1) % N
    return np.array(r)


def p_value_of_uniformity(draw, N, k):
    """Over all ordered tuples of different individuals; any other tuple has no cell to be counted in"""
    cells = dict.fromkeys(permutations(range(N), k), 0)
    for r in draw(N, k, 20 * len(cells) + 2000, seed=1).tolist():
        cells[tuple(r)] += 1
    return chisquare(list(cells.values())).pvalue


@pytest.mark.parametrize(("N", "k"), [(2, 2), (3, 2), (3, 3), (5, 3), (7, 3), (5, 5), (6, 5)])
def test_every_tuple_of_distinct_donors_is_equally_likely(N, k):
    assert p_value_of_uniformity(drawn_distinct, N, k) > FALSE_ALARM


@pytest.mark.parametrize(("N", "k"), [(3, 2), (6, 5)])
def test_uniformity_is_refused_to_donors_that_step_on(N, k):
    assert p_value_of_uniformity(stepping_on, N, k) < FALSE_ALARM


@pytest.mark.parametrize("N", [100, simulate.BATCHED_UP_TO])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_donors_of_large_populations_are_distinct_and_uniform(N, k):
    r = drawn_distinct(N, k, 40_000, seed=2)
    assert all(np.all(r[:, i] != r[:, j]) for i in range(k) for j in range(i))
    assert r.min() >= 0
    assert r.max() < N
    # cells: the quarter of the population that each donor is from
    quarter, cells = N // 4, Counter(map(tuple, (r // (N // 4)).tolist()))
    outcomes = list(product(range(4), repeat=k))
    ways = [prod(perm(quarter, outcome.count(q)) for q in range(4)) / perm(N, k) for outcome in outcomes]
    observed = [cells[outcome] for outcome in outcomes]
    assert chisquare(observed, np.array(ways) * len(r)).pvalue > FALSE_ALARM
    # and within a quarter: the last digits
    digits = np.array([np.bincount(column % 4, minlength=4) for column in r.T])
    assert min(chisquare(digit).pvalue for digit in digits) > FALSE_ALARM


@pytest.mark.parametrize("rule", registry.in_slot("donors"), ids=lambda r: r.name)
def test_donors_by_rule_are_those_of_the_operator(rule):
    N, k, best, target = 6, 3, 2, np.array([0, 2, 5, 5, 1])
    r = np.full((5, 5), -1)
    simulate.draw_by_rule(rule.function, N, k, target, best, r, np.empty(4), np.random.default_rng(3))
    rng, expected = np.random.default_rng(3), np.zeros(k, np.uint64)
    for t in range(4):
        rule.function(N, target[t], best, rng, expected)
        assert r[:k, t].tolist() == expected.tolist()
    assert np.all(r[k:] == -1)
    assert np.all(r[:, 4] == -1)


@pytest.mark.parametrize("Cr", [0.0, 0.3, 0.99, 1.0])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_segment_starts_anywhere_and_has_the_length_of_exp(n, Cr):
    # No chance: numbers spread evenly over [0, 1) must give every (I, L) its share of them, but for the few next to
    # where one outcome ends and another begins; each of n² alias columns has two ends and a point between.
    M = 20_000
    u, first, length = (np.arange(M) + 0.5) / M, np.zeros(M, np.int64), np.zeros(M, np.int64)
    simulate.draw_segments(n, *prepare.alias_table(prepare.lengths(n, Cr)), u, first, length)
    lengths = [Cr**step * (1 - Cr) for step in range(n - 1)] + [Cr ** (n - 1)]
    counted = Counter(zip(first.tolist(), length.tolist(), strict=True))
    assert counted.keys() <= set(product(range(n), range(1, n + 1)))
    for start, (L, p) in product(range(n), enumerate(lengths, 1)):
        assert counted[start, L] / M == pytest.approx(p / n, abs=3 * n / M)


def test_a_segment_stays_inside_however_close_to_one_u_comes():
    for n in [*range(1, 130), 1000, 1023, 1024, 1025]:
        u, first, length = np.array([0.0, 1 - 2.0**-53]), np.zeros(2, np.int64), np.zeros(2, np.int64)
        simulate.draw_segments(n, *prepare.alias_table(prepare.lengths(n, 0.9)), u, first, length)
        assert first.tolist() == [0, n - 1]
        assert np.all((length >= 1) & (length <= n))


class Still:
    """A population that stands still: `count` simulates the trials of a window, `q` enumerates their chances"""

    def __init__(self, text, P, best=0):
        self.config, (self.N, self.n), self.best = Config(text), P.shape, best
        self.de = assemble(self.config, Box.of([(0, 1)] * self.n))
        self.sim, self.enum = prepare.prepare(self.config, self.n)
        self.accepting, self.event = np.zeros(self.N, np.bool_), 10**9  # accepted from this evaluation on
        for i in range(self.N):
            fast.refresh(self.sim.rows, self.sim.width, self.enum.changed, P, i)
        self.simulate = jit.bind(simulate.simulate, *self._window(0, 0, np.random.default_rng(0)))

    def _window(self, begin, end, rng):
        return self.de, self.sim, self.N, self.n, self.best, begin, end, self.event, self.accepting, rng

    def count(self, begin, end, rng):
        self.sim.lanes[:] = lanes(self.sim.lanes.shape[1], rng)
        return self.simulate(*self._window(begin, end, rng))

    def q(self):
        call = self.enum, self.de.n_donors, self.de.F, self.best
        jit.bind(enumeration.enumerate_chances, *call)(*call)
        return np.broadcast_to(self.enum.q, self.N)


def test_a_population_too_large_for_batches_has_the_donors_of_the_operator():
    N, trials = simulate.BATCHED_UP_TO + 1, 200
    still = Still(f"DE/rand/1/bin sat, N={N}, F=0.5, Cr=0.5", np.full((N, 1), 0.5))
    still.count(0, trials, np.random.default_rng(5))
    rng, expected = np.random.default_rng(5), np.zeros(3, np.uint64)
    lanes(still.sim.lanes.shape[1], rng)  # drawn first
    for r in still.sim.r[:3, :trials].T.tolist():
        distinct(N, 0, 0, rng, expected)
        assert r == expected.tolist()
        assert len(set(r)) == 3


def standard_errors_off(still, q, begin, end, seed):
    """Of a simulated count of the window, if trials are infeasible with these chances"""
    trials = [e for e in range(begin, end) if not (e >= still.event and still.accepting[e % still.N])]
    p = q[np.array(trials) % still.N]
    return abs(still.count(begin, end, np.random.default_rng(seed)) - p.sum()) / sqrt((p * (1 - p)).sum())


@pytest.mark.parametrize(("mutation", "crossover", "rule"), CELLS)
def test_as_many_trials_are_infeasible_as_the_exact_chance_says(mutation, crossover, rule):
    text = f"DE/{mutation.name}/{crossover} sat, N=6, F=0.9, Cr=0.6, donors={rule}"
    still = Still(text, np.random.default_rng(7).random((6, 4)), best=2)
    still.accepting[4], still.event = True, 39_996
    q = still.q()
    assert 0 < q.min() <= q.max() < 1
    assert standard_errors_off(still, q, 3, 40_002, seed=8) < LIMIT


@pytest.mark.parametrize("crossover", ["bin", "exp"])
def test_a_scale_factor_off_by_5_percent_is_seen(crossover):
    P = np.random.default_rng(7).random((6, 4))
    wrong = Still(f"DE/rand/1/{crossover} sat, N=6, F=0.945, Cr=0.6", P)
    q = Still(f"DE/rand/1/{crossover} sat, N=6, F=0.9, Cr=0.6", P).q()
    assert standard_errors_off(wrong, q, 0, 400_000, seed=8) > LIMIT


@pytest.mark.parametrize("crossover", ["bin", "exp"])
def test_counts_are_binomial(crossover):
    still = Still(f"DE/rand/1/{crossover} sat, N=6, F=0.7, Cr=0.6", np.random.default_rng(9).random((6, 4)))
    rng, windows, trials = np.random.default_rng(10), 4000, 12
    counts = [still.count(0, trials, rng) for _ in range(windows)]
    pmf = binom.pmf(np.arange(trials + 1), trials, still.q()[0])
    cells = pmf * windows > 10
    observed = np.bincount(counts, minlength=trials + 1)

    def p_value(pmf):
        rest = len(counts) - observed[cells].sum(), windows * (1 - pmf[cells].sum())
        return chisquare([*observed[cells], rest[0]], [*windows * pmf[cells], rest[1]]).pvalue

    assert p_value(pmf) > FALSE_ALARM
    assert p_value(binom.pmf(np.arange(trials + 1), trials, 0.9 * still.q()[0])) < FALSE_ALARM


@given(
    st.integers(0, 30),
    st.integers(0, 700),
    st.integers(0, 233).map(lambda generation: 3 * generation),
    st.lists(st.booleans(), min_size=3, max_size=3),
    st.sampled_from(["best/1/bin", "best/1/exp", "curr-to-best/1/bin"]),
)
@settings(max_examples=40)
def test_every_trial_of_a_window_is_counted_once_but_those_to_be_accepted(begin, trials, event, accepting, variant):
    # best/1: differences of 1/2 or 1, doubled, always lead outside from 1/2. current-to-best/1: all stand outside.
    points = np.array([[0.0], [0.5], [1.0]]) if variant[0] == "b" else np.full((3, 1), 2.0)
    still = Still(f"DE/{variant} sat, N=3, F=2, Cr=0.5", points, best=1)
    still.accepting[:], still.event = accepting, event
    end = max(begin, min(begin + trials, event + 3))  # a window ends with the generation of the event, or before
    window = range(begin, end)
    counted = sum(not (evaluation >= event and accepting[evaluation % 3]) for evaluation in window)
    assert still.count(begin, end, np.random.default_rng(0)) == counted
    same = Still(f"DE/{variant} sat, N=3, F=2, Cr=0.5", np.full((3, 1), 0.5), best=1)  # no mutant leaves
    assert same.count(begin, end, np.random.default_rng(0)) == 0
