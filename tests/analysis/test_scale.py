"""The scale of POIS, at points that can be computed by hand."""

import numpy as np
import pytest

from debox.analysis.leaving import ENDS, TICKS, logit_like


def test_the_ends_and_the_middle_have_their_places():
    # ε = 1/9999: (0 + ε)/(1 + ε) = 1/10000, so ½·(−4) + 0 − 1 = −3
    assert logit_like([0, 0.5, 1]) == pytest.approx([-3, 0, 3], abs=1e-12)
    assert ENDS == 3


def test_it_is_a_logit_and_a_line():
    # p = 0.2 with ε: log₁₀((0.2 + ε)/(0.8 + ε)) = log₁₀(2000.8/8000.2) = −0.60190
    assert float(logit_like(0.2)) == pytest.approx(-0.60190 / 2 - 0.6, abs=1e-5)


def test_it_is_symmetric_and_rises():
    p = np.linspace(0, 1, 1001)
    assert logit_like(p) == pytest.approx(-logit_like(1 - p), abs=1e-12)
    assert (np.diff(logit_like(p)) > 0).all()


def test_every_tick_stands_well_apart_from_the_next():
    """A twelfth of the scale at least; on a linear scale most would fall together."""
    assert (np.diff(logit_like(TICKS)) / (2 * ENDS) > 1 / 12).all()
    assert not (np.diff(TICKS) > 1 / 12).all()


def test_what_is_missing_stays_missing():
    assert np.isnan(logit_like(np.nan))
