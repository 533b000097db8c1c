"""The chance of exp from the gaps is the sum over all it can take."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from kernel_pairs import compiled_and_interpreted

from debox.f0.fast.gaps import Gaps, chance_exp, gap_tables


def words_of(flags):
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


@pytest.mark.slow
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
    chance = chance_of(gap_tables(len(flags), Cr), words_of(flags))
    assert chance == pytest.approx(over_all_segments(flags, Cr), abs=1e-14)


@given(st.integers(1, 70), st.data())
@settings(max_examples=150)
def test_chance_exp_with_one_infeasible_component_is_the_same_wherever_it_is(n, data):
    """(1/n) Σ Crᵈ for d = 0..n−1, a geometric series."""
    Cr, place = data.draw(st.sampled_from([0.05, 0.6, 0.99])), data.draw(st.integers(0, n - 1))
    chance = chance_of(gap_tables(n, Cr), words_of([j == place for j in range(n)]))
    assert chance == pytest.approx((1 - Cr**n) / (1 - Cr) / n, rel=1e-13)


def test_chance_exp_by_hand():
    # n = 4, Cr = 1/2, components 1 and 2 outside: I = 1, 2 at once; I = 0 one step on, I = 3 two: (1 + 1 + 1/2 + 1/4)/4
    assert chance_of(gap_tables(4, 0.5), words_of([0, 1, 1, 0])) == 2.75 / 4


def test_chance_exp_over_two_words_by_hand():
    # n = 40, Cr = 1/2, components 31 and 33 outside: I = 31, 33 at once, I = 32 one step on, and the 37 before 31,
    # from 34 on around the end, 1, 2, …, 37 steps on: 2 + 1/2 + (1 − 2⁻³⁷)
    infeasible = [j in (31, 33) for j in range(40)]
    assert chance_of(gap_tables(40, 0.5), words_of(infeasible)) == (2 + 0.5 + 1 - 2.0**-37) / 40


@pytest.mark.parametrize("n", [1, 7, 8, 9, 30, 32, 33, 64, 65])
@pytest.mark.parametrize("Cr", [0.0, 0.3, 0.99, 1.0])
def test_the_chance_is_0_if_no_component_is_infeasible_and_1_if_all_are(n, Cr):
    """Exactly."""
    assert chance_of(gap_tables(n, Cr), words_of([False] * n)) == 0
    assert chance_of(gap_tables(n, Cr), words_of([True] * n)) == 1


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
