"""The numbers of a report, by hand."""

import numpy as np
import pytest
from plans import planned as study

from debox.analysis.headline import (
    by_factor,
    count_configurations,
    counts,
    find_F_reaching,
    smallest_F_reaching,
    summarise,
)
from debox.analysis.old_runs import Panel, Runs

SAT, TOR = ("rand/1", "bin", "saturation", 5), ("rand/1", "bin", "toroidal", 5)
CELLS = {
    (*SAT, 0.5, 0.1): [0.0, 0.001, 0.0005],  # all at most 0.001
    (*SAT, 0.5, 0.9): [0.4, 0.5, 0.6],  # median 0.5, wide
    (*SAT, 1.5, 0.1): [0.98, 0.99, 0.99],  # median 0.99
    (*SAT, 1.5, 0.9): [0.999, 1.0, 1.0],  # all at least 0.999
    (*TOR, 1.5, 0.9): [0.0] * 5 + [0.4] * 6,  # two camps; median 0.4
}


@pytest.fixture
def runs(made):
    return Runs.of(made(CELLS))


def test_configurations_are_counted(runs):
    total = counts(summarise(runs))
    assert (total.configurations, total.median) == (5, 0.5)  # of 0.0005, 0.4, 0.5, 0.99, 1
    assert (total.half, total.nearly_all) == (3, 2)
    assert (total.always_outside, total.never_outside) == (1, 1)
    assert (total.wide, total.bimodal) == (2, 1)
    assert total.share("half") == 0.6


def test_two_camps_need_ten_runs(made):
    for runs, bimodal in ((9, None), (10, 0)):
        assert counts(summarise(Runs.of(made({(*SAT, 0.5, 0.1): [0.5] * runs})))).bimodal == bimodal


def test_limits_belong_to_the_extremes(made):
    cells = {(*SAT, 0.5, 0.1): [0.999], (*SAT, 0.5, 0.9): [np.nextafter(0.999, 0)], (*TOR, 0.5, 0.1): [0.001]}
    total = counts(summarise(Runs.of(made(cells))))
    assert (total.always_outside, total.never_outside) == (1, 1)


def test_every_value_of_every_factor_has_its_counts(runs):
    every = by_factor(runs, summarise(runs))
    assert list(every) == ["mutation", "crossover", "strategy", "N", "F", "Cr"]
    assert [every["strategy"][name].configurations for name in ("saturation", "toroidal")] == [4, 1]
    assert [(F, c.configurations, c.half) for F, c in every["F"].items()] == [(0.5, 2, 1), (1.5, 3, 2)]


def test_without_configurations_there_are_no_shares():
    none = counts([])
    assert none.configurations == 0
    assert np.isnan(none.share("half"))
    assert np.isnan(none.median)


def test_planned_are_all_combinations(runs, made):
    assert count_configurations(runs) == 8  # two strategies, two F, two Cr
    assert count_configurations(Runs.of(made(CELLS), study(made(CELLS), N=[5, 20], Cr=[0.1, 0.5, 0.9]))) == 24


def test_the_smallest_F_outside_is_between_those_measured():
    assert find_F_reaching((1.0, 2.0), (0.2, 0.8), 0.5) == pytest.approx(1.5)  # equally far from 0.5
    assert find_F_reaching((1.0, 2.0), (0.6, 0.8), 0.5) == 1.0
    assert find_F_reaching((1.0, 2.0, 3.0), (0.2, 0.5, 0.2), 0.5) == 2.0
    assert find_F_reaching((1.0, 2.0), (0.2, 0.4), 0.5) is None


def test_what_was_not_measured_is_not_never():
    assert np.isnan(find_F_reaching((1.0, 2.0), (0.2, np.nan), 0.5))
    assert find_F_reaching((1.0, 2.0, 3.0), (np.nan, 0.2, 0.8), 0.5) == pytest.approx(2.5)


def test_leaving_says_F_for_each_Cr(runs):
    F = smallest_F_reaching(runs, Panel(*SAT))
    assert list(F) == [0.1, 0.9]
    assert 0.5 < F[0.1] < 1.5
    assert F[0.9] == 0.5
    assert np.isnan(smallest_F_reaching(runs, Panel(*TOR))[0.1])
