"""The numbers of figures of factors, whose means are known."""

import numpy as np
import pytest

from debox.analysis.factors import factors, obstacle
from debox.analysis.runs import Runs
from debox.figures import factor_interaction, factor_shares

FS, CRS = (0.5, 1.0, 2.0), (0.1, 0.9)
MEANS = np.array([[0.1, 0.2], [0.2, 0.5], [0.3, 0.8]])  # a row per F
CELLS = {(F, Cr): [MEANS[i, j]] * 4 for i, F in enumerate(FS) for j, Cr in enumerate(CRS)}


@pytest.fixture
def runs(made):
    return Runs.of(made(CELLS))


def test_shares_hold_every_factor_that_varies_and_begin_with_the_largest(runs):
    """F has means 0.15, 0.35, 0.55 and variance 0.0267, Cr 0.2, 0.5 and 0.0225."""
    shown, found = factor_shares.numbers(runs), factors(runs)
    assert shown["factor"][:2].tolist() == ["F", "Cr"]
    assert set(shown["factor"]) == {"F", "Cr"}  # those with one level make no difference
    assert shown["levels"][:2].tolist() == [3, 2]
    for kind in ("first", "total", "shapley"):
        row = [shown[name][0] for name in (kind, f"{kind}_low", f"{kind}_high")]
        assert row == pytest.approx(list(getattr(found, kind)["F"]), nan_ok=True)


def test_an_interaction_is_what_means_have_beyond_their_margins(runs):
    """The factor with fewer levels comes first: Cr, with a row each."""
    shown = factor_interaction.numbers(runs)
    assert list(shown) == ["Cr", "F", "mean", "additive"]
    assert (shown["Cr"].tolist(), shown["F"].tolist()) == (list(CRS), list(FS))
    assert shown["mean"] == pytest.approx(MEANS.T)
    assert shown["additive"] == pytest.approx(MEANS.mean(axis=0)[:, None] + MEANS.mean(axis=1) - MEANS.mean())


@pytest.mark.parametrize("figure", [factor_shares, factor_interaction])
def test_a_figure_lacks_what_factors_lack(made, runs, figure):
    gap = Runs.of(made({key: pois for key, pois in CELLS.items() if key != (0.5, 0.9)}))
    for given in (runs, gap):
        (page,) = figure.pages(given)
        assert page.obstacle == obstacle(given)
