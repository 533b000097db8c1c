"""What a prediction says, in numbers and words."""

import json

import numpy as np
import pytest

from debox.analysis.predict.answer import prediction_at
from debox.analysis.predict.band import Calibration
from debox.analysis.predict.result import at_levels


@pytest.fixture
def of(grid_of):
    """of(F, Cr): the prediction from cells whose ten runs lie around a tenth of a percent times F."""

    def make(F, Cr, levels=(0.1, 0.3, 0.6, 1.0, 1.5, 2.0)):
        grid = grid_of(lambda f, c: 10_000 * f + 100 * np.arange(10), F=levels)
        return prediction_at(grid, Calibration(grid), F, Cr)

    return make


def test_quantiles_are_those_of_the_expected_runs(of):
    one = of(0.6, 0.3)
    assert one.pois == pytest.approx((6000 + 100 * np.arange(10)) / 100_005)
    assert one.mean() == pytest.approx(6450 / 100_005)
    assert one.quantiles([0, 0.05, 0.5, 1]) == pytest.approx(np.array([6000, 6000, 6450, 6900]) / 100_005)
    assert not one.pois.flags.writeable


@pytest.mark.parametrize("p", [[1.1], [-0.1], [np.nan], 0.5, "half"])
def test_wrong_levels_are_refused(of, p):
    with pytest.raises(ValueError, match="p"):
        of(0.6, 0.3).quantiles(p)


def test_the_band_lies_around_the_expected_runs(of):
    one = of(0.8, 0.4)
    band = one.band(0.8)
    assert band.p.tolist() == pytest.approx([0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95])
    assert (band.low <= one.pois).all()
    assert (one.pois <= band.high).all()
    assert one.mean_interval(0.8) == pytest.approx((band.low.mean(), band.high.mean()))
    wider = one.band(0.9)
    assert (wider.high - wider.low).mean() > (band.high - band.low).mean()


def test_expected_runs_that_are_all_alike_lie_in_their_band_to_the_bit(grid_of):
    """Counts that are turned into angles and back are not the same to the bit."""
    for count in range(11_000, 11_020):
        grid = grid_of(lambda F, Cr, count=count: np.full(3, count))
        one = prediction_at(grid, Calibration(grid), 0.6, 0.3)
        band = one.band(0.5)
        assert (band.low <= one.pois).all()
        assert (one.pois <= band.high).all()


def test_odds_that_are_a_multiple_of_those_of_generation_1_are_predicted_as_such(grid_of):
    """Theory turns up and down between the levels, which splines of the cells alone do not see."""

    def chance(F, Cr):
        return 1 / (1 + np.exp(-np.sin(9 * F) * np.cos(7 * Cr)))

    def law(F, Cr):
        odds = 3 * chance(F, Cr) / (1 - chance(F, Cr))
        return np.full(4, 1e8 * odds / (1 + odds))

    grid = grid_of(law, budget=10**8 + 5, chance=chance)
    one = prediction_at(grid, Calibration(grid), 0.8, 0.5)
    assert one.pois == pytest.approx(law(0.8, 0.5) / grid.budget, rel=1e-6)


def test_the_text_says_what_is_expected_what_intervals_mean_and_how_to_know_better(of):
    first, second, mean, *quantiles, last = str(of(0.8, 0.4)).splitlines()
    assert first == "DE/rand/1/bin mirr, N=5, F=0.8, Cr=0.4: interpolated, no run was done"
    assert second == ("f0, n=10, budget 100005; in brackets: where 10 fresh runs have it in 90 % of configurations")
    assert mean.startswith("POIS mean     0.08")
    assert [line.split()[0] for line in quantiles] == ["5%", "25%", "50%", "75%", "95%"]
    assert all("[" in line for line in (mean, *quantiles))
    assert last == ('to know it better: debox measure "DE/rand/1/bin mirr, N=5, F=0.8, Cr=0.4" --n 10 --budget 100005')


def test_a_stored_cell_is_called_so(of):
    assert str(of(0.6, 0.3)).splitlines()[0].endswith("F=0.6, Cr=0.3: as stored")


def test_without_a_band_the_text_says_why(of, grid_of):
    grid = grid_of(lambda F, Cr: 10_000 * F, F=[0.5, 1.0], Cr=[0.1, 0.9])
    one = prediction_at(grid, Calibration(grid), 0.7, 0.5)
    text = str(one)
    assert "no intervals: 0 cells that can be left out are too few" in text
    assert "[" not in text
    assert one.as_dict()["band"] is None
    with pytest.raises(ValueError, match="no level of F or Cr between two others"):
        one.band()


def test_a_dictionary_goes_through_json(of):
    one = of(0.8, 0.4)
    found = json.loads(json.dumps(one.as_dict(0.8)))
    assert found["config"] == one.config
    assert found["pois"] == one.pois.tolist()
    assert found["band"]["low"] == one.band(0.8).low.tolist()
    assert (found["stored"], found["level"], found["N"]) == (False, 0.8, 5)


def test_a_notebook_shows_a_table_and_a_histogram(of):
    html = of(0.8, 0.4)._repr_html_()
    assert "<b>DE/rand/1/bin mirr, N=5, F=0.8, Cr=0.4: interpolated" in html
    assert "POIS mean" in html
    assert "<svg" in html
    assert repr(of(0.8, 0.4)).startswith("<Prediction DE/rand/1/bin mirr, N=5, F=0.8, Cr=0.4: mean POIS 0.08")


def test_levels_between_runs_lie_on_lines():
    runs = np.array([0.0, 1.0, 3.0, 7.0])  # at levels 1/8, 3/8, 5/8, 7/8
    assert at_levels(runs, np.array([0, 0.125, 0.25, 0.5, 0.875, 1])).tolist() == [0, 0, 0.5, 2, 7, 7]
    assert at_levels(np.array([4.0]), np.array([0, 0.3, 1])).tolist() == [4, 4, 4]
