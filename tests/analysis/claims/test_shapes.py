"""Whole distributions: laws that differ with equal means, laws that are equal, shapes that vary."""

import numpy as np
import pytest

from debox.analysis.claims.levels import NotTestableError
from debox.analysis.claims.shapes import Differ, MoreVaried, SameShape

RUNS = np.linspace(-0.01, 0.01, 12)
FEW = {"mutation": ("rand/1",), "N": (5, 20, 100), "F": (0.5, 0.9)}


def test_laws_that_lie_apart_are_told_apart_and_ties_are_silent(cube_of):
    def share(crossover, F, **_):
        return np.ones(12) if F == 0.9 else 0.5 + 0.3 * (crossover == "exp") + RUNS

    found = Differ("crossover", "bin", "exp").find(cube_of(share, **FEW), 0.8)
    assert found.effect == pytest.approx(0.3, abs=1e-3)
    assert (found.cells, found.agree) == (5 * 3 * 3, 1)  # strategies, N, Cr
    assert found.p == pytest.approx(0.8**45)
    assert "45 others are at 0 % or 100 %" in found.evidence


def test_equal_laws_are_not_told_apart(cube_of):
    rng = np.random.default_rng(3)
    found = Differ("crossover", "bin", "exp").find(cube_of(lambda **_: rng.random(12), **FEW), 0.8)
    assert found.agree < 0.05  # corrected over cells: any detection at all has a chance of 5 %
    assert found.p == 1


def test_few_runs_cannot_be_permuted(cube_of):
    with pytest.raises(NotTestableError, match="at least 5 per configuration; the study has 4"):
        Differ("crossover", "bin", "exp").find(cube_of(lambda **_: RUNS[:4] + 0.5, **FEW), 0.8)


@pytest.mark.parametrize(("apart", "agree"), [(0.0, 1), (0.04, 1), (0.08, 0)])
def test_shapes_are_the_same_up_to_a_margin(cube_of, apart, agree):
    cube = cube_of(lambda strategy, **_: 0.5 + apart * (strategy == "mirror") + RUNS, **FEW)
    found = SameShape("strategy", ("mirror", "toroidal", "dismiss"), 0.05).find(cube, 0.8)
    assert (found.agree, found.cells) == (agree, 2 * 3 * 2 * 3)


def test_a_shape_differs_though_the_mean_does_not(cube_of):
    cube = cube_of(lambda strategy, **_: 0.5 + RUNS * (30 if strategy == "mirror" else 1), **FEW)
    assert SameShape("strategy", ("mirror", "toroidal"), 0.05).find(cube, 0.8).agree == 0


def varied(cube_of, most):
    """At one N the cells of half of the Cr are wide, at the others all are alike."""
    return cube_of(lambda N, Cr, **_: 0.5 + RUNS * (20 if most == N and Cr > 0.4 else 1), **FEW)


def test_shapes_vary_most_where_widths_do(cube_of):
    test = MoreVaried("N", 5, (20, 100))
    found = test.find(varied(cube_of, 5), 0.8)
    assert found.agree == 1
    assert found.p < 0.01
    assert found.effect > 0
    other = test.find(varied(cube_of, 100), 0.8)
    assert other.agree == 0
    assert other.p > 0.9
    with pytest.raises(NotTestableError, match="no cell differs in shape"):
        test.find(varied(cube_of, None), 0.8)
    assert "N 5" in found.evidence


def test_a_common_shape_is_no_variety(cube_of):
    """All cells of N=5 are wide in the same way; those of the others are not alike, if only a little."""
    cube = cube_of(lambda N, Cr, **_: 0.5 + RUNS * (10 if N == 5 else 1 + Cr * 3), **FEW)
    assert MoreVaried("N", 5, (20, 100)).find(cube, 0.8).effect < 0


def test_what_chance_moves_apart_is_the_same_shape(cube_of):
    """Uniform samples of 12 runs are some 0.12 apart by chance alone, more than the margin."""
    rng = np.random.default_rng(9)
    found = SameShape("strategy", ("mirror", "toroidal"), 0.05).find(cube_of(lambda **_: rng.random(12), **FEW), 0.8)
    assert found.agree > 0.6


def test_places_are_no_shapes(cube_of):
    """At N=20 cells lie in different places, at N=5 they have different widths."""

    def share(N, Cr, **_):
        return 0.1 + (0.8 * Cr if N == 20 else 0.4) + RUNS * (10 if N == 5 and Cr > 0.9 else 1)

    assert MoreVaried("N", 5, (20, 100)).find(cube_of(share, **FEW), 0.8).agree == 1
