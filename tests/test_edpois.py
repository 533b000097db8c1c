"""Bins and colours of docs/spec.md §4, on numbers made by hand."""

import numpy as np
import pytest

from debox.edpois import colour, histogram


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
    assert histogram([pois]).tolist() == expected


def test_every_tenth_of_a_budget_ends_its_bin():
    for budget in (10, 70, 300_000, 10**9 + 10):
        counts = np.arange(1, 11) * (budget // 10)
        assert histogram(counts / (budget // 10 * 10)).tolist() == [1] * 10


def test_the_histogram_counts_every_run_once():
    pois = np.random.default_rng(1).random(500)
    counts = histogram(pois)
    assert counts.sum() == 500
    assert counts[3] == np.count_nonzero((pois > 0.3) & (pois <= 0.4))
    assert histogram([0.05]).shape == (10,)


@pytest.mark.parametrize(
    ("pois", "name"),
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
def test_the_colour_is_that_of_spec_4(pois, name):
    assert colour(np.array(pois)) == name
