"""The inner loops of the fast engine against mutants built by the mutations themselves."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from coins import Scripted, coins
from hypothesis import example, given, settings
from hypothesis import strategies as st
from kernel_pairs import compiled_and_interpreted
from operator_lists import FAST_MUTATIONS

from debox import jit, registry
from debox.de.variation import binomial, mutate
from debox.f0.fast import fixed_point, scan
from debox.f0.fast.batch import mark_segments
from debox.f0.fast.scan import Gaps, all_components, chance_exp, gap_tables, p_feasible_table
from debox.jit import kernel
from debox.registry import Operator

N, TRIALS = 7, 40
SIZES = [1, 2, 8, 31, 32, 33, 65, 300]  # below, at and beyond what is looked at at a time, and without interruption


@kernel
def weightless(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """No weighted sum; where all parents are 0, as beyond the last component, it is outside"""
    return x_r1 + F * (x_r2 - x_r3) - 0.375


@kernel
def of_six(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """More parents than a sum has terms"""
    return 0.5 * (x + x_r1) + F * (x_r2 - x_r3) + F * (x_r4 - x_r5)


@kernel
def of_two(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """Fewer"""
    return x_r1 + F * (x_r1 - x_r2)


def made_up(name, function, weights=None):
    return Operator(slot="mutation", name=name, short=name, function=function, citation="", weights=weights)


OURS = FAST_MUTATIONS
ONE_OF_A_KIND = [
    registry.find("mutation", name) for name in ("rand/1", "current-to-best/1", "rand/2", "current-to-best/2")
]
MUTATIONS = (
    *OURS,
    made_up("weightless", weightless),
    made_up("of-six", of_six, weights=lambda F: (0.5, 0, 0.5, F, -F, F, -F)),
    made_up("of-two", of_two, weights=lambda F: (0, 0, 1 + F, -F)),
)
FEW_PAIRS = [*zip(ONE_OF_A_KIND, (1, 33, 65, 300), strict=True), *zip(MUTATIONS[-3:], (300, 34, 8), strict=True)]
every_mutation = pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)


def weights_of(mutation, F):
    return mutation.weights(F) if mutation.weights else ()


def special(function, mutation, F):
    return jit.specialise(
        function, formula=mutation.function, bits_of_terms=fixed_point.bits_for(weights_of(mutation, F))
    )


@pytest.fixture
def forms():
    """forms(function, mutation, F, *args): the kernel interpreted and, of a mutation worth the time it takes, compiled.

    Each is compiled for seconds: one for each number of terms.
    """

    def make(function, mutation, F, *args):
        with jit.interpreted():
            yield jit.bind(special(function, mutation, F), *args)
        if mutation in ONE_OF_A_KIND:
            yield jit.bind(special(function, mutation, F), *args)

    return make


def test_one_mutation_for_each_number_of_terms_is_compiled():
    assert {mutation.name for mutation in ONE_OF_A_KIND} < {mutation.name for mutation, _ in FEW_PAIRS}
    for F in (0.25, 0.7):
        terms, all_terms = ({np.count_nonzero(m.weights(F)) for m in some} for some in (ONE_OF_A_KIND, OURS))
        assert terms == all_terms


def population(rng, n):
    """Points on a coarse grid: with a coarse F many mutants lie exactly on a bound, where they are feasible"""
    return rng.integers(0, 5, (N, n)) / 4


def points_of(P, weights):
    points = fixed_point.empty_points(*P.shape, weights)
    encode = jit.bind(fixed_point.encode, points, P, 0)
    for i in range(len(P)):
        encode(points, P, i)
    return points


def outside_of(mutation, P, parents, F):
    """Which components of the mutants lie outside [0, 1]: a row for each column of `parents`"""
    mutants = np.empty((parents.shape[1], P.shape[1]))
    for target, best, *r, v in zip(*parents.tolist(), mutants, strict=True):
        jit.specialise(mutate, formula=mutation.function)(P, target, best, r, F, 0.0, v)
    return (mutants < 0) | (mutants > 1)


def words_of(flags):
    """A column of words for each row of flags; the last bits of the last are no components and not set"""
    words = np.zeros((-(-flags.shape[1] // 32), len(flags)), np.uint32)
    for t, j in np.argwhere(flags):
        words[j // 32, t] |= np.uint32(1 << (j % 32))
    return words


# One mutant, exactly.


@given(st.sampled_from(MUTATIONS), st.sampled_from(SIZES), st.sampled_from([0.25, 0.7, 1.0, 2.0]), st.integers(0, 9))
@settings(max_examples=60)
def test_outside_and_count_outside_see_what_the_mutant_has_outside(mutation, n, F, seed):
    rng = np.random.default_rng(seed)
    P, parents = population(rng, n), rng.integers(0, N, (7, 4)).astype(np.int32)
    points, expected = points_of(P, weights_of(mutation, F)), outside_of(mutation, P, parents, F)
    chosen = rng.random((4, n)) < rng.random((4, 1))
    taken = words_of(chosen)
    outside, count = (special(function, mutation, F) for function in (scan.outside_bits, scan.count_outside))
    for t in range(4):
        words = np.array([[outside(points, parents, t, F, word)] for word in range(len(taken))])
        components = words_of(np.ones((1, n), bool))  # what the other bits say is nobody's business
        assert (words & components).tolist() == words_of(expected[t : t + 1]).tolist()
        assert count(points, parents, t, F, taken, 0, len(taken)) == np.sum(expected[t] & chosen[t])


# A batch.


def batch(rng, n, F, mutation):
    """A population, its points, parents, the components taken and how many of them are outside"""
    P, parents = population(rng, n), rng.integers(0, N, (7, TRIALS)).astype(np.int32)
    chosen = rng.random((TRIALS, n)) < rng.choice([0.3, 1], (TRIALS, 1))
    outside = np.sum(outside_of(mutation, P, parents, F) & chosen, axis=1)
    return points_of(P, weights_of(mutation, F)), parents, words_of(chosen), outside


def spans_of(taken):
    """All words"""
    return np.repeat([[0], [len(taken)]], taken.shape[1], axis=1)


@pytest.mark.parametrize(
    ("mutation", "n"),
    FEW_PAIRS,
    ids=lambda one: getattr(one, "name", one),
)
def test_scan_counts_the_trials_with_u_at_least_keep(forms, mutation, n):
    rng, infeasible = np.random.default_rng(n), []
    tables = np.linspace(1, 0, n + 1), p_feasible_table(n, 0.1, exp=False), p_feasible_table(n, 0.5, exp=True)
    for F, keep in zip((0.25, 2.0, 0.7), tables, strict=True):
        points, parents, taken, outside = batch(rng, n, F, mutation)
        least = keep[outside]
        u = np.clip(least - rng.integers(0, 2, TRIALS) * 2.0**-54, 0, 1 - 2.0**-53)  # exactly enough is enough
        expected = u >= least
        args = [
            points,
            TRIALS,
            parents,
            np.zeros((5, TRIALS), np.uint32),
            taken,
            spans_of(taken),
            F,
            keep,
            u,
            np.zeros(TRIALS, np.int64),
        ]
        for function in forms(scan.scan, mutation, F, *args):
            for args[1] in (0, 17, TRIALS):
                assert function(*args) == sum(expected[: args[1]])
        infeasible += expected.tolist()
    assert 0 < sum(infeasible) < len(infeasible)


@every_mutation
@pytest.mark.parametrize("n", [40, 65, 300])
def test_scan_looks_at_the_words_a_segment_spans_and_at_no_others(forms, mutation, n):
    rng, F, keep = np.random.default_rng(n), 0.25, p_feasible_table(n, 0.5, exp=True)
    P, parents = population(rng, n), rng.integers(0, N, (7, TRIALS)).astype(np.int32)
    points = points_of(P, weights_of(mutation, F))
    first, length = rng.integers(0, n, TRIALS).astype(np.int32), rng.integers(1, 4, TRIALS).astype(np.int32)
    length[::5] = rng.integers(1, n + 1, length[::5].size)
    chosen = (np.arange(n) - first[:, None]) % n < length[:, None]
    taken = np.full((-(-n // 32), TRIALS), 2**32 - 1, np.uint32)  # of words nobody may look at
    spans = spans_of(taken)
    mark_segments(n, TRIALS, first, length, taken, spans)
    expected = np.sum((outside_of(mutation, P, parents, F) & chosen).any(axis=1))
    args = (
        points,
        TRIALS,
        parents,
        np.zeros((5, TRIALS), np.uint32),
        taken,
        spans,
        F,
        keep,
        np.full(TRIALS, 0.5),
        np.zeros(TRIALS, np.int64),
    )
    for function in forms(scan.scan, mutation, F, *args):
        assert function(*args) == expected
    assert 0 < expected < TRIALS


# Chances.


def spec_5(flags, Cr, exp):
    """P(infeasible) of a trial whose mutant is outside where the flags are, in the words of docs/spec.md §5"""
    n, k = len(flags), int(sum(flags))
    if not exp:
        return 1 - (1 - k / n) * (1 - Cr) ** k
    lengths = [Cr**step * (1 - Cr) for step in range(n - 1)] + [Cr ** (n - 1)]
    ends = [(first, first + L, p) for first in range(n) for L, p in enumerate(lengths, 1)]
    return sum(p * np.any(np.resize(flags, 2 * n)[first:end]) for first, end, p in ends) / n


@pytest.mark.parametrize(("n", "exp", "mutation"), list(product([1, 5, 32, 33], [False, True], MUTATIONS))[::3])
def test_chances_of_the_tuples_asked_for_are_those_of_spec_5(forms, mutation, exp, n):
    rng, Cr, F = np.random.default_rng(n), 0.6, 0.25
    P, parents = population(rng, n), rng.integers(0, N, (7, TRIALS)).astype(np.int32)
    points, whole = points_of(P, weights_of(mutation, F)), words_of(np.ones((TRIALS, n), bool))
    which, before = np.array([3, 0, 17, 3, 11]), rng.integers(0, 100, 20)
    parents[:, 3] = parents[:, 0]  # the same tuple twice, with the same outcome
    expected = before * scan.UNIT
    expected[which] = [spec_5(flags, Cr, exp) for flags in outside_of(mutation, P, parents[:, : which.size], F)]
    tables = p_feasible_table(n, Cr, exp), gap_tables(n, Cr), np.full(len(whole), 2**32 - 1, np.uint32)
    chance = before.copy()
    args = points, parents, np.zeros((5, TRIALS), np.uint32), whole, F, exp, *tables, which, chance
    for function in forms(scan.chances, mutation, F, *args):
        chance[:] = before
        change = function(*args)
        assert chance * scan.UNIT == pytest.approx(expected, abs=2e-14)  # cut to a UNIT, 1.4e-14
        assert change == chance.sum() - before.sum()
        others = np.delete(np.arange(20), which)
        assert chance[others].tolist() == before[others].tolist()


@pytest.mark.parametrize("exp", [False, True], ids=["bin", "exp"])
def test_chances_are_whole_numbers_of_units_from_0_to_1(forms, exp):
    """A mutant inside never leaves, one that is outside everywhere always does."""
    P, n, one = np.vstack([np.zeros((2, 40)), np.ones((2, 40)), np.full((3, 40), 0.5)]), 40, round(1 / scan.UNIT)
    points, whole = points_of(P, (0, 0, 1, 0.7, -0.7)), words_of(np.ones((3, n), bool))
    parents = np.zeros((7, 3), np.int32)
    parents[fixed_point.R1 : fixed_point.R3 + 1] = np.array([(4, 5, 6), (0, 1, 2), (2, 2, 0)]).T  # ½, −F, 1 + F
    chance = np.array([7, 7, 7])
    tables = p_feasible_table(n, 0.9, exp), gap_tables(n, 0.9), np.zeros(2, np.uint32)
    args = points, parents, np.zeros((5, 3), np.uint32), whole, 0.7, exp, *tables, np.arange(3), chance
    for function in forms(scan.chances, registry.find("mutation", "rand/1"), 0.7, *args):
        function(*args)
        assert chance.tolist() == [0, one, one]


# The chance of exp from the gaps is the sum over all it can take.


def words_of_one(flags):
    """32 flags a word; the last bits of the last are no components and not set"""
    words = np.zeros(-(-len(flags) // 32), np.uint32)
    for j in np.flatnonzero(flags):
        words[j // 32] |= np.uint32(1 << (j % 32))
    return words


def chance_of(gaps, words):
    """The chance of exp, which must be the same to the bit compiled and interpreted"""
    compiled, interpreted = compiled_and_interpreted(chance_exp, gaps, words)
    chance = compiled(gaps, words)
    assert interpreted(gaps, words) == chance
    return chance


def over_all_segments(flags, Cr):
    """P(infeasible) by docs/spec.md §5: I is uniform, L = l with chance Crˡ⁻¹(1 − Cr), but what is left is n's"""
    n = len(flags)
    lengths = [Cr**step * (1 - Cr) for step in range(n - 1)] + [Cr ** (n - 1)]
    chance = 0.0
    for first in range(n):
        for L in range(1, n + 1):
            chance += lengths[L - 1] * any(flags[(first + step) % n] for step in range(L))
    return chance / n


@st.composite
def flags(draw):
    """Of 1 to 70 components; mostly few are infeasible, so that gaps go on over bytes and words"""
    n = draw(st.integers(1, 70))
    infeasible = draw(st.one_of(st.sets(st.integers(0, n - 1), max_size=3), st.sets(st.integers(0, n - 1))))
    return [j in infeasible for j in range(n)]


@given(flags(), st.sampled_from([0.0, 0.05, 0.5, 0.99, 1.0]))
@example([False], 0.5)
@example([True], 0.5)
@example([False] * 30, 1.0)
@example([True] * 30, 0.0)
@example([False] * 29 + [True], 0.99)
@example([True] + [False] * 29, 0.99)
@example([True] + [False] * 69, 0.99)
@example([False] * 40 + [True] + [False] * 29, 1.0)
@settings(max_examples=150)
def test_chance_exp_is_the_sum_over_all_segments(flags, Cr):
    chance = chance_of(gap_tables(len(flags), Cr), words_of_one(flags))
    assert chance == pytest.approx(over_all_segments(flags, Cr), abs=1e-14)


@given(st.integers(1, 70), st.data())
@settings(max_examples=150)
def test_chance_exp_with_one_infeasible_component_is_the_same_wherever_it_is(n, data):
    """(1/n) Σ Crᵈ for d = 0..n−1, a geometric series."""
    Cr, place = data.draw(st.sampled_from([0.05, 0.6, 0.99])), data.draw(st.integers(0, n - 1))
    chance = chance_of(gap_tables(n, Cr), words_of_one([j == place for j in range(n)]))
    assert chance == pytest.approx((1 - Cr**n) / (1 - Cr) / n, rel=1e-13)


def test_chance_exp_by_hand():
    # n = 4, Cr = 1/2, components 1 and 2 outside: I = 1, 2 at once; I = 0 one step on, I = 3 two: (1 + 1 + 1/2 + 1/4)/4
    assert chance_of(gap_tables(4, 0.5), words_of_one([0, 1, 1, 0])) == 2.75 / 4


def test_chance_exp_over_two_words_by_hand():
    # n = 40, Cr = 1/2, components 31 and 33 outside: I = 31, 33 at once, I = 32 one step on, and the 37 before 31,
    # from 34 on around the end, 1, 2, …, 37 steps on: 2 + 1/2 + (1 − 2⁻³⁷)
    infeasible = [j in (31, 33) for j in range(40)]
    assert chance_of(gap_tables(40, 0.5), words_of_one(infeasible)) == (2 + 0.5 + 1 - 2.0**-37) / 40


@pytest.mark.parametrize("n", [1, 7, 8, 9, 30, 32, 33, 64, 65])
@pytest.mark.parametrize("Cr", [0.0, 0.3, 0.99, 1.0])
def test_the_chance_is_0_if_no_component_is_infeasible_and_1_if_all_are(n, Cr):
    """Exactly."""
    assert chance_of(gap_tables(n, Cr), words_of_one([False] * n)) == 0
    assert chance_of(gap_tables(n, Cr), words_of_one([True] * n)) == 1


def test_tables_of_bytes_are_what_their_bits_say():
    gaps = gap_tables(30, 0.5)
    assert isinstance(gaps, Gaps)
    assert gaps.n == 30
    assert gaps.after[:4].tolist() == [0, 1, 1.5, 1.75]
    for byte, ahead, behind, others in [
        (0b00000001, 1, 7, 0),
        (0b10000000, 8, 0, 0),
        (0b10000001, 1, 0, 2 - 2.0**-6),  # six feasible ones between: 1 + 1/2 + … + 1/64
        (0b00101100, 3, 2, 1 + 1.5),
        (0b11111111, 1, 0, 7),
    ]:
        assert (gaps.ahead[byte], gaps.behind[byte], gaps.others[byte]) == (ahead, behind, others)


# Tables.


@pytest.mark.parametrize("Cr", [0.0, 0.3, 0.99, 1.0])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_keep_is_the_chance_that_the_binomial_crossover_takes_no_infeasible_component(n, Cr):
    keep, u = [Fraction()] * (n + 1), np.zeros(n)
    for start, (thrown, chance) in product(range(n), coins(n, Cr)):
        binomial(np.zeros(n), np.ones(n), Cr, Scripted(*thrown, (start + 0.5) / n), u)
        for k in range(n + 1):  # the first k components of the mutant are infeasible; all places are alike
            keep[k] += chance / n * (not u[:k].any())
    assert p_feasible_table(n, Cr, exp=False) == pytest.approx([float(chance) for chance in keep], abs=1e-15)


def test_keep_is_spec_5():
    n, Cr = 30, 0.285
    keep = p_feasible_table(n, Cr, exp=False)
    assert keep == pytest.approx([(1 - k / n) * (1 - Cr) ** k for k in range(n + 1)], abs=1e-15)
    assert (keep[0], keep[n]) == (1, 0)


def test_a_segment_of_exp_is_feasible_with_no_infeasible_component_only():
    assert p_feasible_table(3, 0.5, exp=True).tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize("n", [1, 7, 31, 32, 33, 64, 70])
def test_all_components_have_a_bit_and_nothing_else_has(n):
    words = all_components(n)
    assert len(words) == -(-n // 32)
    for trial in words.T.tolist():
        assert sum(word << 32 * place for place, word in enumerate(trial)) == 2**n - 1
