"""The rates of the one error bar: how often intervals hold, and how often differences are seen where there are none.

Shares of factors: some cases of tests/law, in fewer studies.
"""

from itertools import product

import numpy as np
import pytest
from reproduction import factors as synthetic

import debox
from debox.analysis import factors
from debox.study.fields import AXES

STUDIES = 250
LEAST = 0.87  # the interval that does worst holds its share with chance 0.93: fewer are held with chance 0.0004


@pytest.mark.parametrize(
    ("of", "law", "runs"), [("mean", "two values", 10), ("spread", "uneven", 10), ("quantiles", "uneven", 50)]
)
def test_intervals_hold_the_true_shares(of, law, runs):
    held = synthetic.coverage(of, law, runs, STUDIES)
    assert min(held) >= LEAST
    assert held.mean() <= 0.99


def test_without_the_removal_of_noise_they_do_not_hold_the_share_of_a_factor_that_does_nothing(monkeypatch):
    """The control: its total share is too large in all studies."""
    monkeypatch.setattr(factors, "mean_noise", lambda replicates: 0.0)
    total_of_a = synthetic.coverage("mean", "normal", 10, 50)[3]
    assert total_of_a < 0.2


STRATEGIES = ("mirror", "saturation")


def null_studies(studies, runs, more=0.0):
    """Contrasts of two strategies by 3 F and 2 Cr, `more` apart; runs are skewed and differ in spread between cells."""
    rng = np.random.default_rng(runs)
    cells = list(product(["rand/1"], ["bin"], STRATEGIES, [5], (0.5, 1.0, 2.0), (0.1, 0.9)))
    columns = {name: np.repeat(np.array([cell[k] for cell in cells]), runs) for k, name in enumerate(AXES)}
    F, saturation = columns["F"], columns["strategy"] == "saturation"
    for _ in range(studies):
        pois = 0.2 + 0.1 * F * rng.beta(1, 3, len(F)) + more * saturation
        table = columns | {"dimension": np.full(len(F), 10), "budget": np.full(len(F), 10**6), "pois": pois}
        (pair,) = debox.contrast(table, "strategy").pairs
        yield pair


@pytest.mark.parametrize("runs", [10, 50])
def test_contrasts_see_few_differences_where_there_are_none(runs):
    """400 studies: a rate of .05 is above .08 with chance 0.004. Cells are corrected for all cells of a study."""
    pairs = list(null_studies(400, runs))
    assert np.mean([one.p <= 0.05 for one in pairs]) <= 0.08
    assert np.mean([not one.lower <= 0 <= one.upper for one in pairs]) <= 0.08
    assert np.mean([one.rise + one.fall > 0 for one in pairs]) <= 0.08


def test_contrasts_see_a_difference_where_there_is_one():
    """The control: .01 is a fifth to a half of the standard deviation of a run."""
    pairs = list(null_studies(40, 50, more=0.01))
    assert np.mean([one.p <= 0.05 for one in pairs]) > 0.9
