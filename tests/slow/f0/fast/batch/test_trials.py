"""Simulated trials: the law of how many are infeasible, and of the donors and segments that they draw.

A count may be off by at most LIMIT = 4 standard errors: false-alarm rate 6.3e-5 per comparison, two-sided, 0.2 % for
the 34 of this file. Every chi-square test has the false-alarm rate FALSE_ALARM. Seeds are fixed.
"""

from collections import Counter
from itertools import permutations, product
from math import log2, perm, prod, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operator_lists import PAPER_MUTATIONS
from scipy.stats import binom, chisquare

from debox import Box, Config, jit, registry
from debox.assemble import assemble
from debox.de.variation import distinct
from debox.f0.fast import batch, exact
from debox.f0.fast.clock import prepare
from debox.f0.fast.fixed_point import R1, TARGET, encode

LIMIT = 4
FALSE_ALARM = 1e-6
COMPILED = pytest.mark.parametrize("compiled", [False, True])

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
        self.sim, self.enum = prepare(self.config, self.n)
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
    N, trials = batch.LARGEST_BATCHED_N + 1, 200
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


@pytest.mark.parametrize(("mutation", "crossover", "rule"), CELLS[::5])
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


# Donors and segments: their law, and that nothing is drawn beyond it.


def run(kernel, *call, compiled=True):
    """Call a kernel, compiled or not"""
    (jit.bind(kernel, *call) if compiled else np.errstate(over="ignore")(kernel))(*call)


def drawn_distinct(N, k, columns, seed):
    """So many tuples of k distinct donors"""
    parents = np.zeros((7, columns), np.int32)
    run(batch.draw_distinct, N, k, lanes(columns, np.random.default_rng(seed)), columns, np.empty(columns), parents)
    return parents[R1 : R1 + k].T


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


def test_the_last_donor_drawn_from_one_number_is_left_with_more_than_20_bits():
    assert 53 - batch.FIRST * log2(batch.LARGEST_BATCHED_N) > 20


@pytest.mark.parametrize("N", [100, 1024])
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


@COMPILED
@pytest.mark.parametrize(("k", "drawn"), [(2, 2), (3, 3), (5, 5)])
def test_donors_are_drawn_for_these_trials_alone(k, drawn, compiled):
    parents, u, before = np.full((7, 9), -7, np.int32), np.full(9, 7.0), lanes(9, np.random.default_rng(1))
    stepped = before.copy()
    run(batch.draw_distinct, 5, k, stepped, 4, u, parents, compiled=compiled)
    assert np.all(parents[R1 : R1 + drawn, :4] >= 0)
    assert np.all(parents[:, 4:] == -7)
    assert np.all(parents[:R1] == -7)  # target and best are for others to say
    assert np.array_equal(stepped[:, 4:], before[:, 4:])
    assert np.all(u[4:] == 7)


@COMPILED
@given(st.integers(2, 9), st.data())
def test_past_counts_those_not_drawn(compiled, N, data):
    drawn = data.draw(st.integers(0, N - 1))
    k = data.draw(st.integers(0, N - 2))
    past = jit.dispatcher_of(batch.skip_past) if compiled else batch.skip_past
    assert past(np.int32(drawn), np.int32(k)) == [i for i in range(N) if i != drawn][k]


@pytest.mark.parametrize("rule", registry.in_slot("donors"), ids=lambda r: r.name)
def test_donors_by_rule_are_those_of_the_operator(rule):
    N, k, best, parents = 6, 3, 2, np.full((7, 5), -1, np.int32)
    parents[TARGET] = [0, 2, 5, 5, 1]
    batch.draw_by_rule(rule.function, N, k, best, 4, parents, np.random.default_rng(3))
    rng, expected = np.random.default_rng(3), np.zeros(k, np.uint64)
    for t in range(4):
        rule.function(N, parents[TARGET, t], best, rng, expected)
        assert parents[R1 : R1 + k, t].tolist() == expected.tolist()
    assert np.all(parents[R1 + k :] == -1)
    assert np.all(parents[R1:, 4] == -1)


def alias(n, Cr):
    """accept_chance and either, as the engine has them"""
    with jit.interpreted():
        sim, _ = prepare(Config(f"DE/rand/1/exp sat, N=5, F=0.5, Cr={Cr}"), n)
    return sim.accept_chance, sim.length_choices


def segments(n, accept_chance, either, u, compiled=True):
    """I and L of each U"""
    u, first, length = u.copy(), np.zeros(u.size, np.int32), np.zeros(u.size, np.int32)
    run(batch.draw_segments, n, accept_chance, either, u.size, u, first, length, compiled=compiled)
    assert np.all(u == 0.5)  # whatever is ≥ 0 and < 1 will do
    return first, length


def lengths(n, Cr):
    """P(L = 1), …, P(L = n): a coin for each step but the last"""
    return [Cr**step * (1 - Cr) for step in range(n - 1)] + [Cr ** (n - 1)]


@pytest.mark.parametrize("Cr", [0.0, 0.3, 0.99, 1.0])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_segment_starts_anywhere_and_has_the_length_of_exp(n, Cr):
    # No chance: numbers spread evenly over [0, 1) must give every (I, L) its share of them, but for the few next to
    # where one outcome ends and another begins; each of n² alias columns has two ends and a point between.
    M = 20_000
    first, length = segments(n, *alias(n, Cr), (np.arange(M) + 0.5) / M)
    counted = Counter(zip(first.tolist(), length.tolist(), strict=True))
    assert counted.keys() <= set(product(range(n), range(1, n + 1)))
    for start, (L, p) in product(range(n), enumerate(lengths(n, Cr), 1)):
        assert counted[start, L] / M == pytest.approx(p / n, abs=3 * n / M)


def p_value_of_segments(n, Cr, accept_chance, either):
    """Of 40 000 drawn, over all (I, L)"""
    first, length = segments(n, accept_chance, either, np.random.default_rng(4).random(40_000))
    observed = np.bincount(first * n + length - 1, minlength=n * n)
    return chisquare(observed, 40_000 * np.tile(lengths(n, Cr), n) / n).pvalue


@pytest.mark.parametrize(("n", "Cr"), [(2, 0.3), (5, 0.6), (30, 0.9)])
def test_drawn_segments_have_the_law_of_exp(n, Cr):
    assert p_value_of_segments(n, Cr, *alias(n, Cr)) > FALSE_ALARM


@pytest.mark.parametrize(("n", "Cr"), [(2, 0.3), (5, 0.6), (30, 0.9)])
def test_the_law_of_exp_is_refused_to_a_table_with_its_pairs_swapped(n, Cr):
    accept_chance, either = alias(n, Cr)
    swapped = either.reshape(-1, 2)[:, ::-1].ravel().copy()
    assert p_value_of_segments(n, Cr, accept_chance, swapped) < FALSE_ALARM


@pytest.mark.parametrize("n", [*range(1, 131, 3), 1000, 1023, 1024, 1025])
def test_a_segment_stays_inside_however_close_to_one_u_comes(n):
    first, length = segments(n, *alias(n, 0.9), np.array([0.0, 1 - 2.0**-53]))
    assert first.tolist() == [0, n - 1]
    assert np.all((length >= 1) & (length <= n))


@COMPILED
def test_only_these_trials_get_a_segment(compiled):
    u, first, length, taken = np.full(4, 0.9), np.full(4, 7, np.int32), np.full(4, 7, np.int32), np.full((2, 4), 7)
    taken = taken.astype(np.uint32)
    run(batch.draw_segments, 40, *alias(40, 0.5), 2, u, first, length, compiled=compiled)
    spans = np.full((2, 4), 7)
    run(batch.mark_segments, 40, 2, first, length, taken, spans, compiled=compiled)
    assert first.tolist() == [36, 36, 7, 7]
    assert u[2:].tolist() == [0.9, 0.9]
    assert length[2:].tolist() == [7, 7]
    assert taken[:, 2:].tolist() == [[7, 7], [7, 7]]
    assert spans[:, 2:].tolist() == [[7, 7], [7, 7]]
    assert np.all(taken[1, :2] != 7)  # 36 is in the second word
    assert spans[0, :2].tolist() == [1, 1]


def marked(n, first, length, compiled):
    """The bits of each segment in the words it spans, one after another; those that are no components too"""
    words, trials = -(-n // 32), first.size
    taken, spans = np.full((words, trials), 0xDEADBEEF, np.uint32), np.repeat([[0], [words]], trials, axis=1)
    given = n, trials, first.astype(np.int32), length.astype(np.int32), taken, spans
    run(batch.mark_segments, *given, compiled=compiled)
    assert np.all(spans[1] <= words)
    bits = taken[:, :, None] >> np.arange(32, dtype=np.uint32) & 1
    bits[(np.arange(words)[:, None] - spans[0]) % words >= spans[1]] = 0
    return bits.transpose(1, 0, 2).reshape(trials, 32 * words).astype(bool), spans


def walked(n, first, length):
    """Step by step from I on, cyclically"""
    bits = np.zeros((first.size, -(-n // 32) * 32), bool)
    for t, (start, steps) in enumerate(zip(first.tolist(), length.tolist(), strict=True)):
        for step in range(steps):
            bits[t, (start + step) % n] = True
    return bits


@pytest.mark.parametrize("n", range(1, 71))
def test_the_bits_of_a_segment_are_its_components_and_no_others(n):
    first, length = (column.ravel() for column in np.meshgrid(np.arange(n), np.arange(1, n + 1)))
    expected = walked(n, first, length)
    bits, spans = marked(n, first, length, compiled=True)
    assert np.array_equal(bits, expected)
    touched = expected.reshape(first.size, -1, 32).any(axis=2).sum(axis=1)
    assert spans[1].tolist() == touched.tolist()  # and no word is looked at in vain
    few = np.random.default_rng(n).integers(0, n * n, 20)
    assert np.array_equal(marked(n, first[few], length[few], compiled=False)[0], expected[few])


@COMPILED
def test_below_sets_the_first_bits_of_a_word(compiled):
    below = jit.dispatcher_of(batch.low_bits) if compiled else batch.low_bits
    for k in range(-70, 71):
        assert below(np.int64(k)) == sum(1 << bit for bit in range(32) if bit < k)


# Lanes of SFC64 against NumPy's SFC64.


def numpy_twin(state):
    """NumPy's generator in the state (a, b, c, counter)"""
    bits = np.random.SFC64()
    bits.state = {**bits.state, "state": {"state": state.copy()}}
    return np.random.Generator(bits)


@pytest.mark.parametrize("compiled", [False, True])
def test_every_lane_draws_what_numpys_sfc64_of_its_state_draws(compiled):
    states = np.random.default_rng(1).integers(0, 2**64, (4, 5), np.uint64)
    states[3, 0] = 2**64 - 2  # a counter that comes around
    twins, u = [numpy_twin(states[:, t]) for t in range(5)], np.empty(5)
    with np.errstate(over="ignore"):  # as compiled integers do
        for _ in range(50):
            (jit.dispatcher_of(batch.uniforms) if compiled else batch.uniforms)(states, 5, u)
            assert u.tolist() == [twin.random() for twin in twins]


def test_only_as_many_lanes_are_stepped_as_there_are_trials():
    states, u = np.random.default_rng(1).integers(0, 2**64, (4, 5), np.uint64), np.full(5, 7.0)
    before, call = states.copy(), (states, 3, u)
    jit.bind(batch.uniforms, *call)(*call)
    assert np.all(states[:, :3] != before[:, :3])
    assert np.all(states[:, 3:] == before[:, 3:])
    assert np.all(u[:3] < 1)
    assert np.all(u[3:] == 7)
