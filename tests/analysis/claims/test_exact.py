"""Formulas by hand, and the inequality that makes an explanation impossible."""

from dataclasses import replace

import pytest

from debox.analysis.claims import exact
from debox.analysis.claims.exact import Formula, NotInAStudy
from debox.analysis.claims.levels import NotTestableError


@pytest.fixture
def cube(cube_of):
    return cube_of(lambda **_: [0.5, 0.5], mutation=("best/1", "rand/1"), strategy=("mirror",), N=(20,))


def test_exchanges_by_hand(cube):
    """n = 30: bin exchanges 1 + 29 Cr, exp (1 − Cr³⁰)/(1 − Cr)."""
    assert dict(exact.bin_minus_Cr(cube))["Cr=0.5"] == pytest.approx((1 + 29 * 0.5) / 30 - 0.5)
    assert dict(exact.exp_minus_Cr(cube))["Cr=0.5"] == pytest.approx(0.5 - 2 / 30, abs=1e-8)
    assert dict(exact.bin_minus_exp(cube))["Cr=0.5"] == pytest.approx((15.5 - 2) / 30, abs=1e-8)


def test_a_formula_counts_points_of_the_grid(cube):
    found = Formula(exact.bin_minus_Cr, at_most=0.02).find(cube, 0.95)
    assert (found.cells, found.agree) == (3, pytest.approx(2 / 3))  # (1 − Cr)/30 is above 0.02 for Cr = 0.05 only
    assert (found.p, found.p_half) == (None, None)
    assert found.effect == pytest.approx(0.95 / 30)


def test_a_trial_is_never_more_often_infeasible_than_its_mutant(cube):
    values = dict(exact.trial_minus_mutant(cube))
    assert len(values) == 2 * 2 * 4 * 3
    assert max(values.values()) < 1e-12
    # by hand: rand/1, F = 0.5: a component leaves with chance F/3 = 1/6; 30 of them: 1 − (5/6)³⁰; bin with Cr = 0.5
    mutant = 1 - (5 / 6) ** 30
    trial = 1 - (5 / 6) * (1 - 0.5 / 6) ** 29
    assert values["rand/1/bin, N=20, F=0.5, Cr=0.5"] == pytest.approx(trial - mutant)
    found = Formula(exact.trial_minus_mutant, above=1e-12, reason=exact.ONLY_IF_MUTANT).find(cube, 0.95)
    assert (found.agree, found.against) == (0, 1)
    assert "only if the mutant is" in found.evidence


def test_operators_without_a_formula_are_not_testable(cube_of):
    cube = cube_of(lambda **_: [0.5, 0.5], mutation=("of-my-own/1",), strategy=("mirror",))
    with pytest.raises(NotTestableError, match="of-my-own"):
        Formula(exact.trial_minus_mutant, above=0).find(cube, 0.95)


def test_what_no_study_decides_says_why(cube):
    with pytest.raises(NotTestableError, match="because"):
        NotInAStudy("because").find(cube, 0.95)


@pytest.mark.parametrize(
    ("compute", "there", "lacks"),
    [
        (exact.bin_minus_Cr, "exp", "bin"),
        (exact.exp_minus_Cr, "bin", "exp"),
        (exact.bin_minus_exp, "bin", "exp"),
        (exact.bin_minus_exp, "exp", "bin"),
    ],
)
def test_a_crossover_that_the_study_lacks_is_not_testable(cube, compute, there, lacks):
    with pytest.raises(NotTestableError, match=f"needs crossover = {lacks}; the study has {there}"):
        Formula(compute, above=0).find(cube.take(crossover=there), 0.95)


def test_the_formula_takes_the_donors_of_the_study(cube):
    """If no donor is the best, best/1 is like rand/1 in generation 1; by the paper's rule one may be."""
    names = [f"{mutation}/bin, N=20, F=0.5, Cr=0.5" for mutation in ("rand/1", "best/1")]
    for donors, alike in (("not-parents", True), ("distinct", False)):
        values = dict(exact.trial_minus_mutant(replace(cube, donors=donors)))
        assert (values[names[0]] == pytest.approx(values[names[1]])) == alike


@pytest.mark.parametrize(
    "compute", [exact.bin_minus_Cr, exact.exp_minus_Cr, exact.bin_minus_exp, exact.trial_minus_mutant]
)
def test_where_F_and_Cr_adapt_no_formula_speaks_of_their_start(cube, compute):
    with pytest.raises(NotTestableError, match="where F and Cr adapt, got adaptation 'JADE'"):
        Formula(compute, above=0).find(replace(cube, adaptation="JADE"), 0.95)
