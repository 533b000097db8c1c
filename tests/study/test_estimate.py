"""The time of a study from its factors is that of its plan."""

from dataclasses import replace

import pytest

from debox import Study, operators, register
from debox.study import estimate
from debox.study.plan import plan

MINE = {"name": "mine", "mutation": "rand/1", "crossover": "bin", "strategy": "sat", "N": 5, "F": 0.7, "Cr": 0.9}
EVERYTHING = {
    "mutation": ["rand/1", "best/1", "rand/2"],
    "crossover": ["bin", "exp"],
    "strategy": ["sat", "dism", "mirr"],
    "reevaluate": [True, False],
    "donors": ["distinct", "not-target"],
    "frozen": [True, False],
    "N": [100, 6, 7, 300],
    "n": [3, 40],
    "F": [0.3, 1.2],
    "budget": "200 n",  # 600: N = 300 is done by the plain engine, the others by the fast one
    "runs": 3,
}


@pytest.mark.parametrize("name", ["paper", "smoke"])
def test_a_study_takes_as_long_as_the_chunks_of_its_plan(name):
    study = Study.load(name)
    assert estimate.seconds(study) == pytest.approx(sum(chunk.seconds for chunk in plan(study)), rel=1e-9)


@pytest.mark.parametrize(
    "given", [{}, {"engine": "plain"}, {"runs": 4000}, {"reevaluate": False}, {"budget": 10**7, "engine": "fast"}]
)
def test_whatever_its_factors(given):
    study = Study(**{**MINE, **EVERYTHING, **given})
    assert estimate.seconds(study) == pytest.approx(sum(chunk.seconds for chunk in plan(study)), rel=1e-9)


def test_a_study_that_could_never_be_listed_is_estimated():
    thousands = {"F": [k / 1000 for k in range(1, 501)], "Cr": [k / 500 for k in range(500)], "N": range(5, 105)}
    many = Study(**{**MINE, **{name: list(values) for name, values in thousands.items()}, "runs": 10**9})
    one = Study(**{**MINE, "N": 104, "runs": 10**9})
    assert many.n_runs == 25 * 10**15
    assert 0 < estimate.seconds(many) < 25 * 10**6 * 1.1 * estimate.seconds(one)


def test_operators_from_outside_are_estimated_with_the_engine_that_does_them():
    for slot, name, changed in (("crossover", "bin", {"exchanges": ""}), ("donors", "distinct", {"uniform": False})):
        register(replace(operators.find(slot, name), name="mine", short="mine", **changed))
    study = Study(**{**MINE, **EVERYTHING, "crossover": ["mine", "exp"], "donors": ["mine", "distinct"]})
    assert estimate.seconds(study) == pytest.approx(sum(chunk.seconds for chunk in plan(study)), rel=1e-9)
