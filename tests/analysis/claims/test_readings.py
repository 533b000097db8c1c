"""Runs of a reading stand in the place of the study's, and only where they belong."""

from dataclasses import replace

import numpy as np
import pytest

import debox
from debox.analysis.claims import readings
from debox.analysis.claims.readings import replace_runs, tables_of
from debox.store.store import Store
from debox.study.fields import AXES


@pytest.fixture
def cube(cube_of):
    return cube_of(lambda **_: [0.25, 0.5, 0.75], F=(0.5,), Cr=(0.5,))


def table(runs=3, pois=0.125, **other):
    """Runs of one configuration, N=20."""
    cell = {"mutation": "rand/2", "crossover": "bin", "strategy": "mirror", "N": 20, "F": 0.5, "Cr": 0.5}
    shared = {"dimension": 30, "budget": 10_000, "donors": "distinct"}
    columns = {name: np.array([value] * runs) for name, value in (cell | shared | other).items()}
    return columns | {"pois": np.full(runs, pois)}


class UnfinishedStore(Store):
    """A study that plans more than its table has."""

    def __init__(self, study, table):
        self._study, self._table = study, table

    study = property(lambda self: self._study)

    def table(self):
        return self._table


def changed(found):
    """The cells whose runs differ, as factors."""
    at = np.argwhere((found.after.pois != found.before.pois).any(-1) & ~np.isnan(found.after.pois).any(-1))
    return [{name: found.after.axes[name][k] for name, k in zip(AXES, place, strict=True)} for place in at]


def test_runs_take_the_place_of_those_of_their_configuration_alone(cube):
    found = replace_runs(cube, "mine", table())
    assert changed(found) == [
        {"mutation": "rand/2", "crossover": "bin", "strategy": "mirror", "N": 20, "F": 0.5, "Cr": 0.5}
    ]
    assert (found.replaced.sum(), found.absent.sum()) == (1, 0)
    assert np.array_equal(found.before.pois, cube.pois)


def test_of_fewer_runs_as_many_are_compared(cube):
    found = replace_runs(cube, "mine", table(runs=2))
    assert (found.before.runs, found.after.runs) == (2, 2)
    assert np.array_equal(found.before.pois, cube.pois[..., :2])


@pytest.mark.parametrize("donors", ["not-target", "not-parents"])
def test_rand_2_needs_six_individuals_if_the_target_is_no_donor(cube, donors):
    """2 crossovers × 5 strategies × 1 F × 1 Cr have rand/2 and N = 5; every other mutation needs at most four."""
    found = replace_runs(cube, "mine", table(donors=donors))
    for one in (found.before, found.after):
        absent = np.isnan(one.pois).any(-1)
        assert absent.sum() == found.absent.sum() == 10
        assert absent[cube.axes["mutation"].index("rand/2"), :, :, cube.axes["N"].index(5)].all()


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"budget": 20_000}, "its runs have budget = 20000, the study has 10000"),
        ({"dimension": 10}, "its runs have dimension = 10, the study has 30"),
        ({"F": 0.7}, r"its runs have F = 0\.7, the study has 0\.5"),
    ],
)
def test_runs_of_another_study_are_refused(cube, other, message):
    with pytest.raises(ValueError, match=f"reading 'mine' is not one of this study: {message}"):
        replace_runs(cube, "mine", table(**other))


@pytest.mark.parametrize("pois", [5.0, -1.0, np.nan, 0.999])
def test_a_pois_that_no_run_can_have_is_refused_by_name(cube, pois):
    """With N=20 and a budget of 10000 at most 1 − 20/10000 = 0.998; NaN is no way to say that a cell does not exist."""
    where = "rand/2/bin mirror, N=20, F=0.5, Cr=0.5"
    with pytest.raises(ValueError, match=rf"reading 'mine': pois must be from 0 to .* = 0\.998.*{where} has {pois:g}"):
        replace_runs(cube, "mine", table(pois=pois))
    assert replace_runs(cube, "mine", table(pois=0.998)).replaced.sum() == 1


def test_unequal_numbers_of_runs_are_refused_with_a_list(cube):
    """Three runs of N=20 and one of N=5: neither is the study cut to one run, nor is the one run left out."""
    long, short = table(runs=3), table(runs=1, N=5)
    both = {name: np.concatenate([long[name], short[name]]) for name in long}
    listed = r"the same 3 runs, these have fewer: rand/2/bin mirror, N=5, F=0\.5, Cr=0\.5: 1$"
    with pytest.raises(ValueError, match=f"reading 'mine': all its configurations need {listed}"):
        replace_runs(cube, "mine", both)


def test_a_store_with_configurations_that_were_not_run_is_refused(cube):
    """Of two planned configurations one has its three runs: the other would silently keep those of the study."""
    planned = {"mutation": "rand/2", "crossover": "bin", "strategy": "mirror", "N": [5, 20], "F": 0.5, "Cr": 0.5}
    study = debox.Study(name="mine", **planned, dimension=30, budget=10_000, runs=3)
    reader = UnfinishedStore(study, table(runs=3))
    listed = r"the same 3 runs, these have fewer: rand/2/bin mirror, N=5, F=0\.5, Cr=0\.5: 0$"
    with pytest.raises(ValueError, match=f"reading 'mine': all its configurations need {listed}"):
        replace_runs(cube, "mine", reader)
    whole = debox.Study(name="mine", **planned | {"N": 20}, dimension=30, budget=10_000, runs=3)
    assert replace_runs(cube, "mine", UnfinishedStore(whole, table(runs=3))).replaced.sum() == 1


@pytest.mark.parametrize("kept", [2, 3])
def test_the_first_runs_by_number_are_taken_whatever_their_order(cube_of, kept):
    cube = cube_of(lambda **_: np.linspace(0.25, 0.75, kept), F=(0.5,), Cr=(0.5,))
    given = table(runs=3) | {"run": np.array([2, 0, 1]), "pois": np.array([0.375, 0.125, 0.25])}
    found = replace_runs(cube, "mine", given)
    assert found.after.pois[found.replaced].tolist() == [[0.125, 0.25, 0.375][:kept]]
    unnumbered = replace_runs(cube, "mine", {name: column for name, column in given.items() if name != "run"})
    assert unnumbered.after.pois[unnumbered.replaced].tolist() == [[0.375, 0.125, 0.25][:kept]]


def test_as_many_runs_are_planned_as_are_compared(cube):
    """The study plans three; from two of them nothing is missing."""
    found = replace_runs(replace(cube, planned=3), "mine", table(runs=2))
    assert (found.before.planned, found.after.planned) == (2, 2)


def test_the_reading_has_its_donor_rule_and_the_study_its_own(cube):
    found = replace_runs(cube, "mine", table(donors="not-target"))
    assert (found.before.donors, found.after.donors) == ("distinct", "not-target")
    without = {name: column for name, column in table().items() if name != "donors"}
    assert replace_runs(replace(cube, donors="not-parents"), "mine", without).after.donors == "not-parents"


def test_without_the_paper_s_file_the_error_says_what_to_give(monkeypatch, tmp_path):
    monkeypatch.setattr(readings, "DATA", (tmp_path,))
    with pytest.raises(ValueError, match=r"data/readings\.parquet in debox's repository.*--readings frozen=DIR"):
        tables_of(None)
