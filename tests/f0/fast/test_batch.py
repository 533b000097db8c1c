"""Simulated trials: the law of how many are infeasible.

A count may be off by at most LIMIT = 4 standard errors: false-alarm rate 6.3e-5 per comparison, two-sided, 0.2 % for
the 34 of this file. Every chi-square test has the false-alarm rate FALSE_ALARM. Seeds are fixed.
"""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operator_lists import PAPER_MUTATIONS
from scipy.stats import binom, chisquare

from debox import Box, Config, jit, registry
from debox.assemble import assemble
from debox.de.donors import distinct
from debox.f0.fast import batch, draws, exact, tables
from debox.f0.fast.fixed_point import R1, encode

LIMIT = 4
FALSE_ALARM = 1e-6

CELLS = [
    pytest.param(mutation, crossover.name, rule.name, id=f"{mutation.name} {crossover.name} {rule.name}")
    for mutation in PAPER_MUTATIONS
    for crossover in registry.in_slot("crossover")
    for rule in registry.in_slot("donors")
]


def lanes(columns, rng):
    """A generator for each column"""
    return rng.integers(0, 2**64, (4, columns), np.uint64)


class Still:
    """A population that stands still: `count` simulates the trials of a window, `q` enumerates their chances"""

    def __init__(self, text, P, best=0):
        self.config, (self.N, self.n), self.best = Config(text), P.shape, best
        self.de = assemble(self.config, Box.of([(0, 1)] * self.n))
        self.sim, self.enum = tables.prepare(self.config, self.n)
        self.accepting, self.event = np.zeros(self.N, np.bool_), 10**9  # accepted from this evaluation on
        for i in range(self.N):
            encode(self.sim.points, P, i)
        self.simulate = jit.bind(batch.simulate, *self._window(0, 0, np.random.default_rng(0)))

    def _window(self, begin, end, rng):
        de = self.de.donors, self.de.n_donors, self.config.F
        return *de, self.sim, self.N, self.best, begin, end, self.event, self.accepting, rng

    def count(self, begin, end, rng):
        self.sim.lanes[:] = lanes(self.sim.lanes.shape[1], rng)
        return self.simulate(*self._window(begin, end, rng))

    def q(self):
        call = self.enum, self.de.n_donors, self.config.F, self.best
        jit.bind(exact.enumerate_chances, *call)(*call)
        return np.broadcast_to(self.enum.q, self.N)


def test_a_population_too_large_for_batches_has_the_donors_of_the_operator():
    N, trials = draws.BATCHED_UP_TO + 1, 200
    still = Still(f"DE/rand/1/bin sat, N={N}, F=0.5, Cr=0.5", np.full((N, 1), 0.5))
    still.count(0, trials, np.random.default_rng(5))
    rng, expected = np.random.default_rng(5), np.zeros(3, np.uint64)
    lanes(still.sim.lanes.shape[1], rng)  # drawn first
    for r in still.sim.parents[R1 : R1 + 3, :trials].T.tolist():
        distinct(N, 0, 0, rng, expected)
        assert r == expected.tolist()
        assert len(set(r)) == 3


def test_a_new_best_is_a_parent_of_the_next_trials():
    # a quarter of a difference never leads outside from 1/2, and in half of the trials from 1
    still = Still("DE/best/1/bin sat, N=3, F=0.25, Cr=1", np.array([[0.0], [0.5], [1.0]]))
    for best, leaves in ((1, False), (2, True), (1, False)):
        still.best = best
        assert (still.count(0, 300, np.random.default_rng(1)) > 0) == leaves


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
    still.sim.parents[:] = 0  # which the enumeration has filled too
    assert standard_errors_off(still, q, 3, 40_002, seed=8) < LIMIT


@pytest.mark.parametrize("crossover", ["bin", "exp"])
def test_a_scale_factor_off_by_5_percent_is_seen(crossover):
    P = np.random.default_rng(7).random((6, 4))
    wrong = Still(f"DE/rand/1/{crossover} sat, N=6, F=0.945, Cr=0.6", P)
    q = Still(f"DE/rand/1/{crossover} sat, N=6, F=0.9, Cr=0.6", P).q()
    assert standard_errors_off(wrong, q, 0, 400_000, seed=8) > LIMIT


@pytest.mark.slow
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


@pytest.mark.parametrize("mutation", PAPER_MUTATIONS, ids=lambda m: m.name)
@pytest.mark.parametrize("n", [33, 70])
def test_segments_of_several_words_are_infeasible_as_often_as_the_exact_chance_says(mutation, n):
    still = Still(f"DE/{mutation.name}/exp sat, N=6, F=0.3, Cr=0.97", np.random.default_rng(n).random((6, n)))
    still.sim.parents[:] = 0
    q = still.q()
    assert 0 < q.min() <= q.max() < 1
    assert standard_errors_off(still, q, 0, 40_000, seed=8) < LIMIT


def test_accepting_slots_are_counted_from_the_event_on():
    accepting = np.array([True, False, True, True])
    window = [(0, 8, 8), (0, 9, 8), (9, 12, 8), (8, 12, 8), (11, 12, 8), (3, 12, 8)]
    assert [batch.count_accepting(*w, accepting) for w in window] == [0, 1, 2, 3, 1, 3]


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
