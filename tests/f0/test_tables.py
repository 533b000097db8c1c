"""The tables of the fast engine, by hand and by counting."""

from fractions import Fraction
from math import perm

import numpy as np
import pytest

from debox import Config
from debox.f0 import tables
from debox.f0.tables import MARGIN, MODULUS, Tables, terms_of

RAND_1 = "DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9"


def test_every_table_is_a_field_of_the_core():
    found = Tables(Config("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.3"), 3)
    fields = {name for name, _ in found.fast._fields_}
    state = {"exactly", "last_best", "missed_savings", "generation", "begin", "end", "enumerated"}  # of a run
    assert fields - found.values.keys() == state
    assert found.values.keys() <= fields
    assert found.fast.n_tuples == 60
    assert found.fast.q == found.values["q"].ctypes.data


@pytest.mark.parametrize("Cr", [0.0, 0.3, 0.99, 1.0])
@pytest.mark.parametrize("n", [1, 2, 7, 64])
def test_lengths_of_exp_have_their_chances(n, Cr):
    expected = [Cr**k * (1 - Cr) for k in range(n - 1)] + [Cr ** (n - 1)]
    np.testing.assert_allclose(tables.lengths(n, Cr), expected, rtol=1e-15)
    chance, alias = tables.alias_table(tables.lengths(n, Cr))
    drawn = chance / n
    np.add.at(drawn, alias, (1.0 - chance) / n)
    np.testing.assert_allclose(drawn, expected, rtol=0, atol=1e-15)


def test_lengths_are_in_the_table_as_alias_and_own():
    arrays = Tables(Config("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.3"), 3).values
    chance, alias = tables.alias_table(tables.lengths(3, 0.3))
    assert arrays["length_choices"].tolist() == [alias[0] + 1, 1, alias[1] + 1, 2, alias[2] + 1, 3]
    assert arrays["accept_chance"].tolist() == chance.tolist()


def test_bin_leaves_out_k_infeasible_components_with_their_chance():
    Cr, n = Fraction(1, 4), 3
    by_hand = [1, Fraction(2, 3) * (1 - Cr), Fraction(1, 3) * (1 - Cr) ** 2, 0]
    p_feasible = Tables(Config(f"DE/rand/1/bin sat, N=5, F=0.7, Cr={float(Cr)}"), n).values["p_feasible"]
    assert p_feasible.tolist() == pytest.approx([float(p) for p in by_hand], rel=1e-15)


@pytest.mark.parametrize("F", [1e-3, 0.3, 0.7, 1.0, 2.0])
@pytest.mark.parametrize("mutation", ["rand/1", "rand/2", "best/1", "best/2", "curr-to-best/1"])
def test_no_sum_of_codes_wraps_around_into_the_box(mutation, F):
    weights = Config(f"DE/{mutation}/bin sat, N=9, F={F}, Cr=0.5").operators.mutation.weights(F)
    terms = terms_of(weights)
    S = int((MODULUS - 4 * MARGIN) / tables.reach(terms))
    lowest, highest = sum(min(w, 0) for _, w in terms) * S, sum(max(w, 0) for _, w in terms) * S
    assert lowest + MODULUS > S + 2 * MARGIN  # seen from below
    assert highest - MODULUS < -2 * MARGIN  # and from above
    assert sum(w for _, w in terms) == pytest.approx(1.0)


@pytest.mark.parametrize("weights", [(), (0.0, 0.0, 1.0, 100.0, -100.0), (0.5, 0.1, 0.1, 0.1, 0.1, 0.1)])
def test_without_weights_or_with_too_many_or_too_large_ones_codes_are_no_help(weights):
    assert terms_of(weights) == [(0, 0.0)] * 3


def test_a_population_too_large_for_32_bits_has_no_codes():
    found = tables.points(Config(f"DE/rand/1/bin sat, N={2**32 // 320 + 1}, F=0.7, Cr=0.9"), 33)
    assert (found["stride"], found["codes"].size) == (0, 64)


def test_vectors_begin_with_a_line_of_the_cache():
    arrays = Tables(Config(RAND_1), 33).values
    for name in ("codes", "lanes", "u", "parents", "places"):
        assert arrays[name].ctypes.data % 64 == 0


@pytest.mark.parametrize(("N", "k"), [(5, 3), (2, 2), (6, 5), (9, 1)])
def test_donor_tuples_are_all_and_those_with_an_individual_are_found(N, k):
    tuples, with_each = tables.donor_tuples(N, k)
    assert len({tuple(row) for row in tuples[:, :k].tolist()}) == perm(N, k) == len(tuples)
    assert all(len(set(row)) == k for row in tuples[:, :k].tolist())
    assert not tuples[:, k:].any()
    for i, numbers in enumerate(with_each):
        assert set(numbers.tolist()) == {t for t, row in enumerate(tuples[:, :k].tolist()) if i in row}


@pytest.mark.parametrize(
    ("text", "targets", "tuples", "with_one"),
    [
        ("DE/rand/1/bin sat, N=5", 1, 60, 36),
        ("DE/curr-to-best/1/bin sat, N=5", 5, 20, 8),
        ("DE/rand/1/bin sat, N=5, donors=not-target", 5, 60, 36),
        ("DE/rand/1/bin sat, N=28", 1, 19656, 2106),
        ("DE/rand/1/bin sat, N=29", 1, 0, 0),
    ],
)
def test_chances_are_counted(text, targets, tuples, with_one):
    found = Tables(Config(f"{text}, F=0.5, Cr=0.5"), 3).values
    assert found["chance"].shape == (targets, tuples)
    assert (len(found["q"]), found["n_tuples"], found["n_with"]) == (targets, tuples, with_one)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("L-SHADE, N=20", "adaptation 'L-SHADE'"),
        ("DE/curr-to-rand/1/bin sat, N=9, F=0.5, Cr=0.5", "mutation 'current-to-rand/1', which draws K"),
        ("DE/curr-to-pbest/1/bin sat, N=9, F=0.5, Cr=0.5", "one of the p-best"),
        ("DE/rand/1/bin none, N=9, F=0.5, Cr=0.5", "strategy 'none', which leaves points outside"),
    ],
)
def test_what_has_no_law_is_refused_by_name(text, reason):
    with pytest.raises(ValueError, match=f"the fast engine knows no law of .*{reason}.*; use engine='plain'"):
        Tables(Config(text), 3)
