import pytest
from folders import file_names
from plans import planned

from debox.figures.make import make, refuse_outside

SAT = "DE/rand/1/exp sat, N=5"


@pytest.fixture
def small(table):
    cells = [(f"{SAT}, F={F}, Cr={Cr}", [F / 2.5, Cr, 0.5]) for F in (0.5, 2.0) for Cr in (0.1, 0.9)]
    return table(*cells, ("DE/rand/1/bin sat, N=20, F=0.5, Cr=0.1", [0.995] * 3))


def test_an_unknown_format_is_named_before_anything_is_drawn(small, tmp_path):
    with pytest.raises(ValueError, match="format must be one of pdf, png, svg, got 'jpg'"):
        list(make(small, tmp_path, formats=["png", "jpg"]))
    assert file_names(tmp_path) == []


def test_an_empty_store_is_an_error(table, tmp_path):
    with pytest.raises(ValueError, match="there are no runs yet"):
        list(make(table(), tmp_path, study=planned(table())))
    assert file_names(tmp_path) == []


def test_runs_that_the_study_no_longer_plans_are_not_drawn_and_counted(small, tmp_path):
    told = []
    study = planned(small, runs=2, F=[0.5], N=[5])
    list(make(small, tmp_path, study=study, formats=["svg"], only=["panels/*exp*"], tell=told.append))
    assert told == ["11 runs are not of this study"]


def test_the_last_check_keeps_figures_within_their_folder(tmp_path):
    assert refuse_outside(tmp_path, tmp_path / "a" / "b.pdf") == tmp_path / "a" / "b.pdf"
    for name in ("../x.pdf", "a/../../x.pdf", "/x.pdf"):
        with pytest.raises(ValueError, match="would lie outside of"):
            refuse_outside(tmp_path / "out", tmp_path / "out" / name)


def test_figures_of_operators_whose_file_names_are_alike_do_not_replace_each_other(small, tmp_path):
    small["mutation"][:3], small["mutation"][3:] = "my/1", "my-1"
    with pytest.raises(ValueError, match="two figures would have the name"):
        list(make(small, tmp_path, formats=["svg"]))
    assert file_names(tmp_path) == []
