"""The table of operators: names, errors, and what it says of each operator is so."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import debox
from debox import operators
from debox.config import split_variant
from debox.operators import OPERATORS, SLOTS, find, in_slot

BY_MUTATION = pytest.mark.parametrize("mutation", in_slot("mutation"), ids=lambda operator: operator.name)

RULES = ("distinct", "not-target", "not-parents")
# By hand. Donors in the formulas: rand/1 three, rand/2 five, best/1 and current-to-best/1 two. not-target sets one
# individual aside, not-parents one more where the best is a parent (it may be another one than the target).
SMALLEST_N = {
    "rand/1": (3, 4, 4),
    "rand/2": (5, 6, 6),
    "best/1": (2, 3, 4),
    "current-to-best/1": (2, 3, 4),
    "best/2": (4, 5, 6),
    "current-to-best/2": (4, 5, 6),
    "rand-to-best/1": (3, 4, 5),
    "rand-to-best/2": (5, 6, 7),
    "current-to-rand/1": (3, 4, 4),
    "current-to-pbest/1": (2, 3, 4),
}
# What scipy.optimize.differential_evolution calls a strategy.
SCIPY_STRATEGIES = [
    f"{mutation}{crossover}"
    for mutation in ("rand1", "rand2", "best1", "best2", "randtobest1", "currenttobest1")
    for crossover in ("bin", "exp")
]


def test_the_table_has_the_operators_of_the_paper():
    assert SLOTS == ("mutation", "crossover", "strategy", "donors", "adaptation")
    assert {o.short for o in in_slot("mutation")} >= {"rand/1", "rand/2", "best/1", "curr-to-best/1"}
    assert {o.short for o in in_slot("crossover")} >= {"bin", "exp"}
    assert {o.short for o in in_slot("strategy")} >= {"COTN", "dism", "mirr", "sat", "tor"}


def test_every_operator_is_found_by_either_name_in_any_case():
    for operator in OPERATORS:
        for name in (operator.name, operator.short):
            for written in (name, name.lower(), name.upper(), name.title(), f" {name} "):
                assert find(operator.slot, written) is operator
                assert operators.find_or_none(operator.slot, written) is operator


@pytest.mark.parametrize("slot", SLOTS)
def test_no_name_means_two_operators(slot):
    names = [name.lower() for o in in_slot(slot) for name in {o.name, o.short}]
    assert len(names) == len(set(names))


def test_every_operator_says_what_it_does_and_where_it_comes_from():
    for operator in OPERATORS:
        assert operator.formula, operator
        assert re.search(r"\b(19|20)\d\d\b", operator.citation), "a citation has a year"


@BY_MUTATION
def test_a_mutation_draws_the_donors_of_its_formula(mutation):
    indices = set(re.findall(r"[xy]_r(\d)", mutation.formula))
    assert indices == {str(k + 1) for k in range(mutation.donors)}
    assert mutation.uses_p_best == ("x_p " in mutation.formula)
    assert mutation.uses_best == ("x_best" in mutation.formula or mutation.uses_p_best)
    assert mutation.uses_archive == ("y_r" in mutation.formula)
    assert mutation.uses_target == ("x_t" in mutation.formula)


K = Fraction(2, 7)


def scales_of(mutation, F):
    """F and, if the mutation draws it, K"""
    return (F, K) if mutation.draws_K else (F,)


def weights_of(mutation, F):
    """Of target, best, r1, …, r5"""
    weights = mutation.weights(*scales_of(mutation, F))
    return [*weights, *[0] * (7 - len(weights))]


@BY_MUTATION
@pytest.mark.parametrize("F", [Fraction(1, 20), Fraction(7, 10), Fraction(1), Fraction(2)])
def test_weights_are_those_of_the_formula_and_add_up_to_one(mutation, F):
    weights, draw = weights_of(mutation, F), Random(1)
    units = [[int(i == role) for i in range(7)] for role in range(7)]
    assert [mutation.function(*unit, *scales_of(mutation, F)) for unit in units] == weights
    for _ in range(20):
        parents = [Fraction(draw.randint(-99, 99), draw.randint(1, 99)) for _ in range(7)]
        assert mutation.function(*parents, *scales_of(mutation, F)) == sum(
            w * x for w, x in zip(weights, parents, strict=True)
        )
    assert sum(weights) == 1


@BY_MUTATION
def test_a_mutation_weighs_its_donors_and_the_best_and_the_target_if_it_uses_them(mutation):
    target, best, *donors = (weight != 0 for weight in weights_of(mutation, Fraction(7, 10)))
    assert (target, best, sum(donors)) == (mutation.uses_target, mutation.uses_best, mutation.donors)
    assert donors == sorted(donors, reverse=True)


def test_the_strategies_for_whole_points_are_those_of_the_spec():
    of_kind = {
        kind: {o.name for o in in_slot("strategy") if getattr(o, kind)}
        for kind in ("whole", "dismisses", "penalises", "redraws", "leaves_outside", "minds_repair")
    }
    projections = {"project-midpoint", "project-base"}
    assert of_kind == {
        "whole": {"dismiss", "conservatism", "penalty", "none"} | projections,
        "dismisses": {"dismiss"},
        "penalises": {"penalty"},
        "redraws": {"resample"},
        "leaves_outside": {"none"},
        "minds_repair": {"conservatism", "resample"} | projections,
    }
    assert find("strategy", "resample").redraws == 100


@BY_MUTATION
def test_the_base_is_what_the_mutant_becomes_when_all_differences_vanish(mutation):
    """Without scale (F = 0, and K = 0) a mutant is its base."""
    parents = dict(zip(("target", "best", "r1", "r2", "r3", "r4", "r5"), range(7), strict=True))
    assert mutation.function(*parents.values(), *([0, 0] if mutation.draws_K else [0])) == parents[mutation.base]


def test_the_smallest_population_is_donors_plus_those_set_aside():
    rules = [find("donors", name) for name in RULES]
    found = {m.name: tuple(operators.smallest_population(m, rule) for rule in rules) for m in in_slot("mutation")}
    assert found == SMALLEST_N


def test_only_a_uniform_rule_is_replaced_where_the_best_is_no_parent():
    rule = replace(find("donors", "not-parents"), name="ours", short="ours", uniform=False)
    assert operators.donor_rule(rule, find("mutation", "rand/1")) is rule


def test_a_mutation_without_donors_needs_a_target():
    without = replace(find("mutation", "best/1"), name="best/0", short="best/0", donors=0)
    assert operators.smallest_population(without, find("donors", "distinct")) == 1


def test_a_misspelt_name_is_answered_with_the_nearest_and_all_names():
    for operator in OPERATORS:
        misspelt = operator.name[:2] + operator.name[3:]
        with pytest.raises(ValueError, match=re.escape(f"unknown {operator.slot} {misspelt!r}")) as error:
            find(operator.slot, misspelt)
        assert re.search(r"did you mean '\S+'\?", str(error.value))
        assert all(o.name in str(error.value) and o.short in str(error.value) for o in in_slot(operator.slot))


@pytest.mark.parametrize("strategy", SCIPY_STRATEGIES)
def test_a_variant_that_the_error_about_a_strategy_of_scipy_proposes_exists(strategy):
    with pytest.raises(ValueError, match=r"variant='(.*?)'") as error:
        find("strategy", strategy)
    (variant,) = re.findall(r"variant='(.*?)'", str(error.value))
    parts = split_variant(variant)
    assert find("mutation", parts["mutation"])
    assert find("crossover", parts["crossover"]).name == strategy[-3:]


def cells(row):
    """As Markdown reads them: a bar parts two cells unless a backslash stands before it"""
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


def test_the_documentation_has_a_table_for_every_slot_with_a_row_for_every_operator():
    page = (Path(__file__).parents[2] / "docs" / "operators.md").read_text().partition("## Adaptation and recipes")[0]
    rows = [cells(row) for row in page.splitlines() if row.startswith("|")]
    expected = []
    for slot in SLOTS:
        expected += [[slot, "what it does"], ["---", "---"]]
        for operator in [o for o in OPERATORS if o.slot == slot]:
            names = operator.name if operator.name == operator.short else f"{operator.name}, {operator.short}"
            expected.append([names, operator.formula])
    assert rows == expected


def test_an_operator_is_called_as_its_function_and_shows_what_it_is():
    mirror = find("strategy", "mirror")
    assert mirror(1.25, 0.5, 0.5, 0.0, 1.0, None) == 0.75
    assert repr(mirror) == "<debox strategy 'mirror'>"


@pytest.mark.parametrize("name", ["kernel", "Operator"])
def test_what_is_gone_is_answered_with_the_decorators(name):
    with pytest.raises(AttributeError, match=rf"debox\.{name}\b.* gone: .*@debox\.strategy\('half'\)"):
        getattr(debox, name)
