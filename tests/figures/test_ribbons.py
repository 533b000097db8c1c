"""Ribbons of tables made by hand."""

import numpy as np
import pytest
from adaptations import with_adaptations

from debox import Config, theory
from debox.analysis.runs import Runs
from debox.figures import ribbons

FIFTHS = [0.1, 0.2, 0.3, 0.4, 0.5]
CELLS = {(0.5, 0.2): FIFTHS, (1.5, 0.2): [0.7], (0.5, 0.9): [0.6, 0.8]}


@pytest.fixture
def runs(made):
    return Runs.of(made(CELLS, n=4, budget=100))


def test_quantiles_against_F_are_those_computed_by_hand(runs):
    found = ribbons.numbers(runs, "F")
    axes = [found[name].tolist() for name in ("Cr", "N", "F", "strategy")]
    assert axes == [[0.2, 0.9], [5], [0.5, 1.5], ["saturation"]]
    assert found["runs"][:, 0, :, 0].tolist() == [[5, 1], [2, 0]]
    # of five runs the q-th quantile lies 4q steps of 0.1 above the first
    assert [found[name][0, 0, 0, 0] for name in ribbons.QUANTILES] == pytest.approx([0.12, 0.2, 0.3, 0.4, 0.48])
    assert [found[name][0, 0, 1, 0] for name in ribbons.QUANTILES] == pytest.approx([0.7] * 5)
    assert all(np.isnan(found[name][1, 0]).tolist() == [[False], [True]] for name in ribbons.QUANTILES)


def test_the_other_way_round_F_is_fixed(runs):
    found = ribbons.numbers(runs, "Cr")
    assert found["runs"][:, 0, :, 0].tolist() == [[5, 2], [1, 0]]  # a row per F
    assert found["median"][0, 0, :, 0] == pytest.approx([0.3, 0.7])


@pytest.mark.parametrize("against", ["F", "Cr"])
def test_the_curve_of_generation_1_is_the_theory_s(runs, against):
    points = [0.5, 0.8, 1.0]
    for level, (curve,) in zip(
        runs.axes[ribbons.other_than(against)], ribbons.curves(runs, against, points), strict=True
    ):
        for x, y in zip(points, curve, strict=True):
            F, Cr = (x, level) if against == "F" else (level, x)
            expected = theory.frozen_pois(Config("DE/rand/1/exp sat", N=5, F=F, Cr=Cr), 4, 100)
            assert y == pytest.approx(expected, rel=1e-12)
    measured = ribbons.numbers(runs, against)["generation_1"]
    assert np.array_equal(measured, ribbons.curves(runs, against, runs.axes[against]))


def test_every_strategy_and_every_size_is_there(made):
    cells = {("rand/1", "exp", strategy, N, 0.5, 0.2): [0.1] for strategy in ("mirror", "COTN") for N in (5, 9)}
    assert ribbons.numbers(Runs.of(made(cells)))["runs"].shape == (1, 2, 1, 2)  # Cr, N, F, strategy


@pytest.mark.parametrize(("slot", "name"), [("mutation", "my-own/2"), ("donors", "friends")])
def test_of_operators_that_are_not_installed_there_are_quantiles_but_no_exact_curve(made, slot, name):
    given = made({(0.5, 0.1): [0.2, 0.4]})
    given[slot] = np.full(2, name, object)
    (page, _) = ribbons.pages(Runs.of(given))
    found = page.numbers(*page.arguments)
    assert found["median"].ravel() == pytest.approx([0.3])
    assert np.isnan(found["generation_1"]).all()
    assert page.omission == f"no exact curve: {name} is not installed here"
    assert page.omission in page.caption


def test_every_adaptation_has_pages_of_its_own_and_fixed_F_and_Cr_an_exact_curve(made):
    runs = Runs.of(with_adaptations(made({(F, 0.5): [F / 2] for F in (0.5, 1.0)}), fixed=0, SHADE=0.1))
    fixed, _, shade, _ = every = list(ribbons.pages(runs))
    names = [f"ribbons/DE-rand-1-exp-{a}-against-{x}" for a in ("fixed", "SHADE") for x in ("F", "Cr")]
    assert [one.name for one in every] == names
    found = shade.numbers(*shade.arguments)
    assert found["median"].ravel() == pytest.approx([0.35, 0.6])
    assert np.isnan(found["generation_1"]).all()
    assert shade.omission == "no exact curve: SHADE adapts F and Cr"
    assert (fixed.numbers(*fixed.arguments)["generation_1"] > 0).all()
