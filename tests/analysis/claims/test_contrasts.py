"""Differences on made-up studies: as claimed, the other way round, and in between."""

import numpy as np
import pytest

from debox.analysis.claims.contrasts import SHAPE, Alike, Below, Steps, StrongerEffect
from debox.analysis.claims.levels import NotTestableError

RUNS = np.linspace(-0.01, 0.01, 8)
ONE = {"mutation": ("rand/1",)}


def test_below_sees_the_difference_and_its_sign(cube_of):
    cube = cube_of(lambda N, **_: 0.3 + 0.1 * (N > 5) + RUNS, **ONE)
    found = Below("N", 5, 20).find(cube, 0.95)
    assert found.effect == pytest.approx(0.1, abs=1e-4)
    assert (found.cells, found.agree, found.against) == (2 * 5 * 4 * 3, 1, 0)
    assert found.p == pytest.approx(2 * 0.05**7)  # 120 cells rise; were it only 113, all other 7 tests would err
    reverse = Below("N", 20, 5).find(cube, 0.95)
    assert (reverse.effect, reverse.agree, reverse.against) == pytest.approx((-found.effect, 0, 1))
    assert reverse.p > 0.999
    with pytest.raises(NotTestableError, match=r"no cell differs by more than 0\.001 and 2 standard errors"):
        Below("N", 20, 100).find(cube, 0.95)


def test_below_names_the_strongest_exception(cube_of):
    def share(N, F, Cr, strategy, crossover, **_):
        odd = (strategy, crossover, F, Cr) == ("mirror", "exp", 0.9, 0.5)
        return 0.5 + (0.1 if not odd else -0.2) * (N == 20) + RUNS

    found = Below("N", 5, 20).find(cube_of(share, **ONE), 0.95)
    assert found.agree == pytest.approx(119 / 120)
    assert "strongest exception rand/1/exp mirror, N=5 → 20, F=0.9, Cr=0.5 (-0.200)" in found.evidence


def test_differences_that_cancel_on_average_are_no_effect(cube_of):
    """Borderline: nine tenths of the cells rise by 0.02, one tenth falls by 0.18."""
    Cr = tuple(np.arange(10) / 10)
    cube = cube_of(lambda N, Cr, **_: 0.5 + (N == 20) * (0.02 if Cr > 0 else -0.18) + RUNS, **ONE, Cr=Cr)
    found = Below("N", 5, 20).find(cube, 0.8)
    assert found.agree == pytest.approx(0.9)
    assert found.p == pytest.approx(0.5, abs=0.25)  # shares are rounded to whole trials


def test_below_compares_means_of_groups_and_spreads(cube_of):
    cube = cube_of(lambda strategy, **_: 0.5 + RUNS * (4 if strategy == "saturation" else 1), **ONE)
    found = Below("strategy", ("COTN", "mirror"), "saturation", "standard deviation").find(cube, 0.8)
    assert found.effect == pytest.approx(3 * RUNS.std(ddof=1), rel=1e-3)
    assert found.agree == 1
    with pytest.raises(NotTestableError, match="needs N = 7; the study has 5, 20, 100"):
        Below("N", 5, 7).find(cube, 0.8)


def test_steps_count_every_step(cube_of):
    heights = {0.05: 0.1, 0.5: 0.3, 0.9: 0.2, 1.5: 0.5}  # two of three steps rise
    cube = cube_of(lambda F, **_: heights[F] + RUNS, **ONE)
    found = Steps(("F",)).find(cube, 0.95)
    assert found.effect == pytest.approx(0.4 / 3, abs=1e-4)
    assert (found.agree, found.against) == pytest.approx((2 / 3, 1 / 3))
    falls = Steps(("F",), falls=True).find(cube, 0.95)
    assert (falls.effect, falls.agree) == pytest.approx((-0.4 / 3, 1 / 3), abs=1e-4)
    with pytest.raises(NotTestableError, match=r"needs several F; the study has 0\.5"):
        Steps(("F",)).find(cube.take(F=0.5), 0.95)


def test_a_stronger_factor_over_its_range_may_be_weaker_per_unit(cube_of):
    """F from 0.05 to 1.5 adds 0.29, Cr from 0.05 to 0.99 adds 0.235: 0.2 and 0.25 per unit."""
    cube = cube_of(lambda F, Cr, **_: 0.2 * F + 0.25 * Cr + RUNS + 0.1, **ONE)
    whole, unit = StrongerEffect("F", "Cr").find(cube, 0.8), StrongerEffect("F", "Cr", per_unit=True).find(cube, 0.8)
    assert whole.effect == pytest.approx(0.29 - 0.235, abs=1e-4)
    assert unit.effect == pytest.approx(0.2 - 0.25, abs=1e-4)
    assert (whole.cells, whole.agree, unit.agree) == (2 * 5 * 3, 1, 0)


@pytest.mark.parametrize(("apart", "agree", "against"), [(0.0, 1, 0), (0.04, 1, 0), (0.0499, 0, 0), (0.06, 0, 1)])
def test_alike_within_a_margin(cube_of, apart, agree, against):
    """Standard error of a difference: 0.0093·√(2/8) ≈ 0.0046, so 0.04 is shown to be within 0.05 and 0.0499 is not."""
    cube = cube_of(lambda mutation, **_: 0.4 + apart * (mutation == "rand/1") + RUNS)
    found = Alike("mutation", 0.05).find(cube, 0.95)
    assert (found.agree, found.against) == (agree, against)
    assert (found.p < 0.05) == (agree == 1)
    assert found.cells == 2 * 5 * 3 * 4 * 3


def test_alike_in_mean_but_not_in_quartiles(cube_of):
    wide = np.array([-0.3, -0.3, -0.3, -0.3, 0.3, 0.3, 0.3, 0.3])
    cube = cube_of(lambda strategy, **_: 0.5 + (wide if strategy == "mirror" else RUNS), **ONE)
    pair = ("mirror", "dismiss")
    assert Alike("strategy", 0.2, pair, SHAPE).find(cube, 0.8).against == 1
    assert Alike("strategy", 0.2, pair).find(cube, 0.8).against == 0


def test_differences_within_two_standard_errors_are_silent(cube_of):
    """A standard error is 15·0.007·√(2/8) ≈ 0.05; one cell in twelve differs by 0.2, the others by 0.05."""

    def share(N, F, Cr, **_):
        return 0.5 + (N == 20) * (-0.2 if (F, Cr) == (0.5, 0.5) else 0.05) + 15 * RUNS

    found = Below("N", 5, 20).find(cube_of(share, **ONE), 0.95)
    assert (found.cells, found.agree) == (10, 0)
    assert "110 do not" in found.evidence


@pytest.mark.parametrize("seed", range(5))
def test_cells_whose_fall_is_hard_to_see_do_not_make_a_claim_hold(cube_of, seed):
    """Three fifths of the cells rise by 0.05, two fifths fall by 0.004, half a standard error: "all" is false."""
    rng = np.random.default_rng(seed)

    def share(N, strategy, **_):
        change = -0.004 if strategy in ("mirror", "dismiss") else 0.05
        return 0.4 + (N == 20) * change + 0.02 * rng.standard_normal(12)

    found = Below("N", 5, 20).find(cube_of(share, **ONE), 0.95)
    assert found.effect > 0.02
    assert found.agree > 0.9  # among the cells that clearly differ
    assert found.p > 0.5  # but that is no proof of 95 %
    assert found.p_half < 1e-6  # as it is of half of that


def test_cells_shown_to_be_ties_say_nothing_about_the_share(cube_of):
    """Half of the cells have 100 % for every N: known to be equal, they do not speak against a rise."""
    cube = cube_of(lambda N, Cr, **_: np.ones(8) if Cr == 0.05 else 0.5 + 0.1 * (N == 20) + RUNS, **ONE)
    found = Below("N", 5, 20).find(cube, 0.8)
    assert (found.cells, found.agree) == (80, 1)
    assert "in 80 of 80 cells that clearly differ, 40 do not (40 are shown to be ties)" in found.evidence
    assert found.p == pytest.approx(2 * max(0.05**17, 1e-15))


def test_many_small_rises_make_a_share_though_none_is_proved_alone(cube_of):
    """480 cells rise by one standard error: 84 % of their estimates are positive, a quarter of them beyond chance."""
    rng = np.random.default_rng(7)
    cube = cube_of(lambda N, **_: 0.5 + 0.02 * (N == 20) + 0.049 * rng.standard_normal(12))
    found = Below("N", 5, 20).find(cube, 0.5)
    assert found.p < 1e-3
    assert Below("N", 5, 20).find(cube, 0.95).p == 1
