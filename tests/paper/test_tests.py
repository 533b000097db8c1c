"""What each test of a claim measures, on runs made by hand, in which another reading of its rule gives other counts."""

import numpy as np
import pytest
from made_runs import around, runs_of
from scipy.stats import t

from debox.analysis.factors import factors
from debox.paper import tests
from debox.paper.tests import NotTestableError

F3, CR3, CR5 = [0.1, 0.5, 0.9], [0.1, 0.5, 0.99], [0.1, 0.3, 0.5, 0.7, 0.99]
WIDE = np.tile([0.1, 0.3, 0.5, 0.7, 0.9], 4)  # runs that decide nothing small


def counts(test, of, options, **levels):
    found = test(runs_of(of, **levels), **options)
    return found.agree, found.against, found.cells


# ---- Numbers that differ ---------------------------------------------------------------------------------------------

UP = {"factor": "N", "low": 5, "high": 20}


def test_a_rise_is_counted_in_matched_cells_and_ties_do_not_speak():
    """At the four F: up, down, shown to be equal, undecided; on average it goes up."""
    change = {0.1: 0.3, 0.5: -0.1, 0.9: 0.0005}

    def of(N, F, **_):
        return (WIDE if N == 5 else WIDE[::-1]) if F > 1 else 0.5 + change[F] * (N == 20)

    assert counts(tests.rises, of, UP, N=[5, 20], F=[*F3, 2.0]) == (1, 1, 3)
    found = tests.rises(runs_of(of, N=[5, 20], F=[*F3, 2.0]), **UP)
    assert found.effect == pytest.approx((0.3 - 0.1 + 0.0005 + 0) / 4, abs=1e-5)
    assert found.worst == "rand/1/bin mirror, F=0.5, Cr=0.5 (-0.1)"
    assert found.by == "by F: 0.1 100%, 0.5 0%, 2 0%"


def test_a_panel_is_averaged_over_F_and_Cr():
    change = {0.1: 0.3, 0.5: -0.1, 0.9: -0.1}

    def of(N, F, **_):
        return 0.5 + change[F] * (N == 20)

    assert counts(tests.rises, of, UP, N=[5, 20], F=F3) == (1, 2, 3)
    assert counts(tests.rises, of, {**UP, "panel": True}, N=[5, 20], F=F3) == (1, 0, 1)


def test_the_spread_is_another_number_than_the_mean():
    def of(N, **_):
        return around(0.3 + 0.4 * (N == 20), 0.2 if N == 5 else 0.02)

    assert counts(tests.rises, of, UP, N=[5, 20]) == (1, 0, 1)
    assert counts(tests.rises, of, {**UP, "of": "spread"}, N=[5, 20]) == (0, 1, 1)


def test_the_slope_with_F_is_that_of_a_line_through_F_up_to_1():
    """With N=5 faster up to 1, slower over all; the middle F moves ends that agree apart."""

    def of(N, F, **_):
        return 0.1 + (0.3 * F if N == 5 else 0.1 * F) if F <= 1 else (0.2 if N == 5 else 0.9)

    options = {**UP, "of": "slope with F"}
    assert counts(tests.rises, of, options, N=[5, 20], F=[*F3, 2.0]) == (0, 1, 1)
    found = tests.rises(runs_of(of, N=[5, 20], F=[*F3, 2.0]), **options)
    assert found.effect == pytest.approx(-0.2, abs=1e-4)
    with pytest.raises(NotTestableError, match="several F of at most 1"):
        tests.rises(runs_of(of, N=[5, 20], F=[0.9, 2.0]), **options)


def test_the_extra_spread_of_saturation_is_over_the_mean_of_the_others():
    spread = {"saturation": 0.2, "mirror": 0.02, "COTN": 0.1}

    def of(strategy, Cr, **_):
        return around(0.5, spread[strategy] * (1 if Cr > 0.9 or strategy != "saturation" else 0.6))

    options = {"factor": "Cr", "low": "<0.95", "high": ">=0.95", "of": "extra spread of saturation"}
    found = tests.rises(runs_of(of, strategy=list(spread), Cr=CR3), **options)
    assert (found.agree, found.cells) == (1, 1)
    assert found.effect == pytest.approx(0.08, abs=1e-4)
    with pytest.raises(NotTestableError, match="strategy must be one of mirror"):
        tests.rises(runs_of(lambda **_: 0.5, Cr=CR3), **options)


def test_steps_go_from_each_level_to_the_next():
    def of(F, **_):
        return {0.1: 0.2, 0.5: 0.6, 0.9: 0.5}[F]

    assert counts(tests.steps, of, {"factors": ("F",)}, F=F3) == (1, 1, 2)
    assert tests.steps(runs_of(of, F=F3), factors=("F",)).worst == "rand/1/bin mirror, N=20, F=0.5→0.9, Cr=0.5 (-0.1)"
    assert counts(tests.steps, of, {"factors": ("F",), "sign": -1}, F=[0.1, 0.5]) == (0, 1, 1)


def test_of_two_factors_both_grow_at_once():
    """F adds .2 for each step and Cr takes .1: alone one rises and the other falls, together they rise."""

    def of(F, Cr, **_):
        return 0.5 + 0.2 * F3.index(F) - 0.1 * CR3.index(Cr)

    assert counts(tests.steps, of, {"factors": ("F", "Cr")}, F=F3, Cr=CR3) == (4, 0, 4)
    assert counts(tests.steps, of, {"factors": ("Cr",)}, F=F3, Cr=CR3) == (0, 6, 6)


def test_the_stronger_of_two_factors_rises_more_from_end_to_end():
    """F: .2 over a range of 1.8, and up and down between; Cr: .15 over .89: less, but more per unit."""

    def of(F, Cr, **_):
        return 0.3 + {0.1: 0.0, 0.5: 0.5, 1.9: 0.2}[F] + {0.1: 0.0, 0.5: 0.05, 0.99: 0.15}[Cr]

    levels = {"F": [0.1, 0.5, 1.9], "Cr": CR3}
    assert counts(tests.stronger, of, {"strong": "F", "weak": "Cr"}, **levels) == (1, 0, 1)
    assert counts(tests.stronger, of, {"strong": "Cr", "weak": "F", "per_unit": True}, **levels) == (1, 0, 1)
    found = tests.stronger(runs_of(of, **levels), strong="F", weak="Cr")
    assert found.effect == pytest.approx(0.05, abs=1e-5)


# ---- Equality --------------------------------------------------------------------------------------------------------

STRATEGIES = ["mirror", "toroidal", "dismiss"]


def test_alike_is_said_of_each_two_levels():
    """Neighbours are .04 apart, the ends .08; without dismiss all are alike; in another cell .06 is against it."""

    def of(strategy, **_):
        return 0.5 + 0.04 * STRATEGIES.index(strategy)

    options = {"factor": "strategy"}
    assert counts(tests.alike, of, options, strategy=STRATEGIES) == (0, 1, 1)
    assert counts(tests.alike, of, {**options, "among": ("mirror", "toroidal")}, strategy=STRATEGIES) == (1, 0, 1)
    assert counts(tests.alike, of, {**options, "margin": 0.1}, strategy=STRATEGIES) == (1, 0, 1)
    assert counts(tests.unlike, of, options, strategy=STRATEGIES) == (1, 0, 1)


def test_a_cell_disagrees_only_if_chance_does_not_make_one_of_its_numbers_do_so():
    """Of five strategies COTN is .05 + 3 errors away: p = .0075 with 9 df for each of its four pairs, of 20 numbers."""
    noise = np.tile([-3, -1, 0, 1, 3, -2, 0, 2, -1, 1], 2) / 100
    away = 0.05 + 3 * noise[:10].std(ddof=1) / np.sqrt(10)  # two runs of a group are alike
    five = [*STRATEGIES, "saturation", "COTN"]

    def of(strategy, **_):
        return 0.5 + away + noise if strategy == "COTN" else np.full(20, 0.5)

    assert counts(tests.alike, of, {"factor": "strategy"}, strategy=five) == (0, 0, 1)
    assert counts(tests.alike, of, {"factor": "strategy"}, strategy=["mirror", "COTN"]) == (0, 1, 1)  # p = .015


def test_noise_does_not_make_levels_alike_nor_apart():
    assert counts(tests.alike, lambda **_: WIDE, {"factor": "strategy"}, strategy=STRATEGIES) == (1, 0, 1)
    shifted = {"mirror": WIDE, "toroidal": WIDE[::-1] ** 1.3}
    found = tests.alike(runs_of(lambda strategy, **_: shifted[strategy], strategy=[*shifted]), factor="strategy")
    assert (found.agree, found.against, found.cells) == (0, 0, 1)


def test_panels_may_be_alike_where_cells_are_not():
    def of(strategy, F, **_):
        return 0.5 + (0.1 if F == 0.1 else -0.1) * (strategy == "dismiss")

    levels = {"strategy": STRATEGIES, "F": [0.1, 0.5]}
    assert counts(tests.alike, of, {"factor": "strategy"}, **levels) == (0, 2, 2)
    assert counts(tests.alike, of, {"factor": "strategy", "panel": True}, **levels) == (1, 0, 1)


def test_laws_may_differ_where_means_are_equal():
    """±.1 against ±.01: Wasserstein-1 is .09, whatever the order of the runs is."""

    def of(strategy, **_):
        return 0.5 + np.tile([-0.1, 0.1] if strategy == "mirror" else [0.01, -0.01], 10)

    levels = {"strategy": ["mirror", "toroidal"]}
    assert counts(tests.alike, of, {"factor": "strategy"}, **levels)[1:] == (0, 1)
    assert counts(tests.alike, of, {"factor": "strategy", "law": True}, **levels) == (0, 1, 1)
    found = tests.alike(runs_of(of, **levels), factor="strategy", law=True)
    assert found.effect == pytest.approx(0.09, abs=1e-5)


def test_narrow_is_a_standard_deviation_below_the_limit():
    """Of the third it is .049, by one run of 20: nothing is shown."""
    runs = {0.1: around(0.5, 0.049), 0.5: around(0.5, 0.051), 0.9: [0.5] * 19 + [0.72]}

    def of(F, **_):
        return runs[F]

    assert counts(tests.spread_at_most, of, {"limit": 0.05}, F=F3) == (1, 1, 3)


# ---- Medians and laws ------------------------------------------------------------------------------------------------


def test_medians_are_not_means():
    """At .1 most runs are above .9 and the mean is below; at .5 it is the other way; at .9 half are; at 2 all are."""
    runs = {
        0.1: [0.95] * 17 + [0.0] * 3,
        0.5: [0.89] * 17 + [1.0] * 3,
        0.9: [0.95] * 10 + [0.85] * 10,
        2.0: [0.95] * 20,
    }
    assert counts(tests.median_in, lambda F, **_: runs[F], {"at_least": 0.9}, F=list(runs)) == (2, 1, 4)
    assert counts(tests.median_in, lambda F, **_: runs[F], {"at_most": 0.9}, F=list(runs)) == (1, 2, 4)
    found = tests.median_in(runs_of(lambda F, **_: runs[F], F=list(runs)), at_least=0.9)
    assert found.worst == "rand/1/bin mirror, N=20, F=0.5, Cr=0.5 (0.89)"


def test_a_median_on_the_limit_is_on_both_sides():
    assert counts(tests.median_in, lambda **_: [0.9] * 20, {"at_least": 0.9}) == (1, 0, 1)
    assert counts(tests.median_in, lambda **_: [0.9] * 20, {"at_most": 0.9}) == (1, 0, 1)


def test_medians_of_all_levels_are_on_one_side():
    """Both above; both below; one on each side; one undecided."""
    runs = {0.1: (0.95, 0.99), 0.5: (0.5, 0.85), 0.9: (0.85, 0.95)}

    def of(F, strategy, **_):
        undecided = np.tile([0.85, 0.95], 10)
        return (undecided if strategy == "dismiss" else 0.95) if F == 2.0 else runs[F][strategy == "dismiss"]

    levels = {"F": [*F3, 2.0], "strategy": ["mirror", "dismiss"]}
    assert counts(tests.same_side, of, {"factor": "strategy", "edge": 0.9}, **levels) == (2, 1, 4)


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ([12] * 5, (0, 0, 1)),  # of 16 runs: p = .038, twice, for they may be all above or all below
        ([13] * 5, (1, 0, 1)),  # p = .0106
        ([13, 3, 8, 8, 8], (0, 0, 1)),  # five times .0106, for each level may be the one above, or below
        ([14, 2, 8, 8, 8], (0, 1, 1)),  # p = .0021
    ],
)
def test_medians_of_many_levels_are_corrected_for_their_number(above, expected):
    def of(strategy, **_):
        k = above[five.index(strategy)]
        return [0.95] * k + [0.85] * (16 - k)

    five = [*STRATEGIES, "saturation", "COTN"]
    assert counts(tests.same_side, of, {"factor": "strategy", "edge": 0.9}, strategy=five) == expected


def test_laws_are_told_apart_where_not_all_runs_are_at_an_extreme():
    """At .1 the same 100 % in all runs: it does not speak; at .5 other spread, same mean; at .9 the same law."""
    law = {"bin": np.linspace(0.1, 0.9, 20), "exp": np.linspace(0.48, 0.52, 20)}

    def of(crossover, F, **_):
        return {0.1: np.ones(20), 0.5: law[crossover], 0.9: law["bin"]}[F]

    options = {"factor": "crossover", "first": "bin", "second": "exp"}
    assert counts(tests.told_apart, of, options, crossover=["bin", "exp"], F=F3) == (1, 0, 2)


def test_shapes_vary_if_they_are_far_from_the_average_shape_whatever_their_level_is():
    """With N=5 narrow and wide shapes, with N=20 the same shape at levels that differ more."""

    def of(N, F, **_):
        """The order of the runs differs between cells and says nothing."""
        level = 0.5 + (0.3 if N == 20 else 0.0) * (F - 0.5)
        runs = around(level, {0.1: 0.2, 0.5: 0.0001}[F] if N == 5 else 0.1)
        return runs[::-1] if F == 0.1 else runs

    options = {"factor": "N", "most": 5, "others": (20,)}
    assert counts(tests.more_varied, of, options, N=[5, 20], F=[0.1, 0.5]) == (2, 0, 2)
    assert counts(tests.more_varied, of, {**options, "overall": True}, N=[5, 20], F=[0.1, 0.5]) == (1, 0, 1)
    reversed_ = {"factor": "N", "most": 20, "others": (5,)}
    assert counts(tests.more_varied, of, reversed_, N=[5, 20], F=[0.1, 0.5]) == (0, 2, 2)


# ---- Variances -------------------------------------------------------------------------------------------------------


def test_noise_adds_nothing_to_a_variance():
    """Means that are equal but for noise: the estimate from two halves is 0 on average, else it would be 1/10."""
    first, second = np.random.default_rng(1).normal(size=(2, 4000, 5)) / np.sqrt(10)
    assert abs(tests.covary(first, second, 1).mean()) < 6 * 0.1 / np.sqrt(4 * 4000)
    assert tests.covary(first, first, 1).mean() == pytest.approx(0.1, abs=0.01)
    assert tests.covary(np.array([[1.0, 3.0]]), np.array([[2.0, 8.0]]), 1).tolist() == [[6.0]]  # (−1 · −3 + 1 · 3) ÷ 1


def test_spread_or_level_may_vary_more():
    def of(F, mutation, **_):
        other = mutation == "best/1"
        return around(0.5 + 0.02 * other, 0.2 - 0.15 * other) if F == 0.1 else around(0.3 + 0.4 * other, 0.1)

    levels = {"mutation": ["rand/1", "best/1"], "F": [0.1, 0.5]}
    assert counts(tests.more_in_spread, of, {"factor": "mutation"}, **levels) == (1, 1, 2)


def test_mutations_differ_most_at_the_largest_Cr_or_not():
    """F=.1: there; F=.5: most at the first Cr; F=.9: everywhere as much, which says nothing."""

    def of(F, Cr, mutation, **_):
        apart = {0.1: 0.1 * CR3.index(Cr), 0.5: 0.3 - 0.1 * CR3.index(Cr), 0.9: 0.1}[F]
        return 0.4 + apart * (mutation == "best/1")

    options, levels = {"factor": "mutation"}, {"mutation": ["rand/1", "best/1"], "F": F3, "Cr": CR3}
    assert counts(tests.most_at_largest_Cr, of, options, **levels) == (1, 1, 2)
    found = tests.most_at_largest_Cr(runs_of(of, **levels), **options)  # .02 − .005 at F=.1, .005 − .02 at F=.5
    assert found.effect == pytest.approx(0, abs=1e-5)
    with pytest.raises(NotTestableError, match=r"needs a Cr of at least 0\.95; the largest is 0\.5"):
        tests.most_at_largest_Cr(runs_of(of, mutation=["rand/1", "best/1"], Cr=[0.1, 0.5], F=[0.1]), factor="mutation")


def test_two_groups_are_further_apart_than_their_members():
    """F=.1: COTN and saturation apart from the others; F=.5: mirror alone; squares, so signs do not matter."""
    first = {"COTN": 0.3, "saturation": 0.4, "mirror": 0.6, "toroidal": 0.6, "dismiss": 0.6}
    second = {"COTN": 0.6, "saturation": 0.6, "mirror": 0.1, "toroidal": 0.6, "dismiss": 0.6}

    def of(F, strategy, **_):
        return (first if F == 0.1 else second)[strategy]

    assert counts(tests.two_groups, of, {}, strategy=list(first), F=[0.1, 0.5])[:2] == (1, 1)
    found = tests.two_groups(runs_of(of, strategy=list(first), F=[0.1]))
    assert found.effect == pytest.approx((0.09 + 0.04) / 2 - 0.01 / 4, abs=1e-4)  # of 6 and of 4 pairs
    with pytest.raises(NotTestableError, match="strategy must be one of"):
        tests.two_groups(runs_of(of, strategy=["COTN", "saturation", "mirror"], F=[0.1]))


def test_a_trend_is_a_rank_correlation():
    """One mutation is a steep power of the other: Spearman 1, Pearson .78; toroidal has the ranks reversed.

    COTN differs by less than half a bin, so that it has no trend.
    """

    def of(mutation, strategy, F, Cr, **_):
        at = (F3.index(F) * 3 + CR3.index(Cr)) / 8
        if strategy == "COTN":
            return 0.5 + 0.04 * at
        if mutation == "rand/1":
            return 0.1 + 0.8 * at
        return 0.1 + 0.8 * (at**8 + 0.002 * at if strategy == "mirror" else 1 - at)

    levels = {"mutation": ["rand/1", "best/1"], "F": F3, "Cr": CR3}
    two = ["mirror", "toroidal", "COTN"]
    assert counts(tests.same_trend, of, {"factor": "mutation"}, strategy=two, **levels) == (1, 1, 2)
    found = tests.same_trend(runs_of(of, strategy=two, **levels), factor="mutation")
    assert found.effect == pytest.approx((1 - 1 + 1) / 3)
    values = [[of(m, "mirror", F, Cr) for F in F3 for Cr in CR3] for m in levels["mutation"]]
    assert np.corrcoef(values)[0, 1] < 0.8
    with pytest.raises(NotTestableError, match="at least 4 cells of F and Cr"):
        tests.same_trend(runs_of(of, mutation=["rand/1", "best/1"], F=[0.1], Cr=CR3), factor="mutation")


@pytest.mark.parametrize(("spread", "turned", "against"), [(0.12, False, 0), (0.005, True, 10)])
def test_noise_alone_does_not_refute_a_trend(spread, turned, against):
    """Two mutations have the same 25 means, from .4 to .53: with noise their ranks differ; the control is without."""
    rng = np.random.default_rng(1)
    five = [0.1, 0.3, 0.5, 0.7, 0.9]

    def of(mutation, F, Cr, **_):
        at = (5 * five.index(F) + five.index(Cr)) / 24
        return 0.4 + 0.13 * (1 - at if turned and mutation == "rand/1" else at) + spread * rng.normal(size=10)

    levels = {"mutation": ["rand/1", "best/1"], "strategy": [*STRATEGIES, "saturation", "COTN"], "N": [5, 20]}
    assert counts(tests.same_trend, of, {"factor": "mutation"}, **levels, F=five, Cr=five) == (0, against, 10)


# ---- Counts ----------------------------------------------------------------------------------------------------------

CELLS = {
    0.1: [0.999] * 20,
    0.5: [1.0] * 19 + [0.998],
    0.7: [0.1] * 20,
    0.8: [0.11] + [0.0] * 19,
    0.9: [0.001] * 20,
    1.5: [0.9] * 20,
    2.0: [0.85] + [1.0] * 19,
}


@pytest.mark.parametrize(
    ("trait", "agree"), [("full", 1), ("extreme", 2), ("top bin", 3), ("extreme bins", 5), ("between", 5)]
)
def test_a_trait_is_one_of_all_runs_or_one_of_them_is_between(trait, agree):
    found = tests.has(runs_of(lambda F, **_: CELLS[F], F=list(CELLS)), trait=trait)
    assert (found.agree, found.against, found.cells) == (agree, 7 - agree, 7)
    assert found.effect == pytest.approx(agree / 7)


def test_other_limits_of_100_percent_stand_beside():
    found = tests.has(runs_of(lambda F, **_: CELLS[F], F=list(CELLS)), trait="full")
    assert found.by.endswith("2 with 0.99 in place of 0.999; 0 with 1 in place of 0.999")


def test_a_panel_has_what_one_of_its_cells_has():
    def of(F, strategy, **_):
        return CELLS[F] if strategy == "mirror" else 0.5

    options = {"trait": "full", "panel": True}
    assert counts(tests.has, of, options, F=list(CELLS), strategy=["mirror", "COTN"]) == (1, 1, 2)


def test_what_appears_is_counted_among_the_cells_that_change():
    """Appears at .1 and .5, disappears at .9, is there at both at 1.5 and at none at 2."""
    there = {0.1: (0, 1), 0.5: (0, 1), 0.9: (1, 0), 1.5: (1, 1), 2.0: (0, 0)}

    def of(F, N, **_):
        return np.full(20, 1.0 if there[F][N == 100] else 0.5)

    found = tests.gained(runs_of(of, F=list(there), N=[20, 100]), factor="N", less=20, more=100, trait="full")
    assert (found.agree, found.against, found.cells) == (2, 1, 3)
    assert (found.effect, found.by) == (pytest.approx(1 / 5), "2 cells before, 3 after")


# ---- The collapse ----------------------------------------------------------------------------------------------------

FALLS = {  # means at CR5
    0.1: (0.1, 0.3, 0.5, 0.7, 0.6),  # falls at the last step by .1
    0.5: (0.1, 0.3, 0.5, 0.7, 0.66),  # by .04
    0.9: (0.5, 0.3, 0.5, 0.7, 0.6),  # at the first step, too
    1.5: (0.7, 0.3, 0.4, 0.5, 0.9),  # at the first only
    2.0: (0.1, 0.3, 0.9995, 0.9, 0.8),  # from 100 %; twice
}


def of_falls(F, Cr, **_):
    return np.full(20, 0.9995) if FALLS[F][CR5.index(Cr)] == 0.9995 else FALLS[F][CR5.index(Cr)]


@pytest.mark.parametrize(
    ("test", "options", "expected"),
    [
        (tests.falls, {}, (3, 2, 5)),
        (tests.falls_only_at_last, {}, (1, 3, 4)),
        (tests.falls_from, {"trait": "full"}, (1, 2, 3)),
        (tests.falls_from, {"trait": "top bin"}, (1, 2, 3)),
    ],
)
def test_a_collapse_is_a_fall_by_more_than_half_a_bin_at_the_largest_Cr(test, options, expected):
    assert counts(test, of_falls, options, F=list(FALLS), Cr=CR5) == expected


def test_an_earlier_fall_that_chance_makes_at_one_of_several_steps_is_open():
    """At the second of four steps by .05 + 2.1 errors: p = .0325 with 9 df, of three steps before the last."""
    noise = np.tile([-3, -1, 0, 1, 3, -2, 0, 2, -1, 1], 2) / 100
    low = 0.45 - 2.1 * noise[:10].std(ddof=1) / np.sqrt(10)

    def of(Cr, **_):
        return {0.3: np.full(20, 0.5), 0.5: low + noise, 0.7: np.full(20, 0.9)}.get(Cr, np.full(20, 0.2))

    assert counts(tests.falls_only_at_last, of, {}, Cr=CR5) == (0, 0, 1)
    assert counts(tests.falls_only_at_last, of, {}, Cr=[0.3, 0.5, 0.99]) == (0, 1, 1)  # of one step p is .0325


def test_the_share_of_falls_is_estimated_not_counted():
    """A fall that the runs do not show is open, and counts in the estimate."""

    def of(F, Cr, **_):
        return 0.5 if F > 0.1 else WIDE if Cr < 0.9 else WIDE[::-1] - 0.06

    found = tests.falls(runs_of(of, F=[0.1, 0.5], Cr=[0.5, 0.99]))
    assert (found.agree, found.against, found.effect) == (0, 1, 0.5)
    assert found.by == "estimated, by F: 0.1 100%, 0.5 0%"  # as the effect, also where no fall is shown


F20 = [k / 20 for k in range(1, 21)]


def test_falls_at_each_level_take_a_share_of_its_cells():
    """N=5: half of the cells fall; N=20: none."""

    def of(N, F, Cr, **_):
        return 0.5 - 0.2 * (Cr > 0.9 and N == 5 and F <= 0.5)

    levels = {"N": [5, 20], "Cr": CR3}
    found = tests.falls_at_each(runs_of(of, **levels, F=F20), factor="N", share_of_cells=0.05)
    assert (found.agree, found.against, found.cells, found.by) == (1, 1, 2, "5 50.0%, 20 0.0%")
    found = tests.falls_at_each(runs_of(of, **levels, F=F20), factor="N", share_of_cells=0.6)
    assert (found.agree, found.against) == (0, 2)
    with pytest.raises(NotTestableError, match="needs 20 cells at each N; the study has 19"):
        tests.falls_at_each(runs_of(of, **levels, F=F20[1:]), factor="N", share_of_cells=0.05)


@pytest.mark.parametrize(("by", "agree"), [(0.04, 0), (0.1, 100)])
def test_falls_that_noise_makes_larger_are_not_those_of_a_level(by, agree):
    """Ten runs with a deviation of .06 make a fall of .04 larger than .05 in a third of the cells, in others each time.

    The control falls by .1.
    """
    rng = np.random.default_rng(1)
    made = runs_of(
        lambda Cr, **_: 0.5 - by * (Cr > 0.9) + 0.06 * rng.normal(size=10), N=range(5, 105), F=F20, Cr=[0.5, 0.99]
    )
    found = tests.falls_at_each(made, factor="N", share_of_cells=0.05)
    assert found.effect > 0.3
    assert (found.agree, found.against, found.cells) == (agree, 0, 100)


# ---- Factors and formulas --------------------------------------------------------------------------------------------


def additive(F, Cr, **_):
    """F makes .8² and Cr .2² of what varies alone, their product the rest: .64, .04 and .32 of 1."""
    f, c = 2 * F - 1, 2 * Cr - 1
    return 0.5 + 0.2 * (0.8 * f + 0.2 * c + np.sqrt(0.32) * f * c)


@pytest.mark.parametrize(
    ("options", "effect", "agree"),
    [
        ({"factor": "F", "below": 0.65}, 0.64, 1),
        ({"factor": "F", "below": 0.63}, 0.64, 0),
        ({"factor": "any", "below": 0.5}, 0.64, 0),
        ({"factor": "Cr", "least": 0.03}, 0.04, 1),
        ({"factor": "Cr", "kind": "total", "least": 0.3}, 0.36, 1),
        ({"factor": "Cr", "kind": "total", "below": 0.3}, 0.36, 0),
        ({"factor": "interactions", "least": 0.3}, 0.32, 1),
    ],
)
def test_shares_of_the_variance(options, effect, agree):
    found = tests.explains(runs_of(additive, F=[0.0001, 1.0], Cr=[0.0, 1.0]), **options)
    assert found.effect == pytest.approx(effect, abs=1e-3)
    assert (found.agree, found.against, found.cells) == (agree, 1 - agree, 1)


@pytest.mark.parametrize(("of", "freedom"), [("mean", 9), ("spread", 5)])
def test_the_error_of_a_share_is_that_of_its_groups_of_runs(of, freedom):
    """12 runs are ten groups; 6 pairs of them, of which standard deviations are made, are six."""
    rng = np.random.default_rng(1)
    made = runs_of(lambda F, Cr, **_: (F + Cr) * (0.2 + 0.1 * rng.uniform(-1, 1, 12)), F=[0.5, 1.0], Cr=[0.0, 1.0])
    share = factors(made, of=of).first["F"]
    expected = (share.high - share.value) / t.ppf(0.975, freedom)
    assert tests.explains(made, "F", of=of, below=0.5).error == pytest.approx(expected)


def test_a_share_whose_interval_holds_the_limit_is_open():
    def noisy(**cell):
        return np.clip(
            additive(**cell) + 0.2 * np.random.default_rng(int(cell["F"] + 2 * cell["Cr"])).normal(size=20), 0, 1
        )

    found = tests.explains(runs_of(noisy, F=[0.0001, 1.0], Cr=[0.0, 1.0]), factor="F", below=0.64)
    assert (found.agree, found.against, found.cells) == (0, 0, 1)


def test_formulas_are_compared_at_each_point_of_the_grid():
    values = {"a": 0.0, "b": 0.2, "c": 0.3}
    runs = runs_of(lambda **_: 0.5)
    above = tests.formula(runs, lambda _: iter(values.items()), above=0.2)
    at_most = tests.formula(runs, lambda _: iter(values.items()), at_most=0.2)
    assert (above.agree, above.against, at_most.agree, at_most.against) == (1, 2, 2, 1)
    assert above.effect == pytest.approx(0.5 / 3)
    assert above.by == "from 0 (a) to 0.3 (c)"


# ---- What cannot be tested -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("test", "options", "runs", "message"),
    [
        (tests.rises, UP, 20, "N must be one of 20, got 5"),
        (tests.steps, {"factors": ("F",)}, 20, "needs several F; the study has 0.5"),
        (
            tests.steps,
            {"factors": ("dimension",)},
            20,
            r"needs several dimension; the study has 30; run a study with dimension = \[10, 30\]",
        ),
        (tests.stronger, {"strong": "F", "weak": "Cr"}, 20, "needs several F"),
        (tests.alike, {"factor": "strategy"}, 20, "needs several strategy; the study has mirror"),
        (tests.spread_at_most, {"limit": 0.05}, 4, "needs at least 5 runs of every configuration; the study has 4"),
        (tests.falls, {}, 20, "needs several Cr"),
        (tests.explains, {"factor": "F", "below": 0.5}, 20, "needs several F; the study has 0.5"),
        (
            tests.explains,
            {"factor": "any", "below": 0.5},
            20,
            "needs two factors with several levels; the study has none",
        ),
        (tests.not_in_a_study, {"reason": "because"}, 20, "because"),
    ],
)
def test_what_a_study_lacks_is_named(test, options, runs, message):
    made = runs_of(lambda **_: np.linspace(0.4, 0.6, runs))
    with pytest.raises(NotTestableError, match=message):
        test(made, **options)


@pytest.mark.parametrize(
    "options", [{"below": 0.95}, {"kind": "total", "below": 0.01}, {"kind": "total", "least": 0.01}]
)
def test_the_share_of_a_factor_with_one_level_is_no_verdict(options):
    """Of F and Cr, which vary, something is said; N and mutation explain nothing because they do not."""
    runs = runs_of(additive, F=[0.0001, 1.0], Cr=[0.0, 1.0])
    assert tests.explains(runs, "F", **options).cells == 1
    for factor in ("N", "mutation"):
        with pytest.raises(NotTestableError, match=f"needs several {factor}; the study has"):
            tests.explains(runs, factor, **options)


@pytest.mark.parametrize("factor", ["any", "interactions"])
def test_with_one_factor_that_varies_none_is_the_strongest(factor):
    runs = runs_of(additive, F=[0.0001, 1.0], Cr=[0.0])
    with pytest.raises(NotTestableError, match="needs two factors with several levels; the study has F"):
        tests.explains(runs, factor, least=0.1)


def test_equal_runs_by_chance_decide_nothing():
    """Of two runs with 9 to 11 infeasible trials of 1000 in every cell, some are equal, with an error of 0."""
    rng = np.random.default_rng(1)
    made = runs_of(lambda **_: rng.integers(9, 12, 2) / 1000, N=[5, 20], F=F3, Cr=CR5)
    for test, options in ((tests.rises, UP), (tests.falls, {})):
        with pytest.raises(NotTestableError, match="needs at least 5 runs of every configuration; the study has 2"):
            test(made, **options)


def test_with_two_Cr_there_is_no_other_step_at_which_it_could_drop():
    runs = runs_of(of_falls, F=[0.1, 0.9], Cr=CR5[-2:])
    assert tests.falls(runs).agree == 2
    with pytest.raises(NotTestableError, match=r"needs at least three Cr; the study has 0\.7, 0\.99"):
        tests.falls_only_at_last(runs)


def test_where_nothing_differs_nothing_speaks():
    made = runs_of(lambda **_: 0.5, N=[5, 20])
    with pytest.raises(NotTestableError, match="no cell can show it"):
        tests.rises(made, **UP)
