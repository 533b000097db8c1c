"""What each adaptation draws and learns, in numbers computed by hand from the definitions in docs/operators.md."""

from math import inf

import numpy as np
import pytest

from debox.de.adaptations import (
    TERMINAL,
    draw_Cr,
    draw_F,
    learn_jade,
    learn_jde,
    learn_lshade,
    learn_nothing,
    learn_shade,
    sample_fixed,
    sample_jade,
    sample_jde,
    sample_lshade,
    sample_shade,
)

# tan(π(U − ½)) is 0 for U = ½, 1 for U = ¾, −1 for U = ¼.
ZERO, PLUS, MINUS = 0.5, 0.75, 0.25


def drawn(sample, pairs, rng, i=0):
    """F and Cr of trial i, from these pairs in memory; all numbers of rng must be used."""
    F_Cr = np.full((2, 3), np.nan)
    sample(i, np.array(pairs, float).T, rng, F_Cr)
    assert rng.left == {"random": [], "normal": []}
    assert np.isnan(np.delete(F_Cr, i, axis=1)).all()
    return F_Cr[:, i].tolist()


def learned(learn, pairs, F, Cr, gain, cell=0):
    """The pairs in memory after trials with these F, Cr and gains, and the next cell."""
    memory = np.array(pairs, float).T.copy()
    cell = learn(np.array([F, Cr], float), np.array(gain, float), memory, cell)
    return memory.T.tolist(), cell


def near(pairs):
    return [pytest.approx(pair, rel=1e-14) for pair in pairs]


# Drawing.


@pytest.mark.parametrize(
    ("mean", "numbers", "F"),
    [
        (0.5, [ZERO], 0.5),
        (0.5, [PLUS], 0.6),
        (0.5, [MINUS], 0.4),
        (0.05, [MINUS, MINUS, PLUS], 0.15),  # −0.05, −0.05, 0.15
        (0.0, [ZERO, PLUS], 0.1),  # 0 is drawn again, too
        (0.95, [PLUS], 1.0),  # 1.05 is cut, not drawn again
    ],
)
def test_F_is_a_cauchy_number_drawn_again_up_to_0_and_cut_at_1(scripted, mean, numbers, F):
    rng = scripted(numbers)
    assert draw_F(mean, rng) == pytest.approx(F, rel=1e-14)
    assert rng.left["random"] == []


@pytest.mark.parametrize(("mean", "normal", "Cr"), [(0.5, -2.0, 0.3), (0.9, 1.5, 1.0), (0.1, -1.5, 0.0)])
def test_Cr_is_a_normal_number_cut_to_0_and_1(scripted, mean, normal, Cr):
    assert draw_Cr(mean, scripted(normal=[normal])) == pytest.approx(Cr, rel=1e-14)


def test_fixed_draws_and_learns_nothing(scripted):
    assert drawn(sample_fixed, [(0.6, 0.7)], scripted(), i=2) == [0.6, 0.7]
    assert learned(learn_nothing, [(0.6, 0.7)], [0.1, 0.2], [0.3, 0.4], [1, inf]) == ([[0.6, 0.7]], 0)


@pytest.mark.parametrize(
    ("numbers", "pair"),
    [
        ([0.5, 0.5], [0.3, 0.8]),  # both coins say: stay
        ([0.05, 0.5, 0.5], [0.55, 0.8]),  # 0.1 + 0.9 · 0.5
        ([0.5, 0.05, 0.25], [0.3, 0.25]),
        ([0.05, 0.0, 0.05, 0.0], [0.1, 0.0]),
        ([0.1, 0.1], [0.3, 0.8]),  # the chance is 0.1: U < 0.1
    ],
)
def test_jde_has_a_coin_for_F_and_a_coin_for_Cr(scripted, numbers, pair):
    assert drawn(sample_jde, [(0.9, 0.1), (0.3, 0.8)], scripted(numbers), i=1) == pytest.approx(pair, rel=1e-14)


def test_jade_draws_around_its_only_pair(scripted):
    assert drawn(sample_jade, [(0.5, 0.3)], scripted([PLUS], [1.0])) == pytest.approx([0.6, 0.4], rel=1e-14)


@pytest.mark.parametrize("sample", [sample_shade, sample_lshade])
@pytest.mark.parametrize(
    ("number", "pair"), [(0.0, [0.2, 0.1]), (0.3, [0.2, 0.1]), (0.4, [0.5, 0.6]), (0.999, [0.8, 0.9])]
)
def test_shade_draws_around_a_cell_at_random(scripted, sample, number, pair):
    memory = [(0.2, 0.1), (0.5, 0.6), (0.8, 0.9)]
    assert drawn(sample, memory, scripted([number, ZERO], [0.0])) == pytest.approx(pair, rel=1e-14)


def test_from_a_terminal_cell_Cr_is_0_without_a_draw(scripted):
    assert drawn(sample_lshade, [(0.2, TERMINAL)], scripted([0.5, PLUS])) == pytest.approx([0.3, 0.0], rel=1e-14)


# Learning: gains are positive for a success, 0 for a tie that replaces its target, negative for the rest.


def test_in_jde_an_individual_takes_the_pair_of_the_trial_that_replaces_it():
    memory, cell = learned(learn_jde, [(0.5, 0.9)] * 5, [0.1, 0.2, 0.3, 0.4], [0.6, 0.7, 0.8, 1.0], [3, 0, -1, inf])
    assert (memory, cell) == ([[0.1, 0.6], [0.2, 0.7], [0.5, 0.9], [0.4, 1.0], [0.5, 0.9]], 0)


def test_jade_moves_its_means_by_a_tenth_and_weighs_all_successes_alike():
    # Lehmer (0.04 + 0.36)/0.8 = 0.5; arithmetic (0.1 + 0.5)/2 = 0.3; 0.9 · 0.9 + 0.1 · 0.5, 0.9 · 0.4 + 0.1 · 0.3
    memory, cell = learned(learn_jade, [(0.9, 0.4)], [0.2, 1.0, 1.0, 0.6], [0.1, 1.0, 1.0, 0.5], [5, 0, -1, inf])
    assert (memory, cell) == (near([(0.86, 0.39)]), 0)


def test_in_jade_a_generation_whose_Cr_are_all_0_moves_Cr_towards_0():
    assert learned(learn_jade, [(0.5, 0.5)], [0.5], [0.0], [1])[0] == near([(0.5, 0.45)])


def test_shade_writes_means_weighted_by_gains_into_one_cell():
    # w = 1/4, 3/4: F (0.25 · 0.04 + 0.75 · 0.36)/(0.05 + 0.45) = 0.56; Cr 0.1 + 0.6
    F, Cr, gain = [0.2, 1.0, 0.6], [0.4, 1.0, 0.8], [1, 0, 3]
    before = [(0.5, 0.5)] * 3
    assert learned(learn_shade, before, F, Cr, gain, 1) == (near([(0.5, 0.5), (0.56, 0.7), (0.5, 0.5)]), 2)
    assert learned(learn_shade, before, F, Cr, gain, 2) == (near([(0.5, 0.5), (0.5, 0.5), (0.56, 0.7)]), 0)


def test_lshade_takes_the_lehmer_mean_of_Cr_too():
    # Cr (0.25 · 0.16 + 0.75 · 0.64)/0.7 = 0.52/0.7
    assert learned(learn_lshade, [(0.5, 0.5)], [0.2, 0.6], [0.4, 0.8], [1, 3])[0] == near([(0.56, 0.52 / 0.7)])


@pytest.mark.parametrize("learn", [learn_shade, learn_lshade])
@pytest.mark.parametrize(
    ("gain", "F"),
    [
        ([inf, 5, inf], 0.5),  # 0.2 and 0.6 share the weight: (0.04 + 0.36)/0.8
        ([1e308, 0, 1e308], 0.5),  # the sum of the gains overflows
        ([1.7e308, -1, 1e-308], 0.2),
        ([5e-324, 0, 5e-324], 0.5),  # the smallest number there is
        ([0, 0, 1e-9], 0.6),  # one success
    ],
)
def test_extreme_gains_are_weights_like_any_other(learn, gain, F):
    memory, cell = learned(learn, [(0.7, 0.7)] * 2, [0.2, 1.0, 0.6], [0.2, 1.0, 0.6], gain)
    assert (memory[0][0], cell) == (pytest.approx(F, rel=1e-14), 1)
    assert 0.2 <= memory[0][1] <= 0.6


@pytest.mark.parametrize("learn", [learn_jade, learn_shade, learn_lshade])
@pytest.mark.parametrize("gain", [[0, 0], [-1, 0], [-1, -1], []])
def test_without_success_the_memory_stays_and_its_cell_too(learn, gain):
    values = [0.3] * len(gain)
    assert learned(learn, [(0.7, 0.4)] * 3, values, values, gain, 1) == ([[0.7, 0.4]] * 3, 1)


def test_a_cell_whose_successful_Cr_are_all_0_is_terminal_for_good_and_its_F_still_adapts():
    memory, cell = learned(learn_lshade, [(0.5, 0.5)] * 2, [0.2, 0.6], [0.0, 0.9], [1, 0])  # the 0.9 is no success
    assert (memory, cell) == ([[pytest.approx(0.2), TERMINAL], [0.5, 0.5]], 1)
    memory, cell = learned(learn_lshade, memory, [0.7], [0.8], [1], 1)
    assert (memory[1], cell) == (near([(0.7, 0.8)])[0], 0)
    memory, _ = learned(learn_lshade, memory, [0.9], [0.8], [1], 0)
    assert memory == [[pytest.approx(0.9), TERMINAL], near([(0.7, 0.8)])[0]]


@pytest.mark.parametrize("gain", [[inf, 1], [1e300, 1e-300]])
def test_a_success_whose_weight_vanishes_still_keeps_its_cell_from_being_terminal(gain):
    assert learned(learn_lshade, [(0.5, 0.5)], [0.4, 0.8], [0.0, 0.8], gain)[0] == near([(0.4, 0.0)])
