"""A reading changes the verdicts that it must, and no others."""

from dataclasses import replace

import numpy as np
import pytest

from debox.analysis.claims import compare
from debox.analysis.claims.compare import Comparison, compare_claims, holds_only_as_written, holds_only_elsewhere
from debox.analysis.claims.rules import Verdict
from debox.study.fields import AXES

ONLY = "parameters-F-above-1-exp"  # exp below bin where F > 1, in at least 80 % of the cells
BIN, EXP = np.linspace(0.8, 0.82, 5), np.linspace(0.2, 0.22, 5)


def table(of, **levels):
    """Runs of a full grid: of(crossover, N) gives the POIS of five."""
    axes = {"mutation": ["rand/1", "rand/2"], "crossover": ["bin", "exp"], "strategy": ["mirror", "toroidal"]}
    axes |= {"N": [5, 20], "F": [0.5, 1.2, 1.4, 1.6, 1.8], "Cr": [0.1, 0.5, 0.9]} | levels
    cells = np.array(np.meshgrid(*axes.values(), indexing="ij"), object).reshape(6, -1).T
    columns = {name: np.repeat(cells[:, k], 5) for k, name in enumerate(AXES)}
    columns |= {name: columns[name].astype(float) for name in ("N", "F", "Cr")} | {"N": columns["N"].astype(int)}
    size = len(columns["N"])
    pois = np.concatenate([of(cell[1], cell[3]) for cell in cells])
    return columns | {"dimension": np.full(size, 30), "budget": np.full(size, 10_000), "pois": pois}


def exp_is_below(crossover, N):
    return BIN if crossover == "bin" else EXP


def exp_is_above(crossover, N):
    return EXP if crossover == "bin" else BIN


CASES = [(exp_is_below, 10), (exp_is_below, 30), (exp_is_above, 30)]  # and n


@pytest.fixture(scope="module")
def comparisons():
    study = table(exp_is_below)
    some, all_of_them = table(exp_is_above, F=[1.8]), table(exp_is_above)
    rule = table(exp_is_below, mutation=["rand/1"]) | {"donors": np.full(600, "not-target")}
    return compare_claims(study, {"some": some, "all": all_of_them, "again": study, "rule": rule}, only=ONLY)


def test_the_study_comes_first(comparisons):
    assert [one.reading for one in comparisons] == ["as written", "some", "all", "again", "rule"]
    assert comparisons[0].after[0].verdict is Verdict.HOLDS
    assert comparisons[0].changes == []


def test_runs_that_reverse_a_claim_in_a_quarter_of_its_cells_leave_it_in_part(comparisons):
    """Of four F above 1 one is reversed: 75 % agree, less than the promised 80 %, more than half of it."""
    found = comparisons[1]
    assert (found.after[0].verdict, found.after[0].agree, len(found.changes)) == (Verdict.IN_PART, 0.75, 1)


def test_runs_that_reverse_a_claim_everywhere_make_it_fail(comparisons):
    found = comparisons[2]
    assert (found.after[0].verdict, found.after[0].agree, len(found.changes)) == (Verdict.NOT, 0.0, 1)


def test_the_same_runs_change_nothing(comparisons):
    assert comparisons[3].changes == []


def test_what_does_not_exist_is_left_out_on_both_sides(comparisons):
    found = comparisons[4]
    assert found.absent == 2 * 2 * 5 * 3  # crossovers, strategies, F and Cr of rand/2 with N=5
    for result in (*found.before, *found.after):
        assert "without mutation rand/2" in result.evidence
    assert found.before[0].cells == comparisons[0].after[0].cells / 2
    assert found.changes == []


def test_statements_that_hold_under_some_readings_only(comparisons):
    assert holds_only_as_written(comparisons) == {ONLY: ["some", "all"]}
    assert holds_only_elsewhere(comparisons) == {}
    back = compare_claims(table(exp_is_above), {"other": table(exp_is_below)}, only=ONLY)
    assert (holds_only_as_written(back), holds_only_elsewhere(back)) == ({}, {ONLY: ["other"]})


def test_what_holds_with_all_runs_of_the_study_is_no_gain_of_a_reading():
    """Verdicts made by hand: from as few runs as the reading has, the study does not decide."""
    study = table(exp_is_below)
    held, undecided = compare_claims(study, {}, only=ONLY)[0].after[0], Verdict.NOT_TESTABLE
    short = Comparison("short", "", [replace(held, verdict=undecided)], [held], 1, 0)
    whole = Comparison("as written", "", [held], [held], 0, 0)
    assert holds_only_elsewhere([whole, short]) == {}
    unheld = Comparison("as written", "", short.before, short.before, 0, 0)
    assert holds_only_elsewhere([unheld, short]) == {ONLY: ["short"]}


def test_runs_of_a_study_are_in_the_order_of_their_numbers(monkeypatch):
    """Rows backwards, with numbers that say so: the reading's run k stands beside the study's run k."""
    given = table(exp_is_below) | {"run": np.tile(np.arange(5), 240)}
    backwards = {name: column[::-1] for name, column in given.items()}
    seen = []
    monkeypatch.setattr(compare, "judge_all", lambda cube, names: seen.append(cube.pois) or [])
    compare_claims(backwards, {"mine": given}, only=ONLY)
    assert all(np.array_equal(pois, seen[0]) for pois in seen)
    assert seen[0][0, 0, 0, 0, 0, 0].tolist() == BIN.tolist()


def test_where_chooses_among_the_runs_of_a_reading_too():
    """Both have n = 10 and n = 30; with n = 30 the reading reverses the claim, with n = 10 it has the same runs."""
    small, large, reversed_large = ({**table(of), "dimension": np.full(1200, n)} for of, n in CASES)
    study, reading = (
        {name: np.concatenate([small[name], other[name]]) for name in small} for other in (large, reversed_large)
    )
    assert [len(compare_claims(study, {"mine": reading}, only=ONLY, n=n)[1].changes) for n in (10, 30)] == [0, 1]
    with pytest.raises(ValueError, match="dimension = 10, 30; choose one"):
        compare_claims(large, {"mine": reading}, only=ONLY)


def test_where_is_not_asked_of_readings_that_have_one_value_of_it():
    study = table(exp_is_below) | {"donors": np.full(1200, "distinct")}
    other = table(exp_is_below, mutation=["rand/1"]) | {"donors": np.full(600, "not-target")}
    assert compare_claims(study, {"rule": other}, only=ONLY, donors="distinct")[1].cells == 120


def test_an_unknown_claim_is_refused_before_readings_are_read(monkeypatch):
    monkeypatch.setattr(compare, "tables_of", lambda given: pytest.fail("they are read"))
    with pytest.raises(ValueError, match="no claim or family is named 'nonsense'"):
        compare_claims(table(exp_is_below), only="nonsense")
