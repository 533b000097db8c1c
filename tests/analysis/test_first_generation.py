"""The curve of generation 1, by hand and by `debox.theory`."""

from dataclasses import replace

import numpy as np
import pytest

import debox
from debox import Config, operators, reference, theory
from debox.analysis.first_generation import curve_points, first_generation, why_no_curve
from debox.analysis.runs import Runs
from debox.operators.kinds import Crossover, Donors, Mutation


def test_rand_1_in_one_dimension_is_a_third_of_F(made):
    """P(x1 + F(x2 − x3) ∉ [0, 1]) = F/3 for F ≤ 1; N of the budget's points are no trials."""
    runs = Runs.of(made({(0.6, 0.5): [0.1]}, n=1, budget=20))
    for crossover in ("bin", "exp"):
        assert first_generation(runs, "rand/1", crossover, 5, 0.6, 0.5) == pytest.approx((1 - 5 / 20) * 0.6 / 3)


@pytest.mark.parametrize("mutation", [mutation.name for mutation in operators.in_slot("mutation")])
@pytest.mark.parametrize("donors", ["distinct", "not-target"])
def test_it_is_what_the_theory_says_for_the_table_s_n_budget_and_donors(made, mutation, donors):
    runs = Runs.of(made({(0.6, 0.5): [0.1]}, n=7, budget=300, donors=donors))
    config = Config(f"DE/{mutation}/exp sat", N=6, F=1.3, Cr=0.8, donors=donors)
    found = first_generation(runs, mutation, "exp", 6, 1.3, 0.8)
    assert found == pytest.approx(theory.frozen_pois(config, 7, 300), rel=1e-12)
    assert found != pytest.approx(theory.frozen_pois(config, 30, 300), rel=1e-6)


def test_where_F_and_Cr_adapt_there_is_no_curve(made):
    """Also for a mutation, crossover and donors that have one otherwise."""
    table = made({(0.6, 0.5): [0.1]})
    assert why_no_curve(Runs.of(table), "rand/1", "bin") == ""
    adaptive = Runs.of({**table, "adaptation": np.array(["JADE"], object)})
    assert why_no_curve(adaptive, "rand/1", "bin") == "no exact curve: JADE adapts F and Cr"


def test_a_table_without_dimension_is_named(made):
    table = made({(0.6, 0.5): [0.1]})
    del table["dimension"]
    with pytest.raises(ValueError, match="no column dimension"):
        first_generation(Runs.of(table), "rand/1", "bin", 5, 0.6, 0.5)


def test_a_mutation_of_a_package_that_nobody_has_asked_for_yet_has_a_curve(made, monkeypatch):
    ours = replace(operators.find("mutation", "rand/1"), name="ours/1", short="ours/1")

    def look_for_plugins():
        monkeypatch.setattr(operators, "REGISTRATIONS", (ours,))
        return True

    runs = Runs.of(made({("rand/1", "bin", "mirror", 5, 0.6, 0.5): [0.1]}))
    monkeypatch.setattr("debox.operators.outside.load_packages", look_for_plugins)
    assert why_no_curve(runs, "ours/1", "bin") == ""
    assert why_no_curve(runs, "ours/2", "swap") == "no exact curve: ours/2, swap are not installed here"


def test_points_hold_the_values_and_many_between():
    assert curve_points("F", (0.05, 0.2)) == (0.05, 0.0625, 0.125, 0.1875, 0.2)
    assert curve_points("Cr", (0.25, 0.28125)) == (0.25, 0.265625, 0.28125)
    assert curve_points("F", (0.7,)) == (0.7,)
    assert curve_points("Cr", ()) == ()


OWN = {  # installed, and none of them says what a formula needs
    "mutation": Mutation("mid/1", reference.rand_1, donors=3),
    "crossover": Crossover("arith", reference.binomial),
    "donors": Donors("ring", reference.distinct),
}


@pytest.mark.parametrize(
    ("mutation", "crossover", "donors", "reason"),
    [
        ("rand/1", "bin", "distinct", ""),
        ("other/1", "bin", "distinct", "no exact curve: other/1 is not installed here"),
        ("mid/1", "bin", "distinct", "no exact curve: mid/1 has no weights"),
        ("rand/1", "arith", "distinct", "no exact curve: arith has no exchanges"),
        ("rand/1", "bin", "ring", "no exact curve: ring is not uniform"),
        ("other/1", "swap", "ring", "no exact curve: other/1, swap are not installed here, ring is not uniform"),
    ],
)
def test_an_operator_that_is_not_installed_is_told_from_one_without_a_formula(
    made, mutation, crossover, donors, reason
):
    for operator in OWN.values():
        debox.register(operator)
    runs = Runs.of(made({(0.6, 0.5): [0.1]}, donors=donors))
    assert why_no_curve(runs, mutation, crossover) == reason
