"""Runs of a reading stand in the place of the study's, only where they belong, and change the verdicts they must."""

import json

import numpy as np
import pytest
from made_runs import RUNS, runs_of, table_of
from stored_rows import edited, filled, rows

from debox.analysis.runs import Runs
from debox.paper import compare, text
from debox.paper.readings import READINGS, replace_runs, tables_of
from debox.store.manifest import Manifest
from debox.store.store import Writer

ONLY = "parameters-F-above-1-exp"  # exp below bin where F > 1, in at least 80 % of the cells
GRID = {"mutation": ["rand/1", "rand/2"], "crossover": ["bin", "exp"], "N": [5, 20], "F": [0.5, 1.2, 1.4, 1.6, 1.8]}


def made(exp, runs=RUNS, **levels):
    """A table in which bin has .5 and exp this number."""
    table = table_of(lambda crossover, **_: 0.5 if crossover == "bin" else exp, **{**GRID, **levels})
    return {name: column[table["run"] < runs] for name, column in table.items()}


def with_donors(table, name):
    return table | {"donors": np.full(len(table["run"]), name)}


@pytest.fixture(scope="module")
def found():
    """exp is below bin; readings: above it at one F of four, everywhere, the same, in runs of another donor rule."""
    others = {"some": made(0.8, F=[1.8]), "all": made(0.8), "again": made(0.2)}
    others["rule"] = with_donors(made(0.2, mutation=["rand/1"]), "not-target")
    return {one.reading: one for one in compare(made(0.2), others, only=ONLY)}


def test_runs_that_reverse_a_claim_change_its_verdict_as_far_as_they_do(found):
    ends = {name: [(str(a.verdict), str(b.verdict), b.interval) for a, b in one.changes] for name, one in found.items()}
    assert ends["some"] == [("holds", "holds in part", (0.75, 0.75))]
    assert ends["all"] == [("holds", "does not hold", (0, 0))]
    assert ends["again"] == ends["rule"] == []
    assert [one.cells for one in found.values()] == [8, 40, 40, 20]


def test_what_does_not_exist_is_left_out_on_both_sides(found):
    """rand/2 with N=5 needs six individuals if the target is no donor: 2 crossovers × 5 F."""
    rule = found["rule"]
    assert rule.absent == 10
    for (result,) in (rule.before, rule.after):
        assert result.evidence.endswith("without N 5, which some of the cells cannot have")
        assert result.finding.cells == 8
    assert rule.before[0].finding == rule.after[0].finding


@pytest.mark.parametrize("donors", ["not-target", "not-parents"])
def test_donor_rules_need_more_individuals(donors):
    given = with_donors(made(0.3, F=[0.5]), donors)
    keep = (given["mutation"] != "rand/2") | (given["N"] > 5)
    replaced = replace_runs(
        runs_of(lambda **_: 0.5, **GRID), "x", {name: column[keep] for name, column in given.items()}
    )
    assert replaced.absent.sum() == 10
    assert replaced.absent[1, :, :, 0].all()
    assert replaced.replaced.sum() == 6
    for one in (replaced.before, replaced.after):
        assert ((one.index < 0).all(-1) == replaced.absent).all()


def test_only_the_configurations_of_a_reading_change_and_as_many_runs_are_compared():
    study = runs_of(lambda **_: 0.5, **GRID)
    found = replace_runs(study, "mine", made(0.2, runs=3, mutation=["rand/2"], F=[1.8]))
    assert found.before.index.shape[-1] == found.after.index.shape[-1] == 3
    changed = (found.before.share != found.after.share).any(-1)
    assert (changed == found.replaced & (np.arange(2) == 1)[None, :, None, None, None, None]).all()
    assert found.replaced.sum() == 4
    assert found.after.share[1, 1, 0, 0, -1, 0] == pytest.approx([0.1999, 0.2001, 0.1999], abs=1e-6)


def test_runs_are_in_the_order_of_their_numbers():
    study, table = runs_of(lambda **_: np.linspace(0, 0.5, RUNS)), table_of(lambda **_: np.linspace(0, 0.5, RUNS))
    backwards = replace_runs(study, "mine", {name: column[::-1] for name, column in table.items()})
    assert (backwards.before.share == backwards.after.share).all()


def test_of_a_reading_with_more_runs_the_first_ones_are_taken():
    table = table_of(lambda **_: np.linspace(0, 0.5, RUNS))
    few = {name: column[table["run"] < 5] for name, column in table.items()}
    found = replace_runs(Runs.of(few).complete(), "mine", table)
    assert found.after.index.shape[-1] == 5
    assert (found.after.share == found.before.share).all()


def test_where_is_asked_of_readings_that_have_several_values_of_it():
    """With n = 30 the reading reverses the claim, with n = 10 it has the same runs; one of a single n is not asked."""
    tables = [table | {"dimension": np.full(len(table["run"]), n)} for table, n in ((made(0.2), 10), (made(0.8), 30))]
    own = [made(0.2) | {"dimension": table["dimension"]} for table in tables]
    study, other = ({name: np.concatenate([one[name] for one in two]) for name in two[0]} for two in (own, tables))
    assert [len(compare(study, {"mine": other}, only=ONLY, n=n)[0].changes) for n in (10, 30)] == [0, 1]
    assert compare(study, {"mine": tables[0]}, only=ONLY, n=10)[0].cells == 40
    with pytest.raises(ValueError, match="dimension = 10, 30; choose one"):
        compare(own[0], {"mine": other}, only=ONLY)


def test_a_part_of_the_study_is_compared_with_that_part_of_a_reading():
    found = compare(made(0.2), {"mine": made(0.8), "other": made(0.8, N=[5])}, only=ONLY, N=5)
    assert [one.cells for one in found] == [20, 20]
    with pytest.raises(ValueError, match="its runs have N = 20, the study has 5"):
        compare(made(0.2), {"mine": made(0.8, N=[20])}, only=ONLY, N=5)


WRONG = {
    "budget": ({"budget": 2_000_020}, "reading 'mine' is not one of this study: its runs have budget = 2000020"),
    "dimension": ({"dimension": 10}, "its runs have dimension = 10, the study has 30; give its runs, --readings mine"),
    "level": ({"F": 0.7}, r"its runs have F = 0\.7, the study has 0\.5, 1\.2"),
    "pois": ({"pois": 5.0}, r"reading 'mine': pois must be from 0 to 1 − N/budget.*rand/2/bin mirror, N=20.* has 5"),
    "negative": ({"pois": -1.0}, "has -1"),
    "nan": ({"pois": np.nan}, "has nan"),
}


@pytest.mark.parametrize("name", WRONG)
def test_runs_that_are_of_no_such_study_are_refused(name):
    changes, message = WRONG[name]
    table = made(0.2, mutation=["rand/2"], crossover=["bin"], N=[20], F=[0.5])
    table |= {key: np.full(RUNS, value) for key, value in changes.items()}
    with pytest.raises(ValueError, match=message):
        replace_runs(runs_of(lambda **_: 0.5, **GRID), "mine", table)


def test_configurations_with_fewer_runs_than_others_are_named():
    table = made(0.2)
    short = {name: column[1:] for name, column in table.items()}
    with pytest.raises(
        ValueError, match=r"the same 20 runs, these have fewer: rand/1/bin mirror, N=5, F=0\.5, Cr=0\.5: 19"
    ):
        compare(table, {"mine": short}, only=ONLY)


def test_a_store_whose_study_is_not_finished_is_no_reading(tmp_path):
    study = edited(crossover=["bin", "exp"], F=[0.5], Cr=[0.5], runs=2)
    done = [rows(range(2), f"DE/rand/1/{name} sat, N=5, F=0.5, Cr=0.5") for name in ("bin", "exp")]
    done = [one | {"pois": 0.9 * one["pois"]} for one in done]
    whole, begun = (Writer.create(tmp_path / name, Manifest(study)) for name in ("whole", "begun"))
    with pytest.raises(ValueError, match="need the same 2 runs, these have fewer: rand/1/exp saturation, N=5"):
        compare(filled(whole, *done), {"mine": filled(begun, done[0])}, only=ONLY)


def test_what_is_no_source_is_named():
    with pytest.raises(ValueError, match="readings: mine must be a store, its path, a DataFrame or a mapping"):
        compare(made(0.2), {"mine": 3}, only=ONLY)
    with pytest.raises(ValueError, match="no claim matches 'nonsense'"):
        compare(made(0.2), {"mine": 3}, only="nonsense")


def test_the_readings_of_the_papers_study_are_those_that_have_words():
    assert set(tables_of(None)) == set(READINGS)


def test_text_and_json_say_which_verdicts_change(found):
    some = [found["some"], found["again"]]
    said = text.comparisons_as_text(some).splitlines()
    head = "some: some; 8 configurations have other runs; 20 runs of every configuration; 1 of 1 verdicts change"
    assert said[:3] == [head, "", f"  {ONLY}: holds 100.0 % → holds in part 75.0 %"]
    assert "again: again; 40 configurations have other runs; 20 runs of every configuration; 0 of 1 verdicts" in said
    first, second = json.loads(text.comparisons_as_json(some))
    assert (first["reading"], first["cells"], second["absent"]) == ("some", 8, 0)
    assert [(one["id"], one["before"], one["verdict"]) for one in first["claims"]] == [(ONLY, "holds", "holds in part")]
