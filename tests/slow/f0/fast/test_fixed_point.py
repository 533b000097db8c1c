"""Codes are as near to what they stand for as they say, and their sums never get back to the box the wrong way.

Words of outcomes: what they say is so, and of what they leave open nothing is lost.
"""

from functools import cache
from itertools import product

import numpy as np
import pytest
from kernel_pairs import compiled_and_interpreted
from operator_lists import CODED_MUTATIONS

from debox import jit, registry
from debox.de.variation import mutate
from debox.f0.fast import fixed_point
from debox.f0.fast.fixed_point import BEST, MARGIN, MODULUS, R1, R2, R3, R4, R5, TARGET, popcount
from debox.jit import kernel

MUTATIONS = CODED_MUTATIONS
FACTORS = [1e-3, 0.05, 0.483, 0.7, 1.0, 1.133, 1.9999, 2.0]
every_mutation = pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
every_factor = pytest.mark.parametrize("F", FACTORS)


def filled(P, weights):
    points = fixed_point.empty_points(*P.shape, weights)
    encode = jit.bind(fixed_point.encode, points, P, 0)
    for i in range(len(P)):
        encode(points, P, i)
    return points


def tables_of(points, N):
    """The codes by weight, individual and component"""
    return points.codes.reshape(-1, N, int(points.width))


def rounded(weight, x, S):
    """w·x in whole units of 1/S, halves upwards"""
    return int(np.floor(weight * S * x + 0.5))


# Where things are.


@pytest.mark.parametrize(("n", "width"), [(1, 32), (31, 32), (32, 32), (33, 64), (64, 64), (65, 96)])
def test_rows_are_filled_up_with_zeros_to_a_multiple_of_32(n, width):
    P = 1 - 0.9 * np.random.default_rng(n).random((3, n))  # nowhere 0
    points = filled(P, (0, 0, 1, 0.5, -0.5))
    assert points.width == width
    rows = points.rows.reshape(3, width)
    assert rows[:, :n].tolist() == P.tolist()
    assert not rows[:, n:].any()
    tables = tables_of(points, 3)
    assert tables[:, :, :n].all()
    assert not tables[:, :, n:].any()


def test_each_term_starts_at_the_codes_for_its_weight():
    points = fixed_point.empty_points(4, 40, (0, 0, 1, 0.5, -0.5, 0.5, -0.5))
    assert points.weights.tolist() == [-0.5 * points.S, 0.5 * points.S, 1.0 * points.S]
    assert points.codes.size == 3 * 4 * 64
    assert points.roles.tolist() == [R1, R2, R3, R4, R5]
    assert points.starts.tolist() == [512, 256, 0, 256, 0]  # 4 rows of 64 for each weight


@pytest.mark.parametrize("size", [1, 32, 96, 1000, 4096])
def test_aligned_codes_begin_at_a_multiple_of_64_bytes(size):
    for _ in range(20):
        room = fixed_point.aligned_codes(size)
        assert room.ctypes.data % 64 == 0
        assert (room.dtype, room.shape) == (np.uint16, (size,))
        assert room.flags.c_contiguous
        assert not room.any()
        room[:] = 1  # all of it can be written


# Terms.


def test_codes_have_places_beyond_16_bits():
    rng, N, n = np.random.default_rng(0), 3000, 33
    P, weights = rng.random((N, n)), (0, 0, 1, 0.5, -0.5)
    points, places = fixed_point.empty_points(N, n, weights), np.zeros((5, 1), np.uint32)
    fixed_point.encode(points, P, N - 1)
    parents = np.full((7, 1), N - 1, np.int32)
    for locate in compiled_and_interpreted(fixed_point.locate, points, 1, parents, places):
        places[:] = 0
        locate(points, 1, parents, places)
        for (_, weight), place in zip(fixed_point.terms_of(weights), places[:, 0].tolist(), strict=False):
            expected = [rounded(weight, x, int(points.S)) % MODULUS for x in P[-1]]
            assert points.codes[place : place + n].tolist() == expected


def test_codes_can_be_placed_where_32_bits_number_five_rows_for_each_individual():
    assert fixed_point.fits_32_bits(2**32 // (5 * 32), 32)
    assert not fixed_point.fits_32_bits(2**32 // (5 * 32) + 1, 32)
    assert not fixed_point.fits_32_bits(2**32 // (5 * 32), 33)


@pytest.mark.parametrize(
    ("weights", "terms"),
    [
        ((), [(TARGET, 0), (TARGET, 0), (TARGET, 0)]),
        ((0, 1), [(BEST, 1), (TARGET, 0), (TARGET, 0)]),
        ((0, 0, 1.5, -0.5), [(R1, 1.5), (R2, -0.5), (TARGET, 0)]),
        ((0, 0, 1, 0.5, -0.5), [(R1, 1), (R2, 0.5), (R3, -0.5)]),
        ((0.5, 0.5, 0.5, -0.5), [(TARGET, 0.5), (BEST, 0.5), (R1, 0.5), (R2, -0.5)]),
        ((0, 0, 1, 2, -2, 2, -2), [(R1, 1), (R2, 2), (R3, -2), (R4, 2), (R5, -2)]),
        ((0.5, 0, 0.5, 2, -2, 2, -2), [(TARGET, 0), (TARGET, 0), (TARGET, 0)]),
        ((0, 0, 1, 99, -99), [(R1, 1), (R2, 99), (R3, -99)]),  # components from −99 to 100: 655 units a width
        ((0, 0, 1, 5000, -5000), [(TARGET, 0), (TARGET, 0), (TARGET, 0)]),
    ],
)
def test_a_sum_has_three_to_five_terms_and_none_that_counts_for_mutations_with_more_or_too_large_ones(weights, terms):
    assert fixed_point.terms_of(weights) == terms


@every_mutation
@every_factor
def test_the_terms_of_a_mutation_are_its_weights_that_are_not_zero(mutation, F):
    weights = mutation.weights(F)
    terms = dict(fixed_point.terms_of(weights))
    assert sum(terms.values()) == pytest.approx(1)
    assert [terms.get(role, 0.0) for role in range(len(weights))] == pytest.approx(list(weights))


# Codes.


@every_mutation
@every_factor
def test_a_code_is_within_half_a_unit_of_the_weight_times_the_component(mutation, F):
    P = np.vstack([np.random.default_rng(1).random((4, 33)), np.zeros(33), np.ones(33)])
    points = fixed_point.empty_points(*P.shape, mutation.weights(F))
    for encode in compiled_and_interpreted(fixed_point.encode, points, P, 0):
        points.codes[:] = 7
        for i in range(len(P)):
            encode(points, P, i)
        for weight, table in zip(points.weights, tables_of(points, len(P)), strict=True):
            off = (table[:, :33] - weight * P + MODULUS / 2) % MODULUS - MODULUS / 2  # a code is one modulo 2^16
            assert np.abs(off).max() <= 0.5 + 1e-9
            assert np.abs(off).max() > 0.4 or F < 0.01  # and not nearer by chance


def test_encode_tells_whether_the_individual_changed_and_writes_no_other():
    P = np.random.default_rng(1).random((3, 40))
    points = fixed_point.empty_points(3, 40, (0, 0, 1, 0.5, -0.5))
    for encode in compiled_and_interpreted(fixed_point.encode, points, P, 0):
        points.rows[:], points.codes[:] = 0, 0
        assert encode(points, P, 1)
        assert not encode(points, P, 1)
        P[1, 39] = np.nextafter(P[1, 39], 2)  # a change no code shows
        assert encode(points, P, 1)
        assert points.rows[64 + 39] == P[1, 39]
        P[1, 0] = 1 - P[1, 0]
        assert encode(points, P, 1)
        assert not encode(points, P, 1)
        assert points.rows.reshape(3, 64)[1, :40].tolist() == P[1].tolist()
        for written in (points.rows.reshape(1, 3, 64), tables_of(points, 3)):
            assert not written[:, [0, 2]].any()
            assert written[:, 1, :40].all()


def test_locate_finds_the_codes_of_every_term():
    rng, N, n, trials = np.random.default_rng(1), 5, 33, 20
    for weights in [m.weights(0.7) for m in MUTATIONS] + [(), (0, 0, 1.5, -0.5)]:
        points = filled(rng.random((N, n)), weights)
        parents, terms = rng.integers(0, N, (7, trials)).astype(np.int32), fixed_point.terms_of(weights)
        places = np.zeros((5, trials), np.uint32)
        for locate in compiled_and_interpreted(fixed_point.locate, points, trials, parents, places):
            places[:] = 12345
            locate(points, trials - 1, parents, places)
            for (term, (role, weight)), t in product(enumerate(terms), range(trials - 1)):
                x, place = points.rows.reshape(N, 64)[parents[role, t]], int(places[term, t])
                expected = [rounded(weight, x[j], int(points.S)) % MODULUS for j in range(64)]
                assert points.codes[place : place + 64].tolist() == expected
            assert (places[:, trials - 1] == 12345).all()  # no trial of the batch
            assert (places[len(terms) :] == 12345).all()


# Sums.


def comes_around(terms, S, codes_of):
    """Does the sum of some corner, modulo 2¹⁶, lie on the other side of a bound than the sum itself?"""
    wrong = False
    for corner in product((0, 1), repeat=len(terms)):
        v = sum(rounded(weight, x, S) for (_, weight), x in zip(terms, corner, strict=True))
        modulo = sum(int(codes_of(weight, x)) for (_, weight), x in zip(terms, corner, strict=True)) % MODULUS
        wrong |= ((modulo + MARGIN) % MODULUS <= S + 2 * MARGIN) != (-MARGIN <= v <= S + MARGIN)
        wrong |= ((modulo - MARGIN) % MODULUS <= S - 2 * MARGIN) != (MARGIN <= v <= S - MARGIN)
    return wrong


@every_mutation
def test_no_sum_gets_back_to_the_box_by_coming_around(mutation):
    """A sum is linear in each component, so it is farthest from the box in a corner, x in {0, 1}."""
    seen = []
    for F in [*np.geomspace(1e-3, 2, 60), *FACTORS]:
        points, terms = filled(np.array([[0.0], [1.0]]), mutation.weights(F)), fixed_point.terms_of(mutation.weights(F))
        by_weight = dict(zip(sorted({weight for _, weight in terms}), tables_of(points, 2)[:, :, 0], strict=True))
        S = int(points.S)
        assert not comes_around(terms, S, lambda weight, x, table=by_weight: table[weight][x])
        seen.append(comes_around(terms, 2 * S, lambda weight, x, S=S: rounded(weight, x, 2 * S) % MODULUS))
    assert all(seen)  # with units half as large some do: such a case is seen here


@every_mutation
@every_factor
def test_units_are_no_larger_than_it_takes_to_hold_every_mutant_component(mutation, F):
    weights = mutation.weights(F)
    corners = [np.dot(weights, corner) for corner in product((0, 1), repeat=len(weights))]
    S = int(fixed_point.empty_points(5, 1, weights).S)
    assert S * max(max(corners), 1 - min(corners)) > 0.999 * MODULUS


def worst_error(mutation, F, away, rng):
    """The largest distance, in units, of a sum of codes from what it stands for, if all are rounded the same way"""
    weights, trials = mutation.weights(F), 400
    S, terms = int(fixed_point.empty_points(7, trials, weights).S), fixed_point.terms_of(weights)
    P = np.zeros((7, trials))
    for role, weight in terms:
        whole = rng.integers(0, int(abs(weight) * S), trials)
        P[role] = (whole + 0.5 + away * np.sign(weight)) / (abs(weight) * S)
    points = filled(P, weights)
    table = dict(zip(sorted({weight for _, weight in terms}), tables_of(points, 7), strict=True))
    exact = sum(weight * S * P[role] for role, weight in terms)
    total = sum(table[weight][role, :trials].astype(np.int64) for role, weight in terms)
    return np.abs((total - exact + MODULUS / 2) % MODULUS - MODULUS / 2).max()


@every_mutation
def test_the_margin_is_more_than_all_roundings_together_and_not_more_than_it_takes(mutation):
    """Sums are whole numbers: one of MARGIN and a mutant component outside must differ by more than can be."""
    errors = []
    for F, away in product((0.05, 0.7, 1.35, 2.0), (-1e-6, 1e-6)):
        error, terms = (
            worst_error(mutation, F, away, np.random.default_rng(1)),
            len(fixed_point.terms_of(mutation.weights(F))),
        )
        assert error == pytest.approx(terms / 2, abs=1e-4)
        errors.append(error)
    assert max(errors) < MARGIN
    assert mutation.name != "rand/2" or max(errors) > MARGIN - 1


# Outcomes as bits.


FEW_FACTORS = [0.25, 0.7, 1.0, 2.0]
TRIALS = 6


def word_of(flags):
    return sum(int(flag) << j for j, flag in enumerate(flags))


# One word.


OF_TERMS = {fixed_point.bits_of_three_terms: 3, fixed_point.bits_of_four_terms: 4, fixed_point.bits_of_five_terms: 5}


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
    terms = sorted(fixed_point.terms_of(weights), key=lambda term: abs(term[1]))
    for j in range(n):
        while not fill_near_a_bound(rng, P[:, j], terms, S):
            pass
    return P


def fill_near_a_bound(rng, x, terms, S):
    """Draw all parents but the last, which has the most weight, and that one as it must be; is it in the box?"""
    *others, (last, weight) = terms
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
    points = filled(P, weights)
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


@pytest.mark.parametrize(("n", "population", "mutation"), list(product([1, 32, 65], POPULATIONS, MUTATIONS))[::5])
def test_what_is_surely_outside_is_and_what_is_outside_is_perhaps(mutation, population, n):
    for F in FEW_FACTORS:
        points, places, mutants = trials_of(mutation, F, n, population)
        special = jit.specialise(
            fixed_point.surely_and_perhaps, bits_of_terms=fixed_point.bits_for(mutation.weights(F))
        )
        pair = compiled_and_interpreted(special, points.codes, points.S, places, 0, 0)
        found = [outcomes(function, points, places, n) for function in pair]
        assert found[0].tolist() == found[1].tolist()
        assert is_right(*found[0], (mutants < 0) | (mutants > 1))


@every_mutation
@every_population
def test_what_is_far_from_both_bounds_is_decided(mutation, population):
    """Farther than MARGIN units and half a unit for each term."""
    left = decided = 0
    for F in FEW_FACTORS:
        points, places, mutants = trials_of(mutation, F, 65, population)
        special = jit.specialise(
            fixed_point.surely_and_perhaps, bits_of_terms=fixed_point.bits_for(mutation.weights(F))
        )
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
    for F in FEW_FACTORS:
        points, places, mutants = trials_of(mutation, F, 65, population)
        found = outcomes_with(margin, points, places, 65, fixed_point.bits_for(mutation.weights(F)))
        always &= is_right(*found, (mutants < 0) | (mutants > 1))
    assert always == right


# Counts.


@every_mutation
@every_population
@pytest.mark.parametrize("n", [20, 65])
def test_estimate_counts_those_taken_of_a_word(mutation, population, n):
    rng, F, words = np.random.default_rng(1), 0.7, -(-n // 32)
    points, places, _ = trials_of(mutation, F, n, population)
    total = fixed_point.bits_for(mutation.weights(F))
    surely, perhaps = outcomes_with(MARGIN, points, places, n, total)
    chosen = rng.random((TRIALS, n)) < np.linspace(0, 1, TRIALS)[:, None]  # none, some, all
    taken = np.zeros((words, TRIALS), np.uint32)
    for word in range(words):
        taken[word] = [word_of(flags) for flags in chosen[:, 32 * word : 32 * word + 32]]
    call = points.codes, points.S, places, 0, taken, 0
    for function in compiled_and_interpreted(jit.specialise(fixed_point.estimate, bits_of_terms=total), *call):
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
        fixed_point.surely_and_perhaps(np.zeros(64, np.uint16), 100, places, 0, 0)
