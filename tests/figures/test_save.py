"""Files of numbers, of pictures that are not drawn, and what is left out."""

from dataclasses import replace

import numpy as np
import pytest
from folders import file_names
from plans import planned

from debox.analysis.runs import Runs
from debox.figures import catalogue
from debox.figures import save as saving
from debox.figures.save import as_csv, make

SAT = "DE/rand/1/exp sat, N=5"


@pytest.fixture
def small(table):
    cells = [(f"{SAT}, F={F}, Cr={Cr}", [F / 2.5, Cr, 0.5]) for F in (0.5, 2.0) for Cr in (0.1, 0.9)]
    return table(*cells, ("DE/rand/1/bin sat, N=20, F=0.5, Cr=0.1", [0.995] * 3))


def test_numbers_with_axes_become_a_line_for_each_entry():
    axes = {"F": np.array([0.5, 1.5]), "Cr": np.array([0.1, 0.9])}
    found = {**axes, "median": np.array([[0.25, 0.5], [np.nan, 1]]), "falls": np.array([True, False])[:, None]}
    assert as_csv(found | {"falls": np.array([[True, False]] * 2)}).splitlines() == [
        "F,Cr,median,falls", "0.5,0.1,0.25,True", "0.5,0.9,0.5,False", "1.5,0.1,nan,True", "1.5,0.9,1.0,False"
    ]  # fmt: skip


def test_an_array_of_fewer_axes_is_repeated_and_columns_stay_columns():
    found = {"a": np.array(["x", "y"], object), "b": np.array([1, 2]), "of_a": np.array([3, 4]).reshape(2, 1)}
    assert as_csv(found).splitlines() == ["a,b,of_a", "x,1,3", "x,2,3", "y,1,4", "y,2,4"]
    assert as_csv({"a": np.array([1, 2]), "b": np.array([3, 4])}).splitlines() == ["a,b", "1,3", "2,4"]


def test_what_is_left_out_is_told(small, tmp_path):
    told = []
    study = planned(small, runs=2, F=[0.5], N=[5])
    paths = make(small, tmp_path, study=study, formats=["csv"], only=["panels/*", "life"], tell=told.append)
    assert [path.name for path in paths] == ["DE-rand-1-exp-sat-N5.csv"]
    missing = "the table has no column pois_at_third, pois_at_two_thirds"
    assert told == [
        "11 runs are not of this study",
        f"left out: life (POIS over a run's life needs the checkpoints 1/3 and 2/3: {missing})",
        "left out: panels/DE-rand-1-bin-sat-N5 (no runs)",
    ]


def test_the_folder_says_which_runs_were_chosen(small, tmp_path):
    several = {**small, "dimension": np.repeat([10, 30], [9, 6])}
    (path,) = make(several, tmp_path, where=["n=10"], formats=["csv"], only=["overview"])
    assert path == tmp_path / "dimension=10" / "overview.csv"
    (path,) = make(several, tmp_path, where={"N": (5, 20), "dimension": 30}, formats=["csv"], only=["overview"])
    assert path.parent.name == "N=5+20,dimension=30"


def test_the_last_check_keeps_figures_within_their_folder(small, tmp_path, monkeypatch):
    """Names of operators are checked before; a link, or a bug, is what it is for."""
    page = catalogue.find(Runs.of(small), "overview")
    for name in ("../x", "a/../../x", "/x"):
        monkeypatch.setattr(saving.catalogue, "choose", lambda runs, only, name=name: [replace(page, name=name)])
        with pytest.raises(ValueError, match="would lie outside of"):
            list(make(small, tmp_path / "out", formats=["csv"]))
    assert file_names(tmp_path) == []


WRONG = {
    "format must be one of pdf, png, svg, csv, got 'jpg'": {"formats": ["png", "jpg"]},
    "there are no runs; 15 runs are not of this study": {"study": {"seed": 7}},
    "two figures would have the name ribbons/DE-my-1-bin-against-F": {},
    "where: the table has no column frozen": {"where": {"frozen": True}},
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_wrong_is_named_before_anything_is_drawn(small, tmp_path, message):
    small["mutation"][:3], small["mutation"][3:] = "my/1", "my-1"
    small["seed"] = np.zeros(15, int)
    options = dict(WRONG[message])
    if "study" in options:
        options["study"] = planned(small, **options["study"])
    small.pop("frozen")
    with pytest.raises(ValueError, match=message):
        list(make(small, tmp_path, **options))
    assert file_names(tmp_path) == []
