"""Runs of a reading stand in the place of the study's, and only where they belong."""

import numpy as np
import pytest

from debox.analysis.claims import readings
from debox.analysis.claims.readings import replace_runs, tables_of
from debox.design.fields import AXES


@pytest.fixture
def cube(cube_of):
    return cube_of(lambda **_: [0.25, 0.5, 0.75], F=(0.5,), Cr=(0.5,))


def table(runs=3, pois=0.125, **other):
    """Runs of one configuration, N=20."""
    cell = {"mutation": "rand/2", "crossover": "bin", "strategy": "mirror", "N": 20, "F": 0.5, "Cr": 0.5}
    shared = {"dimension": 30, "budget": 10_000, "donors": "distinct"}
    columns = {name: np.array([value] * runs) for name, value in (cell | shared | other).items()}
    return columns | {"pois": np.full(runs, pois)}


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


def test_without_the_paper_s_file_the_error_says_what_to_give(monkeypatch, tmp_path):
    monkeypatch.setattr(readings, "FOLDERS", (tmp_path,))
    with pytest.raises(ValueError, match=r"data/readings\.parquet in debox's repository.*--readings frozen=DIR"):
        tables_of(None)
