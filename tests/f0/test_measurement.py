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


def test_mean_and_quantiles_by_hand():
    m = made([0.4, 0.0, 0.1, 0.3, 0.2])
    assert m.mean() == pytest.approx(0.2)
    # five values in order stand at 0, 1/4, 1/2, 3/4, 1; between them on a line
    assert m.quantiles() == pytest.approx([0.02, 0.1, 0.2, 0.3, 0.38])
    assert m.quantiles([0, 1]).tolist() == [0, 0.4]
    assert isinstance(m.mean(), float)


@pytest.mark.parametrize(
    ("pois", "place"),
    [
        (0.0, 0),
        (0.1, 0),  # the first bin is closed, [0, 0.1]
        (np.nextafter(0.1, 1), 1),
        (0.2, 1),  # the others are (k/10, (k + 1)/10]
        (0.3, 2),  # 0.3 is below 3·0.1 = 0.30000000000000004
        (90_000 / 300_000, 2),
        (np.nextafter(0.3, 1), 3),
        (0.6, 5),
        (0.7, 6),  # and 0.7 below 7·0.1
        (210_000 / 300_000, 6),
        (0.9, 8),
        (0.95, 9),
        (1.0, 9),
    ],
)
def test_a_run_is_in_the_bin_of_spec_4(pois, place):
    expected = [0] * 10
    expected[place] = 1
    assert made([pois]).histogram().tolist() == expected


def test_every_tenth_of_a_budget_ends_its_bin():
    for budget in (10, 70, 300_000, 10**9 + 10):
        counts = np.arange(1, 11) * (budget // 10)
        assert made(counts / (budget // 10 * 10)).histogram().tolist() == [1] * 10


def test_the_histogram_counts_every_run_once():
    pois = np.random.default_rng(1).random(500)
    histogram = made(pois).histogram()
    assert histogram.sum() == 500
    assert histogram[3] == np.count_nonzero((pois > 0.3) & (pois <= 0.4))
    assert made([0.05]).histogram().shape == (10,)


@pytest.mark.parametrize(
    ("pois", "colour"),
    [
        ([0.0, 0.001], "teal"),
        ([0.0], "teal"),
        ([0.999, 1.0], "teal"),
        ([0.001], "teal"),  # teal comes first
        ([0.999], "teal"),
        ([0.001, 0.01], "orange"),
        ([0.005], "orange"),
        ([0.99, 0.999], "orange"),
        ([0.0, 1.0], "violet"),  # all at one end, or all at the other
        ([0.0005, 0.9995], "violet"),
        ([0.0005, 0.005], "violet"),  # neither all within [0, 0.001] nor all within [0.001, 0.01]
        ([0.005, 0.995], "violet"),
        ([0.995, 0.9995], "violet"),
        ([np.nextafter(0.001, 1)], "orange"),
        ([np.nextafter(0.001, 0), 0.002], "violet"),
        ([np.nextafter(0.01, 1)], "violet"),
        ([np.nextafter(0.99, 0)], "violet"),
        ([np.nextafter(0.999, 0)], "orange"),
        ([0.0] * 49 + [0.5], "violet"),
        ([0.5], "violet"),
    ],
)
def test_the_colour_is_that_of_spec_4(pois, colour):
    assert made(pois).colour() == colour
