"""The table of operators: names, errors, and what it says of each operator is so."""

import re
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from debox import registry
from debox.config import split_variant
from debox.registry import OPERATORS, SLOTS, find, in_slot

BY_MUTATION = pytest.mark.parametrize("mutation", in_slot("mutation"), ids=lambda operator: operator.name)

RULES = ("distinct", "not-target", "not-parents")
# By hand. Donors in the formulas: rand/1 three, rand/2 five, best/1 and current-to-best/1 two. not-target sets one
# individual aside, not-parents one more where the best is a parent (it may be another one than the target).
SMALLEST_N = {
    ("rand/1", "distinct"): 3,
    ("rand/1", "not-target"): 4,
    ("rand/1", "not-parents"): 4,
    ("rand/2", "distinct"): 5,
    ("rand/2", "not-target"): 6,
    ("rand/2", "not-parents"): 6,
    ("best/1", "distinct"): 2,
    ("best/1", "not-target"): 3,
    ("best/1", "not-parents"): 4,
    ("current-to-best/1", "distinct"): 2,
    ("current-to-best/1", "not-target"): 3,
    ("current-to-best/1", "not-parents"): 4,
    **dict(zip(product(["best/2", "current-to-best/2"], RULES), (4, 5, 6, 4, 5, 6), strict=True)),
    **dict(zip(product(["rand-to-best/1", "rand-to-best/2"], RULES), (3, 4, 5, 5, 6, 7), strict=True)),
    **dict(zip(product(["current-to-rand/1"], RULES), (3, 4, 4), strict=True)),
    **dict(zip(product(["current-to-pbest/1"], RULES), (2, 3, 4), strict=True)),
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
                assert registry.find_or_none(operator.slot, written) is operator


@pytest.mark.parametrize("name", ["my-own/2", "x", "A9", "", None, 5])
def test_a_name_that_no_operator_has_is_looked_up_without_an_error(name):
    assert registry.find_or_none("mutation", name) is None


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
    assert donors == sorted(donors, reverse=True)  # the first so many


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
    found = {
        (mutation.name, rule.name): registry.smallest_population(mutation, rule)
        for mutation in in_slot("mutation")
        for rule in in_slot("donors")
    }
    assert found == SMALLEST_N


def test_a_misspelt_name_is_answered_with_the_nearest_and_all_names():
    for operator in OPERATORS:
        misspelt = operator.name[:2] + operator.name[3:]
        with pytest.raises(ValueError, match=re.escape(f"unknown {operator.slot} {misspelt!r}")) as error:
            find(operator.slot, misspelt)
        assert re.search(r"did you mean '\S+'\?", str(error.value))
        assert all(o.name in str(error.value) and o.short in str(error.value) for o in in_slot(operator.slot))


@pytest.mark.parametrize(
    ("slot", "written", "meant"),
    [
        ("strategy", "torodial", "toroidal"),
        ("strategy", "dismis", "dismiss"),
        ("mutation", "curent-to-best/1", "current-to-best/1"),
        ("donors", "nottarget", "not-target"),
        ("crossover", "binn", "bin"),
    ],
)
def test_the_nearest_name_is_the_one_meant(slot, written, meant):
    with pytest.raises(ValueError, match=f"did you mean '{meant}'"):
        find(slot, written)


@pytest.mark.parametrize(
    ("elsewhere", "ours"),
    [
        ("clip", "saturation"),
        ("Clamp", "saturation"),
        ("wrap", "toroidal"),
        ("periodic", "toroidal"),
        ("reflect", "mirror"),
    ],
)
def test_a_strategy_by_its_name_elsewhere_is_answered_with_ours(elsewhere, ours):
    with pytest.raises(ValueError, match=rf"unknown strategy '{elsewhere}'; did you mean '{ours}'\? choose from"):
        find("strategy", elsewhere)


def test_a_name_like_none_of_them_is_answered_without_a_guess():
    with pytest.raises(ValueError, match="unknown strategy 'qqqq'; choose from saturation") as error:
        find("strategy", "qqqq")
    assert "did you mean" not in str(error.value)


@pytest.mark.parametrize("slot", SLOTS)
@pytest.mark.parametrize("value", [None, 3, ["mirror"], b"sat"])
def test_what_is_not_a_name_is_answered_with_the_names(slot, value):
    with pytest.raises(ValueError, match=f"{slot} must be a name") as error:
        find(slot, value)
    assert repr(value) in str(error.value)
    assert all(o.name in str(error.value) for o in in_slot(slot))


@pytest.mark.parametrize("strategy", SCIPY_STRATEGIES)
def test_a_strategy_in_the_sense_of_scipy_is_recognised_as_a_variant(strategy):
    with pytest.raises(ValueError, match="variant"):
        find("strategy", strategy)


@pytest.mark.parametrize("strategy", SCIPY_STRATEGIES)
def test_a_variant_that_the_error_proposes_exists(strategy):
    with pytest.raises(ValueError) as error:
        find("strategy", strategy)
    proposed = re.findall(r"variant='(.*?)'", str(error.value))
    assert proposed
    for variant in proposed:
        parts = split_variant(variant)
        assert find("mutation", parts["mutation"])
        assert find("crossover", parts["crossover"]).name == strategy[-3:]


def cells(row):
    """As Markdown reads them: a bar parts two cells unless a backslash stands before it"""
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


def test_the_documentation_table_has_a_row_for_every_operator():
    rows = [cells(row) for row in registry.markdown_table().splitlines()]
    assert [len(row) for row in rows] == [3] * (2 + len(OPERATORS))
    for operator in OPERATORS:
        names = operator.name if operator.name == operator.short else f"{operator.name}, {operator.short}"
        assert [operator.slot, names, operator.formula] in rows
