"""Quantile ribbons of tables made by hand."""

import numpy as np
import pytest
from adaptations import with_adaptations

from debox import Config, theory
from debox.analysis.old_runs import Runs
from debox.figures.data.ribbons import entries, ribbons

FIFTHS = [0.1, 0.2, 0.3, 0.4, 0.5]


@pytest.fixture
def runs(made):
    return Runs.of(made({(0.5, 0.2): FIFTHS, (1.5, 0.2): [0.7], (0.5, 0.9): [0.6, 0.8]}, n=4, budget=100))


def test_quantiles_against_F_are_those_computed_by_hand(runs):
    record = ribbons(runs, "DE/rand/1/exp")
    assert (record.against, record.fixed, record.planned) == ("F", "Cr", 5)
    (row,) = record.rows
    assert [plot.fixed for plot in row] == [0.2, 0.9]
    (ribbon,) = row[0].ribbons
    assert (ribbon.N, ribbon.x, ribbon.runs) == (5, (0.5, 1.5), (5, 1))
    # of five runs the q-th quantile lies 4q steps of 0.1 above the first
    assert np.array(ribbon.quantiles)[:, 0] == pytest.approx([0.12, 0.2, 0.3, 0.4, 0.48])
    assert np.array(ribbon.quantiles)[:, 1] == pytest.approx([0.7] * 5)


def test_a_missing_configuration_is_a_gap(runs):
    ribbon = ribbons(runs, "DE/rand/1/exp").rows[0][1].ribbons[0]
    assert ribbon.runs == (2, 0)
    assert np.isnan(ribbon.quantiles).tolist() == [[False, True]] * 5


def test_missing_runs_are_noted(runs):
    assert ribbons(runs, "DE/rand/1/exp").note == "0 to 5 of 5 runs"


def test_the_other_way_round_F_is_fixed(runs):
    record = ribbons(runs, "DE/rand/1/exp", "Cr")
    (row,) = record.rows
    assert (record.against, record.fixed) == ("Cr", "F")
    assert [(plot.fixed, plot.ribbons[0].x, plot.ribbons[0].runs) for plot in row] == [
        (0.5, (0.2, 0.9), (5, 2)),
        (1.5, (0.2, 0.9), (1, 0)),
    ]
    assert row[0].ribbons[0].quantiles[2] == pytest.approx((0.3, 0.7))


@pytest.mark.parametrize("against", ["F", "Cr"])
def test_the_curve_of_generation_1_passes_the_measured_values_too(runs, against):
    plot = ribbons(runs, "DE/rand/1/exp", against).rows[0][0]
    (ribbon,) = plot.ribbons
    assert set(ribbon.x) < set(ribbon.theory_x)
    for x, y in zip(ribbon.theory_x, ribbon.theory, strict=True):
        F, Cr = (x, plot.fixed) if against == "F" else (plot.fixed, x)
        config = Config("DE/rand/1/exp sat", N=5, F=F, Cr=Cr)
        assert y == pytest.approx(theory.frozen_pois(config, 4, 100), rel=1e-12)


def test_every_strategy_has_a_row_and_every_size_a_ribbon(made):
    cells = {("rand/1", "exp", strategy, N, 0.5, 0.2): [0.1] for strategy in ("mirror", "COTN") for N in (5, 9)}
    record = ribbons(Runs.of(made(cells)), "DE/rand/1/exp")
    assert [[(plot.strategy, [ribbon.N for ribbon in plot.ribbons]) for plot in row] for row in record.rows] == [
        [("COTN", [5, 9])],
        [("mirror", [5, 9])],
    ]
    assert len(ribbons(Runs.of(made(cells)), "DE/rand/1/exp", strategies=("mirror",)).rows) == 1


def test_a_variant_without_runs_is_all_gaps(runs):
    ribbon = ribbons(runs, "DE/best/1/bin").rows[0][0].ribbons[0]
    assert ribbon.runs == (0, 0)
    assert np.isnan(ribbon.quantiles).all()


def test_wrong_arguments_are_named(runs):
    with pytest.raises(ValueError, match="against must be one of F, Cr, got 'N'"):
        ribbons(runs, "DE/rand/1/exp", "N")
    with pytest.raises(ValueError, match="unknown crossover 'uniform'"):
        ribbons(runs, "DE/rand/1/uniform")


def test_of_operators_that_are_not_installed_there_are_quantiles_but_no_exact_curve(table):
    given = table(("DE/rand/1/exp sat, N=5, F=0.5, Cr=0.1", [0.2, 0.4]))
    given["mutation"][:] = "my-own/2"
    record = ribbons(Runs.of(given), "DE/my-own/2/exp", "F")
    (ribbon,) = record.rows[0][0].ribbons
    assert ribbon.quantiles[2] == pytest.approx((0.3,))
    assert (ribbon.theory_x, ribbon.theory) == ((), ())
    assert record.note == "no exact curve: my-own/2 is not installed here"


def test_a_rule_for_donors_that_is_not_installed_leaves_no_exact_curve(table):
    given = table(("DE/rand/1/exp sat, N=5, F=0.5, Cr=0.1", [0.2, 0.4]))
    given["donors"][:] = "friends"
    assert "friends is not installed here" in ribbons(Runs.of(given), "DE/rand/1/exp", "F").note


def test_every_adaptation_has_pages_of_its_own_and_fixed_F_and_Cr_an_exact_curve(made):
    runs = Runs.of(with_adaptations(made({(F, 0.5): [F / 2] for F in (0.5, 1.0)}), fixed=0, SHADE=0.1))
    names = [f"ribbons/DE-rand-1-exp-{a}-against-{x}" for a in ("fixed", "SHADE") for x in ("F", "Cr")]
    fixed, _, shade, _ = every = list(entries(runs))
    assert [one.name for one in every] == names
    ((plot,),) = shade.record(runs).rows
    assert plot.ribbons[0].quantiles[2] == pytest.approx((0.35, 0.6))
    assert plot.ribbons[0].theory == ()
    assert shade.record(runs).omission == "no exact curve: SHADE adapts F and Cr"
    assert len(fixed.record(runs).rows[0][0].ribbons[0].theory) > 2
