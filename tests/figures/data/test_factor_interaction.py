"""Interactions of a factor analysis whose means are known."""

import numpy as np
import pytest

from debox.analysis.factors import factors
from debox.analysis.old_runs import Runs
from debox.figures.data.factor_interaction import entries, interaction, interaction_of_runs

F, CR = (0.5, 1.0, 2.0), (0.1, 0.9)
MEANS = np.array([[0.1, 0.2], [0.2, 0.5], [0.3, 0.8]])  # a row per F


@pytest.fixture
def runs(made):
    cells = {(f, cr): [MEANS[i, j]] * 4 for i, f in enumerate(F) for j, cr in enumerate(CR)}
    return Runs.of(made(cells))


def test_an_interaction_is_what_means_have_beyond_their_margins(runs):
    """The factor with fewer levels comes first: Cr, with a row each."""
    record = interaction_of_runs(runs)
    assert (record.first, record.second) == ("Cr", "F")
    assert (record.first_levels, record.second_levels) == (("0.1", "0.9"), ("0.5", "1", "2"))
    assert np.array(record.means) == pytest.approx(MEANS.T)
    by_hand = MEANS.mean(axis=0)[:, None] + MEANS.mean(axis=1) - MEANS.mean()
    assert np.array(record.additive) == pytest.approx(by_hand)
    assert np.array(record.component) == pytest.approx(MEANS.T - by_hand)
    assert record.share == factors(runs.table).components["F", "Cr"]


def test_another_pair_may_be_asked_for_and_operators_have_their_short_names(made):
    strategies = {"saturation": 0.1, "mirror": 0.3}
    cells = {("rand/1", "exp", s, 5, f, 0.5): [v + f / 10] * 2 for s, v in strategies.items() for f in F}
    record = interaction(factors(made(cells)), ("strategy", "F"))
    assert record.first_levels == ("mirr", "sat")
    assert np.array(record.component) == pytest.approx(np.zeros((2, 3)), abs=1e-12)


def test_a_study_without_two_factors_has_no_interaction(made):
    runs = Runs.of(made({(f, 0.5): [0.5, 0.6] for f in F}))
    with pytest.raises(ValueError, match="two factors with several levels"):
        interaction_of_runs(runs)
    (entry,) = entries(runs)
    assert entry.name == "factors-interaction"
    assert entry.obstacle(runs).endswith("needs two with several levels, this study has F")
