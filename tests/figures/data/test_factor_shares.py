"""Shares of a factor analysis whose means are known."""

import pytest

from debox.analysis.factors import factors
from debox.analysis.old_runs import Runs
from debox.figures.data.factor_shares import entries, factor_shares, shares_of_runs

MEANS = {(0.5, 0.1): 0.1, (0.5, 0.9): 0.2, (1.0, 0.1): 0.2, (1.0, 0.9): 0.5, (2.0, 0.1): 0.3, (2.0, 0.9): 0.8}


@pytest.fixture
def runs(made):
    return Runs.of(made({cell: [mean] * 4 for cell, mean in MEANS.items()}))


def test_shares_hold_every_factor_and_begin_with_the_largest(runs):
    """F has means 0.15, 0.35, 0.55 and variance 0.0267, Cr 0.2, 0.5 and 0.0225."""
    record = shares_of_runs(runs)
    assert [one.name for one in record.factors[:2]] == ["F", "Cr"]
    assert {one.name for one in record.factors} == {"mutation", "crossover", "strategy", "N", "F", "Cr"}
    found = factors(runs.table)
    of_F = record.factors[0]
    assert (of_F.first, of_F.total, of_F.shapley) == (found.first["F"], found.total["F"], found.shapley["F"])
    assert (of_F.levels, record.title) == (3, "mean POIS")
    assert factor_shares(factors(runs.table, "logit")).title == "mean logit of POIS"


def test_a_study_that_is_not_full_or_of_one_factor_has_no_figure(made, runs):
    (entry,) = entries(runs)
    assert (entry.name, entry.obstacle(runs)) == ("factors-shares", "")
    without = Runs.of(made({cell: [mean] * 4 for cell, mean in MEANS.items() if cell != (0.5, 0.9)}))
    assert "these have fewer: rand/1/exp saturation, N=5, F=0.5, Cr=0.9: 0" in entry.obstacle(without)
    one = Runs.of(made({cell: [mean] * 4 for cell, mean in MEANS.items() if cell[1] == 0.9}))
    assert entry.obstacle(one).endswith("needs two with several levels, this study has F")
