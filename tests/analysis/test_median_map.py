"""Where a map of medians passes a level, by hand."""

import numpy as np
import pytest

from debox.analysis.median_map import Map
from debox.analysis.old_runs import Panel
from debox.analysis.scale import logit_like

PANEL = Panel("rand/1", "exp", "saturation", 5)


def test_a_level_halfway_between_symmetric_medians_is_passed_halfway():
    """0.2 and 0.8 lie equally far from 0.5 on the scale."""
    map_ = Map(PANEL, (1.0, 2.0), (0.1,), ((0.2,), (0.8,)))
    assert map_.crossings(0.5) == (pytest.approx((1.5, 0.1)),)


def test_a_level_is_passed_where_the_scale_says():
    map_ = Map(PANEL, (0.0, 1.0), (0.1,), ((0.5,), (0.999,)))
    expected = float(logit_like(0.9) / logit_like(0.999))  # 0.5 lies at 0
    assert map_.crossings(0.9) == (pytest.approx((expected, 0.1)),)


def test_every_passing_counts_up_and_down_and_touching_from_above_does_not():
    F = (1.0, 2.0, 3.0, 4.0)
    map_ = Map(PANEL, F, (0.1, 0.9), ((0.2, 0.5), (0.8, 0.9), (0.2, 0.5), (0.2, 0.6)))
    assert map_.crossings(0.5) == (pytest.approx((1.5, 0.1)), pytest.approx((2.5, 0.1)))


def test_what_is_missing_is_not_passed():
    map_ = Map(PANEL, (1.0, 2.0, 3.0), (0.1,), ((0.2,), (np.nan,), (0.8,)))
    assert map_.crossings(0.5) == ()


def test_one_value_of_F_is_never_passed():
    assert Map(PANEL, (1.0,), (0.1, 0.2), ((0.2, 0.8),)).crossings(0.5) == ()
