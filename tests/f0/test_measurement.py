"""Measurement: the summaries of POIS on numbers made by hand."""

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from measurements import FIELDS, TEXT

import debox


def made(pois):
    return replace(debox.measure(TEXT, n=2, budget=10, runs=1), pois=np.array(pois))


def test_a_measurement_is_frozen():
    with pytest.raises(FrozenInstanceError):
        made([0.5]).pois = np.zeros(1)
    for field in FIELDS:
        with pytest.raises(ValueError, match="read-only"):
            getattr(made([0.5]), field)[0] = 0


def test_mean_and_quantiles_by_hand():
    m = made([0.4, 0.0, 0.1, 0.3, 0.2])
    assert m.mean() == pytest.approx(0.2)
    # five values in order stand at 0, 1/4, 1/2, 3/4, 1; between them on a line
    assert m.quantiles() == pytest.approx([0.02, 0.1, 0.2, 0.3, 0.38])
    assert m.quantiles([0, 1]).tolist() == [0, 0.4]
    assert isinstance(m.mean(), float)


def test_histogram_and_colour_are_those_of_its_pois():
    assert made([0.0, 0.05, 0.95]).histogram().tolist() == [2, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert made([0.0, 0.05, 0.95]).colour() == "violet"
    assert made([0.0, 0.0005]).colour() == "teal"
