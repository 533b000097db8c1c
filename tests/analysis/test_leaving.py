"""The numbers of a report, by hand."""

import numpy as np
import pytest

from debox.analysis.leaving import F_reaching, count, count_by, crossings, logit_like
from debox.analysis.runs import Runs

SAT, TOR = ("rand/1", "bin", "saturation", 5), ("rand/1", "bin", "toroidal", 5)
CELLS = {
    (*SAT, 0.5, 0.1): [0.0, 0.001, 0.0005],  # all at most 0.001
    (*SAT, 0.5, 0.9): [0.4, 0.5, 0.6],  # median 0.5, wide
    (*SAT, 1.5, 0.1): [0.98, 0.99, 0.99],  # median 0.99
    (*SAT, 1.5, 0.9): [0.999, 1.0, 1.0],  # all at least 0.999
    (*TOR, 1.5, 0.9): [0.0] * 5 + [0.4] * 6,  # median 0.4, wide
}


def test_configurations_are_counted_by_their_runs(made):
    found = count(Runs.of(made(CELLS)))
    assert found.configurations == 5
    assert found[1:] == pytest.approx((0.5, 3 / 5, 2 / 5, 1 / 5, 1 / 5, 2 / 5))  # medians 0.0005, 0.4, 0.5, 0.99, 1


def test_missing_runs_change_nothing_of_the_others(made):
    cells = {(0.5, 0.1): [0.0, 0.2, 0.7], (0.5, 0.9): [0.1, 0.3, 0.4]}
    assert count(Runs.of(made(cells))).median == pytest.approx(0.25)
    assert count(Runs.of(made(cells | {(0.5, 0.9): [0.1, 0.3]}))).median == pytest.approx(0.2)


def test_limits_belong_to_the_extremes(made):
    cells = {(*SAT, 0.5, 0.1): [0.999], (*SAT, 0.5, 0.9): [np.nextafter(0.999, 0)], (*TOR, 0.5, 0.1): [0.001]}
    found = count(Runs.of(made(cells)))
    assert (found.always_outside, found.never_outside) == pytest.approx((1 / 3, 1 / 3))


def test_always_and_never_are_said_of_all_runs(made):
    found = count(Runs.of(made({(*SAT, 0.5, 0.1): [0.5, 1.0, 1.0], (*SAT, 0.5, 0.9): [0.0, 0.0, 0.5]})))
    assert (found.always_outside, found.never_outside) == (0, 0)


def test_every_level_of_a_factor_has_its_counts(made):
    runs = Runs.of(made(CELLS))
    assert {k: one.configurations for k, one in count_by(runs, "strategy").items()} == {"saturation": 4, "toroidal": 1}
    assert [one.half for one in count_by(runs, "F").values()] == pytest.approx([1 / 2, 2 / 3])


def test_without_runs_there_are_no_shares(table):
    none = count(Runs.of(table()))
    assert none.configurations == 0
    assert np.isnan(none.half)


def test_the_smallest_F_outside_is_between_those_measured():
    assert F_reaching((1.0, 2.0), (0.2, 0.8)) == pytest.approx(1.5)  # equally far from 0.5
    assert F_reaching((1.0, 2.0), (0.6, 0.8)) == 1.0
    assert F_reaching((1.0, 2.0, 3.0), (0.2, 0.5, 0.2)) == 2.0
    assert F_reaching((1.0, 2.0), (0.2, 0.4)) is None
    assert np.isnan(F_reaching((1.0, 2.0), (0.2, np.nan)))  # what was not measured is not never
    assert F_reaching((1.0, 2.0, 3.0), (np.nan, 0.2, 0.8)) == pytest.approx(2.5)


def test_a_level_is_passed_where_the_scale_says_up_and_down():
    expected = float(logit_like(0.9) / logit_like(0.999))  # 0.5 lies at 0
    assert crossings((0.0, 1.0), (0.5, 0.999), 0.9) == pytest.approx([expected])
    assert crossings((1.0, 2.0, 3.0, 4.0), (0.2, 0.8, 0.2, 0.2), 0.5) == pytest.approx([1.5, 2.5])
    assert crossings((1.0, 2.0, 3.0), (0.2, np.nan, 0.8), 0.5) == crossings((1.0,), (0.2,), 0.5) == []
