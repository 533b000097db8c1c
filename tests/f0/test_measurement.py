"""Measurement: the summaries of POIS on numbers made by hand."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from debox import Config, Measurement


def made(pois):
    runs = len(pois)
    return Measurement(
        config=Config("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99"),
        n=2,
        budget=1000,
        seed=0,
        engine="plain",
        checkpoints=(0.5,),
        pois=np.array(pois, np.float64),
        pois_at=np.zeros((runs, 1)),
        accepted=np.zeros(runs, np.int64),
        best_f=np.zeros(runs),
        best_x=np.zeros((runs, 2)),
        seconds=0.0,
    )


def test_a_measurement_is_frozen():
    with pytest.raises(FrozenInstanceError):
        made([0.5]).pois = np.zeros(1)
    for field in ("pois", "pois_at", "accepted", "best_f", "best_x"):
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
