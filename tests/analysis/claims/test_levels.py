"""Parts of a study by value and by bound; what is missing is named."""

import pytest

from debox.analysis.claims.levels import NotTestableError, above, at_least, at_most, below, part, several, worded


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
        several(cube.take(N=5), "N")


def test_a_part_in_words():
    assert worded({"N": (20, 100), "F": at_least(0.7)}) == "N = 20, 100; F at least 0.7"
