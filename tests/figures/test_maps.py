"""The numbers of contours and of the overview, of tables made by hand, and of the curves that need none."""

import numpy as np
import pytest
from adaptations import with_adaptations

from debox.analysis.runs import Runs
from debox.figures import contours, overview, threshold


def test_contours_hold_medians_at_their_place_and_nothing_where_no_run_is(made):
    runs = Runs.of(made({(0.5, 0.2): [0.1, 0.2, 0.9], (0.5, 0.9): [0.4], (1.5, 0.2): [0.6, 0.8]}))
    found = contours.numbers(runs, "rand/1")
    assert list(found) == ["crossover", "strategy", "N", "F", "Cr", "median", "runs"]
    assert found["median"][0, 0, 0] == pytest.approx(np.array([[0.2, 0.4], [0.7, np.nan]]), nan_ok=True)
    assert found["runs"][0, 0, 0].tolist() == [[3, 1], [2, 0]]


def test_contours_have_crossovers_strategies_and_sizes_of_one_mutation(made):
    cells = {("rand/1", c, s, N, 0.5, 0.2): [0.1] for c in ("exp", "bin") for s in ("mirror", "COTN") for N in (9, 5)}
    found = contours.numbers(Runs.of(made(cells | {("best/1", "bin", "mirror", 5, 0.5, 0.2): [0.9]})), "rand/1")
    axes = [found[name].tolist() for name in ("crossover", "strategy", "N")]
    assert axes == [["bin", "exp"], ["COTN", "mirror"], [5, 9]]
    assert found["median"].ravel().tolist() == [0.1] * 8


def test_lines_need_two_values_of_F_and_Cr(made):
    obstacles = []
    for F, Cr in (((0.5, 0.7), (0.2,)), ((0.5,), (0.2,)), ((0.5, 0.7), (0.2, 0.3))):
        (page,) = contours.pages(Runs.of(made({(one, other): [0.1] for one in F for other in Cr})))
        obstacles.append(page.obstacle)
    first = "lines over Cr and F need two values of each, this study has one "
    assert obstacles == [f"{first}Cr", f"{first}F and one Cr", ""]


def test_every_adaptation_has_contours_of_its_own(made):
    cells = {(F, Cr): [F * Cr] for F in (0.5, 1.0) for Cr in (0.1, 0.5)}
    one, other = contours.pages(Runs.of(with_adaptations(made(cells), jDE=0, SHADE=0.1)))
    assert (one.name, other.name) == ("contours-rand-1-jDE", "contours-rand-1-SHADE")
    assert other.numbers(*other.arguments)["median"][0, 0, 0, 0] == pytest.approx([0.15, 0.35])


def test_the_overview_holds_median_and_spread_of_every_configuration(made):
    tenths = [k / 10 for k in range(11)]
    found = overview.numbers(Runs.of(made({(0.5, 0.2): tenths, (0.5, 0.9): [0.3], (1.5, 0.2): [0.4, 0.5]})))
    assert list(found) == ["mutation", "crossover", "strategy", "N", "F", "Cr", "low", "median", "high", "runs"]
    assert found["runs"].ravel().tolist() == [11, 1, 2, 0]
    assert found["median"].ravel() == pytest.approx([0.5, 0.3, 0.45, np.nan], nan_ok=True)
    assert found["low"].ravel() == pytest.approx([0.05, 0.3, 0.405, np.nan], nan_ok=True)  # 5 % of eleven: half a step
    assert found["high"].ravel() == pytest.approx([0.95, 0.3, 0.495, np.nan], nan_ok=True)


def test_there_is_a_threshold_for_each_n_of_spec_4():
    n, t, p = threshold.numbers().values()
    assert n.tolist() == [10, 30, 100, 500]
    assert (t[0], t[-1]) == (pytest.approx(0.001), 1)
    assert p[:, -1].tolist() == [1] * 4
    assert p.shape == (4, len(t))
    assert (np.diff(p) > 0).all()


def test_a_point_of_components_at_the_threshold_leaves_with_probability_t():
    n, t, p = threshold.numbers([1, 7, 500]).values()
    assert 1 - (1 - p) ** n[:, None] == pytest.approx(np.broadcast_to(t, p.shape))
    assert p[0] == pytest.approx(t)
    k = abs(t - 0.01).argmin()
    assert p[2, k] / t[k] == pytest.approx(2.01e-3, rel=1e-3)  # the paper: 0.0000201 at t = 0.01
