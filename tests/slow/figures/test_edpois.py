"""The bars of EDPOIS panels, in units of a rectangle; whole panels are compared in test_golden.py."""

import pytest

from debox.figures.edpois import GAP, bars_of


def counts(**bins):
    return [bins.get(f"b{k}", 0) for k in range(10)]


def share(place, points):
    """Points as shares of the rectangle at this grid place."""
    return [((x - place[0] - GAP) / (1 - 2 * GAP), (y - place[1] - GAP) / (1 - 2 * GAP)) for x, y in points]


def span(place, bar):
    """left, right, low, high"""
    x, y = zip(*share(place, bar), strict=True)
    return min(x), max(x), min(y), max(y)


def test_a_bar_is_as_long_as_its_share_of_the_planned_runs_and_stands_at_its_tenth():
    bars = [span((3, 4), bar) for bar in bars_of((3, 4), counts(b2=10, b9=30), 50, "violet")]
    assert bars == [pytest.approx((0, 0.2, 0.2, 0.3)), pytest.approx((0, 0.6, 0.9, 1.0))]


@pytest.mark.parametrize(("runs", "notch"), [(1, 1 / 150), (9, 0.06), (50, 0.06)])
def test_an_orange_bar_has_a_notch_of_a_third_at_most_and_the_length_of_any_other(runs, notch):
    left, right = (span((0, 0), bar) for bar in bars_of((0, 0), counts(b9=runs), 50, "orange"))
    assert left == pytest.approx((0, (runs / 50 - notch) / 2, 0.9, 1))
    assert right == pytest.approx(((runs / 50 + notch) / 2, runs / 50, 0.9, 1))
