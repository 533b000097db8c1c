"""Shares of variance on a function whose shares are known: a main effect, another, and their interaction."""

import numpy as np
import pytest

from debox.analysis.claims import shares
from debox.analysis.claims.levels import NotTestableError
from debox.analysis.claims.shares import Explains
from debox.study.fields import AXES

A = {5: -1.0, 20: 0.0, 100: 1.0}  # variance 2/3
B = {0.05: -1.0, 0.5: 0.0, 0.99: 1.0}  # variance 2/3, the product of both 4/9


def study(cube_of, n=0.03, cr=0.02, both=0.03, noise=0.0):
    """Variances: N (2/3)·0.03², Cr (2/3)·0.02², together (4/9)·0.03²."""
    rng = np.random.default_rng(4)

    def share(N, Cr, **_):
        level = 0.5 + n * A[N] + cr * B[Cr] + both * A[N] * B[Cr]
        return level + noise * rng.standard_normal(6)

    return cube_of(share)


MAIN, OTHER, BOTH = 9 * 2 / 3, 4 * 2 / 3, 9 * 4 / 9  # in units of 10⁻⁴
WHOLE = MAIN + OTHER + BOTH


@pytest.mark.parametrize("noise", [0.0, 0.02])
@pytest.mark.parametrize(
    ("test", "by_hand"),
    [
        (Explains("N", below=0.9), MAIN / WHOLE),
        (Explains("N", below=0.9, interactions=True), (MAIN + BOTH) / WHOLE),
        (Explains("Cr", below=0.9, interactions=True), (OTHER + BOTH) / WHOLE),
        (Explains("mutation", below=0.9, interactions=True), 0),
        (Explains("any", below=0.9), MAIN / WHOLE),
        (Explains("interactions", least=0.1), BOTH / WHOLE),
    ],
)
def test_shares_by_hand_with_and_without_noise(cube_of, test, by_hand, noise):
    """Noise of 0.02/√6 would add 0.67 to the whole of 12.7 units if it were not removed."""
    found = test.find(study(cube_of, noise=noise), 0.95)
    assert found.effect == pytest.approx(by_hand, abs=0.015 if noise else 2e-3)
    assert found.agree == 1
    assert found.p < 1e-6


def test_a_bound_that_is_not_kept(cube_of):
    found = Explains("N", below=0.3).find(study(cube_of, noise=0.02), 0.95)
    assert (found.agree, found.against) == (0, 1)
    assert found.p > 0.999
    assert "N explains alone" in found.evidence
    strongest = Explains("any", below=0.3).find(study(cube_of), 0.95).evidence
    assert "the strongest factor, N, explains alone" in strongest


def test_one_value_of_a_factor_explains_nothing(cube_of):
    with pytest.raises(NotTestableError, match="needs several mutation; the study has rand/1"):
        Explains("mutation", below=0.5).find(study(cube_of).take(mutation="rand/1"), 0.95)


def test_several_studies_at_once_are_several_studies():
    rng = np.random.default_rng(5)
    means, noise = rng.random((3, 2, 2, 2, 3, 4, 5)), rng.random((2, 2, 2, 3, 4, 5)) / 100
    for compute in (shares.alone, shares.total):
        for axis in range(len(AXES)):
            together = compute(means, noise, axis)
            assert together == pytest.approx([float(compute(one, noise, axis)) for one in means])


def test_sampling_variance_is_removed_by_hand():
    """Two values of one factor, means 0 and 1 with a sampling variance of 0.1 each: 1/4 − 0.1·(1 − 1/2)."""
    means, noise = (np.array(pair).reshape(2, 1, 1, 1, 1, 1) for pair in ([0.0, 1.0], [0.1, 0.1]))
    for variance in (shares.alone(means, noise, 0), shares.total(means, noise, 0), shares.whole(means, noise)):
        assert float(variance) == pytest.approx(0.2)


@pytest.mark.parametrize("level", [0.0, 1.0, 0.5])
@pytest.mark.parametrize("test", [Explains("interactions", least=0.1), Explains("any", below=0.5)])
def test_without_variance_there_is_nothing_to_explain(cube_of, test, level):
    cube = cube_of(lambda **_: [level] * 4)
    with pytest.raises(NotTestableError, match="no variance to explain"):
        test.find(cube, 0.95)


def test_one_cell_has_no_variance(cube_of):
    one = study(cube_of, noise=0.02).take(**{name: values[0] for name, values in study(cube_of).axes.items()})
    with pytest.raises(NotTestableError, match="no variance to explain"):
        Explains("interactions", least=0.1).find(one, 0.95)
