"""Words of outcomes: what they say is so, and of what they leave open nothing is lost."""

from functools import cache

import numpy as np
import pytest
from kernel_pairs import compiled_and_interpreted
from operator_lists import CODED_MUTATIONS

from debox import jit, registry
from debox.de.mutation import mutate
from debox.f0.fast import bits, fixed_point
from debox.f0.fast.bits import popcount
from debox.f0.fast.fixed_point import MARGIN, MODULUS
from debox.jit import kernel

MUTATIONS = CODED_MUTATIONS
FACTORS = [0.25, 0.7, 1.0, 2.0]
TRIALS = 6
every_mutation = pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)


def word_of(flags):
    return sum(int(flag) << j for j, flag in enumerate(flags))


# One word.


OF_TERMS = {bits.bits_of_three_terms: 3, bits.bits_of_four_terms: 4, bits.bits_of_five_terms: 5}


@pytest.mark.parametrize("function", OF_TERMS, ids=lambda f: f.__name__)
def test_bits_are_the_comparisons_of_32_sums_that_come_around(function):
    rng, terms = np.random.default_rng(1), OF_TERMS[function]
    room = np.concatenate([rng.integers(0, MODULUS, 200), rng.choice([0, 1, MODULUS - 1], 100)]).astype(np.uint16)
    call = room, *map(np.uint64, range(5)), np.uint16(0), np.uint16(0)
    compiled, plain = compiled_and_interpreted(function, *call)
    exactly = around = 0
    for _ in range(300):
        places, shift = rng.integers(0, room.size - 31, 5), int(rng.integers(0, MODULUS))  # at any of them, even or odd
        sums = shift + sum(room[place : place + 32].astype(np.int64) for place in places[:terms])
        limit = int(rng.choice([rng.choice(sums) % MODULUS, rng.integers(0, MODULUS), 0, MODULUS - 1]))
        expected = word_of(sums % MODULUS > limit)
        call = room, *map(np.uint64, places), np.uint16(shift), np.uint16(limit)
        assert compiled(*call) == expected
        assert plain(*call) == expected
        exactly += np.any(sums % MODULUS == limit)
        around += np.any(sums >= MODULUS)
    assert exactly > 50  # not more than the limit
    assert around > 200


@kernel
def count_bits(word):
    return popcount(word)


def test_popcount_counts_the_bits():
    words = [0, 1, 2**31, 2**32 - 1, 0b1011, *(2**k - 1 for k in range(32))]
    expected = [0, 1, 1, 32, 3, *range(32)]
    for function in compiled_and_interpreted(count_bits, np.uint32(0)):
        assert [function(np.uint32(word)) for word in words] == expected


# Mutants: of each of some trials the seven parents, in the order of the roles.


def anywhere(rng, n, weights):
    return rng.random((7, n))


def on_a_grid(rng, n, weights):
    """Coarse: with a coarse F many mutant components lie exactly on a bound, where they are feasible"""
    return rng.integers(0, 5, (7, n)) / 4


def near_a_bound(rng, n, weights):
    """Mutant components some units from a bound, all of whose codes are rounded in the same direction, by almost ½"""
    P, S = np.zeros((7, n)), int(fixed_point.empty_points(7, n, weights).S)
    for j in range(n):
        while not fill_near_a_bound(rng, P[:, j], weights, S):
            pass
    return P


def fill_near_a_bound(rng, x, weights, S):
    """Draw all parents but the one with the most weight, and that one as it must be; is it in the box?"""
    *others, (last, weight) = sorted(fixed_point.terms_of(weights), key=lambda term: abs(term[1]))
    half = 0.5 + rng.choice([-1, 1]) * 1e-6
    v = rng.choice([0, S]) + rng.integers(-2 * MARGIN, 2 * MARGIN)
    for role, w in others:
        units = np.floor(w * S * rng.random()) + half
        x[role] = units / (w * S)
        v -= units
    x[last] = (np.floor(v) + half) / (weight * S)
    return x.min() >= 0 and x.max() <= 1


POPULATIONS = [anywhere, on_a_grid, near_a_bound]
every_population = pytest.mark.parametrize("population", POPULATIONS, ids=lambda p: p.__name__)


@cache
def trials_of(mutation, F, n, population):
    """Codes and places of some trials, and their mutants"""
    rng, weights = np.random.default_rng(n), mutation.weights(F)
    P = np.vstack([population(rng, n, weights) for _ in range(TRIALS)])
    points = fixed_point.empty_points(*P.shape, weights)
    for i in range(len(P)):
        fixed_point.encode(points, P, i)
    parents = np.arange(7 * TRIALS, dtype=np.int32).reshape(TRIALS, 7).T
    places, mutants = np.zeros((5, TRIALS), np.uint32), np.empty((TRIALS, n))
    fixed_point.locate(points, TRIALS, parents, places)
    for target, best, *r, v in zip(*parents.tolist(), mutants, strict=True):
        jit.specialise(mutate, formula=mutation.function)(P, target, best, r, F, 0.0, v)
    return points, places, mutants


def flags_of(words, n):
    """The first n bits"""
    return np.array([int(words[j // 32]) >> (j % 32) & 1 for j in range(n)], bool)


def outcomes(function, points, places, n):
    """`surely` and `perhaps` of every component of every trial"""
    found = np.empty((2, TRIALS, n), bool)
    for t in range(TRIALS):
        words = [function(points.codes, points.S, places, t, word) for word in range(-(-n // 32))]
        found[:, t] = [flags_of(some, n) for some in zip(*words, strict=True)]
    return found


def outcomes_with(margin, points, places, n, total):
    """The same by the definition, with any margin"""

    def words(codes, S, places, t, word):
        starts, S = [*(places[:, t] + np.uint64(32 * word))], int(S)
        surely = total(codes, *starts, margin, S + 2 * margin)
        return surely, total(codes, *starts, (MODULUS - margin) % MODULUS, S - 2 * margin)

    return outcomes(words, points, places, n)


def is_right(surely, perhaps, truth):
    return not np.any(surely & ~truth) and not np.any(truth & ~perhaps)


@pytest.mark.slow
@every_mutation
@every_population
@pytest.mark.parametrize("n", [1, 32, 65])
def test_what_is_surely_outside_is_and_what_is_outside_is_perhaps(mutation, population, n):
    for F in FACTORS:
        points, places, mutants = trials_of(mutation, F, n, population)
        special = jit.specialise(bits.surely_and_perhaps, bits_of_terms=bits.bits_for(mutation.weights(F)))
        pair = compiled_and_interpreted(special, points.codes, points.S, places, 0, 0)
        found = [outcomes(function, points, places, n) for function in pair]
        assert found[0].tolist() == found[1].tolist()
        assert is_right(*found[0], (mutants < 0) | (mutants > 1))


@every_mutation
@every_population
def test_what_is_far_from_both_bounds_is_decided(mutation, population):
    """Farther than MARGIN units and half a unit for each term."""
    left = decided = 0
    for F in FACTORS:
        points, places, mutants = trials_of(mutation, F, 65, population)
        special = jit.specialise(bits.surely_and_perhaps, bits_of_terms=bits.bits_for(mutation.weights(F)))
        surely, perhaps = outcomes(jit.bind(special, points.codes, points.S, places, 0, 0), points, places, 65)
        units = np.minimum(np.abs(mutants), np.abs(1 - mutants)) * points.S
        far = units > MARGIN + len(fixed_point.terms_of(mutation.weights(F))) / 2 + 1e-6
        assert (surely == perhaps)[far].all()
        left, decided = left + np.sum(surely != perhaps), decided + np.sum(far)
    assert left > 0 or population is anywhere
    assert decided > 0


@pytest.mark.parametrize(
    ("name", "population", "margin", "right"),
    [
        ("rand/2", near_a_bound, MARGIN, True),
        ("rand/2", near_a_bound, MARGIN - 1, False),
        ("rand/1", near_a_bound, 2, True),  # three terms are wrong by at most 1½
        ("rand/1", near_a_bound, 1, False),
        ("rand/1", near_a_bound, 0, False),
        ("rand/1", on_a_grid, 0, False),
        ("rand/2", on_a_grid, 0, False),
    ],
)
def test_with_less_margin_than_the_codes_are_wrong_by_it_would_not_be_so(name, population, margin, right):
    mutation, always = registry.find("mutation", name), True
    for F in FACTORS:
        points, places, mutants = trials_of(mutation, F, 65, population)
        found = outcomes_with(margin, points, places, 65, bits.bits_for(mutation.weights(F)))
        always &= is_right(*found, (mutants < 0) | (mutants > 1))
    assert always == right


# Counts.


@every_mutation
@every_population
@pytest.mark.parametrize("n", [20, 65])
def test_estimate_counts_those_taken_of_a_word(mutation, population, n):
    rng, F, words = np.random.default_rng(1), 0.7, -(-n // 32)
    points, places, _ = trials_of(mutation, F, n, population)
    total = bits.bits_for(mutation.weights(F))
    surely, perhaps = outcomes_with(MARGIN, points, places, n, total)
    chosen = rng.random((TRIALS, n)) < np.linspace(0, 1, TRIALS)[:, None]  # none, some, all
    taken = np.zeros((words, TRIALS), np.uint32)
    for word in range(words):
        taken[word] = [word_of(flags) for flags in chosen[:, 32 * word : 32 * word + 32]]
    call = points.codes, points.S, places, 0, taken, 0
    for function in compiled_and_interpreted(jit.specialise(bits.estimate, bits_of_terms=total), *call):
        for word in range(words):
            part = slice(32 * word, 32 * word + 32)
            counts = [function(points.codes, points.S, places, t, taken, word) for t in range(TRIALS)]
            expected = [(flags & chosen)[:, part].sum(axis=1) for flags in (surely, perhaps)]
            assert counts == list(zip(*expected, strict=True))
    assert np.any(surely & ~chosen)
    assert np.any(surely & chosen)


def test_without_a_mutation_in_force_nothing_is_estimated():
    places = np.zeros((5, 1), np.uint64)
    with pytest.raises(RuntimeError, match="no mutation is in force"):
        bits.surely_and_perhaps(np.zeros(64, np.uint16), 100, places, 0, 0)
