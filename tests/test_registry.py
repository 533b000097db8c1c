import re

import pytest

from debox import registry
from debox.config import parse_variant
from debox.registry import OPERATORS, SLOTS, find, in_slot

BY_NAME = pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: f"{operator.slot}-{operator.name}")

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
}
# What scipy.optimize.differential_evolution calls a strategy.
SCIPY_STRATEGIES = [
    f"{mutation}{crossover}"
    for mutation in ("rand1", "rand2", "best1", "best2", "randtobest1", "currenttobest1")
    for crossover in ("bin", "exp")
]


def test_the_table_has_the_operators_of_the_paper():
    assert SLOTS == ("mutation", "crossover", "strategy", "donors")
    assert {o.short for o in in_slot("mutation")} >= {"rand/1", "rand/2", "best/1", "curr-to-best/1"}
    assert {o.short for o in in_slot("crossover")} >= {"bin", "exp"}
    assert {o.short for o in in_slot("strategy")} >= {"COTN", "dism", "mirr", "sat", "tor"}


@BY_NAME
def test_every_operator_is_found_by_either_name_in_any_case(operator):
    for name in (operator.name, operator.short):
        for written in (name, name.lower(), name.upper(), name.title(), f" {name} "):
            assert find(operator.slot, written) is operator


@pytest.mark.parametrize("slot", SLOTS)
def test_no_name_means_two_operators(slot):
    names = [name.lower() for o in in_slot(slot) for name in {o.name, o.short}]
    assert len(names) == len(set(names))


@BY_NAME
def test_every_operator_says_what_it_does_and_where_it_comes_from(operator):
    assert operator.formula
    assert re.search(r"\b(19|20)\d\d\b", operator.citation), "a citation has a year"


@pytest.mark.parametrize("mutation", in_slot("mutation"), ids=lambda operator: operator.name)
def test_a_mutation_draws_the_donors_of_its_formula(mutation):
    indices = set(re.findall(r"x_r(\d)", mutation.formula))
    assert indices == {str(k + 1) for k in range(mutation.donors)}
    assert mutation.uses_best == ("x_best" in mutation.formula)
    assert mutation.uses_target == ("x_t" in mutation.formula)


def test_only_dismiss_replaces_the_whole_trial():
    assert [o.name for o in in_slot("strategy") if o.whole] == ["dismiss"]


@pytest.mark.parametrize("mutation", in_slot("mutation"), ids=lambda operator: operator.name)
@pytest.mark.parametrize("rule", in_slot("donors"), ids=lambda operator: operator.name)
def test_the_smallest_population_is_donors_plus_those_set_aside(mutation, rule):
    assert registry.smallest_population(mutation, rule) == SMALLEST_N[mutation.name, rule.name]


@BY_NAME
def test_a_misspelt_name_is_answered_with_the_nearest_and_all_names(operator):
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
    assert proposed or not strategy.startswith(("rand1", "rand2", "best1", "currenttobest1")), "ours are proposed"
    for variant in proposed:
        assert parse_variant(variant)["crossover"] == strategy[-3:]


def cells(row):
    """As Markdown reads them: a bar parts two cells unless a backslash stands before it"""
    return [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


@BY_NAME
def test_the_documentation_table_has_a_row_for_every_operator(operator):
    rows = [cells(row) for row in registry.markdown_table().splitlines()]
    assert [len(row) for row in rows] == [3] * (2 + len(OPERATORS))
    names = operator.name if operator.name == operator.short else f"{operator.name}, {operator.short}"
    assert [operator.slot, names, operator.formula] in rows
