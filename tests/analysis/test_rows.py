"""Which rows of a table are runs of a study, and which columns are refused."""

import re
from dataclasses import replace

import numpy as np
import pytest
from plans import planned

from debox import operators
from debox.analysis.runs import Runs, rows_affected_by

CELLS = {(0.5, 0.1): [0.1, 0.2, 0.3], (0.7, 0.1): [0.4, 0.5, 0.6], (0.9, 0.1): [0.7, 0.8, 0.9]}


def kept(table, **changed):
    """The POIS of the runs that are planned by the study of the table, changed."""
    return Runs.of(table, planned(table, **{"runs": 3, **changed})).table["pois"].tolist()


@pytest.mark.parametrize(
    ("changed", "left"),
    [
        ({}, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]),
        ({"F": [0.5, 0.9]}, [0.1, 0.2, 0.3, 0.7, 0.8, 0.9]),
        ({"runs": 2}, [0.1, 0.2, 0.4, 0.5, 0.7, 0.8]),
        ({"F": [0.7], "runs": 1}, [0.4]),
        ({"dimension": [10]}, []),
        ({"strategy": ["mirr"]}, []),
        ({"budget": "33 n"}, []),  # 33 · 30 is not 1000
    ],
    ids=str,
)
def test_what_the_study_does_not_ask_for_is_left_out_and_counted(made, changed, left):
    table = made(CELLS)
    assert kept(table, **changed) == left
    assert Runs.of(table, planned(table, **{"runs": 3, **changed})).left_out == 9 - len(left)


def test_runs_without_the_checkpoints_of_the_study_are_of_an_earlier_one(made):
    table = made({(0.5, 0.1): [0.1, 0.2]}, at_third=[0.1, np.nan], at_two_thirds=[0.1, np.nan])
    assert kept(table, checkpoints=[1 / 3, 2 / 3]) == [0.1]
    assert kept(table, checkpoints=[]) == [0.2]


def test_each_dimension_has_its_own_budget(made):
    table = made({(0.5, 0.1): [0.1, 0.2, 0.3, 0.4]}) | {"dimension": np.array([2, 3, 3, 4])}
    table |= {"budget": np.array([200, 300, 200, 400]), "run": np.zeros(4, int)}
    assert kept(table, dimension=[2, 3], budget="100 n") == [0.1, 0.2]


def test_the_runs_of_another_seed_are_not_of_the_study(made):
    assert kept(made({(0.5, 0.1): [0.1, 0.2]}) | {"seed": np.array([1, 2])}, seed=2) == [0.2]


@pytest.mark.parametrize("knows", ["dismiss", "vanish"])
def test_only_strategies_that_dismiss_know_reevaluate(made, knows):
    """Config stores True for all others. Of one that is not installed, vanish, its runs show it."""
    table = made({("rand/1", "bin", name, 5, 0.5, 0.1): [0.1, 0.2] for name in (knows, "saturation")})
    table["pois"], table["run"] = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0, 0, 0, 1])
    table["reevaluate"] = np.array([True, False, True, True])
    assert kept(table, reevaluate=[False]) == [0.2, 0.3, 0.4]
    assert kept(table, reevaluate=[True]) == [0.1, 0.3, 0.4]
    with pytest.raises(ValueError, match="the runs have reevaluate = False, True; choose one: --where reevaluate=F"):
        Runs.of(table).require_one()
    assert Runs.of(table, where={"reevaluate": "true"}).table["pois"].tolist() == [0.1, 0.3, 0.4]
    assert Runs.of(table, where={"reevaluate": False}).caption.endswith("2 runs, reevaluate = False")


def test_an_installed_strategy_that_dismisses_knows_reevaluate_whatever_its_runs_have(made, monkeypatch):
    """Also one of a package, which is looked for when somebody asks for a name that is not known."""
    vanish = replace(operators.find("strategy", "dismiss"), name="vanish", short="vanish")

    def look_for_plugins():
        monkeypatch.setattr(operators, "REGISTRATIONS", (vanish,))
        return True

    table = made({("rand/1", "bin", name, 5, 0.5, 0.1): [0.1] for name in ("dismiss", "vanish", "saturation")})
    table["reevaluate"] = np.array([True, True, True])
    monkeypatch.setattr("debox.operators.outside.load_packages", look_for_plugins)
    assert rows_affected_by("reevaluate", table).tolist() == [True, True, False]


def test_all_open_choices_are_named_at_once(made):
    table = made({(0.5, 0.1): [0.1, 0.2, 0.3]}) | {"dimension": np.array([2, 2, 3])}
    table |= {"budget": np.array([200, 200, 300]), "run": np.zeros(3, int)}
    table["donors"] = np.array(["distinct", "not-target", "distinct"], object)
    how = "--where dimension=2 --where donors=distinct (in Python: dimension=2, donors='distinct')"
    with pytest.raises(ValueError, match=re.escape(how)) as refused:
        Runs.of(table).require_one()
    offer = "the runs have dimension = 2, 3 and donors = distinct, not-target; choose one of each: --where"
    assert str(refused.value).startswith(offer)
    with pytest.raises(ValueError, match="the runs have donors = distinct, not-target; choose one: --where donors="):
        Runs.of(table, where={"n": 2}).require_one()
    assert Runs.of(table, where={"dimension": 2, "donors": "distinct"}).table["pois"].tolist() == [0.1]


@pytest.mark.parametrize(("name", "usual", "other"), [("adaptation", "fixed", "jDE"), ("repair", "trial", "mutant")])
def test_a_table_of_an_earlier_version_has_the_usual_value_of_a_column_it_lacks(made, name, usual, other):
    table = made({("rand/1", "exp", "project-base", 5, 0.5, 0.1): [0.3]})
    assert Runs.of(table, where={name: usual}).table["pois"].tolist() == [0.3]
    with pytest.raises(ValueError, match=f"where: {name} must be one of {usual}, got '{other}'"):
        Runs.of(table, where={name: other})


TEXTS = ("mutation", "crossover", "strategy", "donors", "adaptation", "engine")
NUMBERS = ("N", "F", "Cr", "dimension", "budget", "run", "pois")


def changed(table, **columns):
    """The table with other columns; without those that are None."""
    return {name: column for name, column in {**table, **columns}.items() if column is not None}


WRONG = [
    *(({name: None}, f"the table has no column {name}; it has ") for name in ("mutation", "N", "Cr", "pois")),
    ({"n": [1, 1], "dimension": None}, "the table has a column n, which is called dimension: rename it"),
    *(({name: ["a", "/../../x"]}, f"the column {name} must be a name of .* got '/../../x'") for name in TEXTS),
    ({"strategy": ["a", None]}, "the column strategy must be a name of .* got None"),
    *(({name: [1, "/../x"]}, f"the column {name} must hold numbers, got '/../x'") for name in NUMBERS),
    *(({name: [0.1] * 3}, rf"as many rows; mutation has the shape \(2,\), {name} \(3,\)") for name in ("F", "pois")),
    ({"pois": 0.1}, r"as many rows; mutation has the shape \(2,\), pois \(\)"),
    *(({name: [1, np.inf]}, f"the column {name} must hold finite numbers, got inf") for name in ("N", "F", "Cr")),
]


@pytest.mark.parametrize(("columns", "message"), WRONG)
def test_a_wrong_column_is_named(made, columns, message):
    table = made({(0.5, 0.1): [0.1, 0.2]})
    with pytest.raises(ValueError, match=message):
        Runs.of(changed(table, **{name: given and np.array(given, object) for name, given in columns.items()}))


def test_a_choice_that_makes_no_difference_leaves_nothing_out(made):
    """Whether dismissed trials are evaluated is nothing to those who do not dismiss."""
    table = made({(0.5, 0.1): [0.1, 0.2]}) | {"reevaluate": np.array([True, True])}
    found = Runs.of(table, where={"reevaluate": False})
    assert found.where == {"reevaluate": (False,)}
    assert found.counts.tolist() == Runs.of(table).counts.tolist()
