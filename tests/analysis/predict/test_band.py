"""The band: its parts by hand; how often it holds fresh runs on surfaces that are known."""

from dataclasses import replace

import numpy as np
import pytest

from debox.analysis.predict.band import (
    LEAST,
    Calibration,
    Guess,
    at_places,
    from_angle,
    left_out,
    noise,
    roughness,
    to_angle,
)
from debox.analysis.predict.methods import stretch_Cr, stretch_F

MIDDLE = np.array([np.sqrt(0.7 * 1.7) - 0.2])  # of F = 0.5 and 1.5, stretched


def two_steps(grid_of):
    """All runs at 20 % where F = 0.5 and at 80 % where F = 1.5."""
    return grid_of(lambda F, Cr: np.full(3, 20_000 if F < 1 else 80_000), F=[0.5, 1.5], Cr=[0.2, 0.6])


def test_the_reach_of_the_median_run_by_hand():
    """Of 25 runs 0, 1, 2, … on a cell, q = ½: 1.645 · √(2 · 25/4) = 5.8 places to both sides."""
    guess = Guess(np.arange(25.0)[None, None], np.full((1, 1, 1), LEAST), np.ones((1, 1, 1)), 100)
    low, high = (from_angle(side, 100)[0, 0, 12] for side in guess.reach(0.9))
    assert (low, high) == pytest.approx((12 - 5.816, 12 + 5.816), abs=1e-3)


def test_places_between_runs_lie_on_lines_and_beyond_them_on_the_outer_three_steps():
    runs = np.array([0.0, 1.0, 3.0, 6.0, 6.0])
    places = np.array([-1.5, 0, 0.5, 3.5, 4, 5])
    expected = [-1.5 * 6 / 3, 0, 0.5, 6, 6, 6 + 5 / 3]
    assert at_places(runs, places).tolist() == pytest.approx(expected)
    assert at_places(np.array([4.0]), np.array([-1.0, 0, 1])).tolist() == [4, 4, 4]
    assert at_places(np.array([1.0, 2.0]), np.array([-1.0, 2.0])).tolist() == [0, 3]


def test_angles_turn_back_into_counts():
    assert to_angle(np.array([0, 50, 100]), 100) == pytest.approx([0, np.pi / 4, np.pi / 2])
    assert from_angle(np.array([-0.1, np.pi / 4, 2]), 100) == pytest.approx([0, 50, 100])


def test_roughness_is_what_both_neighbours_differ_by(grid_of):
    grid = two_steps(grid_of)
    differ = np.arcsin(np.sqrt(0.8)) - np.arcsin(np.sqrt(0.2))
    step = np.log(1.7 / 0.7)
    assert roughness(grid, MIDDLE, grid.Cr) == pytest.approx(
        np.full((1, 2, 1), differ * np.sqrt(step) + LEAST), rel=1e-4
    )
    assert roughness(grid, grid.F, grid.Cr) == pytest.approx(np.full((2, 2, 1), LEAST))


def test_a_mixture_of_cells_has_less_noise_than_one(grid_of):
    grid = two_steps(grid_of)
    middle = np.array([1.1 - np.exp(-stretch_Cr(grid.Cr, 10).mean())])
    assert noise(grid, grid.F, grid.Cr).ravel().tolist() == [1, 1, 1, 1]
    assert noise(grid, MIDDLE, middle).item() == pytest.approx(1 / 4)
    assert stretch_F(MIDDLE).item() == pytest.approx(stretch_F(grid.F).mean())


def held(counts, pairs_of_sides):
    low, high = pairs_of_sides
    return ((low <= counts + 1e-9) & (counts <= high + 1e-9)).mean()


def share_held(calibration, level, widening):
    """Of all runs that are left out."""
    every = [(there.size, held(there, guess.band(level, widening))) for guess, there in calibration.pairs]
    sizes, shares = zip(*every, strict=True)
    return np.average(shares, weights=sizes)


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_the_calibrated_band_holds_its_level_of_what_is_left_out_and_a_narrower_one_less(level, grid_of, noisy):
    calibration = Calibration(grid_of(noisy(3, spread=0.02)))
    assert calibration.cells == 4 * 4 + 6 * 2
    rank = np.ceil(level * 29) / 28
    widening = calibration.widening(level)
    assert share_held(calibration, level, widening) == pytest.approx(rank, abs=0.005)
    assert share_held(calibration, level, 0.0) < level - 0.05


def test_only_rows_and_columns_inside_are_left_out(grid_of, noisy):
    grid = grid_of(noisy(4))
    there = [there for _, there in left_out(grid)]
    assert [one.shape[:2] for one in there] == [(1, 4)] * 4 + [(6, 1)] * 2
    assert (there[0] == grid.counts[1:2]).all()
    assert (there[-1] == grid.counts[:, 2:3]).all()


def test_too_few_cells_are_refused_with_what_is_possible(grid_of, noisy):
    few = Calibration(grid_of(noisy(5), F=[0.1, 0.5, 1.0], Cr=[0.2, 0.6]))
    with pytest.raises(ValueError, match=r"2 cells .* too few for a band of level 0.9; ask for at most 0.667"):
        few.widening(0.9)
    assert few.widening(0.6) is not None
    with pytest.raises(ValueError, match="no level of F or Cr between two others"):
        Calibration(grid_of(noisy(5), F=[0.1, 0.5], Cr=[0.2, 0.6])).widening(0.5)
    with pytest.raises(ValueError, match="level must be a number with 0 < level < 1, got 90"):
        few.widening(90)


def test_the_reach_of_a_stored_cell_holds_fresh_runs_as_often_as_it_says():
    """2000 pairs of samples of 50 runs. Runs of a sample hang together, so that the share held varies by at most 0.3
    from pair to pair, 0.007 for their mean: 0.03 is a false alarm in 10⁻⁴ of seeds. The control takes the stored sample
    for the law itself.
    """
    rng, shares = np.random.default_rng(7), {}
    stored, fresh = np.sort(rng.uniform(0.2, 0.8, (2, 2000, 1, 50)) * 1e6, axis=-1)
    for of_cell in (1.0, 0.0):
        guess = Guess(stored, np.full((2000, 1, 1), LEAST), np.full((2000, 1, 1), of_cell), 10**6)
        shares[of_cell] = held(fresh, [from_angle(side, 10**6) for side in guess.reach(0.9)])
    assert shares[1.0] == pytest.approx(0.9, abs=0.03)
    assert shares[0.0] < 0.85


@pytest.mark.slow
def test_bands_hold_fresh_runs_between_the_levels_of_smooth_surfaces(grid_of, noisy):
    """20 surfaces, 4 places each. Coverage varies by about 0.2 from surface to surface, 0.045 for their mean: less than
    0.76 is a false alarm in about 10⁻³ of seeds. The control has no widening, and surfaces that bend.
    """
    places = np.array([0.2, 0.45, 0.8, 1.25]), np.array([0.2])
    found = {0: [], 1: []}
    for seed in range(20):
        law = noisy(seed, spread=0.02)
        grid = grid_of(law)
        guess, widening = Guess.of(grid, *places), Calibration(grid).widening(0.9)
        fresh = np.array([[np.sort(law(F, places[1][0]))] for F in places[0]])
        for factor, shares in found.items():
            shares.append(held(fresh, guess.band(0.9, factor * widening)))
    assert np.mean(found[1]) > 0.76
    assert np.mean(found[0]) < 0.6


def test_a_band_of_equal_runs_has_no_width_but_that_of_roughness(grid_of):
    grid = two_steps(grid_of)
    guess = replace(Guess.of(grid, MIDDLE, grid.Cr[:1]), roughness=np.full((1, 1, 1), 0.1))
    low, high = guess.band(0.9, 2.0)
    assert to_angle(high, grid.trials) - to_angle(low, grid.trials) == pytest.approx(0.4)
    assert guess.band(0.9, -1.0)[0] == pytest.approx(guess.counts)
