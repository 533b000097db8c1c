"""Codes are as near to what they stand for as they say, and their sums never get back to the box the wrong way."""

from itertools import product

import numpy as np
import pytest
from kernel_pairs import compiled_and_interpreted
from operator_lists import CODED_MUTATIONS

from debox.f0.fast import fixed_point
from debox.f0.fast.fixed_point import BEST, MARGIN, MODULUS, R1, R2, R3, R4, R5, TARGET

MUTATIONS = CODED_MUTATIONS
FACTORS = [1e-3, 0.05, 0.483, 0.7, 1.0, 1.133, 1.9999, 2.0]
every_mutation = pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
every_factor = pytest.mark.parametrize("F", FACTORS)


def filled(P, weights):
    points = fixed_point.empty_points(*P.shape, weights)
    for i in range(len(P)):
        fixed_point.encode(points, P, i)
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


@pytest.mark.slow
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
