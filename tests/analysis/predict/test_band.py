"""The band: its parts by hand; how often it holds fresh runs on surfaces that are known."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import polygamma

from debox.analysis.predict.band import (
    LEAST,
    Calibration,
    Guess,
    at_log_odds,
    from_angle,
    leave_one_out,
    log_odds,
    noise,
    roughness,
    to_angle,
    trigamma,
)
from debox.analysis.predict.methods import stretch_Cr, stretch_F

MIDDLE = np.array([np.sqrt(0.7 * 1.7) - 0.2])  # of F = 0.5 and 1.5, stretched


def two_steps(grid_of):
    """All runs at 20 % where F = 0.5 and at 80 % where F = 1.5."""
    return grid_of(lambda F, Cr: np.full(3, 20_000 if F < 1 else 80_000), F=[0.5, 1.5], Cr=[0.2, 0.6])


def test_the_reach_of_the_median_run_by_hand():
    """Of 25 runs on a cell, the log-odds of the 13th vary by 2 · 2 ψ′(13) = 4 · 0.079957; ψ′(13) = π²/6 − 1.564977.

    ±1.64485 · √0.319829 = ±0.93022, so the levels are 1/(1 + exp ±0.93022): 25.5 · 0.28288 − 0.75 = 6.4634 places.
    """
    angles = np.arange(25.0)[None, None] / 100
    guess = Guess(from_angle(angles, 10**6), np.full((1, 1, 1), LEAST), np.ones((1, 1, 1)), 10**6)
    assert [100 * side[0, 0, 12] for side in guess.reach(0.9)] == pytest.approx([6.4634, 24 - 6.4634], abs=2e-4)


def test_the_variances_of_log_odds_are_those_of_beta_variables():
    assert trigamma(60) == pytest.approx(polygamma(1, np.arange(1, 61)), rel=1e-12)
    assert trigamma(1).tolist() == [np.pi**2 / 6]


def test_levels_between_runs_lie_on_lines_and_beyond_them_on_the_outer_three_steps():
    """Levels of 5 runs are 0.75/5.5, 1.75/5.5, …; 3 steps over log-odds are log(3.75/1.75) − log(0.75/4.75)."""
    runs, known = np.array([0.0, 1.0, 3.0, 6.0, 6.0]), log_odds(5)
    assert known[1] == pytest.approx(np.log(1.75 / 3.75))
    between, step = np.log(1.25 / 4.25), np.log(3.75 / 1.75) - np.log(0.75 / 4.75)
    wanted = np.array([known[0] - 1, known[0], between, known[3], known[4], known[4] + 2])
    assert at_log_odds(runs, wanted).tolist() == pytest.approx([-6 / step, 0, 0.5, 6, 6, 6 + 2 * 5 / step])
    assert at_log_odds(np.array([4.0]), np.array([-1.0, 0, 1])).tolist() == [4, 4, 4]
    two = np.log(1.75 / 0.75)
    assert at_log_odds(np.array([1.0, 2.0]), np.array([-2 * two, 2 * two])) == pytest.approx([0.5, 2.5])


def test_angles_turn_back_into_counts():
    assert to_angle(np.array([0, 50, 100]), 100) == pytest.approx([0, np.pi / 4, np.pi / 2])
    assert from_angle(np.array([-0.1, np.pi / 4, 2]), 100) == pytest.approx([0, 50, 100])


def test_roughness_is_what_both_neighbours_differ_by(grid_of):
    grid = two_steps(grid_of)
    differ = np.arcsin(np.sqrt(0.8)) - np.arcsin(np.sqrt(0.2))
    step = np.log(1.7 / 0.7)
    assert roughness(grid, MIDDLE, grid.Cr) == pytest.approx(
        np.full((1, 2, 1), differ * np.sqrt(step) + 0.002), rel=1e-4
    )
    assert roughness(grid, grid.F, grid.Cr) == pytest.approx(np.full((2, 2, 1), 0.002))


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
    there = [there for _, there in leave_one_out(grid)]
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


def test_the_widening_is_the_score_of_the_rank_that_the_level_asks_for(grid_of, noisy):
    """One run in each of 28 cells: level 0.9 asks for the ⌈0.9 · 29⌉ = 27th score, 0.5 for the 15th."""
    calibration = Calibration(grid_of(noisy(6, runs=1)))
    for level, rank in ((0.9, 27), (0.5, 15)):
        widening = calibration.widening(level)
        for narrower, count in ((1.0, rank), (1 - 1e-6, rank - 1)):
            assert share_held(calibration, level, narrower * widening) == pytest.approx(count / 28)


@pytest.mark.parametrize("runs", [10, 50])
@pytest.mark.parametrize("law", ["normal", "uniform", "exponential"])
def test_the_reach_of_a_stored_cell_holds_the_smallest_the_median_and_the_largest_run_as_often_as_it_says(law, runs):
    """4000 pairs of samples: shares vary by √(0.9 · 0.1/4000) = 0.005. Tails are not known, so that the smallest and
    the largest run of laws with other tails than a logistic one are held in up to 0.08 more or less of pairs: 0.1 is a
    false alarm in 10⁻⁴ of seeds. Controls: the stored sample taken for the law holds the median run in
    P(|Z| < 1.645/√2) = 0.76 of pairs, and ends that are not beyond the stored sample hold the smallest run in at most
    half of them.
    """
    rng, at = np.random.default_rng(7), [0, runs // 2, -1]
    draw = {"normal": rng.normal, "uniform": rng.uniform, "exponential": rng.exponential}[law]
    stored, fresh = (np.sort(4e5 + 3e4 * draw(size=(4000, 1, runs)), axis=-1) for _ in range(2))
    one, shares = np.ones((4000, 1, 1)), {}
    for of_cell in (1.0, 0.0):
        sides = Guess(stored, LEAST * one, of_cell * one, 10**6).reach(0.9)
        low, high = (from_angle(side, 10**6) for side in sides)
        shares[of_cell] = ((low <= fresh) & (fresh <= high)).mean(axis=(0, 1))
    assert shares[1.0][at] == pytest.approx([0.9, 0.9, 0.9], abs=0.1)
    assert shares[1.0].mean() == pytest.approx(0.9, abs=0.02)
    assert shares[0.0][runs // 2] < 0.82
    assert (np.maximum(low, stored[..., :1]) <= fresh)[..., 0].mean() < 0.55


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
