"""Every method on surfaces whose values between the levels are known."""

import numpy as np
import pytest

from debox.analysis.predict.grid import from_logit
from debox.analysis.predict.methods import CHOSEN, METHODS, stretch_Cr, stretch_F

BETWEEN = np.array([0.2, 0.8]), np.array([0.2, 0.5, 0.85])
EXACT = [name for name in METHODS if "Gaussian" not in name]


@pytest.mark.parametrize("name", METHODS)
def test_cells_are_kept_and_answers_sorted(name, grid_of, noisy):
    grid = grid_of(noisy(1))
    at_cells = METHODS[name](grid, grid.F, grid.Cr)
    assert at_cells == pytest.approx(grid.counts, rel=1e-9 if name in EXACT else 0.15, abs=1e-6)
    between = METHODS[name](grid, *BETWEEN)
    assert between.shape == (2, 3, 20)
    assert (np.diff(between) >= 0).all()
    assert between.min() >= 0
    assert between.max() <= grid.trials


def test_a_bilinear_surface_is_found_by_lines_and_not_by_its_nearest_cells(grid_of):
    def plane(F, Cr):
        return 1000 * (1 + F) * (1 + Cr)

    grid, truth = grid_of(plane), plane(BETWEEN[0][:, None], BETWEEN[1])
    assert METHODS["bilinear"](grid, *BETWEEN)[..., 0] == pytest.approx(truth, rel=1e-12)
    assert METHODS["splines"](grid, *BETWEEN)[..., 0] == pytest.approx(truth, rel=1e-12)
    assert np.abs(METHODS["nearest"](grid, *BETWEEN)[..., 0] / truth - 1).max() > 0.05


def test_logits_that_are_linear_over_stretched_axes_are_found(grid_of):
    def law(F, Cr):
        return from_logit(1 + stretch_F(F) - 0.5 * stretch_Cr(Cr, 10), 100_000)

    grid, truth = grid_of(law), law(BETWEEN[0][:, None], BETWEEN[1])
    assert METHODS["splines of logits"](grid, *BETWEEN)[..., 0] == pytest.approx(truth, rel=1e-9)
    assert np.abs(METHODS["bilinear"](grid, *BETWEEN)[..., 0] / truth - 1).max() > 0.01


@pytest.mark.parametrize("name", ["splines from theory", "Gaussian process from theory"])
def test_a_constant_factor_of_the_odds_of_theory_is_found(name, grid_of):
    def odds(F, Cr):
        return 3 * np.exp(np.sin(9 * F) * np.cos(7 * Cr))

    def chance(F, Cr):
        return odds(F, Cr) / 3 / (1 + odds(F, Cr) / 3)

    def law(F, Cr):
        p = odds(F, Cr) / (1 + odds(F, Cr))
        return np.full(4, p * 1e8)

    grid = grid_of(law, budget=10**8 + 5, chance=chance)
    truth = odds(BETWEEN[0][:, None], BETWEEN[1])
    found = METHODS[name](grid, *BETWEEN)[..., 0] / 1e8
    assert found == pytest.approx(truth / (1 + truth), rel=1e-6)
    without = METHODS["splines of logits"](grid, *BETWEEN)[..., 0] / 1e8
    assert np.abs(without - truth / (1 + truth)).max() > 0.05


@pytest.mark.parametrize("name", METHODS)
def test_two_camps_move_and_do_not_mix(name, grid_of):
    """Two cells of F, all runs at 20 % and all at 80 %: in the middle no run is left at either."""
    grid = grid_of(lambda F, Cr: np.full(5, 20_000 if F < 1 else 80_000), F=[0.5, 1.5], Cr=[0.2, 0.6])
    middle = np.exp(stretch_F(grid.F).mean()) - 0.2 if "of" in name or "from" in name else 1.0
    found = METHODS[name](grid, np.array([middle]), np.array([0.4])).ravel()
    expected = [20_000] * 5 if name == "nearest" else [50_000] * 5
    assert found == pytest.approx(expected, abs=300)


def test_the_chosen_method_is_one_of_them():
    assert CHOSEN in METHODS
