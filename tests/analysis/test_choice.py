"""Which rows figures show, with studies and tables made by hand."""

import numpy as np
import pytest

from debox.analysis.choice import in_plan
from debox.analysis.names import check_study
from debox.analysis.runs import Runs

CELLS = {(0.5, 0.1): [0.1, 0.2, 0.3], (0.7, 0.1): [0.4, 0.5, 0.6], (0.9, 0.1): [0.7, 0.8, 0.9]}
STUDY = {"runs": 3, "strategy": ["sat"], "F": [0.5, 0.7, 0.9], "Cr": [0.1], "n": [30], "budget": 1000}


def kept(table, **changed):
    return table["pois"][in_plan(table, STUDY | changed)].tolist()


def test_everything_planned_is_kept(made):
    assert kept(made(CELLS)) == made(CELLS)["pois"].tolist()
    assert kept(made(CELLS), n=30, strategy="saturation", budget="33 n") == []  # 33 · 30 is not 1000
    assert len(kept(made(CELLS, budget=990), budget="33 n")) == 9


@pytest.mark.parametrize(
    ("changed", "left"),
    [
        ({"F": [0.5, 0.9]}, [0.1, 0.2, 0.3, 0.7, 0.8, 0.9]),
        ({"runs": 2}, [0.1, 0.2, 0.4, 0.5, 0.7, 0.8]),
        ({"F": [0.7], "runs": 1}, [0.4]),
        ({"n": [10]}, []),
        ({"strategy": ["mirr"]}, []),
    ],
    ids=str,
)
def test_what_the_study_no_longer_asks_for_is_not(made, changed, left):
    assert kept(made(CELLS), **changed) == left


def test_runs_without_the_checkpoints_of_the_study_are_of_an_earlier_one(made):
    table = made({(0.5, 0.1): [0.1, 0.1]}, at_third=[0.1, np.nan], at_two_thirds=[0.1, np.nan])
    assert in_plan(table, {"checkpoints": [1 / 3, 2 / 3]}).tolist() == [True, False]
    assert in_plan(table, {"checkpoints": []}).tolist() == [False, True]


def test_only_dismiss_knows_reevaluate(made):
    table = made({("rand/1", "bin", name, 5, 0.5, 0.1): [0.1, 0.2] for name in ("dismiss", "saturation")})
    table["reevaluate"] = np.array([True, False, True, True])
    assert in_plan(table, {"reevaluate": [False]}).tolist() == [False, True, True, True]
    assert in_plan(table, {"reevaluate": [True]}).tolist() == [True, False, True, True]


def test_runs_count_what_is_left_out_and_forget_its_values(made):
    runs = Runs.of(made(CELLS), STUDY | {"F": [0.5, 0.9], "runs": 2})
    assert (runs.left_out, len(runs.table["pois"]), runs.axes["F"]) == (5, 4, (0.5, 0.9))
    assert Runs.of(made(CELLS), STUDY).left_out == 0


def test_the_message_about_several_n_says_how_to_choose_one(made):
    table = made({(0.5, 0.1): [0.1, 0.2]}) | {"n": np.array([2, 3])}
    with pytest.raises(ValueError, match=r"n = 2, 3; .*--where n=2 on the command line, pass n=2 in Python"):
        Runs.of(table)


@pytest.mark.parametrize("odd", [{"runs": "x"}, {"F": {}}, {"mutation": [["rand/1"]]}, {"checkpoints": 1}, {"name": 1}])
def test_a_study_with_a_value_that_no_study_has_is_refused(odd):
    check_study({"name": "any-text", "runs": 3, "F": [0.5, 1]})
    with pytest.raises(ValueError, match="this is no study: "):
        check_study(odd)
