"""How far a reading moves configurations: by known amounts, and no configuration by chance."""

from dataclasses import replace

import numpy as np
import pytest

from debox.analysis.claims.readings import Replacement
from debox.analysis.claims.shift import shift_of

RUNS = 20


@pytest.fixture
def study(cube_of):
    """A cube of 1440 configurations with noise of standard deviation 0.05."""
    rng = np.random.default_rng(1)
    return cube_of(lambda **_: 0.5 + 0.05 * rng.standard_normal(RUNS))


def replaced(study, after):
    everywhere = np.ones(after.shape[:-1], bool)
    return Replacement(study, replace(study, pois=after), everywhere, ~everywhere)


def test_the_same_runs_differ_nowhere(study):
    found = shift_of(replaced(study, study.pois.copy()))
    assert (found.compared, found.differ, found.beyond_chance, found.where) == (1440, 0, 0, {})


def test_a_known_shift_is_found_where_it_is(study):
    """Three configurations move by 0.1, -0.3 and 0.2 of POIS; share is POIS × budget ÷ trials = 10000 ÷ 9995 for N=5"""
    after = study.pois.copy()
    after[3, 1, 3, 0, :, 2] += np.array([0.1, -0.3, 0.2, 0.0])[:, None]
    found = shift_of(replaced(study, after))
    assert (found.differ, found.beyond_chance) == (3, 3)
    assert found.largest == pytest.approx(-0.3 * 10_000 / 9995, abs=1e-4)  # counts are whole
    where = {"mutation": "rand/2", "crossover": "exp", "strategy": "saturation", "N": 5, "F": 0.5, "Cr": 0.99}
    assert found.where == where
    assert found.by_factor["N"] == {5: 3, 20: 0, 100: 0}
    assert found.by_factor["F"] == {0.05: 1, 0.5: 1, 0.9: 1, 1.5: 0}


def test_chance_alone_moves_nothing(study):
    """Other runs of the same law: a false alarm in at most 5 % of studies, here none with this seed"""
    rng = np.random.default_rng(2)
    after = 0.5 + 0.05 * rng.standard_normal(study.pois.shape)
    found = shift_of(replaced(study, after))
    assert (found.differ, found.beyond_chance, found.largest) == (1440, 0, 0.0)


def test_only_configurations_with_runs_of_the_reading_are_compared(study):
    """Those that do not exist are NaN and have none."""
    after, replaced = study.pois.copy(), np.zeros(study.pois.shape[:-1], bool)
    after[3, :, :, 0] = np.nan
    replaced[0] = True
    after[0, 0, 0, 0, 0, 0] += 0.2
    found = shift_of(Replacement(study, replace(study, pois=after), replaced, np.isnan(after).any(-1)))
    assert (found.compared, found.differ, found.beyond_chance) == (360, 1, 1)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("mean", "clear"), [(473, 0), (520, 1)])
def test_the_paired_t_by_hand(cube_of, mean, clear, sign):
    """Of three runs the counts differ by mean − 200, mean, mean + 200: t is mean·√3/200, 4.10 or 4.50. With two degrees
    of freedom both sides together have 5 % beyond 4.303; one side, three degrees or a division by three runs instead of
    two would take 4.10 for clear.
    """
    study = cube_of(lambda **_: [0.5, 0.5, 0.5])
    after, one = study.pois.copy(), np.zeros(study.pois.shape[:-1], bool)
    one[0, 0, 0, 0, 0, 0] = True
    after[one] += sign * (mean + np.array([-200, 0, 200])) / study.budget
    found = shift_of(Replacement(study, replace(study, pois=after), one, ~one & False))
    assert (found.compared, found.differ, found.beyond_chance) == (1, 1, clear)
    assert found.largest == pytest.approx(clear * sign * mean / 9995)
