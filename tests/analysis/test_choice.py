"""Which rows figures show, with studies and tables made by hand."""

import re
from dataclasses import replace

import numpy as np
import pytest
from plans import planned

from debox import operators
from debox.analysis.choice import choose_rows, in_plan, rows_affected_by
from debox.analysis.old_runs import Runs

CELLS = {(0.5, 0.1): [0.1, 0.2, 0.3], (0.7, 0.1): [0.4, 0.5, 0.6], (0.9, 0.1): [0.7, 0.8, 0.9]}


def kept(table, **changed):
    """The POIS of the runs that are planned by the study of all CELLS, changed."""
    return table["pois"][in_plan(table, planned(table, **{"runs": 3, **changed}))].tolist()


def test_everything_planned_is_kept(made):
    assert kept(made(CELLS)) == made(CELLS)["pois"].tolist()
    assert kept(made(CELLS), dimension=30, strategy="saturation", budget="33 n") == []  # 33 · 30 is not 1000
    assert len(kept(made(CELLS, budget=990), budget="33 n")) == 9


@pytest.mark.parametrize(
    ("changed", "left"),
    [
        ({"F": [0.5, 0.9]}, [0.1, 0.2, 0.3, 0.7, 0.8, 0.9]),
        ({"runs": 2}, [0.1, 0.2, 0.4, 0.5, 0.7, 0.8]),
        ({"F": [0.7], "runs": 1}, [0.4]),
        ({"dimension": [10]}, []),
        ({"strategy": ["mirr"]}, []),
    ],
    ids=str,
)
def test_what_the_study_no_longer_asks_for_is_not(made, changed, left):
    assert kept(made(CELLS), **changed) == left


def test_runs_without_the_checkpoints_of_the_study_are_of_an_earlier_one(made):
    table = made({(0.5, 0.1): [0.1, 0.1]}, at_third=[0.1, np.nan], at_two_thirds=[0.1, np.nan])
    assert in_plan(table, planned(table, checkpoints=[1 / 3, 2 / 3])).tolist() == [True, False]
    assert in_plan(table, planned(table, checkpoints=[])).tolist() == [False, True]


def test_only_dismiss_knows_reevaluate(made):
    table = made({("rand/1", "bin", name, 5, 0.5, 0.1): [0.1, 0.2] for name in ("dismiss", "saturation")})
    table["reevaluate"] = np.array([True, False, True, True])
    assert in_plan(table, planned(table, reevaluate=[False])).tolist() == [False, True, True, True]
    assert in_plan(table, planned(table, reevaluate=[True])).tolist() == [True, False, True, True]


def test_the_runs_of_a_strategy_that_is_not_installed_show_whether_it_knows_reevaluate(made):
    """Config stores True for all strategies that do not dismiss."""
    table = made({("rand/1", "bin", name, 5, 0.5, 0.1): [0.1, 0.2] for name in ("vanish", "bounce")})
    table["reevaluate"] = np.array([True, False, True, True])
    assert in_plan(table, planned(table, reevaluate=[False])).tolist() == [False, True, True, True]
    assert in_plan(table, planned(table, reevaluate=[True])).tolist() == [True, False, True, True]
    with pytest.raises(ValueError, match="the runs have reevaluate = False, True; choose one"):
        Runs.of(table)
    assert Runs.of(table, where={"reevaluate": True}).table["run"].tolist() == [0, 0, 1]


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
    assert in_plan(table, planned(table, reevaluate=[False])).tolist() == [False, False, True]


def test_runs_count_what_is_left_out_and_forget_its_values(made):
    runs = Runs.of(made(CELLS), planned(made(CELLS), F=[0.5, 0.9], runs=2))
    assert (runs.left_out, len(runs.table["pois"]), runs.axes["F"]) == (5, 4, (0.5, 0.9))
    assert Runs.of(made(CELLS), planned(made(CELLS), runs=3)).left_out == 0


def test_the_message_about_several_dimensions_says_how_to_choose_one(made):
    table = made({(0.5, 0.1): [0.1, 0.2]}) | {"dimension": np.array([2, 3])}
    how = r"choose one: --where dimension=2 \(in Python: dimension=2\)"
    with pytest.raises(ValueError, match=f"dimension = 2, 3; .*{how}"):
        Runs.of(table)


def test_all_open_choices_are_named_at_once(made):
    table = made({(0.5, 0.1): [0.1, 0.2, 0.3]}) | {
        "dimension": np.array([2, 2, 3]),
        "budget": np.array([200, 200, 300]),
    }
    table["donors"] = np.array(["distinct", "not-target", "distinct"], object)
    offer = "the runs have dimension = 2, 3 and donors = distinct, not-target; choose one of each: "
    how = "--where dimension=2,donors=distinct (in Python: dimension=2, donors='distinct')"
    with pytest.raises(ValueError, match=re.escape(offer + how)):
        Runs.of(table)
    with pytest.raises(ValueError, match="the runs have donors = distinct, not-target; choose one: --where donors="):
        Runs.of(table, where={"n": 2})
    assert Runs.of(table, where={"dimension": 2, "donors": "distinct"}).table["pois"].tolist() == [0.1]


def test_one_run_that_is_left_out_is_one(made):
    runs = Runs.of(made({(0.5, 0.1): [0.1, 0.2]}), planned(made(CELLS), runs=1))
    assert runs.omission == "1 run is not of this study"


def test_each_dimension_has_its_own_budget(made):
    table = made({(0.5, 0.1): [0.1, 0.2, 0.3, 0.4]}) | {"dimension": np.array([2, 3, 3, 4])}
    table["budget"] = np.array([200, 300, 200, 400])
    study = planned(table, dimension=[2, 3], budget="100 n")
    assert in_plan(table, study).tolist() == [True, True, False, False]


def test_the_runs_of_another_seed_are_not_of_the_study(made):
    table = made({(0.5, 0.1): [0.1, 0.2]}) | {"seed": np.array([1, 2])}
    assert in_plan(table, planned(table, seed=2)).tolist() == [False, True]


@pytest.mark.parametrize(("name", "usual", "other"), [("adaptation", "fixed", "jDE"), ("repair", "trial", "mutant")])
def test_a_table_of_an_earlier_version_has_the_usual_value_of_a_column_it_lacks(made, name, usual, other):
    whole = ("rand/1", "exp", "project-base", 5)
    table = made({(*whole, 0.5, 0.1): [0.3]})
    assert choose_rows(table, {name: usual})["pois"].tolist() == [0.3]
    with pytest.raises(ValueError, match=f"no runs where {name} is {other}; the runs have {name} = {usual}"):
        choose_rows(table, {name: other})
