"""Parts of a study by value and by bound; what is missing is named."""

from dataclasses import replace

import numpy as np
import pytest

from debox.analysis.claims.levels import (
    NotTestableError,
    above,
    at_least,
    at_most,
    below,
    describe_part,
    drop_missing_levels,
    part,
    require_several,
)


@pytest.fixture
def cube(cube_of):
    return cube_of(lambda **_: [0.5, 0.5])


def test_values_and_bounds_choose_a_part(cube):
    found = part(cube, {"N": (20, 100), "F": above(0.5), "Cr": at_least(0.5), "crossover": "bin"})
    assert (found.axes["N"], found.axes["F"], found.axes["Cr"]) == ((20, 100), (0.9, 1.5), (0.5, 0.99))
    assert part(cube, {"F": at_most(0.5)}).axes["F"] == (0.05, 0.5)
    assert part(cube, {"F": below(0.5)}).axes["F"] == (0.05,)


def test_what_is_missing_is_named(cube):
    with pytest.raises(NotTestableError, match="needs N = 7, 8; the study has 5, 20, 100"):
        part(cube, {"N": (5, 7, 8)})
    with pytest.raises(NotTestableError, match=r"needs F above 2; the study has 0\.05, 0\.5, 0\.9, 1\.5"):
        part(cube, {"F": above(2)})
    with pytest.raises(NotTestableError, match="needs several N; the study has 5"):
        require_several(cube.take(N=5), "N")


def test_a_part_in_words():
    assert describe_part({"N": (20, 100), "F": at_least(0.7)}) == "N = 20, 100; F at least 0.7"


def without(cube, *cells):
    """The cube with NaN in these cells: (mutation, N)"""
    pois = cube.pois.copy()
    for mutation, N in cells:
        pois[cube.axes["mutation"].index(mutation), :, :, cube.axes["N"].index(N)] = np.nan
    return replace(cube, pois=pois)


def test_a_study_without_gaps_is_left_as_it_is(cube):
    assert drop_missing_levels(cube) == (cube, "")


def test_the_level_that_costs_fewest_cells_is_left_out(cube):
    """One of four mutations is a quarter of the cells, one of three N a third."""
    whole, omission = drop_missing_levels(without(cube, ("rand/2", 5)))
    assert (whole.axes["mutation"], whole.axes["N"]) == (cube.axes["mutation"][:3], (5, 20, 100))
    assert omission == "without mutation rand/2, which some of the cells cannot have"
    assert not np.isnan(whole.pois).any()
    whole, omission = drop_missing_levels(without(cube, *((mutation, 5) for mutation in cube.axes["mutation"][1:])))
    assert (len(whole.axes["mutation"]), whole.axes["N"]) == (4, (20, 100))


def test_a_part_without_the_gap_keeps_all_mutations(cube):
    whole, omission = drop_missing_levels(part(without(cube, ("rand/2", 5)), {"N": (20, 100)}))
    assert (len(whole.axes["mutation"]), omission) == (4, "")


def test_a_claim_about_configurations_that_do_not_exist_is_not_testable(cube):
    with pytest.raises(NotTestableError, match="none of its configurations exists"):
        drop_missing_levels(part(without(cube, ("rand/2", 5)), {"mutation": "rand/2", "N": 5}))
